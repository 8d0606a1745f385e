// Numbers, sizes, times and durations as words. English throughout, like the rest of the window; the region of an English
// system decides on the order of day and month.

/** English, of the user's region when the system speaks English. */
export const locale = navigator.language.startsWith('en') ? navigator.language : 'en-GB';

const counts = new Intl.NumberFormat(locale);
const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(locale, { style: 'percent', roundingMode: 'trunc' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const timeOfDay = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

/** `1,024` */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** `1 lock`, `1,024 locks`; the plural is the singular with an `s` unless it is given. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** `34%` of 0.349: rounded down, so that 100% is the end. */
export function formatPercent(share: number): string {
  return percents.format(share);
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `12 ms`, `1.4 s`: how long something took. */
export function formatElapsed(ms: number): string {
  if (ms < 1000) return `${formatCount(Math.round(ms))} ms`;
  return ms < minute ? `${tenths.format(ms / second)} s` : formatDuration(ms);
}

/** `20 s`, `22 min`, `1 h 5 min`, `3 d`: coarse, rounded down, never negative. */
export function formatDuration(ms: number): string {
  const span = Math.max(0, ms);
  if (span < minute) return `${Math.floor(span / second)} s`;
  if (span < hour) return `${Math.floor(span / minute)} min`;
  if (span < 10 * hour) {
    const minutes = Math.floor((span % hour) / minute);
    return minutes === 0 ? `${Math.floor(span / hour)} h` : `${Math.floor(span / hour)} h ${minutes} min`;
  }
  if (span < 2 * day) return `${Math.floor(span / hour)} h`;
  return `${formatCount(Math.floor(span / day))} d`;
}

/** `3 min ago`, `in 26 min`, `5 h ago`, `just now`: one unit, rounded down; the exact time is a hover away. */
export function formatRelative(atMs: number, nowMs: number): string {
  const away = atMs - nowMs;
  const distance = Math.abs(away);
  if (distance < 10 * second) return away > 0 ? 'in a moment' : 'just now';
  // below a minute in steps of ten, so that a table of times is drawn six times a minute and not sixty
  const step = relativeStep(distance);
  const span = Math.floor(distance / step) * step;
  return away > 0 ? `in ${formatDuration(span)}` : `${formatDuration(span)} ago`;
}

function relativeStep(distance: number): number {
  if (distance < minute) return 10 * second;
  return distance < hour ? minute : hour;
}

/** In how many ms from now `formatRelative` may say something else. */
export function relativeChangesInMs(atMs: number, nowMs: number): number {
  const away = atMs - nowMs;
  const distance = Math.abs(away);
  const step = relativeStep(distance);
  const into = distance % step;
  return away > 0 ? into + 1 : step - into;
}

/** `27 Jul 2026, 14:05:12` */
export function formatExact(atMs: number): string {
  return exact.format(atMs);
}

/** `14:05:12` */
export function formatTimeOfDay(atMs: number): string {
  return timeOfDay.format(atMs);
}

/**
 * A name as it may be shown: characters that turn the direction of what follows, or show nothing at all, are made visible, so that
 * no program looks like a picture.
 */
export function shownName(name: string): string {
  return name.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** `Budget.xlsx` and `Finance/2026` (empty at the top of the folder), to be shown. */
export function splitPath(path: string): { name: string; folder: string } {
  const shown = shownName(path);
  const cut = shown.lastIndexOf('/');
  return { name: shown.slice(cut + 1), folder: cut === -1 ? '' : shown.slice(0, cut) };
}
