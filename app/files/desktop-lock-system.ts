// The system calls behind desktop-lock.ts: which LibreOffice is running, and whether a file is open in another process. Called
// only if a lock file was found. Linux is read from /proc; elsewhere the system's own tools are run, for at most two seconds.
// Every failure means "not known", never an error.

import { execFile } from 'node:child_process';
import { lstatSync, type Stats } from 'node:fs';
import { lstat, open, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { hostname, uptime, userInfo } from 'node:os';
import { basename, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../contract/errors.ts';
import type { DesktopLockDeps, LibreOfficeProcess } from './desktop-lock.ts';

const run = promisify(execFile);
const patienceMs = 2000;
/** Linux reports process starts to user space in this unit, whatever the kernel's own tick. */
const procTicksPerSecond = 100;
/** Processes checked in parallel; more would crowd out the saves that share the thread pool. */
const procBatch = 8;

/** Programs that keep owner files open on behalf of others, and that an ordinary user can't inspect. */
const foreignHolders = /^(?:smbd.*|ksmbd.*|wineserver.*|winword\.exe|excel\.exe|powerpnt\.exe)$/iu;
const macOfficePrograms = /^(?:microsoft (?:word|excel|powerpoint)|smbd)$/iu;

export function systemDesktopLockDeps(
  options: { platform?: NodeJS.Platform; isRemote?: boolean } = {},
): DesktopLockDeps {
  const { platform = process.platform, isRemote = false } = options;
  return {
    // On a local disk these calls take microseconds, and every Lock waits for them.
    stat: (path) => (isRemote ? lstat(path).catch(() => undefined) : statNow(path)),
    hostName: hostname(),
    // Date.now on purpose: compared with the times of real files, which don't follow a test clock.
    bootTimeMs,
    libreOfficeProcesses: async (ownerUid) => {
      if (platform === 'linux') return procLibreOffices(ownerUid);
      return platform === 'win32' ? tasklistLibreOffices() : psLibreOffices();
    },
    isHeldOpen: async (path) => {
      if (platform === 'linux') return isOpenInProc(path);
      return platform === 'win32' ? isWriteDenied(path) : isMacOfficeRunning();
    },
  };
}

function statNow(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // The lock file's name would exceed the length limit of names.
  }
}

function bootTimeMs(): number {
  return Date.now() - uptime() * 1000;
}

async function procLibreOffices(ownerUid: number): Promise<LibreOfficeProcess[] | undefined> {
  // With hidepid, /proc hides other users' processes from an ordinary user.
  if (ownerUid !== process.getuid?.() && !(await exists('/proc/1'))) return undefined;
  const names = await userNames();
  const found: LibreOfficeProcess[] = [];
  const isWhole = await eachProcess(async (folder) => {
    if ((await readText(join(folder, 'comm'))).trim() !== 'soffice.bin') return;
    const [status, commandLine, owner] = await Promise.all([
      readText(join(folder, 'stat')),
      readText(join(folder, 'cmdline')),
      lstat(folder),
    ]);
    // The fields after the name, which is in parentheses and may itself contain spaces and parentheses.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return;
    const startTicks = Number(fields[19]);
    const profile = commandLine
      .split('\0')
      .find((argument) => argument.startsWith('-env:UserInstallation=file://'));
    found.push({
      uid: owner.uid,
      userName: names.get(owner.uid),
      startedAtMs: Number.isFinite(startTicks)
        ? bootTimeMs() + (startTicks * 1000) / procTicksPerSecond
        : undefined,
      profileUrl: profile?.slice('-env:UserInstallation='.length),
    });
  });
  return isWhole ? found : undefined;
}

/** True if it is open, false if no process can have it open, undefined if a process that can't be inspected may. */
async function isOpenInProc(path: string): Promise<boolean | undefined> {
  const file = await lstat(path, { bigint: true });
  const name = basename(path);
  let isOpen = false;
  let mayBeOpen = false;
  const isWhole = await eachProcess(async (folder, pid) => {
    // This process reads the file itself, for another client's Lock.
    if (isOpen || pid === process.pid) return;
    const descriptors = await readdir(join(folder, 'fd')).catch((error: unknown) => {
      if (errorCode(error) === 'EACCES') return undefined;
      throw error;
    });
    if (descriptors === undefined) {
      // Not every process of another user counts, or an owner file left after a crash would block until the next reboot.
      if (foreignHolders.test((await readText(join(folder, 'comm'))).trim())) mayBeOpen = true;
      return;
    }
    for (const descriptor of descriptors) {
      const link = join(folder, 'fd', descriptor);
      const target = await readlink(link).catch(() => '');
      // Follow only descriptors with this name: others may be on a network share that hangs.
      if (posix.basename(target) !== name) continue;
      const held = await stat(link, { bigint: true }).catch(() => undefined);
      if (held?.ino === file.ino && held.dev === file.dev) isOpen = true;
    }
  });
  if (isOpen) return true;
  return isWhole && !mayBeOpen ? false : undefined;
}

/** Iterates over /proc; false if that was incomplete or took too long. */
async function eachProcess(visit: (folder: string, pid: number) => Promise<void>): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  let isWhole = pids.length > 0;
  const visitOne = async (pid: number): Promise<void> => {
    try {
      await visit(join('/proc', String(pid)), pid);
    } catch (error) {
      // The process has exited. Any other error, such as no free descriptor, leaves the result unknown.
      const code = errorCode(error);
      if (code !== 'ENOENT' && code !== 'ESRCH') isWhole = false;
    }
  };
  for (let at = 0; at < pids.length; at += procBatch) {
    if (performance.now() > deadline) return false;
    await Promise.all(pids.slice(at, at + procBatch).map(visitOne));
  }
  return isWhole;
}

/** The names of local users; directory services aren't included, except for the current user. */
async function userNames(): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for (const line of (await readText('/etc/passwd').catch(() => '')).split('\n')) {
    const [name, , uid] = line.split(':');
    if (name !== undefined && uid !== undefined) names.set(Number(uid), name);
  }
  try {
    const own = userInfo();
    names.set(own.uid, own.username);
  } catch {
    // A uid without an account, as in a container.
  }
  return names;
}

async function psLibreOffices(): Promise<LibreOfficeProcess[] | undefined> {
  const lines = await processLines('/bin/ps', ['-A', '-o', 'comm=']);
  return lines?.filter((line) => /^soffice(?:\.bin)?$/u.test(posix.basename(line.trim()))).map(() => ({}));
}

/** Office for Mac doesn't always keep its owner file open, so a running one counts. */
async function isMacOfficeRunning(): Promise<boolean | undefined> {
  const lines = await processLines('/bin/ps', ['-A', '-o', 'comm=']);
  return lines?.some((line) => macOfficePrograms.test(posix.basename(line.trim())));
}

async function tasklistLibreOffices(): Promise<LibreOfficeProcess[] | undefined> {
  // By its full path: otherwise Windows could run a program of that name in the current folder.
  const program = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'tasklist.exe');
  const lines = await processLines(program, ['/FI', 'IMAGENAME eq soffice.bin', '/FO', 'CSV', '/NH']);
  return lines?.filter((line) => line.startsWith('"soffice.bin"')).map(() => ({}));
}

async function processLines(program: string, parameters: string[]): Promise<string[] | undefined> {
  try {
    const options = { timeout: patienceMs, maxBuffer: 8 * 1024 * 1024, windowsHide: true };
    const { stdout } = await run(program, parameters, options);
    return stdout.split(/\r?\n/u);
  } catch {
    return undefined;
  }
}

/** Office opens its owner file without write sharing; Windows then refuses with EBUSY or EPERM. */
async function isWriteDenied(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r+');
    await file.close();
    return false;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8');
}
