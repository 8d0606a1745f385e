// Compares two texts line by line: what was removed and added, with a few unchanged lines around it.

import { diff, presentableDiff } from '@codemirror/merge';

export interface Line {
  /** From 1. */
  number: number;
  text: string;
}

/** A row of a side-by-side view. Unchanged: both sides have the line. */
export interface LinePair {
  old: Line | undefined;
  now: Line | undefined;
}

export interface LinePart {
  text: string;
  isChanged: boolean;
}

export type LineBlock =
  { kind: 'changed' | 'unchanged'; pairs: LinePair[] } | { kind: 'hidden'; count: number };

export interface LineComparison {
  blocks: LineBlock[];
  /** Of all changes, including those that are cut off. */
  changes: number;
  removed: number;
  added: number;
  /** `blocks` doesn't have the end of a very long comparison. */
  isCut: boolean;
}

/** Unchanged lines shown around a change. */
const context = 3;
/** More make a page slow. */
const maxPairs = 4000;

export function compareLines(old: string, now: string): LineComparison {
  const result: LineComparison = { blocks: [], changes: 0, removed: 0, added: 0, isCut: false };
  let pairsLeft = maxPairs;
  const show = (kind: 'changed' | 'unchanged', pairs: LinePair[]): void => {
    result.isCut ||= pairs.length > pairsLeft;
    const shown = pairs.slice(0, pairsLeft);
    if (shown.length > 0) result.blocks.push({ kind, pairs: shown });
    pairsLeft -= shown.length;
  };
  const runs = runsOf(pairsOf(linesOf(old), linesOf(now)));
  for (const [index, { isChanged, pairs }] of runs.entries()) {
    if (isChanged) {
      result.changes += 1;
      result.removed += pairs.filter((pair) => pair.old !== undefined).length;
      result.added += pairs.filter((pair) => pair.now !== undefined).length;
      show('changed', pairs);
      continue;
    }
    const before = index === 0 ? 0 : context;
    const after = index === runs.length - 1 ? 0 : context;
    const count = pairs.length - before - after;
    if (count <= 1) {
      show('unchanged', pairs);
      continue;
    }
    show('unchanged', pairs.slice(0, before));
    if (pairsLeft > 0) result.blocks.push({ kind: 'hidden', count });
    show('unchanged', pairs.slice(pairs.length - after));
  }
  return result;
}

/** Longer lines are one part. */
const maxCharacters = 1000;
/** Of the shorter line. With less in common, all of a line is new, and it's one part. */
const minCommonShare = 0.3;

/** What differs within a line that both sides have. */
export function lineParts({ old, now }: LinePair, side: keyof LinePair): LinePart[] {
  const text = (side === 'old' ? old : now)?.text ?? '';
  const whole = [{ text, isChanged: false }];
  if (old === undefined || now === undefined) return whole;
  const lengths = [old.text.length, now.text.length];
  if (Math.max(...lengths) > maxCharacters) return whole;
  const changes = presentableDiff(old.text, now.text, { scanLimit: 500 }).map(({ fromA, toA, fromB, toB }) =>
    side === 'old' ? { from: fromA, to: toA } : { from: fromB, to: toB },
  );
  const changed = changes.reduce((sum, { from, to }) => sum + to - from, 0);
  if (text.length - changed <= minCommonShare * Math.min(...lengths)) return whole;
  const parts: LinePart[] = [];
  let at = 0;
  for (const { from, to } of changes) {
    parts.push(
      { text: text.slice(at, from), isChanged: false },
      { text: text.slice(from, to), isChanged: true },
    );
    at = to;
  }
  return [...parts, { text: text.slice(at), isChanged: false }].filter((part) => part.text !== '');
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/u);
}

/** Each different line becomes one UTF-16 unit, so that a comparison of characters compares lines. */
function createEncoder(): (lines: readonly string[]) => string {
  const units = new Map<string, number>();
  return (lines) =>
    lines
      .map((line) => {
        // More lines than units, without surrogates, share some: `pairsOf` checks.
        const unit = units.get(line) ?? 1 + (units.size % 0xd7fe);
        units.set(line, unit);
        return String.fromCharCode(unit);
      })
      .join('');
}

function pairsOf(oldLines: readonly string[], nowLines: readonly string[]): LinePair[] {
  const encode = createEncoder();
  const changes = diff(encode(oldLines), encode(nowLines), { scanLimit: 2000 });
  const lineAt = (lines: readonly string[], index: number, end: number): Line | undefined => {
    const text = index < end ? lines[index] : undefined;
    return text === undefined ? undefined : { number: index + 1, text };
  };
  const pairs: LinePair[] = [];
  let [oldAt, nowAt] = [0, 0];
  const addUntil = (oldEnd: number, nowEnd: number): void => {
    for (
      ;
      oldAt < oldEnd || nowAt < nowEnd;
      oldAt = Math.min(oldEnd, oldAt + 1), nowAt = Math.min(nowEnd, nowAt + 1)
    )
      pairs.push({ old: lineAt(oldLines, oldAt, oldEnd), now: lineAt(nowLines, nowAt, nowEnd) });
  };
  for (const { fromA, toA, fromB, toB } of changes) {
    addUntil(fromA, fromB);
    addUntil(toA, toB);
  }
  addUntil(oldLines.length, nowLines.length);
  return pairs;
}

function runsOf(pairs: readonly LinePair[]): { isChanged: boolean; pairs: LinePair[] }[] {
  const runs: { isChanged: boolean; pairs: LinePair[] }[] = [];
  for (const pair of pairs) {
    const isChanged = pair.old?.text !== pair.now?.text;
    const last = runs.at(-1);
    if (last?.isChanged === isChanged) last.pairs.push(pair);
    else runs.push({ isChanged, pairs: [pair] });
  }
  return runs;
}
