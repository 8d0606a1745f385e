// The page shown after closing a document: its name, the time of the last save, if known, and a link to the document while the page
// session lasts. All of that is in the fragment, which no server sees.

import { formatTime } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import { element } from '../pages/elements.ts';

interface ClosedDocument {
  name: string;
  /** When the last change was written to the file. */
  savedAtMs: number | undefined;
  /** Of its page, if the page session lasts. */
  address: string | undefined;
}

/** Below the address of the closed page, so that a fragment can't lead anywhere else. */
const documentPath = /(?:edit|view)\/[\w-]+(?:\?version=[^&#]*)?$/u;

/** @param address a document's page */
export function closedAddress(address: string): string {
  return address.replace(/\/(?:edit|view)\/[^/]*$/u, '/closed');
}

export function closedUrl(closeUrl: string, { name, savedAtMs, address = '' }: ClosedDocument): string {
  const [again] = documentPath.exec(address) ?? [];
  const fragment = new URLSearchParams({
    name,
    ...(savedAtMs !== undefined && { saved: String(savedAtMs) }),
    ...(again !== undefined && { again }),
  });
  return `${closeUrl}#${fragment}`;
}

export function showClosed(main: HTMLElement): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const name = fragment.get('name') ?? '';
  const savedAtMs = Number(fragment.get('saved') ?? Number.NaN);
  const [again] = documentPath.exec(fragment.get('again') ?? '') ?? [];
  const title = Number.isSafeInteger(savedAtMs)
    ? t('Saved {time}', { time: formatTime('clock', savedAtMs) })
    : t('The document is closed');
  main.replaceChildren(
    element('h1', {}, title),
    ...(name === '' ? [] : [element('p', { class: 'name' }, isolated(name))]),
    element('p', {}, t('You can close this tab.')),
    ...(again === undefined ? [] : [element('p', {}, element('a', { href: again }, t('Open again')))]),
  );
  document.title = `${name === '' ? '' : `${isolated(name)} – `}${title}`;
}
