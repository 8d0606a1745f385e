// Requests in words: when, with what result, how long they took.

import { formatElapsed, formatSize } from '../../../app/contract/format.ts';
import { locale } from '../parts/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { ActivityItem } from '../../../app/contract/pushes.ts';

const clock = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
const dayAndClock = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const whole = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** `14:05:12.345` of today, `26 Jul, 14:05` before: entries are matched with the editor's own log by the clock. */
export function clockWords(atMs: number, nowMs: number): string {
  return isSameDay(atMs, nowMs) ? clock.format(atMs) : dayAndClock.format(atMs);
}

/** `27 Jul 2026, 14:05:12.345` */
export function exactWords(atMs: number): string {
  return whole.format(atMs);
}

export function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** An action by the user in the window or the terminal; not a request. */
export function isAct(entry: ActivityItem): boolean {
  return entry.method === '';
}

export function isFailed(entry: ActivityItem): boolean {
  return entry.status >= 400;
}

const statuses: Record<number, string> = {
  400: t('Bad request'),
  401: t('Not authorized'),
  403: t('Forbidden'),
  404: t('Not found'),
  405: t('Method not allowed'),
  408: t('Timed out'),
  409: t('Conflict'),
  412: t('Changed'),
  413: t('Too large'),
  415: t('Unsupported type'),
  421: t('Unknown host name'),
  429: t('Too many requests'),
  500: t('Error'),
  501: t('Not supported'),
  503: t('Not serving'),
};

/** `200`, `409 Conflict`; `Done` for what the user did. */
export function statusWords(entry: ActivityItem): string {
  if (isAct(entry)) return isFailed(entry) ? t('Failed') : t('Done');
  const words = statuses[entry.status];
  return words === undefined ? String(entry.status) : `${entry.status} ${words}`;
}

export function statusTone(entry: ActivityItem): 'muted' | 'warn' | 'bad' {
  if (entry.status >= 500 && entry.status !== 501) return 'bad';
  return isFailed(entry) ? 'warn' : 'muted';
}

export function durationWords(entry: ActivityItem): string {
  if (isAct(entry)) return '–';
  return entry.durationMs < 1 ? t('< 1 ms') : formatElapsed(entry.durationMs);
}

export function bytesWords(bytes: number): string {
  return bytes === 0 ? '–' : formatSize(bytes);
}
