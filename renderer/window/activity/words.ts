// Requests in words: when, what came of it, how long it took.

import { formatElapsed, formatSize } from '../../../app/contract/format.ts';
import { locale } from '../parts/format.ts';
import type { Entry } from './journal.ts';

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

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** What the user did by hand in this window or at the terminal; not a request. */
export function isAct(entry: Entry): boolean {
  return entry.method === '';
}

export function isFailed(entry: Entry): boolean {
  return entry.status >= 400;
}

const statuses: Record<number, string> = {
  400: 'Bad request',
  401: 'Not authorized',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Wrong method',
  408: 'Too slow',
  409: 'Conflict',
  412: 'Changed',
  413: 'Too large',
  415: 'Wrong type',
  421: 'Unknown name',
  429: 'Too often',
  500: 'Error',
  501: 'Not offered',
  503: 'Not serving',
};

/** `200`, `409 Conflict`; `Done` for what the user did. */
export function statusWords(entry: Entry): string {
  if (isAct(entry)) return isFailed(entry) ? 'Failed' : 'Done';
  const words = statuses[entry.status];
  return words === undefined ? String(entry.status) : `${entry.status} ${words}`;
}

export function statusTone(entry: Entry): 'muted' | 'warn' | 'bad' {
  if (entry.status >= 500 && entry.status !== 501) return 'bad';
  return isFailed(entry) ? 'warn' : 'muted';
}

export function durationWords(entry: Entry): string {
  if (isAct(entry)) return '–';
  return entry.durationMs < 1 ? '< 1 ms' : formatElapsed(entry.durationMs);
}

export function bytesWords(bytes: number): string {
  return bytes === 0 ? '–' : formatSize(bytes);
}
