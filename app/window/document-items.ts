// Places in the hosted folder as the rows of the Documents view. Ids are made here, so only for what is shown.

import type { DocumentItem } from '../contract/commands.ts';
import type { Folder } from '../files/folder.ts';
import { resolveShown } from '../files/folder-entries.ts';
import { isHiddenPath, nameOf, type Place } from '../files/jail.ts';
import type { VersionUsageTable } from '../store/version-usage.ts';

export interface ShownPath {
  path: string;
  isLink: boolean;
}

/** In the same order; what is gone meanwhile is left out. */
export async function documentItems(
  folder: Folder,
  usage: Pick<VersionUsageTable, 'byFile'>,
  shown: readonly ShownPath[],
): Promise<DocumentItem[]> {
  const places = await Promise.all(shown.map((item) => placeOf(folder, item)));
  const documents = places.filter((place) => place?.stats.isFile() === true) as Place[];
  const rows = await folder.rowsOf(documents);
  const ids = new Map(documents.map((place, index) => [place, rows[index]?.id ?? '']));
  const used = usage.byFile([...ids.values()]);
  return places.flatMap((place, index): DocumentItem[] => {
    // A link is shown under its own name; its id is its target's.
    const path = shown[index]?.path ?? '';
    if (place === undefined) return [];
    const common = { path, name: nameOf(path), lastModifiedMs: Number(place.stats.mtimeNs / 1_000_000n) };
    const fileId = ids.get(place);
    if (fileId === undefined) return [{ kind: 'folder', ...common }];
    const { count: versionCount, bytes: versionBytes } = used.get(fileId) ?? { count: 0, bytes: 0 };
    const size = Number(place.stats.size);
    return [{ kind: 'document', fileId, ...common, size, versionCount, versionBytes }];
  });
}

async function placeOf({ jail }: Folder, { path, isLink }: ShownPath): Promise<Place | undefined> {
  if (isLink) return resolveShown(jail, path);
  const place = await jail.look(path);
  if (place === undefined || isHiddenPath(path)) return undefined;
  return place.stats.isFile() || place.stats.isDirectory() ? place : undefined;
}
