// When and how a version was saved, by whom, and how large it is, as words.

import { formatDayTime, formatSize } from '../../app/contract/format.ts';
import { currentLocale, t } from '../../app/contract/messages.ts';
import type { PageComparison } from '../../app/contract/page-calls.ts';

/** A version and the current content, and what the heads of their comparison show. */
export interface Compared {
  texts: PageComparison;
  heads: Record<keyof PageComparison, { time: string; savedBy: readonly string[] | null; size: number }>;
}

interface Origin {
  savedAtMs: number | null;
  savedHow: string | null;
}

function howWord(how: string): string {
  switch (how) {
    case 'explicit':
      return t('kit.saved');
    case 'autosave':
      return t('kit.autosaved');
    case 'exit':
      return t('kit.saved-on-closing');
    case 'autosave-exit':
      return t('kit.autosaved-on-closing');
    case 'unmodified':
      return t('kit.without-changes');
    case 'restored':
      return t('kit.restored');
    case 'recovered':
      return t('kit.recovered-save');
    case 'created':
      return t('kit.created');
    case 'unwritten':
      return t('shared.not-written');
    default:
      return how;
  }
}

/** `autosaved on closing, without changes` */
export function howText({ savedHow, savedAtMs }: Origin): string {
  if (savedHow === null) return savedAtMs === null ? t('kit.changed-by-another-program') : t('kit.saved');
  return savedHow.replace('autosave,exit', 'autosave-exit').split(',').map(howWord).join(', ');
}

interface Versions {
  current: { savedAtMs: number | null; lastModifiedMs: number };
  versions: readonly { id: string; writtenAtMs: number }[];
}

/** When the current content was written. */
export function currentMsOf({ savedAtMs, lastModifiedMs }: Versions['current']): number {
  return savedAtMs ?? lastModifiedMs;
}

/** `today 14:03`, by the id of the version, `current` for the current content; with seconds if two are from the same minute. */
export function timesOf({ current, versions }: Versions, nowMs: number): (id: string) => string {
  const all = [{ id: 'current', writtenAtMs: currentMsOf(current) }, ...versions];
  const short = all.map(({ writtenAtMs }) => formatDayTime(writtenAtMs, nowMs));
  const times = new Map(
    all.map(({ id, writtenAtMs }, index) => {
      const text = short[index] ?? '';
      const isUnique = short.indexOf(text) === short.lastIndexOf(text);
      return [id, isUnique ? text : formatDayTime(writtenAtMs, nowMs, true)];
    }),
  );
  return (id) => times.get(id) ?? '';
}

/** `Ana Ruiz and Ben Okafor` */
export function saversOf(savedBy: readonly string[]): string {
  return new Intl.ListFormat(currentLocale()).format(savedBy);
}

/** `Ana · 3.5 KB` */
export function versionFacts(savedBy: readonly string[] | null, size: number, time?: string): string {
  const savers = savedBy === null ? undefined : saversOf(savedBy);
  return [time, savers, formatSize(size)].filter((part) => part !== undefined).join(' · ');
}
