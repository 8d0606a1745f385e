// After a start: what a killed predecessor left behind is cleared away, in the folders of documents that somebody may still
// be editing. Only temporary files that bear this data folder's mark and an earlier start's are removed.

import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import type { FilesTable } from '../store/files.ts';
import type { VersionsTable } from '../store/versions.ts';
import type { ContentRecord } from './content-record.ts';
import { isSameContentMoved, lookAt, signatureOf } from './file-signature.ts';
import type { Folder } from './folder.ts';
import { nameOf } from './jail.ts';
import type { KeptVersions } from './kept-versions.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import type { TempNames } from './temp-names.ts';

export interface RecoveryDeps {
  folder: Folder;
  files: FilesTable;
  versions: VersionsTable;
  kept: KeptVersions;
  record: ContentRecord;
  mutex: KeyedMutex;
  clock: Clock;
  tempNames: TempNames;
  /** The `rescued` folder, where bodies lie that the hosted folder refused. */
  incomingDirectory: string;
  onError: (error: unknown) => void;
}

const dayMs = 24 * 60 * 60 * 1000;

export async function recoverFolder(deps: RecoveryDeps): Promise<void> {
  const { folder, files, mutex } = deps;
  const rows = files.inUse(folder.tenantId, deps.clock() - dayMs);
  const directories = new Set(rows.map((row) => dirname(folder.jail.absolute(row.path))));
  for (const directory of [deps.incomingDirectory, ...directories])
    await removeLeftovers(directory, deps.tempNames);
  for (const row of rows) {
    const work = mutex.run(row.id, async () => {
      if (row.renamingFrom !== null) await finishRename(deps, row.id);
      const seen = await folder.seeHeld(row.id);
      const recorded = new Set(deps.versions.list(row.id).map(({ id }) => id));
      const strays = await deps.kept.strays(row.id, recorded);
      if (strays.length > 0 && seen !== undefined) {
        await deps.record.settle(seen.row, { ...seen, path: seen.row.path });
      }
    });
    // One document that cannot be looked at keeps nothing from the others.
    await work.catch(deps.onError);
  }
}

async function removeLeftovers(directory: string, tempNames: TempNames): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    // One that cannot be removed keeps nothing from the rest; the next start tries again.
    if (tempNames.isLeftover(name)) await rm(join(directory, name), { force: true }).catch(() => undefined);
  }
}

/** Two entries, not one that a file system without case shows under either name. */
async function hasBothNames(folder: Folder, path: string, other: string): Promise<boolean> {
  const names = await readdir(dirname(folder.jail.absolute(path)));
  return names.includes(nameOf(path)) && names.includes(nameOf(other));
}

/** The process died between giving the new name and taking the old one away. */
async function finishRename({ folder, files }: RecoveryDeps, id: string): Promise<void> {
  const row = folder.rowOf(id);
  if (row === undefined || row.renamingFrom === null) return;
  const [from, to] = await Promise.all([
    lookAt(folder.jail.absolute(row.renamingFrom)),
    lookAt(folder.jail.absolute(row.path)),
  ]);
  const isOneFile = from !== undefined && from.ino === to?.ino && from.dev === to.dev;
  if (isOneFile && from.nlink > 1n && (await hasBothNames(folder, row.renamingFrom, row.path))) {
    await rm(folder.jail.absolute(row.renamingFrom));
  }
  const isRenamed = to !== undefined && String(to.ino) === row.inode;
  const path = isRenamed ? row.path : row.renamingFrom;
  const stats = await lookAt(folder.jail.absolute(path));
  if (stats !== undefined && isSameContentMoved(row, stats)) {
    files.setContent(id, { ...row, ...signatureOf(stats) });
  }
  files.setPath(id, path, null);
}
