// Counts, sizes, durations and times as words, for the window, the tray and the terminal.

import { currentLocale, t } from './messages.ts';

// Created on first use: the first one of a process loads the locale data, which takes as long as everything else in `--version`.
const counts = lazyFormat({});
const percents = lazyFormat({ style: 'percent', roundingMode: 'trunc' });
const tenths = lazyFormat({ maximumFractionDigits: 1 });
const roundedTenths = lazyFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 });

function lazyFormat(options: Intl.NumberFormatOptions): (amount: number) => string {
  const formats = new Map<string, Intl.NumberFormat>();
  return (amount) => {
    const locale = currentLocale();
    let format = formats.get(locale);
    if (format === undefined) {
      format = new Intl.NumberFormat(locale, options);
      formats.set(locale, format);
    }
    return format.format(amount);
  };
}

/** `1,024` */
export function formatCount(count: number): string {
  return counts(count);
}

/** In English: `1 lock`, `1,024 locks`; the plural is the singular with an `s` unless it is given. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** 0.349 becomes `34%`: rounded down, so that only a finished job shows 100%. */
export function formatPercent(share: number): string {
  return percents(share);
}

const sizeUnits = ['KB', 'MB', 'GB', 'TB'];

/** The unit of settings whose names end in `MB`. */
export const megabyte = 1_000_000;

/** `512 bytes`, `3.4 MB`; 1000-based, as file managers count. `2 KB` is exact, `2.0 KB` is rounded. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return t('common.bytes', { count: bytes });
  let amount = bytes / 1000;
  let unit = 0;
  while (Math.round(amount) >= 1000 && unit < sizeUnits.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  const isWhole = amount >= 9.95 || Number.isInteger(amount);
  return `${isWhole ? counts(Math.round(amount)) : roundedTenths(amount)} ${sizeUnits[unit] ?? ''}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `12 ms`, `1.4 s`: how long something took. */
export function formatElapsed(ms: number): string {
  if (ms < 1000) return `${formatCount(Math.round(ms))}\u{a0}ms`;
  return ms < minute ? `${tenths(ms / second)}\u{a0}s` : formatDuration(ms);
}

/** `20 s`, `22 min`, `1 h 5 min`, `3 d`: coarse, rounded down, never negative. Never breaks between two lines. */
export function formatDuration(ms: number): string {
  return breakableDuration(ms).replaceAll(' ', '\u{a0}');
}

function breakableDuration(ms: number): string {
  const span = Math.max(0, ms);
  if (span < minute) return `${Math.floor(span / second)} s`;
  if (span < hour) return `${Math.floor(span / minute)} min`;
  if (span < 10 * hour) {
    const minutes = Math.floor((span % hour) / minute);
    return minutes === 0 ? `${Math.floor(span / hour)} h` : `${Math.floor(span / hour)} h ${minutes} min`;
  }
  if (span < 2 * day) return `${Math.floor(span / hour)} h`;
  return t('shared.days-d', { days: Math.floor(span / day) });
}

/** `26 min`, `10 h`: what is left, in one unit, rounded to the nearest. */
export function formatTimeLeft(ms: number): string {
  return formatDuration(relativeSpan(ms));
}

/**
 * `3 min ago`, `in 26 min`, `just now`: one unit, rounded down; future times are rounded to the nearest. A day or more ago:
 * `yesterday 14:03`, then `18 Nov`, with its year when that isn't the current one. Fits the middle of a sentence.
 */
export function formatRelative(atMs: number, nowMs: number, locale = currentLocale()): string {
  const away = atMs - nowMs;
  if (away <= -day) return formatDate(atMs, nowMs, locale);
  const span = relativeSpan(away);
  if (span === 0) return away > 0 ? t('shared.in-a-moment') : t('shared.just-now');
  const duration = formatDuration(span);
  return away > 0 ? t('shared.in-duration', { duration }) : t('shared.duration-ago', { duration });
}

/** For narrow columns: as `formatRelative`, without the time of yesterday. */
export function formatRelativeBriefly(atMs: number, nowMs: number): string {
  const isYesterday = atMs - nowMs <= -day && atMs >= startOfDay(nowMs, -1);
  return isYesterday ? t('shared.yesterday') : formatRelative(atMs, nowMs);
}

/**
 * `today 15:04`, `yesterday 14:06`, `24 Nov 14:06`, in another year `24 Nov 2025 14:06`: the day, then the clock, without a comma in
 * between. Fits the middle of a sentence.
 */
export function formatDayTime(atMs: number, nowMs: number, withSeconds = false): string {
  const time = formatTime(withSeconds ? 'clockToSecond' : 'clock', atMs);
  if (isSameDay(atMs, nowMs)) return t('shared.today-time', { time });
  if (isSameDay(atMs, startOfDay(nowMs, -1))) return t('shared.yesterday-time', { time });
  return `${formatDay(atMs, nowMs, currentLocale())} ${time}`;
}

function formatDate(atMs: number, nowMs: number, locale: string): string {
  if (atMs >= startOfDay(nowMs, -1))
    return t('shared.yesterday-time', { time: formatTime('clock', atMs, locale) });
  return formatDay(atMs, nowMs, locale);
}

/** `27 Jul`, in another year `27 Jul 2026`. */
export function formatDay(atMs: number, nowMs: number, locale = currentLocale()): string {
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return formatTime(isThisYear ? 'day' : 'date', atMs, locale);
}

const clockToMs = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
} as const;

/** In the style of the user's region and in the local time zone; the examples are British. */
const timeStyles = {
  /** `14:05` */
  clock: { timeStyle: 'short' },
  /** `14:05:12` */
  clockToSecond: { timeStyle: 'medium' },
  /** `14:05:12.345` */
  clockToMs,
  /** `27 Jul` */
  day: { day: 'numeric', month: 'short' },
  /** `27 Jul 2026` */
  date: { dateStyle: 'medium' },
  /** `27 Jul 2026, 14:05` */
  toMinute: { dateStyle: 'medium', timeStyle: 'short' },
  /** `27 Jul 2026, 14:05:12` */
  toSecond: { dateStyle: 'medium', timeStyle: 'medium' },
  /** `27 Jul 2026, 14:05:12.345` */
  toMs: { day: 'numeric', month: 'short', year: 'numeric', ...clockToMs },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

const timeFormats = new Map<string, Intl.DateTimeFormat>();

export function formatTime(style: keyof typeof timeStyles, atMs: number, locale = currentLocale()): string {
  const key = `${locale} ${style}`;
  let format = timeFormats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, timeStyles[style]);
    timeFormats.set(key, format);
  }
  return format.format(atMs);
}

/** `2026-11-21 05:02`, in the local time zone: for tables of the terminal. */
export function formatTimestamp(atMs: number): string {
  const at = new Date(atMs);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `2026-11-21 05.02`: for names of documents, which sort by it in any language and are valid on Windows. */
export function nameTimestamp(atMs: number): string {
  return formatTimestamp(atMs).replace(':', '.');
}

/** For what begins a cell or a line. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toLocaleUpperCase(currentLocale())}${text.slice(1)}`;
}

/** In the local time zone. */
export function isSameDay(oneMs: number, otherMs: number): boolean {
  return new Date(oneMs).toDateString() === new Date(otherMs).toDateString();
}

/** In the local time zone; `days` after today. */
export function startOfDay(nowMs: number, days: number): number {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
}

/** The ms that are shown. */
function relativeSpan(away: number): number {
  const distance = Math.abs(away);
  const step = relativeStep(distance);
  // A token issued for 10 hours still shows 10 h a second later.
  return (away > 0 ? Math.round(distance / step) : Math.floor(distance / step)) * step;
}

/** Below a minute in steps of ten seconds, so that a table of times is drawn six times a minute and not sixty. */
function relativeStep(distance: number): number {
  if (distance < minute) return 10 * second;
  if (distance < hour) return minute;
  return distance < 2 * day ? hour : day;
}

/** In how many ms from now `formatRelative` may say something else. */
export function relativeChangesInMs(atMs: number, nowMs: number): number {
  const away = atMs - nowMs;
  if (away <= -day) return startOfDay(nowMs, 1) - nowMs;
  const span = relativeSpan(away);
  if (away > 0 && span === 0) return away;
  if (away > 0) return away - Math.max(0, span - relativeStep(span - 1) / 2) + 1;
  return span + relativeStep(-away) + away;
}

/** A path for a POSIX shell, in commands to copy. */
export function shellQuoted(path: string): string {
  // Not an option.
  const text = path.startsWith('-') ? `./${path}` : path;
  return /^[\w./][\w./~-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
