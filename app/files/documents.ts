// Creates, moves, renames and removes documents in the folder without overwriting anything: names are chosen under the folder's own
// mutex, and taken in a way that fails if another program was faster.

import { rename } from 'node:fs/promises';
import type { Clock } from '../contract/clock.ts';
import { AppError, errorCode } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { joinPath, parentOf, nameOf } from '../contract/names.ts';
import type { FileRow, FilesTable, SaveOrigin } from '../store/files.ts';
import { diskRefused, onOtherDisk, unconfirmed } from './disk-error.ts';
import { isSameFile, signatureOf } from './file-signature.ts';
import type { DocumentIndex, FoundFile } from './document-index.ts';
import type { ReceivedBody } from './received-body.ts';
import { type OpenFolder } from './jail.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import { moveWithoutOverwrite, pathOf, type NameInFolder } from './move-file.ts';
import { entryNamed, type NameKey } from './real-name.ts';
import { trashPlace, type MoveToTrash, type TrashedPlace } from './trash.ts';

export interface Documents {
  /**
   * A new document from a received body, under the first free name. Undefined if none is free.
   * @throws AppError disk-refused, folder-missing with nothing changed; change-unconfirmed if the document was created
   */
  create(input: {
    folderPath: string;
    names: Iterable<string>;
    incoming: ReceivedBody;
    origin: SaveOrigin;
  }): Promise<FoundFile | undefined>;
  /** Undefined if no name is free. The document's mutex is held. @throws AppError disk-refused, change-unconfirmed */
  rename(found: FoundFile, names: Iterable<string>): Promise<FoundFile | undefined>;
  /** The same into another folder. @throws AppError folder-missing, too */
  move(found: FoundFile, folderPath: string, names: Iterable<string>): Promise<FoundFile | undefined>;
  /**
   * Moves it to the operating system's trash and retires the id. The document's mutex is held.
   * @returns where it is in the trash, if that is known @throws AppError disk-refused
   */
  trash(found: FoundFile): Promise<TrashedPlace | undefined>;
  /**
   * All names in a folder except one, keyed by `keyOf`. A missing document that is still locked keeps its name: it will be
   * created again. @throws AppError disk-refused
   */
  takenKeys(folderPath: string, exceptName?: string): Promise<ReadonlyMap<string, string>>;
  keyOf(name: string): string;
  /**
   * The entry with that name in that folder: with the same spelling, else one that differs only in normalization form or case.
   * Undefined if the name is free. @throws AppError disk-refused
   */
  named(folderPath: string, name: string): Promise<string | undefined>;
}

export interface DocumentsDeps {
  folder: DocumentIndex;
  files: FilesTable;
  mutex: KeyedMutex;
  clock: Clock;
  emit: EmitEvent;
  transaction: <T>(work: () => T) => T;
  /** Names with the same key may be one file on some file system. */
  nameKey: NameKey;
  moveToTrash: MoveToTrash;
  /** Permission bits of a new document. */
  newFileMode: number;
  isLocked: (fileId: string) => boolean;
}

export function createDocuments(deps: DocumentsDeps): Documents {
  const { files, nameKey } = deps;
  const inFolder = <T>(folderPath: string, work: (folder: OpenFolder) => Promise<T>): Promise<T> =>
    deps.mutex.run(`folder ${folderPath}`, () => deps.folder.jail.inFolder(folderPath, work));
  /** Two folders, perhaps the same. Their mutexes are always taken in one order, so that two moves never wait for each other. */
  const inFolders = <T>(
    from: string,
    to: string,
    work: (source: OpenFolder, target: OpenFolder) => Promise<T>,
  ): Promise<T> => {
    if (from === to) return inFolder(from, (folder) => work(folder, folder));
    const [first = '', second = ''] = [from, to].toSorted();
    return deps.mutex.run(`folder ${first}`, () =>
      inFolder(second, () =>
        deps.folder.jail.inFolder(from, (source) =>
          deps.folder.jail.inFolder(to, (target) => work(source, target)),
        ),
      ),
    );
  };
  /** Called after the name was taken: the document exists even if recording fails. */
  const record = (work: () => void): void => {
    try {
      deps.transaction(work);
    } catch (error) {
      throw unconfirmed(error);
    }
  };

  const namesIn = async (folder: OpenFolder): Promise<string[]> => {
    const entries = await folder.list().catch((error: unknown) => {
      throw diskRefused(error);
    });
    return entries.map(({ name }) => name);
  };

  const takenKeys = async (folder: OpenFolder, exceptName?: string): Promise<Map<string, string>> => {
    const { tenantId } = deps.folder;
    const awaited = files
      .inUse(tenantId, Number.MAX_SAFE_INTEGER)
      .filter(({ id, path }) => parentOf(path) === folder.path && deps.isLocked(id))
      .map(({ path }) => nameOf(path));
    const others = [...awaited, ...(await namesIn(folder))].filter((name) => name !== exceptName);
    return new Map(others.map((name) => [nameKey(name), name]));
  };

  /** Tries the names in order until one could be taken. */
  const takeFirst = async (
    folder: OpenFolder,
    names: Iterable<string>,
    ownName: string | undefined,
    take: (name: string) => Promise<void>,
  ): Promise<string | undefined> => {
    const taken = await takenKeys(folder, ownName);
    for (const name of names) {
      if (name !== ownName && taken.has(nameKey(name))) continue;
      try {
        await take(name);
        return name;
      } catch (error) {
        if (errorCode(error) === 'EEXIST') continue;
        throw error instanceof AppError ? error : diskRefused(error);
      }
    }
    return undefined;
  };

  const move: Documents['move'] = (found, folderPath, names) =>
    inFolders(parentOf(found.row.path), folderPath, async (source, target) => {
      const { tenantId } = deps.folder;
      const from = nameOf(found.row.path);
      const isHere = source === target;
      const name = await takeFirst(target, names, isHere ? from : undefined, async (candidate) => {
        if (isHere && candidate === from) return;
        // The old path stays recorded until the move is done, so that a crash in between leaves no second name.
        const path = joinPath(target.path, candidate);
        const former = files.byPath(tenantId, path);
        deps.transaction(() => {
          files.vacate(tenantId, path);
          files.setPath(found.row.id, { path, renamingFrom: found.row.path });
        });
        try {
          await moveToNew({ folder: source, name: from }, { folder: target, name: candidate }, nameKey);
        } catch (error) {
          deps.transaction(() => {
            files.setPath(found.row.id, { path: found.row.path, renamingFrom: null });
            if (former !== undefined && former.id !== found.row.id) {
              files.setPath(former.id, { path, renamingFrom: null });
            }
          });
          throw error;
        }
      });
      if (name === undefined) return undefined;
      if (isHere && name === from) return found;
      const path = joinPath(target.path, name);
      const problem = (await syncName(target)) ?? (isHere ? undefined : await syncName(source));
      const stats = (await target.stat(name)) ?? found.stats;
      const row: FileRow = { ...found.row, ...signatureOf(stats), path, renamingFrom: null };
      record(() => {
        files.setPath(row.id, row);
        files.setContent(row.id, row);
      });
      deps.emit({ event: 'file-renamed', fileId: row.id, path, from: found.row.path });
      if (problem !== undefined) throw problem;
      return { row, stats };
    });

  return {
    create: ({ folderPath, names, incoming, origin }) =>
      inFolder(folderPath, async (folder) => {
        const { tenantId, newRow } = deps.folder;
        if (incoming.refusal !== undefined) throw incoming.refusal;
        await incoming.setAccess({ mode: deps.newFileMode });
        const incomingStats = incoming.stat();
        const name = await takeFirst(folder, names, undefined, (candidate) =>
          moveWithoutOverwrite(incoming.location, { folder, name: candidate }),
        );
        if (name === undefined) return undefined;
        // From here on the document exists, whatever fails.
        const path = joinPath(folderPath, name);
        const problem = await syncName(folder, incoming);
        const stats = (await folder.stat(name)) ?? incomingStats;
        // A listing may have found it already. A document that existed once and is gone keeps its id and its tokens.
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

    rename: (found, names) => move(found, parentOf(found.row.path), names),
    move,

    async trash(found) {
      const trashed = await trashPlace(deps.folder.jail, found.row.path, deps.moveToTrash);
      files.setDeleted(found.row.id, { nowMs: deps.clock() });
      deps.emit({ event: 'file-trashed', fileId: found.row.id, path: found.row.path });
      return trashed;
    },

    takenKeys: (folderPath, exceptName) =>
      deps.folder.jail.inFolder(folderPath, (folder) => takenKeys(folder, exceptName)),
    keyOf: nameKey,
    named: (folderPath, name) =>
      deps.folder.jail.inFolder(folderPath, async (folder) =>
        entryNamed(await namesIn(folder), name, nameKey),
      ),
  };
}

/** Makes the names of a folder durable. Returns the problem, since the change itself stays. */
async function syncName(folder: OpenFolder, incoming?: ReceivedBody): Promise<AppError | undefined> {
  await incoming?.release().catch(() => undefined);
  return folder.sync().then(
    () => undefined,
    (error: unknown) => unconfirmed(error),
  );
}

/**
 * Moves to a free name. On a case- or normalization-insensitive file system, a rename that changes only these finds the file itself
 * under the new name.
 */
async function moveToNew(
  from: { folder: OpenFolder; name: string },
  to: NameInFolder,
  nameKey: NameKey,
): Promise<void> {
  try {
    await moveWithoutOverwrite(from, to);
  } catch (error) {
    if (errorCode(error) === 'EXDEV') throw onOtherDisk(error);
    if (errorCode(error) !== 'EEXIST' || from.folder !== to.folder) throw error;
    if (nameKey(from.name) !== nameKey(to.name)) throw error;
    const names = (await from.folder.list()).map(({ name }) => name);
    if (!names.includes(from.name) || names.includes(to.name)) throw error;
    await rename(pathOf(from), pathOf(to));
  }
}
