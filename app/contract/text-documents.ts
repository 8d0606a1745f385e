// What the host and its pages know about text files.

import { typeOf } from './names.ts';
/** Larger texts aren't opened. 1000-based, as sizes are shown. */
export const maxTextBytes = 10_000_000;

/** Larger versions aren't compared. */
export const maxComparedBytes = 1_000_000;

const comparedTypes: ReadonlySet<string> = new Set(
  'txt md markdown csv tsv json xml yaml yml html htm css js ts svg log ini toml tex rst adoc'.split(' '),
);

/** Versions of this type are compared line by line. By its name only: reading the text checks the content. */
export function isComparedType(name: string): boolean {
  return comparedTypes.has(typeOf(name));
}

/** The prefix of the ids of this user's locks in the text editor. @param userId alphanumeric */
export function textLockPrefix(userId: string): string {
  return `doctray-text-${userId}-`;
}

/**
 * On the answers for a document: the lock that another page of the same user waits for. The page that holds it saves and releases
 * it. If it doesn't within the relay's time limit, the other page takes the lock over.
 */
export const wantedLockHeader = 'X-DocTray-Wanted-Lock';
/** On a save: the relay releases the lock afterwards, because the page is closed and can't. */
export const unlockHeader = 'X-DocTray-Unlock';
