// The real machine behind desktop-lock.ts: which LibreOffice runs, and whether a file is held open.
// Asked only where a lock file was found. Linux is read from /proc; elsewhere the system's own lists are, for at most
// two seconds. Everything that goes wrong means "not known", never an error.

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
/** Linux has one unit for process starts towards user space, whatever the kernel's own tick is. */
const procTicksPerSecond = 100;
/** Processes looked at together; more would crowd out the saves that share the thread pool. */
const procBatch = 8;

/** Those that hold owner files on behalf of others, and that an ordinary user cannot look into. */
const foreignHolders = /^(?:smbd.*|ksmbd.*|wineserver.*|winword\.exe|excel\.exe|powerpnt\.exe)$/iu;
const macOfficePrograms = /^(?:microsoft (?:word|excel|powerpoint)|smbd)$/iu;

export function systemDesktopLockDeps(
  options: { platform?: NodeJS.Platform; isRemote?: boolean } = {},
): DesktopLockDeps {
  const { platform = process.platform, isRemote = false } = options;
  return {
    // On a disk of this machine the three looks take microseconds, and every Lock waits for them.
    stat: (path) => (isRemote ? lstat(path).catch(() => undefined) : statNow(path)),
    hostName: hostname(),
    // Date.now on purpose: it is compared with the times of real files, which no test's clock moves.
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
    return undefined; // The lock file's name would be longer than a name can be.
  }
}

function bootTimeMs(): number {
  return Date.now() - uptime() * 1000;
}

async function procLibreOffices(ownerUid: number): Promise<LibreOfficeProcess[] | undefined> {
  // With hidepid, /proc shows an ordinary user nothing of the others.
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
    // The fields after the name, which stands in parentheses and may itself hold spaces and parentheses.
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

/** True when found open, false when nobody can be holding it, undefined when somebody who cannot be asked may be. */
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
      // Not every process of others counts, or an owner file left after a crash would block until the next start.
      if (foreignHolders.test((await readText(join(folder, 'comm'))).trim())) mayBeOpen = true;
      return;
    }
    for (const descriptor of descriptors) {
      const link = join(folder, 'fd', descriptor);
      const target = await readlink(link).catch(() => '');
      // Only a descriptor of this name is followed: others may lie on a network share that hangs.
      if (posix.basename(target) !== name) continue;
      const held = await stat(link, { bigint: true }).catch(() => undefined);
      if (held?.ino === file.ino && held.dev === file.dev) isOpen = true;
    }
  });
  if (isOpen) return true;
  return isWhole && !mayBeOpen ? false : undefined;
}

/** Runs over /proc; false when that could not be done to the end, or took too long. */
async function eachProcess(visit: (folder: string, pid: number) => Promise<void>): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  let isWhole = pids.length > 0;
  const visitOne = async (pid: number): Promise<void> => {
    try {
      await visit(join('/proc', String(pid)), pid);
    } catch (error) {
      // Ended meanwhile. Anything else, such as no descriptor left in this process, leaves the answer open.
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

/** The names of local users; those of a directory service are not in it, apart from one's own. */
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
  const lines = await processLines('/bin/ps', ['-A', '-o', 'uid=,comm=']);
  return lines?.flatMap((line) => {
    const match = /^\s*(\d+)\s+(.+)$/u.exec(line);
    const program = posix.basename(match?.[2]?.trim() ?? '');
    return program === 'soffice' || program === 'soffice.bin' ? [{ uid: Number(match?.[1]) }] : [];
  });
}

/** Office for the Mac need not keep its owner file open, so a running one counts. */
async function isMacOfficeRunning(): Promise<boolean | undefined> {
  const lines = await processLines('/bin/ps', ['-A', '-o', 'comm=']);
  return lines?.some((line) => macOfficePrograms.test(posix.basename(line.trim())));
}

async function tasklistLibreOffices(): Promise<LibreOfficeProcess[] | undefined> {
  // By its full path: a program of that name in the current folder would else be started.
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

/** Office opens its owner file so that nobody else may write to it; Windows then refuses (EBUSY, EPERM). */
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
