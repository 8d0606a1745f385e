// The page after a document was closed: when it was saved, or only that it is closed. The time is in the fragment, which no server sees.

import { formatTime } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';

/** @param address of a document's page */
export function closedAddress(address: string): string {
  return address.replace(/\/(?:edit|view)\/[^/]*$/u, '/closed');
}

/** @param savedAtMs when the host had the last change in the file */
export function closedUrl(closeUrl: string, savedAtMs: number): string {
  return `${closeUrl}#saved=${savedAtMs}`;
}

export function showClosed(main: HTMLElement): void {
  const savedAtMs = Number(new URLSearchParams(location.hash.slice(1)).get('saved') ?? Number.NaN);
  const title = Number.isSafeInteger(savedAtMs)
    ? t('Saved {time}', { time: formatTime('clock', savedAtMs) })
    : t('The document is closed');
  const [heading, text] = [main.querySelector('h1'), main.querySelector('p')];
  if (heading !== null) heading.textContent = title;
  if (text !== null) text.textContent = t('You can close this tab.');
  document.title = `${title} – DocTray`;
}
