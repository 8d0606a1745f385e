// How much is free on the disks of the data folder and the hosted folder, and the floor below which nothing new is created.
// A save of an existing document is never refused for the floor; it is tried until the disk itself returns an error.

import { statfs } from 'node:fs/promises';
import { AppError } from '../contract/errors.ts';

/** That enough is free is not measured again for every save. */
const enoughForMs = 1000;
const mebibyte = 1024 * 1024;

export interface DiskSpace {
  /** What is free beside the data folder, in bytes, where that is less than the floor. */
  lowFree(): Promise<number | undefined>;
  /**
   * For something new of that many bytes in the hosted folder; 0 once they are written.
   * @throws AppError disk-low where that would leave less than the floor there, or less is free beside the data folder
   */
  requireRoom(hostedFolder: string, bytes: number): Promise<void>;
}

export interface DiskSpaceDeps {
  dataDir: string;
  minFreeMiB: () => number;
  /** Free bytes on the disk of that folder; undefined where the system does not report them. */
  measure?: (folder: string) => Promise<number | undefined>;
}

export function createDiskSpace({ dataDir, minFreeMiB, measure = measureFree }: DiskSpaceDeps): DiskSpace {
  let enoughUntilMs = 0;

  const isBelow = (free: number | undefined): boolean => free !== undefined && free < minFreeMiB() * mebibyte;

  return {
    async lowFree() {
      if (performance.now() < enoughUntilMs) return undefined;
      const free = await measure(dataDir);
      if (isBelow(free)) return free;
      enoughUntilMs = performance.now() + enoughForMs;
      return undefined;
    },

    async requireRoom(hostedFolder, bytes) {
      const [beside = Infinity, there = Infinity] = await Promise.all([
        measure(dataDir),
        measure(hostedFolder),
      ]);
      if (isBelow(beside) || isBelow(there - bytes)) throw new AppError('disk-low');
    },
  };
}

async function measureFree(folder: string): Promise<number | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    // Some network and user-space file systems know no sizes and answer 0 for all.
    return blocks === 0 ? undefined : bavail * bsize;
  } catch {
    // Whatever is wrong with the folder is reported by what is done in it.
    return undefined;
  }
}
