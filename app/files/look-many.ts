// Sizes or times of many files in short turns: at once where the disk is this machine's, in parallel where it is not. Only the
// one number of each is kept: a hundred thousand stats that live for a moment too long cost more than their reading.

import { lstat, lstatSync } from 'node:fs';
import type { Jail } from './jail.ts';
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
    const look = item.isLink ? await lookAtTarget(jail, pathOf(item)) : await lookRemote(jail, pathOf(item));
    return look === undefined ? 0 : measure(look);
  };
  if (jail.isRemote) {
    for (let start = 0; start < items.length; start += parallelLooks) {
      measures.push(...(await Promise.all(items.slice(start, start + parallelLooks).map(measureOne))));
      await breathe();
    }
    return measures;
  }
  for (const item of items) {
    const look = item.isLink ? undefined : lookLocal(jail.absolute(pathOf(item)));
    if (item.isLink) measures.push(await measureOne(item));
    else measures.push(look === undefined ? 0 : measure(look));
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  return measures;
}

async function lookAtTarget(jail: Jail, path: string): Promise<Look | undefined> {
  const target = await jail.resolve(path);
  if (target === undefined) return undefined;
  const { size, mtimeNs } = target.stats;
  return { size: Number(size), mtimeMs: Number(mtimeNs / 1_000_000n) };
}

function lookLocal(absolute: string): Look | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function lookRemote(jail: Jail, path: string): Promise<Look | undefined> {
  return new Promise((resolve) => {
    lstat(jail.absolute(path), (error, stats) => resolve(error === null ? stats : undefined));
  });
}
