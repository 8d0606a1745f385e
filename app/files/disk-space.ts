// The free space on the disks of the data folder and the hosted folder, and the floor below which nothing new is created. A save
// of an existing document is never refused because of the floor, only if the disk itself returns an error.

import { statfs } from 'node:fs/promises';
import { AppError } from '../contract/errors.ts';
import { megabyte } from '../contract/format.ts';

/** For this long, a sufficient measurement is reused. */
const enoughForMs = 1000;

export interface DiskSpace {
  /** The free bytes on the data folder's disk, if below the floor. */
  lowFree(): Promise<number | undefined>;
  /**
   * For new content of `bytes` in the hosted folder; 0 once they are written.
   * @throws AppError disk-low if less than the floor would be left there, or is left on the data folder's disk
   */
  requireRoom(hostedFolder: string, bytes: number): Promise<void>;
}

export interface DiskSpaceDeps {
  dataDir: string;
  minFreeMB: () => number;
  /** Free bytes on the disk of that folder; undefined if the system doesn't report them. */
  measure?: (folder: string) => Promise<number | undefined>;
}

export function createDiskSpace({ dataDir, minFreeMB, measure = measureFree }: DiskSpaceDeps): DiskSpace {
  let enoughUntilMs = 0;

  const isBelow = (free: number | undefined): boolean => free !== undefined && free < minFreeMB() * megabyte;

  return {
    async lowFree() {
      if (performance.now() < enoughUntilMs) return undefined;
      const free = await measure(dataDir);
      if (isBelow(free)) return free;
      enoughUntilMs = performance.now() + enoughForMs;
      return undefined;
    },

    async requireRoom(hostedFolder, bytes) {
      const [freeInData = Infinity, freeInHosted = Infinity] = await Promise.all([
        measure(dataDir),
        measure(hostedFolder),
      ]);
      if (isBelow(freeInData) || isBelow(freeInHosted - bytes)) throw new AppError('disk-low');
    },
  };
}

async function measureFree(folder: string): Promise<number | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    // Some network and user-space file systems report 0 for everything.
    return blocks === 0 ? undefined : bavail * bsize;
  } catch {
    // Problems with the folder are reported by the operation itself.
    return undefined;
  }
}
