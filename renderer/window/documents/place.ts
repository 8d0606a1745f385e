// Where in the hosted folder the view is: the folder, the search, the selection and the scroll position; and how it gets from one place to
// another. The search is by name in the whole folder, after a pause in typing; earlier results stay until newer ones arrive.

import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { parentOf } from '../../../app/contract/names.ts';
import type { DocumentItem, SearchResult } from '../../../app/contract/results.ts';
import { splitPath } from '../parts/format.ts';
import { useToasts } from '../../kit/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useNavigation, useCall, usePush } from '../state/window-context.tsx';
import {
  createListing,
  recallQuery,
  rememberQuery,
  type Listing,
  type ListingQuery,
  type ListingSnapshot,
} from './listing.ts';

export interface DocumentsPlace {
  listing: Listing;
  shown: ListingSnapshot;
  search: DocumentSearch;
  /** The results of a search are shown, not the folder. */
  isSearch: boolean;
  typed: string;
  type(text: string): void;
  selected: ReadonlySet<string>;
  select(paths: ReadonlySet<string>): void;
  reveal: { id: string; step: number } | undefined;
  openFolder(path: string): void;
  /** To a document, selected in its folder; into a folder. `fileId`: to no other document that has its name now. */
  leadTo(path: string, fileId?: string): Promise<void>;
  sortBy(sort: ListingQuery['sort'], isDescending: boolean): void;
  /** What is shown may have changed. */
  refresh(): void;
  /** As `refresh`; and what has this path now is selected. */
  showNew(path: string): void;
}

const nothing: ReadonlySet<string> = new Set();

/** `root`: the absolute path of the hosted folder. */
export function useDocumentsPlace(root: string): DocumentsPlace {
  const call = useCall();
  const toasts = useToasts();
  const { place } = useNavigation();
  const [listing] = useState(() => createListing({ call, query: recallQuery(root) }));
  const shown = useSyncExternalStore(listing.subscribe, listing.snapshot);
  const { folder } = shown.query;
  const [typed, setTyped] = useState('');
  const search = useDocumentSearch(typed);
  const isSearch = search.text !== '' && (search.result !== undefined || search.problem !== null);
  const [selected, select] = useState(nothing);
  const { reveal, toPath, toFirst } = useRevealing(
    listing,
    !isSearch && shown.status === 'ready' ? shown.query : undefined,
  );
  const isStarted = useRef(false);

  const show = useCallback(
    (query: ListingQuery) => {
      isStarted.current = true;
      setTyped('');
      select(nothing);
      rememberQuery(root, query);
      listing.show(query);
    },
    [listing, root],
  );
  const openFolder = useCallback(
    (path: string) => {
      show({ ...listing.snapshot().query, folder: path });
      toFirst();
    },
    [listing, show, toFirst],
  );
  const leadTo = useCallback(
    async (path: string, fileId?: string) => {
      const parent = parentOf(path);
      const { status, query } = listing.snapshot();
      if (!isStarted.current || status === 'failed' || query.folder !== parent)
        show({ ...query, folder: parent });
      else setTyped('');
      let item = await toPath(path, fileId);
      if (item === undefined && query.sort !== 'name') {
        show({ folder: parent, sort: 'name', isDescending: false });
        item = await toPath(path, fileId);
      }
      const now = listing.snapshot();
      if (now.query.folder !== parent || now.status === 'failed') return;
      if (item === undefined || item === 'another') {
        toasts.show({
          tone: 'warn',
          title: t('window.name-is-no-longer-in', { name: splitPath(path).name }),
          ...(item === 'another' && { detail: t('window.another-item-has-this-name') }),
        });
      } else if (item.kind === 'folder') openFolder(path);
    },
    [listing, openFolder, show, toPath, toasts],
  );
  useEffect(() => {
    if (place.view === 'documents' && place.path !== undefined) void leadTo(place.path, place.id);
    else if (!isStarted.current) show(listing.snapshot().query);
    // a step is one leading, whatever else changes
  }, [place.step]);
  useGoUp(() => {
    if (typed !== '') setTyped('');
    else if (folder !== '') {
      show({ ...shown.query, folder: parentOf(folder) });
      void toPath(folder);
    }
  });

  useEffect(() => {
    // Without it changes are seen at the next visit only; the list itself says what is wrong with the folder.
    call('documents.watch', { path: folder }).catch(() => undefined);
  }, [call, folder]);
  useEffect(() => () => void call('documents.watch', { path: null }).catch(() => undefined), [call]);
  const { again } = search;
  const refreshIn = useCallback(
    (searchInMs: number) => {
      listing.refresh();
      again(searchInMs);
    },
    [listing, again],
  );
  const isOutdated = selected.size > 1 && !isSearch && shown.status === 'ready' && listing.isOutdated();
  useReadingAgain(listing, isOutdated);
  usePush(
    'folder-changed',
    useCallback(() => refreshIn(1000), [refreshIn]),
  );

  return {
    listing,
    shown,
    search,
    isSearch,
    typed,
    type: (text) => {
      setTyped(text);
      select(nothing);
    },
    selected,
    select,
    reveal,
    openFolder,
    leadTo,
    sortBy: (sort, isDescending) => {
      const query = { ...shown.query, sort, isDescending };
      rememberQuery(root, query);
      listing.show(query);
    },
    refresh: useCallback(() => refreshIn(0), [refreshIn]),
    showNew: (path) => {
      refreshIn(0);
      if (isSearch) return;
      select(nothing);
      void toPath(path);
    },
  };
}

const readAgainAfterMs = 300;

/** Pages out of sight aren't read again otherwise, and documents on them that are gone would stay selected. */
function useReadingAgain(listing: Listing, isOutdated: boolean): void {
  useEffect(() => {
    if (!isOutdated) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readLater = () => {
      timer = setTimeout(() => {
        void listing.loadAll().then((total) => {
          // Until nothing changed while it was read. An error is shown above the list, with its own button.
          if (timer !== undefined && total !== undefined) readLater();
        });
      }, readAgainAfterMs);
    };
    readLater();
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }, [listing, isOutdated]);
}

/** Backspace and Alt+↑ go up one folder, wherever the focus is, unless the user is typing or has to answer a dialog. */
function useGoUp(goUp: () => void): void {
  const latest = useRef(goUp);
  latest.current = goUp;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isUp = event.altKey && event.key === 'ArrowUp';
      const isBack = event.key === 'Backspace' && !event.altKey;
      if ((!isUp && !isBack) || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
        return;
      const { target } = event;
      if (!(target instanceof HTMLElement) || target.matches('input, textarea, [contenteditable]')) return;
      if (document.querySelector('.dialog-veil, .popover') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    // Before the table, for which Alt+↑ is ↑.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
}

interface DocumentSearch {
  /** Trimmed; '' while nothing is searched for. */
  text: string;
  isSearching: boolean;
  /** Perhaps of a text before this one, while `isSearching`. */
  result: SearchResult | undefined;
  problem: string | null;
  /** Something was changed: what was found is looked for again, at the latest in that time. */
  again(inMs: number): void;
}

/** More than anybody reads; the sentence above them asks for more letters. */
const maxResults = 500;
const quietMs = 200;

function useDocumentSearch(typed: string): DocumentSearch {
  const call = useCall();
  const text = typed.trim().slice(0, 256);
  const [found, setFound] = useState<{ result?: SearchResult; problem: string | null }>();
  const [isSearching, setIsSearching] = useState(false);
  const round = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wanted = useRef('');

  const run = useCallback(async () => {
    timer.current = undefined;
    round.current += 1;
    const mine = round.current;
    let next: typeof found;
    try {
      next = {
        result: await call('documents.search', { text: wanted.current, count: maxResults }),
        problem: null,
      };
    } catch (error) {
      next = { problem: sentenceOf(error) };
    }
    if (mine !== round.current) return;
    setFound(next);
    setIsSearching(false);
  }, [call]);

  useEffect(() => {
    wanted.current = text;
    // what is under way answers another question
    round.current += 1;
    if (text === '') {
      setFound(undefined);
      setIsSearching(false);
      return undefined;
    }
    setIsSearching(true);
    timer.current = setTimeout(() => void run(), quietMs);
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      round.current += 1;
    };
  }, [text, run]);

  const again = useCallback(
    (inMs: number) => {
      if (wanted.current === '' || (timer.current !== undefined && inMs > 0)) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void run(), inMs);
    },
    [run],
  );

  return {
    text,
    isSearching,
    result: text === '' ? undefined : found?.result,
    problem: isSearching || text === '' ? null : (found?.problem ?? null),
    again,
  };
}

/** While nothing is found yet, and if the results aren't everything. */
export function searchStatus(search: Pick<DocumentSearch, 'result' | 'isSearching'>): string {
  const { result } = search;
  if (result === undefined) return search.isSearching ? t('window.searching') : '';
  const { items, searched, isComplete } = result;
  if (isComplete) return '';
  return items.length >= maxResults
    ? t('window.the-first-count-results-type', { count: items.length })
    : t('window.searched-names-before-time-ran', {
        count: searched,
      });
}

interface Revealing {
  /** For the table. */
  reveal: { id: string; step: number } | undefined;
  /** The item once it was found; undefined if it isn't in the shown folder. `another`: it isn't the document with `fileId`. */
  toPath(path: string, fileId?: string): Promise<DocumentItem | 'another' | undefined>;
  /** As soon as there are rows. */
  toFirst(): void;
}

function useRevealing(listing: Listing, shownQuery: ListingQuery | undefined): Revealing {
  /** In another folder or order than that of `query`, it is ignored. */
  const [aim, setAim] = useState<{ id: string; step: number; query: ListingQuery }>();
  const step = useRef(0);

  const aimAt = useCallback((item: DocumentItem, query: ListingQuery) => {
    step.current += 1;
    setAim({ id: item.path, step: step.current, query });
  }, []);
  const toPath = useCallback(
    async (path: string, fileId?: string) => {
      const { query } = listing.snapshot();
      const found = await listing.locate(path);
      if (found === undefined) return undefined;
      const { item } = found;
      if (fileId !== undefined && (item.kind === 'folder' || item.fileId !== fileId)) return 'another';
      aimAt(item, query);
      return item;
    },
    [listing, aimAt],
  );
  const toFirst = useCallback(() => {
    const { query } = listing.snapshot();
    const stop = listing.subscribe(() => {
      const { status } = listing.snapshot();
      if (status === 'loading') return;
      stop();
      const first = listing.itemAt(0);
      if (first !== undefined) aimAt(first, query);
    });
  }, [listing, aimAt]);
  const reveal = useMemo(
    () => (aim !== undefined && aim.query === shownQuery ? { id: aim.id, step: aim.step } : undefined),
    [aim, shownQuery],
  );
  return { reveal, toPath, toFirst };
}
