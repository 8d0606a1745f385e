// Runs the tests: `npm test`, `npm test -- test/unit test/server/host.test.ts` for some of them, `npm test -- --changed` for those that
// the uncommitted changes affect. `--test-name-pattern=…` runs only tests whose name matches.
//
// Every file, or a group of small ones from a suite, runs in its own node process with a time limit and a temporary home, so that no
// test reaches the keychain, trash, containers or data folder of the user who runs it. Results come from node:test's events; a skipped
// test, a file without tests and a file that ends before its tests count as failed.
//
// node:test's own `run()` also starts files, but it gives all of them one environment, has no time limit for a file, doesn't end
// processes that a file left running, has no order, and can't start a file inside a namespace or a D-Bus session.

import { spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { testsOfChange } from './changed.ts';
import type { ResultLine, TestResult } from './event-reporter.ts';
import { bringNeeds, lackingRight } from './system-needs.ts';

const testRoot = import.meta.dirname;
const projectRoot = dirname(testRoot);

/** More than one file per processor, because most files wait more than half of the time: for a page, a disk, a delayed save. */
const filesAtOnce = Number(process.env['DOCTRAY_TESTS_AT_ONCE'] ?? 2 * availableParallelism());
/** `npm run test:long` has other limits. */
const limitMs = (usualMinutes: number): number =>
  Number(process.env['LIMIT_MINUTES'] ?? usualMinutes) * 60_000;
/** The limit for one test, so that a hanging one is named. */
const testLimitMs = limitMs(5);
/** The limit for one file, including one whose tests are done but whose process doesn't exit. */
const fileLimitMs = limitMs(20);

const progressEveryMs = 30_000;
const cacheFolder = join(projectRoot, 'node_modules', '.cache', 'doctray-tests');
/** The seconds that every file took in its last run; the longest start first, and without a previous run the largest. */
const lastRunFile = join(cacheFolder, 'seconds.json');
/**
 * Suites that use a processor for less than a quarter of their time, because they wait: for the pause before an automatic save, for
 * polls, for time limits, for a disk. So many of their groups run beside the others.
 */
const waitingAtOnce = filesAtOnce > 1 ? 3 : 0;
const waitingSuites = new Set(['text-editor', 'cli', 'crash', 'network']);

/**
 * Folders and files that only Linux can run: they need namespaces, mounts, strace, /proc, a Secret Service, a display server, or the
 * stand-in for Electron. `npm run test:electron` runs those with the stand-in on every system.
 */
const linuxOnly = [
  'test/cli/app-entry.test.ts',
  'test/cli/start.test.ts',
  'test/containers',
  'test/dashboard/terminal.test.ts',
  'test/crash',
  'test/disks',
  'test/durability',
  'test/keyring/keyring.test.ts',
  'test/keyring/window.test.ts',
  // On macOS and Windows, it uses the user's own keychain, which only a workflow may do.
  ...(process.env['CI'] === 'true' ? [] : ['test/keyring/system-keychain.test.ts']),
  'test/network',
  'test/pack/validators.test.ts',
  'test/pack/pack.test.ts',
  'test/real-editors/missing.test.ts',
  'test/server/get-file.test.ts',
  'test/server/save-states.test.ts',
  'test/server/seed-document.test.ts',
  'test/stand-in',
  'test/unit/secrets/session-bus.test.ts',
  'test/unit/terminal/electron-sandbox.test.ts',
  ...(process.env['ELECTRON'] === 'real' ? [] : ['test/e2e', 'test/security']),
];
/** Also not on Windows: they need a POSIX shell, signals, named pipes, symbolic links or permission bits. */
const posixOnly = [
  'test/cli',
  'test/server/attacks.test.ts',
  'test/server/files-api.test.ts',
  'test/unit/commands/commands.test.ts',
  'test/unit/commands/document-servers.test.ts',
  'test/unit/containers',
  'test/unit/control/control-socket.test.ts',
  'test/unit/desktop/links.test.ts',
  'test/unit/desktop/protocol.test.ts',
  'test/unit/documents',
  'test/unit/files',
  'test/unit/secrets/private-file.test.ts',
  'test/unit/terminal/data-folder.test.ts',
  'test/unit/terminal/program.test.ts',
  'test/unit/terminal/start-app.test.ts',
];
/**
 * Tests of `test/e2e` and `test/security` that can't run on real Electron, by name, and the systems whose real Electron
 * can run them. The others run on real Electron on every system.
 */
const notOnRealElectron: [name: string, except: NodeJS.Platform[]][] = [
  // A file gets a path only if a user drops it.
  ['Copies a file dropped onto the window without overwriting one of the same name', []],
  // They look for the autostart entry, the trash and the profile of a Linux desktop.
  ['Start at login adds an autostart entry with --hidden and --data, and removes it', ['linux']],
  ['Moves a document to the system’s trash, and back with Undo; an open one stays', ['linux']],
  // On macOS, clicking the tray icon only opens its menu.
  ['Closing hides to the tray; a stale lock is notified once, and clicking opens it', ['linux', 'win32']],
  // Windows has no signals: they end a process by force.
  ['SIGTERM quits without asking, even with open documents, and closes the database', ['linux', 'darwin']],
];
/** Put before the node command: runs it in separate namespaces, where a shell waits for processes that containers leave behind. */
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

/** A larger initial young generation saves about 5 % of the test files' processor time. */
const fewCollections = '--min-semi-space-size=32';

/** Used instead of a test's name for failures outside of tests. */
const wholeFile = '(the file)';

/**
 * Suites whose files share processes, because they clean up after themselves, and how many files of a suite: enough to make the start
 * of Node or of a browser irrelevant, and few enough to keep all processors busy until the end.
 */
const filesAProcess = new Map([
  ['unit', 25],
  ['server', 15],
  ['editors', 12],
  ['fuzz', 12],
  ['window', 7],
  ['host-page', 7],
  ['durability', 4],
  ['dashboard', 6],
  ['security', 6],
  ['stand-in', 3],
  ['pack', 4],
  ['cli', 4],
  ['model', 3],
  ['e2e', 2],
  ['text-editor', 3],
]);

/**
 * What disks do is the subject of these suites, or their programs can't live in memory. The others get their temporary folders in
 * memory where the system has room, because an fsync there takes no processor time.
 */
const diskSuites = new Set(['crash', 'durability', 'disks', 'containers']);
const memoryFolder = '/dev/shm';
/** What all files of a run leave there at the same time is far less. */
const memoryNeededBytes = 4e9;

interface Failure {
  name: string;
  problem: string;
}

interface FileOutcome {
  file: string;
  passed: number;
  failures: Failure[];
  failed: number;
  durationMs: number;
}

interface GroupOutcome {
  files: FileOutcome[];
  /** The output of the process. */
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

/** @param place a path below the project's root, with slashes */
function isIn(file: string, place: string): boolean {
  const path = relative(projectRoot, file).replaceAll('\\', '/');
  return path === place || path.startsWith(`${place}/`);
}

/** @throws Error if one of the places doesn't exist any more */
function placesExcludedOn(platform: NodeJS.Platform): string[] {
  const gone = [...linuxOnly, ...posixOnly].filter((place) => !existsSync(join(projectRoot, place)));
  if (gone.length > 0) throw new Error(`test/run.ts lists what doesn’t exist: ${gone.join(', ')}.`);
  if (platform === 'linux') return [];
  return platform === 'win32' ? [...linuxOnly, ...posixOnly] : linuxOnly;
}

/** @throws Error if one of the tests doesn't exist any more */
function testsExcludedOn(platform: NodeJS.Platform): string[] {
  const files = globSync('{e2e,security}/*.test.ts', { cwd: testRoot });
  const sources = files.map((file) => readFileSync(join(testRoot, file), 'utf8')).join('\n');
  const gone = notOnRealElectron.map(([name]) => name).filter((name) => !sources.includes(`('${name}'`));
  if (gone.length > 0) throw new Error(`test/run.ts lists tests that don’t exist: ${gone.join(', ')}.`);
  if (process.env['ELECTRON'] !== 'real') return [];
  return notOnRealElectron.flatMap(([name, except]) => (except.includes(platform) ? [] : [name]));
}

/** Matches a test's name, also inside a `describe`. */
function patternOf(name: string): string {
  return `${name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)}$`;
}

/** The first folder below test/, which decides about needs and environment. */
function suiteOf(file: string): string {
  return relative(testRoot, file).split(sep)[0] ?? '';
}

/** The file's row in the summary: its folder. */
function rowOf(file: string): string {
  return relative(testRoot, dirname(file)).replaceAll('\\', '/') || '.';
}

/** A separate home below its temporary folder, without access to the session's keychain, and to containers only in their suite. */
function environment({ scratch, quickScratch }: Run, suite: string): NodeJS.ProcessEnv {
  const root = diskSuites.has(suite) ? scratch : quickScratch;
  const home = (name: string, parent = root) => {
    const folder = join(parent, name);
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
    ...(process.platform === 'win32' && {
      USERPROFILE: home('home'),
      APPDATA: home('config'),
      LOCALAPPDATA: home('data'),
      TEMP: home('tmp'),
      TMP: home('tmp'),
    }),
    DBUS_SESSION_BUS_ADDRESS: '',
    // The terminal speaks English, whatever the user's language is.
    LC_ALL: 'C.UTF-8',
    // The keychains of macOS and Windows belong to the user, whatever HOME is.
    ...(suite !== 'keyring' && { DOCTRAY_SECRETS: 'file' }),
    // Shared by the files of a run, such as built pages.
    DOCTRAY_TEST_RUN: home('shared', scratch),
    // Node compiles shared modules once, also for the next run, and no tool caches in the temporary folder.
    NODE_COMPILE_CACHE: join(cacheFolder, 'compiled'),
    JITI_FS_CACHE: 'false',
    ...(suite !== 'containers' && { PATH: withoutEngines(home('programs')) }),
  };
}

/** A PATH whose Docker and Podman don't run, whatever this computer has. */
function withoutEngines(folder: string): string {
  for (const name of ['docker', 'podman']) {
    const script = '#!/bin/sh\necho "Cannot connect to Podman. Is the docker daemon running?" >&2\nexit 1\n';
    // Another file may be running them, and Linux doesn't start a program that is open for writing.
    if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), script, { mode: 0o755 });
  }
  return [folder, process.env['PATH'] ?? ''].join(delimiter);
}

const running = new Set<number>();

/** Ends a file's process and all processes that are left in its group. */
function endGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // the group is empty
  }
}

interface Run {
  /** For the suites in `diskSuites`, and for what files share. */
  scratch: string;
  /** For the others; may be the same. */
  quickScratch: string;
  /** Arguments for the node process of every file. */
  nodeArguments: string[];
}

async function runGroup(group: string[], run: Run): Promise<GroupOutcome> {
  const { scratch, nodeArguments: given } = run;
  const [first = ''] = group;
  const suite = suiteOf(first);
  const startedAtMs = Date.now();
  const resultFile = join(scratch, `${relative(testRoot, first).replaceAll(/[\\/]/g, '-')}.jsonl`);
  const reporting = [
    `--test-reporter=${new URL('event-reporter.ts', import.meta.url).href}`,
    `--test-reporter-destination=${resultFile}`,
  ];
  const env = environment(run, suite);
  // On Linux, the keyring's tests have their own launcher, which runs them inside a D-Bus session; NODE_OPTIONS passes the reporter on.
  const isInSession = suite === 'keyring' && process.platform === 'linux';
  if (isInSession) env['NODE_OPTIONS'] = reporting.join(' ');
  const entry = group.length === 1 ? group : [join(testRoot, 'file-group.ts'), ...group];
  const nodeArguments = isInSession
    ? [join(testRoot, 'keyring', 'run-in-session.ts'), first]
    : [...reporting, ...given, `--test-timeout=${testLimitMs}`, fewCollections, ...entry];
  const command = [...(suite === 'containers' ? ownMachine : []), process.execPath, ...nodeArguments];
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
  }, fileLimitMs);
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
  const hasEnd = results.some((line) => line.kind === 'end');
  const tests = results.filter((line) => line.kind === 'result');
  const testsOf = group.length === 1 ? new Map([[first, tests]]) : byFile(results);
  const hasFailedTest = tests.some(({ passed }) => !passed);
  const durationMs = (Date.now() - startedAtMs) / group.length;
  const files = group.map((file): FileOutcome => {
    const own = testsOf.get(file) ?? [];
    const failures = own
      .filter((line) => !line.passed && !line.isParent)
      .map(({ name, problem }) => ({ name, problem: problem ?? '' }));
    let failed = own.filter((line) => !line.passed).length;
    const failFile = (problem: string) => {
      failed += 1;
      failures.push({ name: wholeFile, problem });
    };
    if (isOutOfTime) failFile(`was ended after ${Math.round(fileLimitMs / 1000)} s`);
    else if (code !== 0 && !hasFailedTest) failFile(`ended with exit code ${code} outside its tests`);
    else if (own.length === 0) failFile('has no test');
    else if (!hasEnd) failFile('ended before its tests did');
    return { file, passed: own.filter((line) => line.passed).length, failures, failed, durationMs };
  });
  return { files, output };
}

/** The results of a group by file; each file is a top-level suite with the file's path as its name. */
function byFile(results: ResultLine[]): Map<string, TestResult[]> {
  const found = new Map<string, TestResult[]>();
  let since: TestResult[] = [];
  for (const line of results) {
    if (line.kind === 'result') since.push(line);
    if (line.kind !== 'suite') continue;
    found.set(line.name, since);
    since = [];
  }
  return found;
}

/** Groups the files of a suite if they can share a process; every other file gets its own. */
function inGroups(files: string[]): string[][] {
  const groups: string[][] = [];
  for (const file of files) {
    const last = groups.at(-1);
    const isOfLast = last?.[0] !== undefined && suiteOf(last[0]) === suiteOf(file);
    const limit = filesAProcess.get(suiteOf(file)) ?? 1;
    if (last !== undefined && isOfLast && last.length < limit) last.push(file);
    else groups.push([file]);
  }
  return groups;
}

/** What failed, how to run it again, and why. The whole file, because the tests of some are steps of one story. */
function failureText({ file }: FileOutcome, { name, problem }: Failure): string {
  const path = relative(projectRoot, file);
  const title = name === wholeFile ? `${path} ${problem}` : name;
  return `✖ ${title}\n    npm test -- ${path}\n${problem.replaceAll(/^/gm, '    ')}`;
}

function showFailures({ files, output }: GroupOutcome): void {
  const failing = files.filter(({ failed }) => failed > 0);
  for (const one of failing)
    for (const failure of one.failures) console.log(`\n${failureText(one, failure)}`);
  if (failing.length > 0 && output.trim() !== '') {
    const names = files.map(({ file }) => relative(projectRoot, file)).join(', ');
    console.log(`  output of ${names}:\n${output.replaceAll(/^/gm, '    ')}`);
  }
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

/** Sorts the longest first, so that no long file starts at the end. */
function inOrder(groups: string[][], lastSeconds: Record<string, number>): string[][] {
  const weightOf = (group: string[]): number =>
    group
      .map((file) => lastSeconds[relative(projectRoot, file)] ?? statSync(file).size / 1000)
      .reduce((sum, weight) => sum + weight, 0);
  return groups.toSorted((a, b) => weightOf(b) - weightOf(a));
}

function readLastSeconds(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(lastRunFile, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

function keepSeconds(outcomes: FileOutcome[]): void {
  const seconds = outcomes.map(({ file, durationMs }) => [relative(projectRoot, file), durationMs / 1000]);
  try {
    mkdirSync(dirname(lastRunFile), { recursive: true });
    writeFileSync(lastRunFile, JSON.stringify({ ...readLastSeconds(), ...Object.fromEntries(seconds) }));
  } catch {
    // another user's node_modules: only the order of the next run depends on it
  }
}

function total(outcomes: readonly FileOutcome[], of: 'passed' | 'failed'): number {
  return outcomes.reduce((sum, outcome) => sum + outcome[of], 0);
}

async function runAll(files: string[], run: Run): Promise<FileOutcome[]> {
  const startedAtMs = Date.now();
  const together = inOrder(inGroups(files), readLastSeconds());
  const outcomes: FileOutcome[] = [];
  const progress = setInterval(() => {
    const seconds = Math.round((Date.now() - startedAtMs) / 1000);
    const [passed, failed] = [total(outcomes, 'passed'), total(outcomes, 'failed')];
    console.log(
      `  ${outcomes.length} of ${files.length} files after ${seconds} s: ${passed} passed, ${failed} failed`,
    );
  }, progressEveryMs);
  const work = async (waiting: string[][]) => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const outcome = await runGroup(group, run);
      outcomes.push(...outcome.files);
      showFailures(outcome);
    }
  };
  const isWaiting = ([first = '']: string[]): boolean =>
    waitingAtOnce > 0 && waitingSuites.has(suiteOf(first));
  const waiting = together.filter(isWaiting);
  const others = together.filter((group) => !isWaiting(group));
  const lanes = (count: number, groups: string[][]) => Array.from({ length: count }, () => work(groups));
  await Promise.all([
    ...lanes(filesAtOnce, others),
    ...lanes(waitingAtOnce, waiting).map((lane) => lane.then(() => work(others))),
  ]);
  clearInterval(progress);
  return outcomes.toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

/** Tests also run programs there, so it must not be mounted with `noexec`. */
function hasRoomInMemory(): boolean {
  try {
    const [, options] = /^\S+ \/dev\/shm tmpfs (\S+)/mu.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    const { bavail, bsize } = statfsSync(memoryFolder);
    const hasRoom = Math.min(bavail * bsize, freemem()) > memoryNeededBytes;
    return hasRoom && options?.includes('noexec') === false;
  } catch {
    return false;
  }
}

/** What tests left behind. The watchers of ended apps may still be removing profiles. */
async function leftIn(folder: string): Promise<string[]> {
  const endsAtMs = Date.now() + 5_000;
  while (readdirSync(folder).length > 0 && Date.now() < endsAtMs) await pause(50);
  return readdirSync(folder);
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { changed: { type: 'boolean' }, 'test-name-pattern': { type: 'string', multiple: true } },
  });
  const places = values.changed === true ? testsOfChange() : positionals;
  if (values.changed === true && places !== undefined)
    console.log(`The change touches ${places.length} test files.`);
  if (values.changed === true && places?.length === 0) return 0;
  const found = findFiles(places === undefined || places.length === 0 ? [testRoot] : places);
  const excluded = placesExcludedOn(process.platform);
  const isExcluded = (file: string): boolean => excluded.some((place) => isIn(file, place));
  const here = found.filter((file) => !isExcluded(file));
  const excludedTests = testsExcludedOn(process.platform);
  const notRun = excluded.filter((place) => found.some((file) => isIn(file, place)));
  if (notRun.length > 0) console.log(`Only Linux can run all tests. Not run here: ${notRun.join(', ')}.`);
  if (excludedTests.length > 0)
    console.log(
      `Not run on real Electron on this system:${excludedTests.map((name) => `\n  ${name}`).join('')}`,
    );
  // A suite that can't run here counts as failed; the others run.
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

  // a short name, because paths of sockets below it are limited to 104 bytes
  const scratch = mkdtempSync(join(tmpdir(), 'dt-'));
  const quickScratch = hasRoomInMemory() ? mkdtempSync(join(memoryFolder, 'dt-')) : scratch;
  const removeScratch = () => {
    for (const folder of [scratch, quickScratch]) rmSync(folder, { recursive: true, force: true });
  };
  const interrupt = () => {
    for (const pid of running) endGroup(pid);
    removeScratch();
    process.exit(130);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    const patterns = values['test-name-pattern'] ?? [];
    const nodeArguments = [
      ...patterns.map((pattern) => `--test-name-pattern=${pattern}`),
      ...excludedTests.map((name) => `--test-skip-pattern=${patternOf(name)}`),
    ];
    const outcomes = await runAll(files, { scratch, quickScratch, nodeArguments });
    // A few tests of a file don’t say how long it takes.
    if (patterns.length === 0) keepSeconds(outcomes);
    showSummary(outcomes);
    for (const outcome of outcomes)
      for (const { name, problem } of outcome.failures)
        console.log(`\n${failureText(outcome, { name, problem: problem.slice(0, 1000) })}`);
    const temporary = [...new Set([scratch, quickScratch])].map((folder) => join(folder, 'tmp'));
    const left = (await Promise.all(temporary.filter((folder) => existsSync(folder)).map(leftIn))).flat();
    if (left.length > 0) console.log(`\n✖ left in the temporary folder: ${left.slice(0, 10).join(', ')}`);
    const passed = total(outcomes, 'passed');
    const failed = total(outcomes, 'failed') + lines.length + (left.length > 0 ? 1 : 0);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    removeScratch();
  }
}

process.exitCode = await main();
