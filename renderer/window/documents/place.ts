// Where in the hosted folder the view is: the folder, the search, the order and the selection; and how it gets from one place to another.

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { parentOf } from '../../../app/contract/names.ts';
import { splitPath } from '../parts/format.ts';
import { useToasts } from '../../kit/toast.tsx';
import { useNavigation, useCall, usePush } from '../state/window-context.tsx';
import type { Reveal, Sort } from '../table/model.ts';
import { createListing } from './listing.ts';
import { useDocumentSearch } from './search.ts';

/** What is kept while another view is shown, for as long as the window is open. */
interface Kept {
  /** The hosted folder; what was stored for another one doesn't count. */
  root: string;
  folder: string;
  sort: Sort;
}

const storageKey = 'documents-place';

function recall(root: string): Kept {
  const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Kept | null;
  return kept?.root === root ? kept : { root, folder: '', sort: { column: 'name', isDescending: false } };
}

const nothing: ReadonlySet<string> = new Set();
const bestFirst: Sort = { column: '', isDescending: false };
/** More than anybody reads; the sentence above them asks for more letters. */
export const maxResults = 500;
const searchFor = { count: maxResults, pauseMs: 200 };

/** `root`: the absolute path of the hosted folder. */
export function useDocumentsPlace(root: string) {
  const call = useCall();
  const toasts = useToasts();
  const { place } = useNavigation();
  const [kept] = useState(() => recall(root));
  const [folderSort, setFolderSort] = useState(kept.sort);
  const [searchSort, setSearchSort] = useState(bestFirst);
  const [listing] = useState(() => createListing(call, kept.folder));
  const shown = useSyncExternalStore(listing.subscribe, listing.snapshot);
  const { folder } = shown;
  const [typed, setTyped] = useState('');
  const search = useDocumentSearch(typed, searchFor);
  const isSearch = search.text !== '' && (search.result !== undefined || search.problem !== null);
  const [selected, select] = useState(nothing);
  const [reveal, setReveal] = useState<Reveal>();
  const isStarted = useRef(false);

  useEffect(
    () => sessionStorage.setItem(storageKey, JSON.stringify({ root, folder, sort: folderSort })),
    [root, folder, folderSort],
  );

  const show = useCallback(
    (path: string) => {
      isStarted.current = true;
      setTyped('');
      select(nothing);
      setReveal(undefined);
      listing.show(path);
    },
    [listing],
  );
  const aims = useRef(0);
  const aimAt = useCallback((id: string | null) => {
    aims.current += 1;
    setReveal({ id, step: aims.current });
  }, []);
  const openFolder = useCallback(
    (path: string) => {
      show(path);
      aimAt(null);
    },
    [show, aimAt],
  );
  /** To a document, selected in its folder; into a folder. `fileId`: to no other document that has its name now. */
  const leadTo = useCallback(
    async (path: string, fileId?: string) => {
      const parent = parentOf(path);
      const before = listing.snapshot();
      if (!isStarted.current || before.status === 'failed' || before.folder !== parent) show(parent);
      else setTyped('');
      const item = await listing.find(path);
      const now = listing.snapshot();
      if (now.folder !== parent || now.status === 'failed') return;
      const isOther = fileId !== undefined && (item?.kind !== 'document' || item.fileId !== fileId);
      if (item === undefined || isOther) {
        toasts.show({
          tone: 'warn',
          title: t('window.name-is-no-longer-in', { name: splitPath(path).name }),
          ...(item !== undefined && { detail: t('window.another-item-has-this-name') }),
        });
      } else if (item.kind === 'folder') openFolder(path);
      else aimAt(path);
    },
    [listing, openFolder, show, aimAt, toasts],
  );
  useEffect(() => {
    if (place.view === 'documents' && place.path !== undefined) void leadTo(place.path, place.id);
    else if (!isStarted.current) show(folder);
    // a step is one leading, whatever else changes
  }, [place.step]);
  useGoUp(() => {
    if (typed !== '') setTyped('');
    else if (folder !== '') {
      show(parentOf(folder));
      aimAt(folder);
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
  usePush(
    'folder-changed',
    useCallback(() => refreshIn(1000), [refreshIn]),
  );

  return {
    shown,
    search,
    /** The results of a search are shown, not the folder. */
    isSearch,
    typed,
    type: (text: string) => {
      setTyped(text);
      setSearchSort(bestFirst);
      select(nothing);
    },
    sort: isSearch ? searchSort : folderSort,
    sortBy: isSearch ? setSearchSort : setFolderSort,
    selected,
    select,
    reveal: isSearch ? undefined : reveal,
    openFolder,
    leadTo,
    /** What is shown may have changed. */
    refresh: useCallback(() => refreshIn(0), [refreshIn]),
    /** As `refresh`; and what has this path now is selected. */
    showNew: (path: string) => {
      refreshIn(0);
      if (isSearch) return;
      select(nothing);
      aimAt(path);
    },
  };
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
