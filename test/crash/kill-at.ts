// Loaded into a host before anything else (`node --import`). When armed, it counts the steps by which a host changes the disk or answers
// a request, and kills the process before one of them. KILL_AT arms it from the start with the number of that step; SIGUSR2 arms it
// with the number in the file KILL_AT_FILE.

import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const { KILL_AT: killAtStart, KILL_AT_FILE: killAtFile = '' } = process.env;
let killAt = Number(killAtStart);
let isArmed = killAtStart !== undefined;
let steps = 0;

function step(name: string): void {
  if (!isArmed) return;
  steps += 1;
  if (steps !== killAt) return;
  fs.writeSync(2, `killed before step ${steps}: ${name}\n`);
  process.kill(process.pid, 'SIGKILL');
  // Blocks until the signal arrives.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

type Callable = (this: unknown, ...args: unknown[]) => unknown;

function watch(owner: object, names: string[], isStep: (args: unknown[]) => boolean = () => true): void {
  const members = owner as Record<string, unknown>;
  for (const name of names) {
    const original = members[name];
    if (typeof original !== 'function') continue;
    const wrapped: Callable = function (this: unknown, ...args: unknown[]) {
      if (isStep(args)) step(name);
      return (original as Callable).apply(this, args);
    };
    members[name] = Object.assign(wrapped, original);
  }
}

const changes = [
  'rename',
  'link',
  'unlink',
  'rm',
  'copyFile',
  'chmod',
  'chown',
  'truncate',
  'mkdir',
  'utimes',
  'symlink',
];
const onDescriptors = ['write', 'writev', 'fsync', 'fdatasync', 'ftruncate', 'fchmod', 'fchown', 'futimes'];
// A file opened for reading changes nothing.
const opensToWrite = ([, flags]: unknown[]): boolean =>
  typeof flags === 'number'
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : /[wa+]/.test(String(flags));
const toTheDisk = ([descriptor]: unknown[]): boolean => typeof descriptor !== 'number' || descriptor > 2;

watch(fs.promises, changes);
watch(fs.promises, ['open'], opensToWrite);
watch(fs, [...changes, ...changes.map((name) => `${name}Sync`)]);
watch(fs, ['open', 'openSync'], opensToWrite);
watch(fs, [...onDescriptors, ...onDescriptors.map((name) => `${name}Sync`)], toTheDisk);
watch(ServerResponse.prototype, ['end']);
const handle = await fs.promises.open(process.execPath);
watch(Object.getPrototypeOf(handle) as object, [
  'write',
  'writev',
  'writeFile',
  'sync',
  'datasync',
  'truncate',
  'chmod',
  'chown',
]);
await handle.close();
syncBuiltinESMExports();

process.on('SIGUSR2', () => {
  killAt = Number(fs.readFileSync(killAtFile, 'utf8'));
  isArmed = true;
  fs.writeSync(2, 'armed\n');
});
