// Does a desktop program on this computer, or one that uses this folder over the network, have a document open? Checked on each
// Lock of an unlocked file, so it costs two or three lstat calls if there is no lock file beside it. Lock files are plain files
// that anyone may have left or forged: symbolic links aren't followed, at most 4 KiB are read, and one whose owner is provably
// gone doesn't count. In doubt, it counts.

import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import {
  lockFileNames,
  parseLibreOfficeLock,
  parseOfficeOwner,
  type LibreOfficeOwner,
} from './desktop-lock-format.ts';
import type { OpenFolder } from './jail.ts';

/** A running LibreOffice; undefined fields are unknown. */
export interface LibreOfficeProcess {
  uid?: number | undefined;
  userName?: string | undefined;
  startedAtMs?: number | undefined;
  /** Its `-env:UserInstallation`, if it was started with one. */
  profileUrl?: string | undefined;
}

/** System calls; `systemDesktopLockDeps` (desktop-lock-system.ts) is the real implementation. */
export interface DesktopLockDeps {
  /** `lstat` of a possible lock file, not following links; undefined if there is none. */
  stat: (path: string) => Stats | undefined | Promise<Stats | undefined>;
  hostName: string;
  /** When this computer last booted, on the clock that file times use. */
  bootTimeMs: () => number;
  /** Every running LibreOffice that may belong to this user id; undefined if unknown. */
  libreOfficeProcesses: (ownerUid: number) => Promise<readonly LibreOfficeProcess[] | undefined>;
  /** Whether another process has this file open; undefined if unknown. */
  isHeldOpen: (path: string) => Promise<boolean | undefined>;
}

export interface DesktopLock {
  /** Printable ASCII for X-WOPI-Lock, stable while the same person has the document open. */
  id: `desktop:${string}`;
  program: 'LibreOffice' | 'Microsoft Office';
  person: string | null;
}

/** Lock files are short; a larger one is not read whole. */
const maxLockFileBytes = 4096;
/** File times, process starts and the boot time come from clocks that are read at different moments. */
const clockSlackMs = 60_000;

/**
 * The desktop program that has the document open, or undefined. Never throws.
 */
export async function findDesktopLock(
  deps: DesktopLockDeps,
  folder: Pick<OpenFolder, 'at'>,
  name: string,
): Promise<DesktopLock | undefined> {
  const candidates = lockFileNames(name).map((lockName) => folder.at(lockName));
  const stats = await Promise.all(candidates.map(async (path) => deps.stat(path)));
  for (const [index, path] of candidates.entries()) {
    const lockFile = stats[index];
    if (lockFile === undefined || !lockFile.isFile()) continue;
    const lock = await (index === 0
      ? libreOfficeLock(deps, path, lockFile)
      : officeLock(deps, path, lockFile));
    if (lock !== undefined) return lock;
  }
  return undefined;
}

/** The sentence for X-WOPI-LockFailureReason and the window. */
export function desktopLockReason(lock: DesktopLock): string {
  return lock.person === null
    ? t('host.open-in-program', { program: lock.program })
    : t('host.open-in-program-by-user', { program: lock.program, user: lock.person });
}

async function libreOfficeLock(
  deps: DesktopLockDeps,
  path: string,
  lockFile: Stats,
): Promise<DesktopLock | undefined> {
  const bytes = await readStart(path);
  if (bytes === 'gone') return undefined;
  const owner = bytes === undefined ? undefined : parseLibreOfficeLock(bytes);
  if (owner !== undefined && (await isAbandoned(deps, owner, lockFile))) return undefined;
  return describe('LibreOffice', path, owner?.person ?? owner?.systemUser ?? null, [
    owner?.systemUser,
    owner?.host,
  ]);
}

/** It names this computer, and no LibreOffice running here can have written it. It contains no process id. */
async function isAbandoned(
  deps: DesktopLockDeps,
  owner: LibreOfficeOwner,
  lockFile: Stats,
): Promise<boolean> {
  if (owner.host === null || !isSameHost(owner.host, deps.hostName)) return false;
  if (lockFile.mtimeMs < deps.bootTimeMs() - clockSlackMs) return true;
  const processes = await deps.libreOfficeProcesses(lockFile.uid).catch(() => undefined);
  if (processes === undefined) return false;
  return !processes.some((running) => mayHaveWritten(running, owner, lockFile));
}

function mayHaveWritten(running: LibreOfficeProcess, owner: LibreOfficeOwner, lockFile: Stats): boolean {
  if (running.startedAtMs !== undefined && running.startedAtMs > lockFile.mtimeMs + clockSlackMs)
    return false;
  if (running.profileUrl !== undefined && owner.profileUrl !== null) {
    if (plainUrl(running.profileUrl) !== plainUrl(owner.profileUrl)) return false;
  }
  // A network file system may show another uid than the writer's, and a directory service hides the name of a uid.
  if (running.uid === undefined || running.uid === lockFile.uid) return true;
  return running.userName === undefined || owner.systemUser === null || running.userName === owner.systemUser;
}

async function officeLock(
  deps: DesktopLockDeps,
  path: string,
  lockFile: Stats,
): Promise<DesktopLock | undefined> {
  if (lockFile.mtimeMs < deps.bootTimeMs() - clockSlackMs) return undefined;
  if ((await deps.isHeldOpen(path).catch(() => undefined)) === false) return undefined;
  const bytes = await readStart(path);
  if (bytes === 'gone') return undefined;
  return describe('Microsoft Office', path, bytes === undefined ? null : parseOfficeOwner(bytes), []);
}

/** The first bytes of a lock file; undefined if it can't be read, as on Windows while its owner has it open. */
async function readStart(path: string): Promise<Uint8Array | 'gone' | undefined> {
  try {
    // Windows has neither flag. Without O_NONBLOCK, a pipe that replaced the file would hang the call.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    await using file = await open(path, flags);
    if (!(await file.stat()).isFile()) return 'gone';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxLockFileBytes), 0, maxLockFileBytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    return ['ENOENT', 'ELOOP'].includes(errorCode(error)) ? 'gone' : undefined;
  }
}

function describe(
  program: DesktopLock['program'],
  path: string,
  person: string | null,
  others: readonly (string | null | undefined)[],
): DesktopLock {
  // Without date and bytes: LibreOffice rewrites the file while the same person continues.
  const identity = JSON.stringify([program, basename(path), person, ...others.map((other) => other ?? null)]);
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { id: `desktop:${hash}`, program, person: person?.slice(0, 100).toWellFormed() ?? null };
}

/** LibreOffice writes the host with or without its domain. */
function isSameHost(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (a === b) return true;
  return (!a.includes('.') || !b.includes('.')) && a.split('.')[0] === b.split('.')[0];
}

function plainUrl(url: string): string {
  const bare = url.replace(/\/+$/u, '');
  try {
    return decodeURI(bare);
  } catch {
    return bare;
  }
}
