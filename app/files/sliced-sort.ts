// Puts very many things in order without holding up anything else for long.

import type { Breathe } from './time-slice.ts';

type Compare<T> = (a: T, b: T) => number;

/** Runs of this many are sorted in one step. */
const runLength = 2048;
/** Between two looks at the clock. */
const stepLength = 1024;

/** A new array in order, by runs that are merged. Stable. */
export async function sortSliced<T>(
  items: readonly T[],
  compare: Compare<T>,
  breathe: Breathe,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).toSorted(compare));
    await breathe();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [a, b] = [runs[index] ?? [], runs[index + 1]];
      merged.push(b === undefined ? a : await merge(a, b, compare, breathe));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** The first `count` in order: far cheaper than sorting all, where they are few. */
export async function firstSliced<T>(
  items: readonly T[],
  count: number,
  compare: Compare<T>,
  breathe: Breathe,
): Promise<T[]> {
  let best: T[] = [];
  let worst: T | undefined;
  for (const [index, item] of items.entries()) {
    if (worst === undefined || compare(item, worst) < 0) best.push(item);
    if (best.length >= count + runLength) {
      best = best.toSorted(compare).slice(0, count);
      worst = best.at(-1);
    }
    if (index % stepLength === 0) await breathe();
  }
  return best.toSorted(compare).slice(0, count);
}

async function merge<T>(
  a: readonly T[],
  b: readonly T[],
  compare: Compare<T>,
  breathe: Breathe,
): Promise<T[]> {
  const all: T[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [left, right] = [a[i] as T, b[j] as T];
    if (compare(left, right) <= 0) {
      all.push(left);
      i += 1;
    } else {
      all.push(right);
      j += 1;
    }
    if (all.length % stepLength === 0) await breathe();
  }
  for (; i < a.length; i += 1) all.push(a[i] as T);
  for (; j < b.length; j += 1) all.push(b[j] as T);
  return all;
}
