// Who saved a version, and how large it is, as words.

import { formatSize } from '../../app/contract/format.ts';
import { currentLocale } from '../../app/contract/messages.ts';

/** `Ana Ruiz and Ben Okafor` */
export function saversOf(savedBy: readonly string[]): string {
  return new Intl.ListFormat(currentLocale()).format(savedBy);
}

/** `Ana · 3.5 KB` */
export function versionFacts(savedBy: readonly string[] | null, size: number, time?: string): string {
  const savers = savedBy === null ? undefined : saversOf(savedBy);
  return [time, savers, formatSize(size)].filter((part) => part !== undefined).join(' · ');
}
