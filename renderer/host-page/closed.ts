// The page shown after closing a document, with the time of the last save, if known. That is in the fragment, which no server sees.

import { formatTime } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';

/** @param address a document's page */
export function closedAddress(address: string): string {
  return address.replace(/\/(?:edit|view)\/[^/]*$/u, '/closed');
}

/** @param savedAtMs when the last change was written to the file */
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
