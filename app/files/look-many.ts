// Sizes or times of many files in short turns: at once where the disk is this machine's, in parallel where it is not. Only the
// one number of each is kept: a hundred thousand stats that live for a moment too long cost more than their reading.

import { lstatSync } from 'node:fs';
import { nameOf, parentOf, type Jail, type OpenFolder } from './jail.ts';
import type { Breathe } from './time-slice.ts';

export interface Look {
  size: number;
  mtimeMs: number;
}

export interface LookInput<Item extends { isLink: boolean }> {
  jail: Jail;
  items: readonly Item[];
  pathOf: (item: Item) => string;
  measure: (look: Look) => number;
  breathe: Breathe;
}

const parallelLooks = 64;

/** In the same order, a link's are its target's; 0 for what is gone. @throws what `breathe` throws */
export async function measureMany<Item extends { isLink: boolean }>(
  input: LookInput<Item>,
): Promise<number[]> {
  const { jail, items, pathOf, measure, breathe } = input;
  const measures: number[] = [];
  const measureOne = async (item: Item): Promise<number> => {
    const look = item.isLink ? await jail.resolve(pathOf(item)) : await jail.stat(pathOf(item));
    if (look === undefined) return 0;
    const { size, mtimeNs } = look.stats;
    return measure({ size: Number(size), mtimeMs: Number(mtimeNs / 1_000_000n) });
  };
  if (jail.isRemote) {
    for (let start = 0; start < items.length; start += parallelLooks) {
      measures.push(...(await Promise.all(items.slice(start, start + parallelLooks).map(measureOne))));
      await breathe();
    }
    return measures;
  }
  // Most have the folder of the one before.
  let folder: OpenFolder | undefined;
  let folderPath: string | undefined;
  try {
    for (const item of items) {
      const path = pathOf(item);
      if (item.isLink) measures.push(await measureOne(item));
      else {
        if (folderPath !== parentOf(path)) {
          folder?.close();
          folderPath = parentOf(path);
          folder = await jail.openFolder(folderPath);
        }
        const look = folder && lookLocal(folder, nameOf(path));
        measures.push(look === undefined ? 0 : measure(look));
      }
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
    return measures;
  } finally {
    folder?.close();
  }
}

function lookLocal(folder: OpenFolder, name: string): Look | undefined {
  try {
    return lstatSync(folder.at(name), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
