// One folder of the hosted one, paged in by need: 100,000 documents are never asked for at once. After a change only what is
// in sight is asked for again, and what is shown stays until the answer is there, so that nothing jumps or blinks.

import { nameOf } from '../../../app/contract/names.ts';
import type { DocumentItem } from '../../../app/contract/results.ts';
import { sortKey } from '../../../app/contract/name-order.ts';
import { CallError, sentenceOf, type Call } from '../state/call.ts';

export interface ListingQuery {
  /** Inside the hosted folder; '' is the folder itself. */
  folder: string;
  sort: 'name' | 'modified' | 'size';
  isDescending: boolean;
}

export interface ListingSnapshot {
  query: ListingQuery;
  /** `failed`: nothing can be shown; `problem` says why. */
  status: 'loading' | 'ready' | 'failed';
  total: number;
  /** With `ready`: what is shown could not be brought up to date. */
  problem: { code: string; message: string } | null;
  /** Grows with every change of what `itemAt` answers. */
  revision: number;
}

export interface Listing {
  /** The same object until something changed. */
  snapshot(): ListingSnapshot;
  subscribe(listener: () => void): () => void;
  show(query: ListingQuery): void;
  /** Something in the folder changed, or the last answer was an error. */
  refresh(): void;
  /** Rows from `start` up to before `end` are in sight. */
  need(start: number, end: number): void;
  /**
   * Every page that isn't loaded or up to date, for Select all. Ends early when a page can't be read, or another folder or order was
   * requested. Doesn't throw.
   */
  loadAll(): Promise<number | undefined>;
  itemAt(index: number): DocumentItem | undefined;
  /** -1 if its page isn't loaded. */
  indexOf(path: string): number;
  /** Every page is loaded, and none is older than the last change. */
  isComplete(): boolean;
  /** Every page was loaded once, and some have changed since or are in another order now. */
  isOutdated(): boolean;
  /** An item's index; loads its page. Undefined if it isn't in this folder, or another folder was requested in the meantime. */
  locate(path: string): Promise<{ index: number; item: DocumentItem } | undefined>;
  /** The names on the loaded pages. */
  knownNames(): string[];
}

const pageSize = 200;
/** The visible page and the next one; more would delay the page that is scrolled to next. */
const maxCalls = 2;
/** For `loadAll`: the host reads and sorts the folder for each call. */
const pagesAtOnce = 5;
/** A folder that never stops changing isn't read forever. */
const maxPasses = 4;
const progressMs = 400;
/** Pages load this far ahead: rows that come into sight before they are loaded are drawn twice, which takes longer than a frame. */
const aheadRows = 100;
/** How many pages `locate` reads where the order does not lead to a name. */
const maxPagesRead = 25;

interface Page {
  items: DocumentItem[];
  epoch: number;
}

export function createListing(deps: { call: Call; query: ListingQuery }): Listing {
  const { call } = deps;
  const listeners = new Set<() => void>();
  let snapshot: ListingSnapshot = {
    query: deps.query,
    status: 'loading',
    total: 0,
    problem: null,
    revision: 0,
  };
  let pages = new Map<number, Page>();
  const underway = new Map<number, Promise<Page | undefined>>();
  /** Grows with each query: answers to an older one are dropped. */
  let generation = 0;
  /** Grows with each change: pages of an older one are asked for again once they are in sight. */
  let epoch = 0;
  let wanted = { start: 0, end: 1 };
  let isStarted = false;
  /** Of this folder, in any order. */
  let wasLoaded = false;

  const isEvery = (isKnown: (page: Page | undefined) => boolean) =>
    Array.from({ length: Math.max(1, Math.ceil(snapshot.total / pageSize)) }, (_, page) =>
      pages.get(page),
    ).every(isKnown);
  const isComplete = () => isEvery((page) => page?.epoch === epoch);

  const tell = (change: Partial<ListingSnapshot>) => {
    snapshot = { ...snapshot, ...change, revision: snapshot.revision + 1 };
    // The folder has become shorter.
    for (const page of pages.keys()) if (page * pageSize >= snapshot.total && page > 0) pages.delete(page);
    wasLoaded ||= isEvery((page) => page !== undefined);
    for (const listener of listeners) listener();
  };

  const ask = (page: number): Promise<Page | undefined> => {
    const answer = read(page);
    underway.set(page, answer);
    return answer;
  };

  const read = async (page: number): Promise<Page | undefined> => {
    const asked = { generation, epoch };
    const { folder, sort, isDescending } = snapshot.query;
    try {
      const answer = await call('documents.list', {
        path: folder,
        startIndex: page * pageSize,
        count: pageSize,
        sort,
        isDescending,
      });
      if (asked.generation !== generation) return undefined;
      const got = { items: answer.items, epoch: asked.epoch };
      pages.set(page, got);
      tell({ status: 'ready', total: answer.total, problem: null });
      return got;
    } catch (error) {
      if (asked.generation !== generation) return undefined;
      const code = error instanceof CallError ? error.code : 'internal';
      if (isGone(code)) pages = new Map();
      const status = pages.size === 0 ? 'failed' : 'ready';
      tell({
        status,
        problem: { code, message: sentenceOf(error) },
        ...(status === 'failed' && { total: 0 }),
      });
      return undefined;
    } finally {
      if (asked.generation === generation) {
        underway.delete(page);
        pump();
      }
    }
  };

  /** `pagesAtOnce` pages in one call. */
  const readGroup = async (first: number): Promise<boolean> => {
    const asked = { generation, epoch };
    const { folder, sort, isDescending } = snapshot.query;
    const range = { startIndex: first * pageSize, count: pagesAtOnce * pageSize };
    try {
      const answer = await call('documents.list', { path: folder, ...range, sort, isDescending });
      if (asked.generation !== generation) return false;
      for (let at = 0; at < answer.items.length; at += pageSize) {
        const items = answer.items.slice(at, at + pageSize);
        pages.set(first + at / pageSize, { items, epoch: asked.epoch });
      }
      snapshot = { ...snapshot, total: answer.total };
      return true;
    } catch (error) {
      if (asked.generation === generation) {
        const code = error instanceof CallError ? error.code : 'internal';
        tell({ problem: { code, message: sentenceOf(error) } });
      }
      return false;
    }
  };

  const pump = () => {
    if (!isStarted || snapshot.problem !== null) return;
    const isShort = snapshot.status === 'loading';
    const end = isShort ? 1 : Math.min(wanted.end, Math.max(snapshot.total, 1));
    const first = isShort ? 0 : Math.floor(Math.min(wanted.start, Math.max(0, end - 1)) / pageSize);
    const last = Math.floor((end - 1) / pageSize);
    const missing: number[] = [];
    const old: number[] = [];
    for (let page = first; page <= last; page += 1) {
      if (underway.has(page)) continue;
      const known = pages.get(page);
      if (known === undefined) missing.push(page);
      else if (known.epoch !== epoch) old.push(page);
    }
    for (const page of [...missing, ...old]) {
      if (underway.size >= maxCalls) return;
      void ask(page);
    }
    if (isShort || underway.size > 0) return;
    const near = [wanted.end + aheadRows, wanted.start - aheadRows].filter(
      (row) => row >= 0 && row < snapshot.total && !pages.has(Math.floor(row / pageSize)),
    );
    if (near[0] !== undefined) void ask(Math.floor(near[0] / pageSize));
  };

  const pageOf = async (page: number): Promise<readonly DocumentItem[] | undefined> => {
    const known = pages.get(page);
    if (known?.epoch === epoch) return known.items;
    const coming = await underway.get(page);
    return (coming?.epoch === epoch ? coming : await ask(page))?.items;
  };

  const placeOf = (page: number, items: readonly DocumentItem[], path: string) => {
    const at = items.findIndex((item) => item.path === path);
    const item = items[at];
    return item === undefined ? undefined : { index: page * pageSize + at, item };
  };

  /** The host's order of names, folders first. @see app/documents/folder-view.ts */
  const search = async (path: string, kind: DocumentItem['kind']) => {
    const { isDescending } = snapshot.query;
    const started = generation;
    const name = nameOf(path);
    let low = 0;
    let high = Math.max(0, Math.ceil(snapshot.total / pageSize) - 1);
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const items = await pageOf(middle);
      if (items === undefined || started !== generation) return undefined;
      const found = placeOf(middle, items, path);
      if (found !== undefined) return found;
      const [first] = items;
      if (first === undefined || compareToItem(kind, name, first, isDescending) < 0) high = middle - 1;
      else low = middle + 1;
    }
    return undefined;
  };

  return {
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show: (query) => {
      const isOtherFolder = query.folder !== snapshot.query.folder || snapshot.status === 'failed';
      generation += 1;
      isStarted = true;
      pages = new Map();
      underway.clear();
      if (isOtherFolder) {
        wanted = { start: 0, end: 1 };
        wasLoaded = false;
      }
      tell(
        isOtherFolder || snapshot.status === 'loading'
          ? { query, status: 'loading', total: 0, problem: null }
          : { query, problem: null },
      );
      pump();
    },
    refresh: () => {
      epoch += 1;
      if (snapshot.problem !== null) {
        tell({ problem: null, ...(snapshot.status === 'failed' && { status: 'loading' as const }) });
      }
      pump();
    },
    need: (start, end) => {
      wanted = { start, end };
      pump();
    },
    loadAll: async () => {
      const started = generation;
      let reportedAtMs = Date.now();
      // What changes while it's read moves items to pages that were read before.
      for (let pass = 0; pass < maxPasses && (pass === 0 || !isComplete()); pass += 1) {
        for (let page = 0; page * pageSize < snapshot.total; page += pagesAtOnce) {
          const group = Array.from({ length: pagesAtOnce }, (_, index) => page + index);
          if (group.every((one) => pages.get(one)?.epoch === epoch || one * pageSize >= snapshot.total))
            continue;
          const isRead = await readGroup(page);
          if (!isRead || started !== generation) return undefined;
          if (Date.now() - reportedAtMs < progressMs) continue;
          tell({});
          reportedAtMs = Date.now();
        }
      }
      tell({});
      return snapshot.total;
    },
    itemAt: (index) => pages.get(Math.floor(index / pageSize))?.items[index % pageSize],
    indexOf: (path) => {
      let index = -1;
      let newest = -1;
      // after a change it may stand in an old page still and in a new one already
      for (const [page, known] of pages) {
        const place = known.epoch > newest ? placeOf(page, known.items, path) : undefined;
        if (place === undefined) continue;
        ({ index } = place);
        newest = known.epoch;
      }
      return index;
    },
    isComplete,
    isOutdated: () => wasLoaded && snapshot.problem === null && !isComplete(),
    locate: async (path) => {
      for (const [page, { items }] of pages) {
        const found = placeOf(page, items, path);
        if (found !== undefined) return found;
      }
      const started = generation;
      if ((await pageOf(0)) === undefined || started !== generation) return undefined;
      if (snapshot.query.sort === 'name') {
        const found = await search(path, 'document');
        return found ?? (started === generation ? search(path, 'folder') : undefined);
      }
      const last = Math.min(maxPagesRead, Math.ceil(snapshot.total / pageSize));
      for (let page = 0; page < last && started === generation; page += 1) {
        const items = await pageOf(page);
        const found = items === undefined ? undefined : placeOf(page, items, path);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    knownNames: () => [...pages.values()].flatMap(({ items }) => items.map(({ name }) => name)),
  };
}

/** Showing what was there would be a lie. */
function isGone(code: string): boolean {
  return code === 'folder-unknown' || code === 'folder-missing' || code === 'host-away';
}

/** Below 0: a name of that kind comes before `item`. */
function compareToItem(
  kind: DocumentItem['kind'],
  name: string,
  item: DocumentItem,
  isDescending: boolean,
): number {
  if (kind !== item.kind) return kind === 'folder' ? -1 : 1;
  const order = compareText(sortKey(name), sortKey(item.name)) || compareText(name, item.name);
  return isDescending ? -order : order;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Where the view was when it was left, for as long as the window is open. */
const storageKey = 'documents';
const sorts: readonly string[] = ['name', 'modified', 'size'];

/** `root`: the hosted folder; what was stored for another one doesn't count. */
export function rememberQuery(root: string, query: ListingQuery): void {
  sessionStorage.setItem(storageKey, JSON.stringify({ root, ...query }));
}

export function recallQuery(root: string): ListingQuery {
  const start: ListingQuery = { folder: '', sort: 'name', isDescending: false };
  const text = sessionStorage.getItem(storageKey);
  if (text === null) return start;
  const known = JSON.parse(text) as ListingQuery & { root: string };
  return known.root === root && typeof known.folder === 'string' && sorts.includes(known.sort)
    ? { folder: known.folder, sort: known.sort, isDescending: known.isDescending }
    : start;
}
