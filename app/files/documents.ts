// Makes, renames and removes documents in the folder, never over anything that is there: names are chosen under the
// folder's own mutex, and taken in a way that fails when another program was quicker.

import { chmod, readdir, rename } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import type { FileRow, FilesTable, SaveOrigin } from '../store/files.ts';
import { diskErrorCode, diskRefused } from './disk-error.ts';
import { isSameFile, lookAt, signatureOf } from './file-signature.ts';
import type { Folder, SeenFile } from './folder.ts';
import { syncFolder } from './folder-sync.ts';
import type { Incoming } from './incoming.ts';
import { joinPath, nameOf, parentOf } from './jail.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import { moveToNew } from './new-name.ts';
import { entryNamed, type NameKey } from './spelling.ts';

export interface Documents {
  /**
   * A new document of a received body, under the first of the names that is free. Undefined when none is.
   * @throws AppError disk-refused
   */
  create(input: {
    folderPath: string;
    names: Iterable<string>;
    incoming: Incoming;
    origin: SaveOrigin;
  }): Promise<SeenFile | undefined>;
  /** Undefined when no name is free. The document's mutex is held. @throws AppError disk-refused */
  rename(seen: SeenFile, names: Iterable<string>): Promise<SeenFile | undefined>;
  /** To the trash of the operating system; the id ends. The document's mutex is held. @throws AppError disk-refused */
  trash(seen: SeenFile): Promise<void>;
  /**
   * Keys of all names in a folder but one, by `keyOf`, with the name each stands for. A document that is gone, and that its editor
   * still holds, keeps its name: it will be created again. @throws AppError disk-refused
   */
  takenKeys(folderPath: string, exceptName?: string): Promise<ReadonlyMap<string, string>>;
  keyOf(name: string): string;
  /**
   * The entry of that name in that folder: the one spelled like it, else one that only differs in normalization form or case.
   * Undefined when the name is free. @throws AppError disk-refused
   */
  named(folderPath: string, name: string): Promise<string | undefined>;
}

export interface DocumentsDeps {
  folder: () => Folder;
  files: FilesTable;
  mutex: KeyedMutex;
  clock: Clock;
  emit: EmitEvent;
  transaction: <T>(work: () => T) => T;
  /** Names of the same key may be one file on some file system. */
  nameKey: NameKey;
  moveToTrash: (absolute: string) => Promise<void>;
  /** Permission bits of a new document. */
  newFileMode: number;
  isLocked: (fileId: string) => boolean;
}

export function createDocuments(deps: DocumentsDeps): Documents {
  const { files, nameKey } = deps;
  const inFolder = <T>(folderPath: string, work: () => Promise<T>): Promise<T> =>
    deps.mutex.run(`folder ${folderPath}`, work);

  const namesIn = (folderPath: string): Promise<string[]> =>
    readdir(deps.folder().jail.absolute(folderPath)).catch((error: unknown) => {
      throw diskRefused(error);
    });

  const takenKeys = async (folderPath: string, exceptName?: string): Promise<Map<string, string>> => {
    const { tenantId } = deps.folder();
    const awaited = files
      .inUse(tenantId, Number.MAX_SAFE_INTEGER)
      .filter(({ id, path }) => parentOf(path) === folderPath && deps.isLocked(id))
      .map(({ path }) => nameOf(path));
    const others = [...awaited, ...(await namesIn(folderPath))].filter((name) => name !== exceptName);
    return new Map(others.map((name) => [nameKey(name), name]));
  };

  /** Tries the names one after the other until one could be taken. */
  const takeFirst = async (
    folderPath: string,
    names: Iterable<string>,
    ownName: string | undefined,
    take: (name: string) => Promise<void>,
  ): Promise<string | undefined> => {
    const taken = await takenKeys(folderPath, ownName);
    for (const name of names) {
      if (name !== ownName && taken.has(nameKey(name))) continue;
      try {
        await take(name);
        return name;
      } catch (error) {
        if (diskErrorCode(error) !== 'EEXIST') throw diskRefused(error);
      }
    }
    return undefined;
  };

  return {
    create: ({ folderPath, names, incoming, origin }) =>
      inFolder(folderPath, async () => {
        const folder = deps.folder();
        if (incoming.refusal !== undefined) throw incoming.refusal;
        await folder.jail.requireFolder(folderPath);
        await chmod(incoming.path, deps.newFileMode);
        const name = await takeFirst(folderPath, names, undefined, (candidate) =>
          moveToNew(incoming.path, folder.jail.absolute(joinPath(folderPath, candidate))),
        );
        if (name === undefined) return undefined;
        await incoming.release();
        const path = joinPath(folderPath, name);
        const absolute = folder.jail.absolute(path);
        await syncFolder(dirname(absolute));
        const stats = await lookAt(absolute);
        if (stats === undefined) throw diskRefused(undefined);
        const place = { path, absolute, stats };
        // A listing may have met it already. A document that was there once and is gone keeps its own id, and its tokens.
        const listed = files.byPath(folder.tenantId, path);
        const known = listed !== undefined && isSameFile(listed, stats) ? listed : undefined;
        const row: FileRow = {
          ...(known ?? folder.newRow(place)),
          ...signatureOf(stats),
          ...origin,
          sha256: incoming.sha256,
        };
        deps.transaction(() => {
          if (known === undefined) {
            files.vacate(folder.tenantId, path);
            files.insert(row);
          } else files.setContent(row.id, row);
        });
        deps.emit({ event: 'file-created', fileId: row.id, path });
        return { row, absolute, stats };
      }),

    rename: (seen, names) =>
      inFolder(parentOf(seen.row.path), async () => {
        const folder = deps.folder();
        const folderPath = parentOf(seen.row.path);
        const from = nameOf(seen.row.path);
        const name = await takeFirst(folderPath, names, from, async (candidate) => {
          if (candidate === from) return;
          const target = folder.jail.absolute(joinPath(folderPath, candidate));
          // The old path stays on record until the rename is done, so that a crash in between leaves no second name.
          const path = joinPath(folderPath, candidate);
          const former = files.byPath(folder.tenantId, path);
          deps.transaction(() => {
            files.vacate(folder.tenantId, path);
            files.setPath(seen.row.id, path, seen.row.path);
          });
          try {
            await renameToNew(seen.absolute, target, nameKey);
          } catch (error) {
            deps.transaction(() => {
              files.setPath(seen.row.id, seen.row.path, null);
              if (former !== undefined && former.id !== seen.row.id) files.setPath(former.id, path, null);
            });
            throw error;
          }
        });
        if (name === undefined) return undefined;
        if (name === from) return seen;
        const path = joinPath(folderPath, name);
        const absolute = folder.jail.absolute(path);
        await syncFolder(dirname(absolute));
        const stats = (await lookAt(absolute)) ?? seen.stats;
        const row: FileRow = { ...seen.row, ...signatureOf(stats), path, renamingFrom: null };
        deps.transaction(() => {
          files.setPath(row.id, path, null);
          files.setContent(row.id, row);
        });
        deps.emit({ event: 'file-renamed', fileId: row.id, path, from: seen.row.path });
        return { row, absolute, stats };
      }),

    async trash(seen) {
      await deps.moveToTrash(seen.absolute).catch((cause: unknown) => {
        throw new AppError('disk-refused', { cause, detail: 'The trash did not take the document.' });
      });
      if ((await lookAt(seen.absolute)) !== undefined) {
        throw new AppError('disk-refused', { detail: 'The trash did not take the document.' });
      }
      files.setDeleted(seen.row.id, deps.clock());
      deps.emit({ event: 'file-trashed', fileId: seen.row.id, path: seen.row.path });
    },

    takenKeys,
    keyOf: nameKey,
    named: async (folderPath, name) => entryNamed(await namesIn(folderPath), name, nameKey),
  };
}

/**
 * Renames where nothing has the name yet. Where the file system ignores case or normalization form, a change of these alone finds
 * the file itself under the new name.
 */
async function renameToNew(from: string, to: string, nameKey: NameKey): Promise<void> {
  try {
    await moveToNew(from, to);
  } catch (error) {
    if (diskErrorCode(error) !== 'EEXIST') throw error;
    const [name, wanted] = [basename(from), basename(to)];
    if (nameKey(name) !== nameKey(wanted)) throw error;
    const names = await readdir(dirname(from));
    if (!names.includes(name) || names.includes(wanted)) throw error;
    await rename(from, to);
  }
}
