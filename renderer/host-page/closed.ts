// The page shown after closing a document: its name, the time of the last save, if known, and a link to the document while the page
// session lasts. All of that is in the fragment, which no server sees.

import { formatTime } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { MissedSave } from '../../app/contract/page-state.ts';

/** `unsaved`: changes that the host has received no save of. */
export type LeftBehind = MissedSave['kind'] | 'unsaved';

interface ClosedDocument {
  name: string;
  /** When the last change was written to the file. */
  savedAtMs: number | undefined;
  /** What isn't in the file. */
  left?: LeftBehind | undefined;
  /** Of its page, if the page session lasts. */
  address: string | undefined;
}

/** Below the address of the closed page, so that a fragment can't lead anywhere else. */
const documentPath = /(?:edit|view)\/[\w-]+(?:\?version=[^&#]*)?$/u;

/** @param address a document's page */
export function closedAddress(address: string): string {
  return address.replace(/\/(?:edit|view)\/[^/]*$/u, '/closed');
}

export function closedUrl(closeUrl: string, { name, savedAtMs, left, address = '' }: ClosedDocument): string {
  const [again] = documentPath.exec(address) ?? [];
  const fragment = new URLSearchParams({
    name,
    ...(savedAtMs !== undefined && { saved: String(savedAtMs) }),
    ...(left !== undefined && { left }),
    ...(again !== undefined && { again }),
  });
  return `${closeUrl}#${fragment}`;
}

const notInFile = t('page.the-last-save-isnt-in');
/** Where what isn't in the file is. */
const places: Readonly<Record<string, { title: string; more: string }>> = {
  recovered: {
    title: notInFile,
    more: t('page.doctray-keeps-it-in-recovered-saves'),
  },
  unreadable: {
    title: notInFile,
    more: t('page.it-isnt-a-readable-document'),
  },
  version: {
    title: notInFile,
    more: t('page.the-file-has-the-other'),
  },
  nowhere: {
    title: notInFile,
    more: t('page.doctray-doesnt-have-it-open'),
  },
  unsaved: {
    title: t('page.closed-without-saving'),
    more: t('page.your-last-changes-may-not'),
  },
} satisfies Record<LeftBehind, { title: string; more: string }>;

/** What the page shows. */
export interface ClosedWords {
  title: string;
  name: string;
  more: string | undefined;
  /** The address of the document. */
  again: string | undefined;
}

/** @param hash of the page's address, which may come from anywhere */
export function readClosed(hash: string): ClosedWords {
  const fragment = new URLSearchParams(hash.slice(1));
  const savedAtMs = Number(fragment.get('saved') ?? Number.NaN);
  const left = fragment.get('left') ?? '';
  const place = Object.hasOwn(places, left) ? places[left] : undefined;
  return {
    title:
      place !== undefined
        ? place.title
        : Number.isSafeInteger(savedAtMs)
          ? t('page.saved-time', { time: formatTime('clock', savedAtMs) })
          : t('common.the-document-is-closed'),
    name: isolated(fragment.get('name') ?? ''),
    more: place?.more,
    again: documentPath.exec(fragment.get('again') ?? '')?.[0],
  };
}
