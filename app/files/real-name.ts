// The real name of a directory entry. On a case- or normalization-insensitive file system, several paths lead to one entry, and a
// document must not get one id, and one lock, per path.

import { type Jail } from './jail.ts';
import { joinPath, parentOf, nameOf } from '../contract/names.ts';

export type NameKey = (name: string) => string;

/**
 * The path as its folders list it; undefined if no entry matches. Reads folders only if the file system also finds the document
 * under another spelling.
 */
export async function spelledPath(
  jail: Pick<Jail, 'stat' | 'openFolder'>,
  path: string,
  nameKey: NameKey,
): Promise<string | undefined> {
  if (!(await hasOtherSpelling(jail, path))) return path;
  let spelled = '';
  for (const part of path.split('/')) {
    const entry = entryNamed(await namesIn(jail, spelled), part, nameKey);
    if (entry === undefined) return undefined;
    spelled = joinPath(spelled, entry);
  }
  return spelled;
}

/** The entry with exactly this name, else one that differs only in normalization form, else in case as well. */
export function entryNamed(names: readonly string[], name: string, nameKey: NameKey): string | undefined {
  if (names.includes(name)) return name;
  const composed = name.normalize('NFC');
  const key = nameKey(name);
  return (
    names.find((each) => each.normalize('NFC') === composed) ?? names.find((each) => nameKey(each) === key)
  );
}

async function hasOtherSpelling(jail: Pick<Jail, 'stat'>, path: string): Promise<boolean> {
  for (const name of otherSpellings(nameOf(path))) {
    try {
      if ((await jail.stat(joinPath(parentOf(path), name))) !== undefined) return true;
    } catch {
      // The name is too long.
    }
  }
  return false;
}

function otherSpellings(name: string): string[] {
  const letters = /[a-z]/iu.test(name) ? /[a-z]/giu : /\p{L}/gu;
  const swapped = name.replace(letters, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return [swapped, name.normalize('NFC'), name.normalize('NFD')].filter((other) => other !== name);
}

async function namesIn(jail: Pick<Jail, 'openFolder'>, path: string): Promise<string[]> {
  const folder = await jail.openFolder(path);
  const entries = (await folder?.list().finally(folder.close)) ?? [];
  return entries.map(({ name }) => name);
}
