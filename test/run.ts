// Runs the tests: `npm test`, or `npm test -- test/unit test/server/host.test.ts` for a part of them.
//
// Every file runs in a node process of its own, two at a time, bounded in time, in a temporary home, so that no test
// reaches the keychain, the trash, the containers or the data folder of whoever runs it. What is counted comes from node:test's own
// events; a skipped test, a file without a test and a file that ends before its tests count as failed.

import { spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve, sep } from 'node:path';
import type { ResultLine } from './event-reporter.ts';
import { bringNeeds, lackingRight } from './system-needs.ts';

const testRoot = import.meta.dirname;
const projectRoot = dirname(testRoot);

const filesAtOnce = 2;
/** One test; a hung one is then named. */
const testLimitMs = 5 * 60_000;
/** One file: also one whose tests are done but whose process does not end. */
const fileLimitMs = 20 * 60_000;

const linuxSuites = new Set(['keyring', 'network', 'disks', 'containers']);
/** What stands before Node: namespaces of the suite's own, in which a shell waits for what containers leave behind. */
const ownMachine = [
  'unshare',
  '--net',
  '--mount',
  '--pid',
  '--ipc',
  '--fork',
  '--kill-child',
  '--mount-proc',
  'sh',
  '-c',
  '"$@"; exit $?',
  'sh',
];

interface FileOutcome {
  file: string;
  passed: number;
  failures: { name: string; problem: string }[];
  failed: number;
  durationMs: number;
  output: string;
}

function findFiles(places: string[]): string[] {
  const found = places.flatMap((place) => {
    const path = resolve(place);
    if (!existsSync(path)) throw new Error(`There is no ${place}.`);
    return statSync(path).isDirectory() ? globSync(join(path, '**/*.test.ts').replaceAll('\\', '/')) : [path];
  });
  return [...new Set(found)].toSorted();
}

/** The first folder below test/: what needs and environments go by. */
function suiteOf(file: string): string {
  return relative(testRoot, file).split(sep)[0] ?? '';
}

/** The row of the summary: the folder of the file. */
function rowOf(file: string): string {
  return relative(testRoot, dirname(file)).replaceAll('\\', '/') || '.';
}

/** A home of its own below `scratch`, without a way to the session's keychain, or to containers but in their suite. */
function environment(scratch: string, suite: string): NodeJS.ProcessEnv {
  const home = (name: string) => {
    const folder = join(scratch, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(DOCTRAY_|NODE_TEST_|NODE_OPTIONS$)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home('home'),
    XDG_CONFIG_HOME: home('config'),
    XDG_DATA_HOME: home('data'),
    XDG_CACHE_HOME: home('cache'),
    TMPDIR: home('tmp'),
    XDG_RUNTIME_DIR: home('run'),
    DBUS_SESSION_BUS_ADDRESS: '',
    ...(suite !== 'containers' && { PATH: withoutEngines(home('programs')) }),
  };
}

/** A PATH whose Docker and Podman don't run, whatever this machine has. */
function withoutEngines(folder: string): string {
  for (const name of ['docker', 'podman']) {
    const script = '#!/bin/sh\necho "Cannot connect to Podman. Is the docker daemon running?" >&2\nexit 1\n';
    writeFileSync(join(folder, name), script, { mode: 0o755 });
  }
  return [folder, process.env['PATH'] ?? ''].join(delimiter);
}

const running = new Set<number>();

/** Ends a file's process with all that it started and left in its group. */
function endGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // nobody is left in it
  }
}

async function runFile(file: string, scratch: string, limitMs: number): Promise<FileOutcome> {
  const startedAtMs = Date.now();
  const resultFile = join(scratch, `${relative(testRoot, file).replaceAll(/[\\/]/g, '-')}.jsonl`);
  const reporting = [
    `--test-reporter=${new URL('event-reporter.ts', import.meta.url).href}`,
    `--test-reporter-destination=${resultFile}`,
  ];
  const env = environment(scratch, suiteOf(file));
  // The keyring's tests are started by their own launcher, inside a D-Bus session; Node hands the reporter on.
  const isInSession = suiteOf(file) === 'keyring';
  if (isInSession) env['NODE_OPTIONS'] = reporting.join(' ');
  const nodeArguments = isInSession
    ? [join(testRoot, 'keyring', 'run-in-session.ts'), file]
    : [...reporting, `--test-timeout=${testLimitMs}`, file];
  const command = [...(suiteOf(file) === 'containers' ? ownMachine : []), process.execPath, ...nodeArguments];
  const [program = process.execPath, ...programArguments] = command;
  const child = spawn(program, programArguments, {
    cwd: projectRoot,
    detached: process.platform !== 'win32',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid;
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);

  let isOutOfTime = false;
  const timer = setTimeout(() => {
    isOutOfTime = true;
    if (pid !== undefined) endGroup(pid);
  }, limitMs);
  if (pid !== undefined) running.add(pid);
  const code = await new Promise<number | null>((done) => {
    child.on('error', (error) => {
      output += String(error);
      done(null);
    });
    child.on('exit', (exitCode) => {
      done(exitCode);
    });
  });
  clearTimeout(timer);
  if (pid !== undefined) {
    running.delete(pid);
    endGroup(pid);
  }

  const lines = existsSync(resultFile) ? readFileSync(resultFile, 'utf8').split('\n') : [];
  const results = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as ResultLine);
  for (const line of results) if (line.kind === 'note') output += `\n${line.text}`;
  const tests = results.filter((line) => line.kind === 'result');
  const failures = tests
    .filter((line) => !line.passed && !line.isParent)
    .map(({ name, problem }) => ({ name, problem: problem ?? '' }));
  let failed = tests.filter((line) => !line.passed).length;
  const failFile = (problem: string) => {
    failed += 1;
    failures.push({ name: '(the file)', problem });
  };
  if (isOutOfTime) failFile(`was ended after ${Math.round(limitMs / 1000)} s`);
  else if (code !== 0 && failed === 0) failFile(`ended with exit code ${code} outside its tests`);
  else if (tests.length === 0) failFile('has no test');
  else if (!results.some((line) => line.kind === 'end')) failFile('ended before its tests did');
  const passed = tests.filter((line) => line.passed).length;
  return { file, passed, failures, failed, durationMs: Date.now() - startedAtMs, output };
}

function showFailures(outcome: FileOutcome): void {
  const file = relative(projectRoot, outcome.file);
  for (const { name, problem } of outcome.failures) {
    console.log(`\n✖ ${file}: ${name}\n${problem.replaceAll(/^/gm, '    ')}`);
  }
  if (outcome.output.trim() !== '')
    console.log(`  output of ${file}:\n${outcome.output.replaceAll(/^/gm, '    ')}`);
}

function showSummary(outcomes: FileOutcome[]): void {
  console.log('\nsuite                   files   passed   failed   seconds');
  for (const row of new Set(outcomes.map(({ file }) => rowOf(file)))) {
    const files = outcomes.filter(({ file }) => rowOf(file) === row);
    const sum = (of: (outcome: FileOutcome) => number) =>
      files.reduce((total, outcome) => total + of(outcome), 0);
    const columns = [
      String(files.length).padStart(5),
      String(sum(({ passed }) => passed)).padStart(8),
      String(sum(({ failed }) => failed)).padStart(8),
      (sum(({ durationMs }) => durationMs) / 1000).toFixed(1).padStart(9),
    ];
    console.log(`${row.padEnd(24)}${columns.join(' ')}`);
  }
}

async function runAll(files: string[], scratch: string): Promise<FileOutcome[]> {
  const waiting = [...files];
  const outcomes: FileOutcome[] = [];
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const outcome = await runFile(file, scratch, fileLimitMs);
      outcomes.push(outcome);
      const seconds = (outcome.durationMs / 1000).toFixed(1);
      const mark = outcome.failed === 0 ? '✔' : '✖';
      console.log(
        `${mark} ${relative(projectRoot, file)}  ${outcome.passed} passed, ${outcome.failed} failed  ${seconds} s`,
      );
      if (outcome.failed > 0) showFailures(outcome);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, worker));
  return outcomes.toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

async function main(): Promise<number> {
  const places = process.argv.slice(2);
  const found = findFiles(places.length > 0 ? places : [testRoot]);
  const here = found.filter((file) => process.platform === 'linux' || !linuxSuites.has(suiteOf(file)));
  if (here.length < found.length) {
    const names = [...linuxSuites].map((suite) => `test/${suite}`).join(', ');
    console.log(
      `${names} run only on Linux: they bring a Secret Service, a network, containers and a disk of their own.`,
    );
  }
  // A suite that cannot run here has failed; the others go on.
  const withheld = new Map([...new Set(here.map(suiteOf))].map((suite) => [suite, lackingRight(suite)]));
  const files = here.filter((file) => withheld.get(suiteOf(file)) === undefined);
  const lines = [...withheld].filter(([, line]) => line !== undefined);
  for (const [suite, line] of lines) console.log(`✖ test/${suite}  ${line}`);
  const lacking = bringNeeds(files.map(suiteOf), (text) => {
    console.log(text);
  });
  if (lacking !== undefined || files.length === 0) {
    console.log(`${lacking ?? 'There is no test there.'}\n\n0 passed, 1 failed`);
    return 1;
  }

  // a short name: sockets lie below it, and their paths are bounded to 104 bytes
  const scratch = mkdtempSync(join(tmpdir(), 'dt-'));
  const interrupt = () => {
    for (const pid of running) endGroup(pid);
    rmSync(scratch, { recursive: true, force: true });
    process.exit(130);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    const outcomes = await runAll(files, scratch);
    showSummary(outcomes);
    const left = readdirSync(join(scratch, 'tmp'));
    if (left.length > 0)
      console.log(`\nleft behind in the temporary folder: ${left.slice(0, 10).join(', ')}`);
    for (const { file, failures } of outcomes)
      for (const { name, problem } of failures)
        console.log(`\n✖ ${relative(projectRoot, file)}: ${name}\n${problem.slice(0, 1000)}`);
    const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
    const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, lines.length);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

process.exitCode = await main();
