// Makes names durable: a rename or a link is on disk only after its folder was synced.

import { closeSync, constants, fstatSync, fsync, open, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '../contract/errors.ts';

const openLater = promisify(open);
/** With O_DIRECTORY, opening doesn't block if a pipe has replaced the folder. */
const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
/** Some network and FUSE file systems can't sync folders. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Does nothing if the system or the file system has no such call.
 * @param options.realPath if `path` names a descriptor
 */
export async function syncFolder(
  path: string,
  options: { isRemote?: boolean; realPath?: string } = {},
): Promise<void> {
  // Windows has no folder handles to sync; NTFS journals its names.
  if (process.platform === 'win32') return;
  const fd = options.isRemote === true ? await openLater(path, flags) : openSync(path, flags);
  try {
    await (options.isRemote === true ? syncFd(fd) : shareSync(fd, options.realPath ?? path));
  } catch (error) {
    if (!cannotSync.has(errorCode(error))) throw error;
  } finally {
    closeSync(fd);
  }
}

interface Sync {
  running: Promise<void>;
  next?: Promise<void>;
}

/** By device, inode and path. */
const syncs = new Map<string, Sync>();

/** The running sync may have missed a later rename, so callers that arrive while it runs share the next one. */
function shareSync(fd: number, path: string): Promise<void> {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  // Some file systems have folders with equal inodes.
  const folder = `${dev} ${ino} ${path}`;
  const run = (): Promise<void> => {
    const own: Sync = { running: syncFd(fd) };
    syncs.set(folder, own);
    const end = (): void => {
      if (own.next === undefined) syncs.delete(folder);
    };
    own.running.then(end, end);
    return own.running;
  };
  const sync = syncs.get(folder);
  return sync === undefined ? run() : (sync.next ??= sync.running.then(run, run));
}

/** Forces the content of an open file, or the names of an open folder, to disk. */
export function syncFd(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
