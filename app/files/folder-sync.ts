// Makes names durable: a rename or a link is on the disk only after its folder was synced.

import { closeSync, fsync, openSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { diskErrorCode } from './disk-error.ts';

const fsyncFile = promisify(fsync);

export async function syncFolder(absolute: string): Promise<void> {
  // Windows has no handle on a folder that could be synced; NTFS journals its names.
  if (process.platform === 'win32') return;
  const fd = openSync(absolute, 'r');
  try {
    await fsyncFile(fd);
  } finally {
    closeSync(fd);
  }
}

/** For this long a target that another program holds is tried again. */
const heldLimitMs = 10_000;

/** Renames over the target; where another program holds it (Windows, SMB), again and again for 10 s. */
export async function renameOver(from: string, to: string): Promise<void> {
  const endAt = performance.now() + heldLimitMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const code = diskErrorCode(error);
      const mayBeHeld =
        code === 'EBUSY' || (process.platform === 'win32' && (code === 'EPERM' || code === 'EACCES'));
      if (!mayBeHeld || performance.now() > endAt) throw error;
    }
    await wait(pauseMs);
  }
}
