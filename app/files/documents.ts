// Makes, renames and removes documents in the folder, never over anything that is there: names are chosen under the
// folder's own mutex, and taken in a way that fails when another program was quicker.

import { rename } from 'node:fs/promises';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import type { FileRow, FilesTable, SaveOrigin } from '../store/files.ts';
import { diskErrorCode, diskRefused, unconfirmed } from './disk-error.ts';
import { isSameFile, signatureOf } from './file-signature.ts';
import type { Folder, SeenFile } from './folder.ts';
import type { Incoming } from './incoming.ts';
import { joinPath, nameOf, parentOf, type OpenFolder } from './jail.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import { moveToNew, pathOf, type NamedIn } from './new-name.ts';
import { trashPlace, type MoveToTrash } from './trash.ts';

export interface Documents {
  /**
   * A new document of a received body, under the first of the names that is free. Undefined when none is.
   * @throws AppError disk-refused, folder-missing with nothing changed; save-unconfirmed when the document was created
   */
  create(input: {
    folderPath: string;
    names: Iterable<string>;
    incoming: Incoming;
    origin: SaveOrigin;
  }): Promise<SeenFile | undefined>;
  /** Undefined when no name is free. The document's mutex is held. @throws AppError disk-refused, save-unconfirmed */
  rename(seen: SeenFile, names: Iterable<string>): Promise<SeenFile | undefined>;
  /** To the trash of the operating system; the id ends. The document's mutex is held. @throws AppError disk-refused */
  trash(seen: SeenFile): Promise<void>;
  /** Keys of all names in a folder, by `keyOf`, with the name each stands for. @throws AppError disk-refused */
  takenKeys(folderPath: string): Promise<ReadonlyMap<string, string>>;
  keyOf(name: string): string;
  /** The document of that name in that folder, compared as the file system and as people do; undefined when the name is free. */
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
  nameKey: (name: string) => string;
  moveToTrash: MoveToTrash;
  /** Permission bits of a new document. */
  newFileMode: number;
  isLocked: (fileId: string) => boolean;
}

export function createDocuments(deps: DocumentsDeps): Documents {
  const { files, nameKey } = deps;
  const inFolder = <T>(folderPath: string, work: (folder: OpenFolder) => Promise<T>): Promise<T> =>
    deps.mutex.run(`folder ${folderPath}`, () => deps.folder().jail.inFolder(folderPath, work));
  /** After the name was given: what cannot be recorded is there all the same. */
  const record = (work: () => void): void => {
    try {
      deps.transaction(work);
    } catch (error) {
      throw unconfirmed(error);
    }
  };

  const keysIn = async (folder: OpenFolder): Promise<Map<string, string>> => {
    const entries = await folder.list().catch((error: unknown) => {
      throw diskRefused(error);
    });
    return new Map(entries.map(({ name }) => [nameKey(name), name]));
  };

  /** The document that was there is gone, but its editor still holds it and will make it again. */
  const isAwaited = (path: string, ownName: string | undefined): boolean => {
    const row = files.byPath(deps.folder().tenantId, path);
    return row !== undefined && nameOf(path) !== ownName && deps.isLocked(row.id);
  };

  /** Tries the names one after the other until one could be taken. */
  const takeFirst = async (
    folder: OpenFolder,
    names: Iterable<string>,
    ownName: string | undefined,
    take: (name: string) => Promise<void>,
  ): Promise<string | undefined> => {
    const taken = await keysIn(folder);
    if (ownName !== undefined) taken.delete(nameKey(ownName));
    for (const name of names) {
      if (taken.has(nameKey(name)) || isAwaited(joinPath(folder.path, name), ownName)) continue;
      try {
        await take(name);
        return name;
      } catch (error) {
        if (diskErrorCode(error) === 'EEXIST') continue;
        throw error instanceof AppError ? error : diskRefused(error);
      }
    }
    return undefined;
  };

  return {
    create: ({ folderPath, names, incoming, origin }) =>
      inFolder(folderPath, async (folder) => {
        const { tenantId, newRow } = deps.folder();
        if (incoming.refusal !== undefined) throw incoming.refusal;
        await incoming.setAccess({ mode: deps.newFileMode });
        const coming = incoming.stat();
        const name = await takeFirst(folder, names, undefined, (candidate) =>
          moveToNew(incoming.location, { folder, name: candidate }),
        );
        if (name === undefined) return undefined;
        // From here on the document is there, whatever fails.
        const path = joinPath(folderPath, name);
        const problem = await settleName(folder, incoming);
        const stats = (await folder.stat(name)) ?? coming;
        // A listing may have met it already. A document that was there once and is gone keeps its own id, and its tokens.
        const listed = files.byPath(tenantId, path);
        const known = listed !== undefined && isSameFile(listed, stats) ? listed : undefined;
        const row: FileRow = {
          ...(known ?? newRow({ path, stats })),
          ...signatureOf(stats),
          ...origin,
          sha256: incoming.sha256,
        };
        record(() => {
          if (known === undefined) {
            files.vacate(tenantId, path);
            files.insert(row);
          } else files.setContent(row.id, row);
        });
        deps.emit({ event: 'file-created', fileId: row.id, path });
        if (problem !== undefined) throw problem;
        return { row, stats };
      }),

    rename: (seen, names) =>
      inFolder(parentOf(seen.row.path), async (folder) => {
        const { tenantId } = deps.folder();
        const from = nameOf(seen.row.path);
        const name = await takeFirst(folder, names, from, async (candidate) => {
          if (candidate === from) return;
          // The old path stays on record until the rename is done, so that a crash in between leaves no second name.
          const path = joinPath(folder.path, candidate);
          const former = files.byPath(tenantId, path);
          deps.transaction(() => {
            files.vacate(tenantId, path);
            files.setPath(seen.row.id, path, seen.row.path);
          });
          try {
            await renameToNew({ folder, name: from }, { folder, name: candidate });
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
        const path = joinPath(folder.path, name);
        const problem = await settleName(folder);
        const stats = (await folder.stat(name)) ?? seen.stats;
        const row: FileRow = { ...seen.row, ...signatureOf(stats), path, renamingFrom: null };
        record(() => {
          files.setPath(row.id, path, null);
          files.setContent(row.id, row);
        });
        deps.emit({ event: 'file-renamed', fileId: row.id, path, from: seen.row.path });
        if (problem !== undefined) throw problem;
        return { row, stats };
      }),

    async trash(seen) {
      await trashPlace(deps.folder().jail, seen.row.path, deps.moveToTrash);
      files.setDeleted(seen.row.id, deps.clock());
      deps.emit({ event: 'file-trashed', fileId: seen.row.id, path: seen.row.path });
    },

    takenKeys: (folderPath) => deps.folder().jail.inFolder(folderPath, keysIn),
    keyOf: nameKey,
    named: (folderPath, name) =>
      deps.folder().jail.inFolder(folderPath, async (folder) => (await keysIn(folder)).get(nameKey(name))),
  };
}

/** Makes the names of a folder durable. Returns the problem, since what was done stays done. */
async function settleName(folder: OpenFolder, incoming?: Incoming): Promise<AppError | undefined> {
  await incoming?.release().catch(() => undefined);
  return folder.sync().then(() => undefined, unconfirmed);
}

/** Renames where nothing has the name yet. A case-only change on a file system without case finds the file itself there. */
async function renameToNew(
  from: NamedIn & { folder: OpenFolder },
  to: NamedIn & { folder: OpenFolder },
): Promise<void> {
  try {
    await moveToNew(from, to);
  } catch (error) {
    if (diskErrorCode(error) !== 'EEXIST') throw error;
    const [source, target] = await Promise.all([from.folder.stat(from.name), to.folder.stat(to.name)]);
    const isItself = source !== undefined && source.ino === target?.ino && source.dev === target.dev;
    if (!isItself || from.name.toLowerCase() !== to.name.toLowerCase()) throw error;
    await rename(pathOf(from), pathOf(to));
  }
}
