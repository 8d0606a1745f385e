// The items of one folder, loaded a page at a time. After a change they are loaded again, and what is shown stays until all of them are there,
// so that nothing jumps or blinks.

import type { DocumentItem } from '../../../app/contract/results.ts';
import { errorOf, type Call } from '../state/call.ts';

export interface ListingState {
  /** Inside the hosted folder; '' is the folder itself. */
  folder: string;
  /** `failed`: nothing can be shown; `problem` says why. */
  status: 'loading' | 'ready' | 'failed';
  /** In the host's order: folders first, then documents, by name. */
  items: readonly DocumentItem[];
  /** The first items; the others are on their way. */
  isPartial: boolean;
  /** Being loaded, again perhaps. */
  isReading: boolean;
  /** With `ready`: what is shown could not be brought up to date. */
  problem: { code: string; message: string } | null;
}

const pageSize = 1000;

/** Folders first. @throws CallError */
export async function* pagesOf(call: Call, path: string): AsyncGenerator<DocumentItem[]> {
  let total = 1;
  for (let startIndex = 0; startIndex < total; startIndex += pageSize) {
    const page = await call('documents.list', { path, startIndex, count: pageSize });
    ({ total } = page);
    yield page.items;
  }
}

/** Showing what was there would be a lie. */
const isGone = (code: string) => ['folder-unknown', 'folder-missing', 'host-away'].includes(code);

export function createListing(call: Call, folder: string) {
  const listeners = new Set<() => void>();
  const unread = { status: 'loading', items: [], isPartial: true, isReading: false, problem: null } as const;
  let state: ListingState = { folder, ...unread };
  /** Answers to an earlier one are dropped. */
  let round = 0;
  let isOutdated = false;
  /** A folder that never stops changing keeps the host busy half of the time. */
  let restsUntilMs = 0;

  const change = (next: Partial<ListingState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };

  const readOnce = async (isDropped: () => boolean) => {
    isOutdated = false;
    const items = new Map<string, DocumentItem>();
    for await (const page of pagesOf(call, state.folder)) {
      if (isDropped()) return;
      // If the folder changed meanwhile, an item may be on two pages.
      for (const item of page) items.set(item.path, item);
      // Sorting and drawing every page again would take longer than reading a large folder.
      if (state.status === 'loading') change({ status: 'ready', items: [...items.values()] });
    }
    change({ items: [...items.values()], isPartial: false, isReading: isOutdated });
  };

  const read = async () => {
    round += 1;
    const mine = round;
    const isDropped = () => mine !== round;
    change({ isReading: true, problem: null });
    try {
      while (state.isReading && !isDropped()) {
        const restMs = restsUntilMs - performance.now();
        if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
        const startedAtMs = performance.now();
        if (!isDropped()) await readOnce(isDropped);
        restsUntilMs = 2 * performance.now() - startedAtMs;
      }
    } catch (error) {
      if (isDropped()) return;
      const { code, message } = errorOf(error);
      const isLost = state.status === 'loading' || isGone(code);
      change({
        ...(isLost && { ...unread, status: 'failed' }),
        isReading: false,
        problem: { code, message },
      });
    }
  };

  return {
    /** The same object until something changed. */
    snapshot: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show: (next: string) => {
      state = { folder: next, ...unread };
      restsUntilMs = 0;
      void read();
    },
    /** Something in the folder changed, or the last answer was an error. */
    refresh: () => {
      isOutdated = true;
      if (state.isReading) return;
      if (state.status === 'failed') state = { folder: state.folder, ...unread };
      void read();
    },
    /** As soon as it's loaded. Undefined if it isn't in the folder, or another folder is shown meanwhile. */
    find: async (path: string) =>
      new Promise<DocumentItem | undefined>((resolve) => {
        const shownFolder = state.folder;
        const look = () => {
          const isShown = state.folder === shownFolder;
          const item = isShown ? state.items.find((one) => one.path === path) : undefined;
          if (item === undefined && isShown && state.isReading) return;
          listeners.delete(look);
          resolve(item);
        };
        listeners.add(look);
        look();
      }),
  };
}
