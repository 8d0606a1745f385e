// Whether a document that is about to be opened is damaged, and which version to offer instead: an editor shows a damaged document as
// an empty page, and its first save replaces what is left of it.

import { closeSync } from 'node:fs';
import type { DamagedDocument } from '../contract/page-calls.ts';
import { nameOf } from '../contract/names.ts';
import { readPiece } from './copy-bytes.ts';
import type { DocumentIndex, HostedFile } from './document-index.ts';
import { readabilityOf } from './readable-content.ts';
import type { VersionHistory } from './version-history.ts';

/** More than a few damaged saves in a row are unlikely, and each version is a file to open. */
const maxVersionsRead = 20;

export interface DamageDeps {
  folder: Pick<DocumentIndex, 'jail' | 'rowOf'>;
  versions: Pick<VersionHistory, 'list' | 'read'>;
}

/** Null if it can be read, or is another kind of file than its name says and always was. */
export async function damageOf(
  { folder, versions }: DamageDeps,
  { id, path }: Pick<HostedFile, 'id' | 'path'>,
): Promise<DamagedDocument | null> {
  const name = nameOf(path);
  // The user has saved it anyway.
  if (folder.rowOf(id)?.savedHow === 'recovered') return null;
  const file = await folder.jail.openFile(path);
  // An empty file is a new document.
  if (file === undefined || file.stats.size === 0n) return null;
  const present = await readabilityOf(name, sourceOf(file.fd, Number(file.stats.size))).finally(() =>
    closeSync(file.fd),
  );
  if (present !== 'damaged' && present !== 'other') return null;
  for (const { id: versionId, writtenAtMs } of versions.list(id).slice(0, maxVersionsRead)) {
    try {
      const { version, file: versionFile } = await versions.read(id, versionId);
      const found = await readabilityOf(name, sourceOf(versionFile.fd, version.size)).finally(() =>
        versionFile.close(),
      );
      if (found === 'readable') return { versionId, writtenAtMs };
    } catch {
      // This one can't be offered.
    }
  }
  return present === 'damaged' ? { versionId: null, writtenAtMs: null } : null;
}

function sourceOf(fd: number, size: number) {
  return { size, read: (position: number, length: number) => readPiece(fd, position, length) };
}
