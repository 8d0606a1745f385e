// Measures what the tests of the core notice: `npm run mutants -- --count 200 --seed 1 --out FILE`. Runs them with one small change of
// the sources at a time, in a copy of the working tree, and lists the changes with which all tests pass. Before that, it runs every test
// file once without a change, to learn which lines it runs. Every result is added to FILE at once, and a run with the same FILE continues.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { idsOfRun } from './covering.ts';
import { chooseMutants, mutated, type Mutant } from './mutants.ts';

const projectRoot = dirname(dirname(import.meta.dirname));
const rooms = ['app/files', 'app/wopi', 'app/store', 'app/accounts'];
/**
 * Those that run the sources; most others run the built app. Those that kill the host are not among them, because a killed process
 * doesn't say which lines it ran.
 */
const suites = 'test/{unit,server,model,fuzz,durability}/**/*.test.ts';
const filesAtOnce = 3;

/** `killedBy` is the first test that failed, or undefined. */
interface Outcome {
  killedBy?: string;
  isTimeout?: boolean;
}
type Result = Mutant & Outcome & { seconds: number };

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'mutants.jsonl' },
  },
});
const copy = fs.mkdtempSync(join(tmpdir(), 'doctray-mutants-'));
const running = new Set<ChildProcess>();

function copyTree(): void {
  const left = new Set(['node_modules', '.git'].map((name) => join(projectRoot, name)));
  fs.cpSync(projectRoot, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !left.has(path),
  });
  // One link each, so that the copy has its own cache.
  fs.mkdirSync(join(copy, 'node_modules'));
  for (const name of fs.readdirSync(join(projectRoot, 'node_modules')).filter((each) => each !== '.cache'))
    fs.symlinkSync(join(projectRoot, 'node_modules', name), join(copy, 'node_modules', name));
}

/** Runs tests in the copy until one fails; then again, because a test may also fail on a busy computer. */
async function runTests(places: string[], limitSeconds: number, coverage?: string): Promise<Outcome> {
  const { killedBy } = await runOnce(places, limitSeconds, coverage);
  return killedBy === undefined ? {} : runOnce(places, limitSeconds, coverage);
}

async function runOnce(places: string[], limitSeconds: number, coverage?: string): Promise<Outcome> {
  const child = spawn(process.execPath, ['test/run.ts', ...places], {
    cwd: copy,
    env: { ...process.env, RUN_SOURCES: '1', ...(coverage !== undefined && { NODE_V8_COVERAGE: coverage }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const outcome: Outcome = {};
  const end = (killedBy: string, isTimeout: boolean) => {
    if (outcome.killedBy === undefined) Object.assign(outcome, { killedBy, isTimeout });
    child.kill();
  };
  const timer = setTimeout(end, limitSeconds * 1000, `the time limit of ${limitSeconds} s`, true);
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('✖ ')) end(line.slice('✖ '.length), false);
  const [code] = await exit;
  running.delete(child);
  clearTimeout(timer);
  if (code !== 0) end(`exit code ${code}`, false);
  return outcome;
}

const secondsSince = (startedAtMs: number): number => Math.round((Date.now() - startedAtMs) / 1000);

/** A test file, how long it runs without a mutant, and the mutants whose lines it runs. */
interface Baseline {
  test: string;
  seconds: number;
  ids: Set<string>;
}

/** @throws Error if a test fails without a mutant */
async function runBaseline(mutants: Mutant[]): Promise<Baseline[]> {
  const waiting = fs.globSync(suites, { cwd: copy });
  const baselines: Baseline[] = [];
  const work = async () => {
    for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
      const startedAtMs = Date.now();
      const coverage = fs.mkdtempSync(join(copy, 'coverage-'));
      const { killedBy } = await runTests([test], 3600, coverage);
      if (killedBy !== undefined) throw new Error(`A test fails without a mutant: ${killedBy}`);
      const ids = idsOfRun(mutants, copy, coverage);
      baselines.push({ test, seconds: secondsSince(startedAtMs), ids });
      fs.rmSync(coverage, { recursive: true });
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, work));
  return baselines;
}

async function tryMutant(mutant: Mutant, baselines: Baseline[]): Promise<Result> {
  const startedAtMs = Date.now();
  const path = join(copy, mutant.file);
  const source = fs.readFileSync(path, 'utf8');
  const covering = baselines.filter(({ ids }) => ids.has(mutant.id));
  const isUnit = ({ test }: Baseline): boolean => test.startsWith('test/unit/');
  let outcome: Outcome = {};
  fs.writeFileSync(path, mutated(source, mutant));
  for (const step of [covering.filter(isUnit), covering.filter((one) => !isUnit(one))]) {
    if (step.length === 0 || outcome.killedBy !== undefined) continue;
    const limitSeconds = 60 + 3 * step.reduce((sum, { seconds }) => sum + seconds, 0);
    const places = step.map(({ test }) => test);
    outcome = await runTests(places, limitSeconds);
  }
  fs.writeFileSync(path, source);
  return { ...mutant, ...outcome, seconds: secondsSince(startedAtMs) };
}

function readResults(): Map<string, Result> {
  const text = fs.existsSync(values.out) ? fs.readFileSync(values.out, 'utf8') : '';
  const results = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Result]));
  return new Map(results.map((result) => [result.id, result]));
}

function show({ file, line, before, after, killedBy, seconds }: Result): void {
  console.log(`${file}:${line}  ${killedBy ?? 'survived'}  ${seconds} s`);
  console.log(`    ${before.trim()}\n  → ${after.trim()}`);
}

function count(results: Result[]): string {
  const killed = results.filter(({ killedBy }) => killedBy !== undefined).length;
  const timeouts = results.filter(({ isTimeout }) => isTimeout).length;
  const share = ((100 * killed) / Math.max(1, results.length)).toFixed(1);
  return `${results.length} mutants, ${killed} killed (${share} %; ${timeouts} by the time limit), ${results.length - killed} survived`;
}

function report(mutants: Mutant[]): void {
  const results = readResults();
  const tried = mutants.flatMap(({ id }) => results.get(id) ?? []);
  console.log('\nSurvivors:');
  for (const result of tried) if (result.killedBy === undefined) show(result);
  for (const room of rooms)
    console.log(`${room}: ${count(tried.filter(({ file }) => file.startsWith(room)))}`);
  console.log(`\n${count(tried)}; ${mutants.length - tried.length} not tried yet`);
}

const stop = () => {
  for (const child of running) child.kill();
  fs.rmSync(copy, { recursive: true, force: true });
  process.exit(130);
};
process.on('SIGINT', stop).on('SIGTERM', stop);

const mutants = chooseMutants(rooms, Number(values.count), values.seed);
const done = readResults();
const waiting = mutants.filter(({ id }) => !done.has(id));
try {
  if (waiting.length > 0) copyTree();
  const baselines = waiting.length > 0 ? await runBaseline(waiting) : [];
  for (const mutant of waiting) {
    const result = await tryMutant(mutant, baselines);
    fs.appendFileSync(values.out, `${JSON.stringify(result)}\n`);
    show(result);
  }
} finally {
  for (const child of running) child.kill();
  fs.rmSync(copy, { recursive: true, force: true });
}
report(mutants);
