// The page shown after closing a document: its name, the time of the last save, if known, and a link to the document while the page
// session lasts. All of that is in the fragment, which no server sees.

import { formatTime } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { MissedSave } from '../../app/contract/page-state.ts';
import { element } from '../pages/elements.ts';

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

const notInFile = t('The last save isn’t in the file');
/** Where what isn't in the file is. */
const places: Readonly<Record<string, { title: string; more: string }>> = {
  recovered: {
    title: notInFile,
    more: t('DocTray keeps it in Recovered saves. Open the document again to restore it.'),
  },
  unreadable: {
    title: notInFile,
    more: t('It isn’t a readable document. DocTray keeps it in Recovered saves, and the file is unchanged.'),
  },
  version: {
    title: notInFile,
    more: t('The file has the other program’s content. The save is kept as a version.'),
  },
  nowhere: {
    title: notInFile,
    more: t('DocTray doesn’t have it. Open the document again to check your last changes.'),
  },
  unsaved: {
    title: t('Closed without saving'),
    more: t('Your last changes may not be in the file. Open the document again to check them.'),
  },
} satisfies Record<LeftBehind, { title: string; more: string }>;

export function showClosed(main: HTMLElement): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const name = fragment.get('name') ?? '';
  const savedAtMs = Number(fragment.get('saved') ?? Number.NaN);
  const [again] = documentPath.exec(fragment.get('again') ?? '') ?? [];
  const left = fragment.get('left') ?? '';
  // The address may come from anywhere.
  const place = Object.hasOwn(places, left) ? places[left] : undefined;
  const title =
    place !== undefined
      ? place.title
      : Number.isSafeInteger(savedAtMs)
        ? t('Saved {time}', { time: formatTime('clock', savedAtMs) })
        : t('The document is closed');
  main.replaceChildren(
    element('h1', {}, title),
    ...(name === '' ? [] : [element('p', { class: 'name' }, isolated(name))]),
    ...(place === undefined ? [] : [element('p', {}, place.more)]),
    element('p', {}, t('You can close this tab.')),
    ...(again === undefined ? [] : [element('p', {}, element('a', { href: again }, t('Open again')))]),
  );
  document.title = `${name === '' ? '' : `${isolated(name)} – `}${title}`;
}
