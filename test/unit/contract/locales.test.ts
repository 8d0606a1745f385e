// Every key that the sources use has an English message, no message is without a use, and FormatJS checks the other languages.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { isMessageKey, type Catalog } from '../../../app/contract/messages.ts';
import { settings } from '../../../app/contract/settings.ts';
import { createCommandLine } from '../../../app/terminal/command-line.ts';
import { ownTerminal } from '../../../app/terminal/terminal.ts';

const projectRoot = join(import.meta.dirname, '..', '..', '..');

function read(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}

const english = JSON.parse(read('locales/en.json')) as Catalog;
const groups = new Set(Object.keys(english).map((key) => key.split('.')[0]));
const key = new RegExp(
  String.raw`['"` + '`' + String.raw`]((?:${[...groups].join('|')})\.[a-z\d.-]+)['"` + '`' + String.raw`]`,
  'gu',
);
const call = /(?<![\w.])(?:t|messageParts)(?:<\w+>)?\(\s*'([^']+)'|<Message\s+of="([^"]+)"/gu;
const sources = globSync('{app,renderer}/**/*.{ts,tsx}', { cwd: projectRoot })
  .map(read)
  .map((text) => text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gmu, ''));

test('every message is used, and every key has a message', () => {
  const used = new Set(sources.flatMap((text) => [...text.matchAll(key)].map(([, found = '']) => found)));
  // Put together from an operation's name, a status, a check, the id of a setting, or an error's code, which somebody must throw.
  const shown = read('renderer/window/settings/catalog.ts').matchAll(/'(\w+)'/gu);
  const ids = new Set([...Object.keys(settings), ...[...shown].map(([, id]) => id)]);
  const thrown = new Set(sources.flatMap((text) => text.match(/'[a-z-]+'(?!:)/gu) ?? []));
  const ofCommands = new Set(helpKeys(createCommandLine(ownTerminal(), () => undefined)));
  const isPutTogether = (one: string): boolean => {
    if (ofCommands.has(one)) return true;
    const [group, id = ''] = one.split('.');
    if (group === 'setting') return ids.has(id);
    if (/^terminal\.(?:check|status|tls)-/u.test(one)) return true;
    return /^(?:request|status)$/u.test(group ?? '') || (group === 'error' && thrown.has(`'${id}'`));
  };
  const unused = Object.keys(english).filter((one) => !used.has(one) && !isPutTogether(one));
  assert.deepEqual(unused, [], 'Remove these from locales/*.json.');
  const said = sources.flatMap((text) =>
    [...text.matchAll(call)].map(([, one, other]) => one ?? other ?? ''),
  );
  const stored = Object.keys(settings).filter((id) => id !== 'windowFirstRunDone');
  said.push(...stored.flatMap((id) => [`setting.${id}`, `setting.${id}.hint`]));
  const missing = said.filter((one) => !Object.hasOwn(english, one));
  assert.deepEqual(missing, [], 'Add these to locales/en.json.');
});

test('every command and option of the terminal has a description', () => {
  const program = createCommandLine(ownTerminal(), () => undefined);
  assert.deepEqual(undescribed(program), []);
});

/** `terminal.help-users-add`, `terminal.option-users-add-role`, `terminal.option-json`. */
function helpKeys(command: Command, words: readonly string[] = []): string[] {
  const name = words.join('-');
  const options = command.options.map(({ long }) => (long ?? '').slice(2));
  const own = options.map((option) => `terminal.option-${name}-${option}`);
  return [
    `terminal.help-${name}`,
    ...own.filter(isMessageKey),
    ...options
      .filter((_, index) => !isMessageKey(own[index] ?? ''))
      .map((option) => `terminal.option-${option}`),
    ...command.commands.flatMap((one) => helpKeys(one, [...words, one.name()])),
  ];
}

/** The names of commands that lack a description, or have an option without one. */
function undescribed(command: Command): string[] {
  const own = [command.description(), ...command.options.map(({ description }) => description)];
  return [
    ...(own.every((text) => (text ?? '') !== '') ? [] : [command.name()]),
    ...command.commands.flatMap(undescribed),
  ];
}

test('German is complete; every language has only messages of English, with the same values, sorted', () => {
  const files = globSync('locales/*.json', { cwd: projectRoot });
  verify(['--missing-keys'], ['locales/en.json', 'locales/de.json']);
  verify(['--extra-keys', '--structural-equality'], files);
  for (const path of files) {
    const keys = Object.keys(JSON.parse(read(path)) as Catalog);
    assert.deepEqual(keys, keys.toSorted(), `Sort ${path}.`);
  }
});

function verify(checks: readonly string[], files: readonly string[]): void {
  const program = join(projectRoot, 'node_modules', '@formatjs', 'cli', 'bin', 'formatjs');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [program, 'verify', '--source-locale', 'en', ...checks, ...files],
    { cwd: projectRoot, encoding: 'utf8' },
  );
  assert.equal(status, 0, `${stdout}${stderr}`);
}
