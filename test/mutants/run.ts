// Measures what the tests of the core notice: `npm run mutants -- --count 200 --seed 1 --shard 1/2 --out FILE`. Runs them with one small
// change of the sources at a time, in a copy of the working tree, and lists the changes with which all tests pass. Every result is added
// to FILE at once, and a run with the same FILE continues; processes may share one.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { testsOfChange } from '../changed.ts';
import { chooseMutants, mutated, type Mutant } from './mutants.ts';

const projectRoot = dirname(dirname(import.meta.dirname));
const rooms = ['app/files', 'app/wopi', 'app/store', 'app/accounts'];
/** Those that run the sources; most others run the built app. */
const suites = ['test/unit', 'test/server', 'test/model', 'test/fuzz', 'test/durability', 'test/crash'];

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
    shard: { type: 'string', default: '1/1' },
    out: { type: 'string', default: 'mutants.jsonl' },
  },
});
const copy = fs.mkdtempSync(join(tmpdir(), 'doctray-mutants-'));
let running: ChildProcess | undefined;

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

/** Runs tests in the copy until one fails. */
async function runTests(places: string[], limitSeconds: number): Promise<Outcome> {
  const child = spawn(process.execPath, ['test/run.ts', ...places], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
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
  clearTimeout(timer);
  if (code !== 0) end(`exit code ${code}`, false);
  return outcome;
}

const secondsSince = (startedAtMs: number): number => Math.round((Date.now() - startedAtMs) / 1000);

const limits = new Map<string, number>();

/** One minute and three times what the tests take without a mutant. */
async function limitSecondsOf(places: string[]): Promise<number> {
  const name = places.join(' ');
  const startedAtMs = Date.now();
  const { killedBy } = limits.has(name) ? {} : await runTests(places, 3600);
  if (killedBy !== undefined) throw new Error(`A test fails without a mutant: ${killedBy}`);
  const limit = limits.get(name) ?? 60 + 3 * secondsSince(startedAtMs);
  limits.set(name, limit);
  return limit;
}

async function tryMutant(mutant: Mutant): Promise<Result> {
  const room = mutant.file.replace(/^app\/(\w+)\/.*/, 'test/unit/$1');
  const isWider = (test: string): boolean =>
    !test.startsWith(`${room}/`) && suites.some((suite) => test.startsWith(`${suite}/`));
  const steps = [
    { all: [room], places: [room] },
    { all: suites, places: (testsOfChange([mutant.file]) ?? []).filter(isWider) },
  ].filter(({ places }) => places.length > 0);
  const path = join(copy, mutant.file);
  const source = fs.readFileSync(path, 'utf8');
  let [outcome, seconds]: [Outcome, number] = [{}, 0];
  for (const { all, places } of steps) {
    const limitSeconds = await limitSecondsOf(all);
    const startedAtMs = Date.now();
    fs.writeFileSync(path, mutated(source, mutant));
    outcome = await runTests(places, limitSeconds);
    fs.writeFileSync(path, source);
    seconds += secondsSince(startedAtMs);
    if (outcome.killedBy !== undefined) break;
  }
  return { ...mutant, ...outcome, seconds };
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
  running?.kill();
  fs.rmSync(copy, { recursive: true, force: true });
  process.exit(130);
};
process.on('SIGINT', stop).on('SIGTERM', stop);

const mutants = chooseMutants(rooms, Number(values.count), values.seed);
const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
const done = readResults();
const waiting = mutants.filter(({ id }, index) => index % shards === shard - 1 && !done.has(id));
try {
  if (waiting.length > 0) copyTree();
  for (const mutant of waiting) {
    const result = await tryMutant(mutant);
    fs.appendFileSync(values.out, `${JSON.stringify(result)}\n`);
    show(result);
  }
} finally {
  fs.rmSync(copy, { recursive: true, force: true });
}
report(mutants);
