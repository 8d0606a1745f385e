// Finds documents and folders by name in the whole hosted folder. A search has a time limit, runs in short turns, and ends when the
// next one starts, so that typing doesn't queue up searches.

import { AppError } from '../contract/errors.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import { createYieldTurn, sortInTurns, type YieldTurn } from '../files/event-loop.ts';
import type { Jail } from '../files/jail.ts';
import { compareText } from '../files/list-folder.ts';
import { readFolder, type FolderEntry, type ListedPath } from '../files/read-folder.ts';

export interface Found {
  /** Best first. */
  shown: ListedPath[];
  /** False if there are more results, the time limit was reached, or a newer search canceled this one. */
  isComplete: boolean;
  /** How many names were compared. */
  searched: number;
}

export interface Search {
  /** Cancels the running search, which resolves with an incomplete result. @throws AppError folder-missing */
  run(folder: DocumentIndex, text: string, count: number): Promise<Found>;
}

export interface SearchDeps {
  limitMs?: number;
  /** Aborted when the host stops. */
  ending?: AbortSignal;
}

interface Match extends FolderEntry {
  rank: number;
}

export function createSearch({ limitMs = 1600, ending }: SearchDeps = {}): Search {
  let running: AbortController | undefined;

  return {
    async run({ jail }, text, count) {
      running?.abort();
      running = new AbortController();
      const signal = AbortSignal.any([running.signal, ...(ending === undefined ? [] : [ending])]);
      const words = searchWords(text);
      if (words.length === 0) return { shown: [], isComplete: true, searched: 0 };
      await jail.requireRoot();
      const found = await collect(jail, words, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]));
      const { matches, searched } = found;
      if (signal.aborted) return { shown: [], isComplete: false, searched };
      const best = await sortInTurns(matches, compare, createYieldTurn());
      return {
        shown: best.slice(0, count),
        isComplete: found.isComplete && best.length <= count,
        searched,
      };
    },
  };
}

interface Collected {
  matches: Match[];
  searched: number;
  isComplete: boolean;
}

/** Searches the folders level by level, so that names near the top are found first. */
async function collect(jail: Jail, words: readonly string[], signal: AbortSignal): Promise<Collected> {
  const yieldTurn = createYieldTurn(signal);
  const collected: Collected = { matches: [], searched: 0, isComplete: true };
  const folders = [''];
  try {
    for (const path of folders) {
      for (const entry of await entriesOf(jail, path, yieldTurn)) {
        const { name, isFolder, isLink } = entry;
        collected.searched += 1;
        // A link to a folder is listed but not followed: its target is searched at its real path.
        if (isFolder && !isLink) folders.push(entry.path);
        const rank = searchRank(searchKey(name), words);
        if (rank !== undefined) collected.matches.push({ ...entry, rank });
        const pause = yieldTurn();
        if (pause !== undefined) await pause;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return { ...collected, isComplete: false };
  }
  return collected;
}

async function entriesOf(jail: Jail, path: string, yieldTurn: YieldTurn): Promise<FolderEntry[]> {
  try {
    return await readFolder(jail, path, yieldTurn);
  } catch (error) {
    // The folder no longer exists, or this user may not read it.
    if (error instanceof AppError) return [];
    throw error;
  }
}

function compare(a: Match, b: Match): number {
  return a.rank - b.rank || compareText(a.key, b.key) || compareText(a.path, b.path);
}

/** A key that ignores case, accents and normalization form: the same for `Résumé` in either form, `resume` and `RESUME`. */
export function searchKey(text: string): string {
  if (/^[\0-\x7f]*$/u.test(text)) return text.toUpperCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase().normalize('NFC');
}

/** The keys of the typed words; empty for white space. */
export function searchWords(text: string): string[] {
  return searchKey(text)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/**
 * How well a name's key matches: 0 if it starts with the typed text, 1 if every word starts one of its words, 2 if it contains all
 * words; undefined if it doesn't contain all of them.
 */
export function searchRank(key: string, words: readonly string[]): 0 | 1 | 2 | undefined {
  let areWordStarts = true;
  for (const word of words) {
    const at = key.indexOf(word);
    if (at < 0) return undefined;
    areWordStarts &&= startsWord(key, word, at);
  }
  if (key.startsWith(words.join(' '))) return 0;
  return areWordStarts ? 1 : 2;
}

function startsWord(key: string, word: string, first: number): boolean {
  for (let at = first; at >= 0; at = key.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(key.charAt(at - 1))) return true;
  }
  return false;
}
