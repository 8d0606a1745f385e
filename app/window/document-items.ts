// What is listed of the hosted folder as the rows of the Documents view.

import type { DocumentItem } from '../contract/results.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import { listedItems } from '../files/list-folder.ts';
import type { ListedPath } from '../files/read-folder.ts';
import type { VersionUsageTable } from '../store/version-usage.ts';

/** In the same order; what is gone is left out. */
export async function documentItems(
  folder: DocumentIndex,
  usage: Pick<VersionUsageTable, 'byFile'>,
  listed: readonly ListedPath[],
): Promise<DocumentItem[]> {
  const items = await listedItems(folder, listed);
  const used = usage.byFile(items.flatMap((item) => (item.kind === 'document' ? [item.id] : [])));
  return items.map((item): DocumentItem => {
    if (item.kind === 'folder') return item;
    const { kind, id: fileId, path, name, size, lastModifiedMs } = item;
    const { count: versionCount, bytes: versionBytes } = used.get(fileId) ?? { count: 0, bytes: 0 };
    return { kind, fileId, path, name, size, lastModifiedMs, versionCount, versionBytes };
  });
}
