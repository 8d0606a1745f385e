// One folder's content, a page at a time: folders first, then documents, by name. What is hidden, what is no document, and
// links that lead out of the hosted folder are not there at all.

import type { Dirent } from 'node:fs';
import { AppError } from '../contract/errors.ts';
import { hostedFile, type DocumentIndex, type HostedFile } from './document-index.ts';
import { isHiddenName, isHiddenPath, joinPath, nameOf, type Jail, type Place } from './jail.ts';

export type FolderItem =
  | ({ kind: 'document' } & HostedFile)
  | { kind: 'folder'; path: string; name: string; lastModifiedMs: number };

export interface FolderPage {
  items: FolderItem[];
  /** Items in the folder, on all pages. */
  total: number;
}

/** @throws AppError path-invalid, file-missing, folder-missing */
export async function listFolder(
  folder: DocumentIndex,
  path: string,
  page: { startIndex: number; count: number },
): Promise<FolderPage> {
  const { jail } = folder;
  await jail.requireRoot();
  const place = await jail.resolve(jail.parse(path));
  if (place?.stats.isDirectory() !== true || isHiddenPath(place.path)) {
    throw new AppError('folder-unknown');
  }
  const names = await readNames(jail, place);
  const shown = names.slice(page.startIndex, page.startIndex + page.count);
  const looks = await Promise.all(shown.map((name) => resolveItem(jail, joinPath(place.path, name))));
  const present = looks.filter((look) => look !== undefined);
  const documents = present.filter((look) => look.target.stats.isFile());
  const rows = await folder.rowsOf(documents.map((look) => look.target));
  const items = present.map((look): FolderItem => {
    const row = rows[documents.indexOf(look)];
    const { path: shownPath } = look;
    if (row !== undefined) {
      // A link is shown under its own name; its id is its target's.
      const file = hostedFile({ row, stats: look.target.stats });
      return { kind: 'document', ...file, path: shownPath, name: nameOf(shownPath) };
    }
    const lastModifiedMs = Number(look.target.stats.mtimeNs / 1_000_000n);
    return {
      kind: 'folder',
      path: shownPath,
      name: nameOf(shownPath),
      lastModifiedMs,
    };
  });
  return { items, total: names.length };
}

/** Names in order. Links are looked at one by one, since only their target says what they are. */
async function readNames(jail: Jail, place: Place): Promise<string[]> {
  const folders: string[] = [];
  const documents: string[] = [];
  for (const entry of await readEntries(jail, place.path)) {
    if (isHiddenName(entry.name) || !(await isNameable(jail, joinPath(place.path, entry.name)))) continue;
    if (entry.isDirectory()) folders.push(entry.name);
    else if (entry.isFile()) documents.push(entry.name);
    else if (entry.isSymbolicLink()) {
      const item = await resolveItem(jail, joinPath(place.path, entry.name));
      if (item !== undefined) (item.target.stats.isFile() ? documents : folders).push(entry.name);
    }
  }
  return [...sorted(folders), ...sorted(documents)];
}

/** False for a name that is no UTF-8: what was read of it leads nowhere. */
async function isNameable(jail: Jail, path: string): Promise<boolean> {
  return !path.includes('\ufffd') || (await jail.stat(path)) !== undefined;
}

async function readEntries(jail: Jail, path: string): Promise<Dirent[]> {
  const folder = await jail.openFolder(path);
  if (folder === undefined) throw new AppError('file-missing');
  try {
    return await folder.list();
  } finally {
    folder.close();
  }
}

async function resolveItem(jail: Jail, path: string): Promise<{ path: string; target: Place } | undefined> {
  const target = await jail.resolve(path);
  return target !== undefined &&
    !isHiddenPath(target.path) &&
    (target.stats.isFile() || target.stats.isDirectory())
    ? { path, target }
    : undefined;
}

/** By name without case; a collator would be nicer and takes seconds on 100,000 names. */
function sorted(names: string[]): string[] {
  return names
    .map((name) => ({ name, key: name.toLowerCase() }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}
