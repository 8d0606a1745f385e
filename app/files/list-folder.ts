// Lists one folder, a page at a time: folders first, then documents, by name. Creates ids only for what is shown.

import { hostedFile, type DocumentIndex, type HostedFile } from './document-index.ts';
import { createYieldTurn, sortInTurns } from './event-loop.ts';
import { modifiedMsOf } from './file-signature.ts';
import { readFolder, type FolderEntry, type ListedPath } from './read-folder.ts';
import { findFolder, findVisible } from './visible.ts';
import { nameOf } from '../contract/names.ts';

export type FolderItem =
  | ({ kind: 'document' } & HostedFile)
  | { kind: 'folder'; path: string; name: string; lastModifiedMs: number };

export interface FolderPage {
  items: FolderItem[];
  /** Items in the folder, on all pages. */
  total: number;
}

/** @throws AppError path-invalid, folder-unknown, folder-missing, disk-refused */
export async function listFolder(
  folder: DocumentIndex,
  path: string,
  page: { startIndex: number; count: number },
): Promise<FolderPage> {
  const place = await findFolder(folder.jail, path);
  const yieldTurn = createYieldTurn();
  const entries = await readFolder(folder.jail, place.path, yieldTurn);
  const sorted = await sortInTurns(entries, compareEntries, yieldTurn);
  const listed = sorted.slice(page.startIndex, page.startIndex + page.count);
  return { items: await listedItems(folder, listed), total: entries.length };
}

/** Folders first, then by name. */
export function compareEntries(a: FolderEntry, b: FolderEntry): number {
  return Number(b.isFolder) - Number(a.isFolder) || compareText(a.key, b.key) || compareText(a.name, b.name);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}

/** In the same order; leaves out what is gone. */
export async function listedItems(
  folder: DocumentIndex,
  listed: readonly ListedPath[],
): Promise<FolderItem[]> {
  const places = await Promise.all(
    listed.map(({ path, isLink }) => findVisible(folder.jail, path, isLink ? 'resolve' : 'stat')),
  );
  const documents = places.flatMap((place) => (place?.stats.isFile() === true ? [place] : []));
  const rows = await folder.rowsOf(documents);
  const rowAt = new Map(documents.map((place, index) => [place, rows[index]]));
  return places.flatMap((place, index): FolderItem[] => {
    if (place === undefined) return [];
    // A link is listed under its own name, with its target's id.
    const path = listed[index]?.path ?? '';
    const row = rowAt.get(place);
    const name = nameOf(path);
    if (row !== undefined)
      return [{ kind: 'document', ...hostedFile({ row, stats: place.stats }), path, name }];
    return [{ kind: 'folder', path, name, lastModifiedMs: modifiedMsOf(place.stats) }];
  });
}
