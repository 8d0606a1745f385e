// Where a running host listens for the terminal: `control.sock` in its data folder. If that path is too long for a Unix socket,
// the socket is in a private folder among the temporary files; on Windows it is a named pipe. Then `control.path` in the data
// folder contains its address. Other users of this computer may have created something at these paths, so only a folder that
// belongs to this user is used, and the name of a pipe is random.

import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError, errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { writePrivateFile } from '../secrets/private-file.ts';

export interface ControlAddressOptions {
  platform?: NodeJS.Platform;
  /** Where the socket goes if its path in the data folder is too long; the first one that is short enough is used. */
  shortFolders?: string[];
}

/** The kernel's limit is 104 bytes on macOS and 108 on Linux, including the final zero byte. */
const maxSocketPathBytes = 100;
const pipePrefix = String.raw`\\.\pipe\doctray-`;

/**
 * For the host, which has locked the data folder: prepares the address, and removes a killed host's socket.
 * @returns the path of the socket or pipe
 * @throws AppError data-folder-invalid if there is no private folder for the socket
 */
export async function prepareControlAddress(
  dataDir: string,
  options: ControlAddressOptions = {},
): Promise<string> {
  const { XDG_RUNTIME_DIR } = process.env;
  const { platform = process.platform, shortFolders = [XDG_RUNTIME_DIR || tmpdir(), tmpdir(), '/tmp'] } =
    options;
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

/** Call it when the host stops. */
export async function removeControlAddress(dataDir: string, path: string): Promise<void> {
  await rm(join(dataDir, 'control.path'), { force: true });
  if (path.startsWith(pipePrefix)) return;
  await rm(path, { force: true });
  // `rmdir` removes only an empty folder; never try it on the data folder.
  if (path !== join(dataDir, 'control.sock')) await rmdir(dirname(path)).catch(() => undefined);
}

/** For the terminal. Undefined if no host has recorded an address; the host at a recorded one may be gone. */
export async function findControlAddress(dataDir: string): Promise<string | undefined> {
  const recorded = await readFile(join(dataDir, 'control.path'), 'utf8').catch(() => undefined);
  if (recorded !== undefined) {
    if (recorded.startsWith(pipePrefix)) return recorded;
    return (await isOwnFolder(dirname(recorded))) ? recorded : undefined;
  }
  const ownPath = join(dataDir, 'control.sock');
  return isShortEnough(ownPath) ? ownPath : undefined;
}

function isShortEnough(path: string): boolean {
  return Buffer.byteLength(path) <= maxSocketPathBytes;
}

/** False for a symbolic link, and for a folder of another user. */
async function isOwnFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

function notPrivate(cause?: unknown): AppError {
  return new AppError('data-folder-invalid', { cause, detail: () => t('host.no-place-for-control-socket') });
}
