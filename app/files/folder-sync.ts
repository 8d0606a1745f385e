// Makes names durable: a rename or a link is on disk only after its folder was synced.

import { closeSync, constants, fsync, open, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '../contract/errors.ts';

const openLater = promisify(open);
/** With O_DIRECTORY, opening doesn't block if a pipe has replaced the folder. */
const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
/** Some network and FUSE file systems can't sync folders. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Does nothing if the system or the file system has no such call. */
export async function syncFolder(path: string, options: { isRemote?: boolean } = {}): Promise<void> {
  // Windows has no folder handles to sync; NTFS journals its names.
  if (process.platform === 'win32') return;
  const fd = options.isRemote === true ? await openLater(path, flags) : openSync(path, flags);
  try {
    await syncFd(fd);
  } catch (error) {
    if (!cannotSync.has(errorCode(error))) throw error;
  } finally {
    closeSync(fd);
  }
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
