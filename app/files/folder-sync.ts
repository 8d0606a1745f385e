// Makes names durable: a rename or a link is on the disk only after its folder was synced.

import { closeSync, constants, fsync, open, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '../contract/errors.ts';

const openLater = promisify(open);
/** With O_DIRECTORY, a pipe that took the folder's place cannot block the opening. */
const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
/** File systems without a sync of folders, some network and FUSE ones among them. */
const cannotSync = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Does nothing where the system or the file system has no such call. */
export async function syncFolder(path: string, options: { isRemote?: boolean } = {}): Promise<void> {
  // Windows has no handle on a folder that could be synced; NTFS journals its names.
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

/** Forces what was written to an open file, or the names of an open folder, to the disk. */
export function syncFd(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
