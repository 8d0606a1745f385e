// The page shown after closing a document: its name, the time of the last save, if known, and a link to the document while the page
// session lasts. All of that is in the fragment, which no server sees.

import { formatTime } from '../../app/contract/format.ts';
import { t, type MessageKey } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { MissedSave } from '../../app/contract/page-state.ts';

/**
 * `unsaved`: changes that the host has received no save of. `with-others`: everything that the host knows of is in the file, and the
 * editor, which others have open, may have newer text.
 */
export type LeftBehind = MissedSave['kind'] | 'unsaved' | 'with-others';

/** Where what isn't in the file is. */
const places: Readonly<Record<string, MessageKey>> = {
  recovered: 'page.doctray-keeps-it-in-recovered-saves',
  unreadable: 'page.it-isnt-a-readable-document',
  version: 'page.the-file-has-the-other',
  nowhere: 'page.doctray-doesnt-have-it-open',
  unsaved: 'page.your-last-changes-may-not',
  'with-others': 'page.anything-newer-is-written-once',
} satisfies Record<LeftBehind, MessageKey>;

/** Below the address of the closed page, so that a fragment can't lead anywhere else. */
const documentPath = /(?:edit|view)\/[\w-]+(?:\?version=[^&#]*)?$/u;

/** @param address a document's page */
export function closedAddress(address: string): string {
  return address.replace(/\/(?:edit|view)\/[^/]*$/u, '/closed');
}

export function closedUrl(
  closeUrl: string,
  document: {
    name: string;
    /** When the last change was written to the file. */
    savedAtMs: number | undefined;
    /** What isn't in the file. */
    left?: LeftBehind | undefined;
    /** That save may lack later changes. */
    isOlder?: boolean;
    /** Of its page, if the page session lasts. */
    address: string | undefined;
  },
): string {
  const { name, savedAtMs, left, isOlder = false, address = '' } = document;
  const [again] = documentPath.exec(address) ?? [];
  const parts = { name, saved: savedAtMs, left, older: isOlder ? 1 : undefined, again };
  const known = Object.entries(parts).filter(([, value]) => value !== undefined);
  return `${closeUrl}#${new URLSearchParams(known.map(([part, value]) => [part, `${value}`]))}`;
}

/** What the page shows. `again`: the address of the document. @param hash of the page's address, which may come from anywhere */
export function readClosed(hash: string): Record<'title' | 'name' | 'more' | 'again', string> {
  const fragment = new URLSearchParams(hash.slice(1));
  const savedAtMs = Number(fragment.get('saved') ?? Number.NaN);
  const left = fragment.get('left') ?? '';
  const place = Object.hasOwn(places, left) ? places[left] : undefined;
  const title = Number.isSafeInteger(savedAtMs)
    ? t('page.saved-time', { time: formatTime('clock', savedAtMs) })
    : t('common.the-document-is-closed');
  const newer = fragment.has('older') ? ` ${t('page.newer-may-not-be-in')}` : '';
  const lost = t(left === 'unsaved' ? 'page.closed-without-saving' : 'page.the-last-save-isnt-in');
  return {
    title: place === undefined || left === 'with-others' ? title : lost,
    name: isolated(fragment.get('name') ?? ''),
    more: place === undefined ? '' : t(place) + newer,
    again: documentPath.exec(fragment.get('again') ?? '')?.[0] ?? '',
  };
}
