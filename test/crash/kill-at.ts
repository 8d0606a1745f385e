// Loaded into a host before anything else (`node --import`). When armed, it counts the steps by which a host changes the disk, and kills
// the process before one of them. KILL_AT arms it from the start with the number of that step; SIGUSR2 arms it with what is in the file
// KILL_AT_FILE: the number, or the name of a call.
//
// An answer to a request isn't a step, because it leaves the same disk. The process is killed before the first step after it, so that the
// disk stays as it was when the host answered.
//
// A step isn't counted if nothing has changed the disk since the last counted one, because a kill would leave the same disk: after a sync, a
// failed linkSync, or creating a folder that exists. Native code writes the database KILL_AT_DATABASE, so its log is compared.

import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const { KILL_AT: killAtStart, KILL_AT_FILE: killAtFile = '', KILL_AT_DATABASE: database = '' } = process.env;
let killAt = killAtStart ?? '';
let isArmed = killAtStart !== undefined;
let steps = 0;
let hasAnswered = false;
let hasChanged = true;
/** Calls that can change the disk at any time until they are done. */
let running = 0;
let lastLog: Buffer | undefined;

function step(name: string): void {
  if (!isArmed) return;
  const log = fs.existsSync(`${database}-wal`) ? fs.readFileSync(`${database}-wal`) : Buffer.alloc(0);
  if (!hasChanged && running === 0 && lastLog?.equals(log) === true) return;
  hasChanged = false;
  lastLog = log;
  steps += 1;
  if (!hasAnswered && ![String(steps), name].includes(killAt)) return;
  fs.writeSync(2, hasAnswered ? 'killed after the answer\n' : `killed before step ${steps}: ${name}\n`);
  process.kill(process.pid, 'SIGKILL');
  // Blocks until the signal arrives.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

type Callable = (this: unknown, ...args: unknown[]) => unknown;

/** Whether a call can change the disk. If not sure, true. */
function canChange(name: string, owner: unknown, [target, mode]: unknown[]): boolean {
  const plain = name.replace(/Sync$/, '');
  if (/^(?:f|fdata|data)?sync$/.test(plain)) return false;
  if (plain === 'mkdir') return !fs.existsSync(String(target));
  if (plain === 'chmod' && typeof target === 'string' && typeof mode === 'number')
    return !fs.existsSync(target) || !hasMode(fs.statSync(target), mode);
  if (plain === 'fchmod' && typeof target === 'number' && typeof mode === 'number')
    return !hasMode(fs.fstatSync(target), mode);
  if (plain === 'chmod' && typeof target === 'number')
    return !hasMode(fs.fstatSync((owner as fs.promises.FileHandle).fd), target);
  return true;
}

function hasMode(stats: fs.Stats, mode: number): boolean {
  return (stats.mode & 0o7777) === mode;
}

function watch(owner: object, names: string[], isStep: (args: unknown[]) => boolean = () => true): void {
  const members = owner as Record<string, unknown>;
  for (const name of names) {
    const original = members[name];
    if (typeof original !== 'function') continue;
    const wrapped: Callable = function (this: unknown, ...args: unknown[]) {
      if (!isStep(args)) return (original as Callable).apply(this, args);
      step(name);
      if (!canChange(name, this, args)) return (original as Callable).apply(this, args);
      const callback = args.at(-1);
      const run = (): unknown => (original as Callable).apply(this, args);
      const end = (): void => {
        running -= 1;
        hasChanged = true;
      };
      if (typeof callback === 'function') {
        running += 1;
        args[args.length - 1] = (...results: unknown[]) => {
          end();
          (callback as Callable)(...results);
        };
        return run();
      }
      const result = run();
      hasChanged = true;
      if (result instanceof Promise) {
        running += 1;
        result.then(end, end);
      }
      return result;
    };
    members[name] = Object.assign(wrapped, original);
  }
}

// `rm` calls `unlink` and `rmdir`; `rmSync` doesn't.
const changes = 'rename link unlink rmdir copyFile chmod chown truncate mkdir utimes symlink'.split(' ');
const onDescriptors = 'write writev fsync fdatasync ftruncate fchmod fchown futimes'.split(' ');
const onHandles = 'write writev writeFile sync datasync truncate chmod chown'.split(' ');
// A file opened for reading changes nothing.
const opensToWrite = ([, flags]: unknown[]): boolean =>
  typeof flags === 'number'
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : /[wa+]/.test(String(flags));
const toTheDisk = ([descriptor]: unknown[]): boolean => typeof descriptor !== 'number' || descriptor > 2;

watch(fs.promises, changes);
watch(fs.promises, ['open'], opensToWrite);
watch(fs, [...changes, ...changes.map((name) => `${name}Sync`), 'rmSync']);
watch(fs, ['open', 'openSync'], opensToWrite);
watch(fs, [...onDescriptors, ...onDescriptors.map((name) => `${name}Sync`)], toTheDisk);
const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
  const answer = (end as Callable).apply(this, args) as ServerResponse;
  hasAnswered = isArmed;
  return answer;
};
const handle = await fs.promises.open(process.execPath);
watch(Object.getPrototypeOf(handle) as object, onHandles);
await handle.close();
syncBuiltinESMExports();

process.on('SIGUSR2', () => {
  killAt = fs.readFileSync(killAtFile, 'utf8');
  isArmed = true;
  fs.writeSync(2, 'armed\n');
});
