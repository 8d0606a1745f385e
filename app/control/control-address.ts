// Where a running host listens for the terminal: control.sock in its data folder. A path longer than a Unix socket may have
// moves into a folder of its own among the temporary files, and Windows takes a named pipe; then the file control.path in
// the data folder says where. Other users of this machine may have put something in the way: nothing is used that does
// not belong to this user alone, and the name of a pipe cannot be guessed.

import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError, errorCode } from '../contract/errors.ts';
import { writePrivateFile } from '../secrets/private-file.ts';

export interface ControlAddressOptions {
  platform?: NodeJS.Platform;
  /** Folders for a socket whose path would be too long, the first that is short enough counts. */
  shortFolders?: string[];
}

/** The kernel's limit is 104 bytes on macOS and 108 on Linux, the ending zero included. */
const maxSocketPathBytes = 100;
const pipePrefix = String.raw`\\.\pipe\doctray-`;

/**
 * For the host, which holds the data folder: makes the place and removes what a killed host left there.
 * @throws AppError data-folder-invalid when no place is private enough
 */
export async function prepareControlAddress(
  dataDir: string,
  options: ControlAddressOptions = {},
): Promise<string> {
  const { platform = process.platform, shortFolders = defaultShortFolders() } = options;
  const recordPath = join(dataDir, 'control.path');
  const ownPath = join(dataDir, 'control.sock');

  if (platform === 'win32') {
    const pipe = pipePrefix + randomBytes(16).toString('hex');
    await writePrivateFile(recordPath, pipe);
    return pipe;
  }
  if (isShortEnough(ownPath)) {
    await rm(ownPath, { force: true });
    await rm(recordPath, { force: true });
    return ownPath;
  }
  const name = `doctray-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const path = shortFolders.map((folder) => join(folder, name, 'control.sock')).find(isShortEnough);
  if (path === undefined) throw notPrivate();
  await mkdir(dirname(path), { mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw notPrivate(error);
  });
  if (!(await isOwnFolder(dirname(path)))) throw notPrivate();
  await chmod(dirname(path), 0o700);
  await rm(path, { force: true });
  await writePrivateFile(recordPath, path);
  return path;
}

/** For the host's end. */
export async function removeControlAddress(dataDir: string, path: string): Promise<void> {
  await rm(join(dataDir, 'control.path'), { force: true });
  if (path.startsWith(pipePrefix)) return;
  await rm(path, { force: true });
  // Only ever an empty folder, and never the data folder itself, which holds more.
  if (path !== join(dataDir, 'control.sock')) await rmdir(dirname(path)).catch(() => undefined);
}

/** For the terminal; undefined when no host has left an address. */
export async function findControlAddress(dataDir: string): Promise<string | undefined> {
  const recorded = await readFile(join(dataDir, 'control.path'), 'utf8').catch(() => undefined);
  if (recorded !== undefined) {
    if (recorded.startsWith(pipePrefix)) return recorded;
    return (await isOwnFolder(dirname(recorded))) ? recorded : undefined;
  }
  const ownPath = join(dataDir, 'control.sock');
  return isShortEnough(ownPath) ? ownPath : undefined;
}

function defaultShortFolders(): string[] {
  const { XDG_RUNTIME_DIR } = process.env;
  return [...(XDG_RUNTIME_DIR ? [XDG_RUNTIME_DIR] : []), tmpdir(), '/tmp'];
}

function isShortEnough(path: string): boolean {
  return Buffer.byteLength(path) <= maxSocketPathBytes;
}

/** A link to elsewhere and a folder of somebody else are not. */
async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

function notPrivate(cause?: unknown): AppError {
  const detail =
    'Its path is too long for a control socket, and there is no private folder for one elsewhere.';
  return new AppError('data-folder-invalid', { cause, detail });
}
