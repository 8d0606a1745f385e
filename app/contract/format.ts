// Counts, sizes, durations and times as words, for the window, the tray and the terminal.

// Created on first use: the first one of a process loads the locale data, which takes as long as everything else in `--version`.
const counts = lazyFormat({});
const percents = lazyFormat({ style: 'percent', roundingMode: 'trunc' });
const tenths = lazyFormat({ maximumFractionDigits: 1 });

function lazyFormat(options: Intl.NumberFormatOptions): (amount: number) => string {
  let format: Intl.NumberFormat | undefined;
  return (amount) => (format ??= new Intl.NumberFormat('en', options)).format(amount);
}

/** `1,024` */
export function formatCount(count: number): string {
  return counts(count);
}

/** `1 lock`, `1,024 locks`; the plural is the singular with an `s` unless it is given. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** 0.349 becomes `34%`: rounded down, so that only a finished job shows 100%. */
export function formatPercent(share: number): string {
  return percents(share);
}

const sizeUnits = ['KB', 'MB', 'GB', 'TB'];

/** `512 bytes`, `3.4 MB`; 1000-based, as file managers count. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let amount = bytes / 1000;
  let unit = 0;
  while (Math.round(amount) >= 1000 && unit < sizeUnits.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 10 ? tenths(amount) : counts(Math.round(amount))} ${sizeUnits[unit] ?? ''}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `12 ms`, `1.4 s`: how long something took. */
export function formatElapsed(ms: number): string {
  if (ms < 1000) return `${formatCount(Math.round(ms))} ms`;
  return ms < minute ? `${tenths(ms / second)} s` : formatDuration(ms);
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

/** `3 min ago`, `in 26 min`, `5 h ago`, `just now`: one unit, rounded down. */
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

/**
 * A name as it may be shown: characters that turn the direction of what follows, or show nothing at all, are made visible, so that
 * no program looks like a picture.
 */
export function shownName(name: string): string {
  return name.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
