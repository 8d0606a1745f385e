// Creates folders, renames and moves documents and folders, and moves them to the trash and back, by the rules that editors follow: a
// locked document is left alone. A folder counts as locked if a document in it is. Links are left to the file manager.

import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { joinPath, parentOf, nameOf, extensionOf } from '../contract/names.ts';
import type { Outcome, TrashResult } from '../contract/results.ts';
import { AppError, describeError, errorCode, messageFor, type CallerName } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { createDesktopLockFinder } from '../files/desktop-lock-finder.ts';
import { desktopLockReason } from '../files/desktop-lock.ts';
import { diskRefused, onOtherDisk, unconfirmed } from '../files/disk-error.ts';
import type { FoundFile } from '../files/document-index.ts';
import { type Place } from '../files/jail.ts';
import { signatureOf } from '../files/file-signature.ts';
import { restoreFromTrash, systemTrash, trashPlace, type TrashedPlace } from '../files/trash.ts';
import { findFolder, findVisible } from '../files/visible.ts';
import type { HostedFolder } from '../host/hosted-folder.ts';
import type { SharedServices } from '../host/shared.ts';
import type { FileRow } from '../store/files.ts';
import { undoLimitMs } from '../wopi/lock-rules.ts';
import { candidateNames } from '../wopi/target-names.ts';
import { chosenName, nameTaken } from './new-document.ts';

type Hosting = Pick<HostedFolder, 'folder' | 'documents'>;

export interface DocumentChanges {
  /**
   * @param input.folderPath the folder it is in
   * @returns its path
   * @throws AppError path-invalid, folder-unknown, name-invalid, name-taken, disk-refused
   */
  createFolder(hosted: Hosting, input: { folderPath: string; name: string }): Promise<string>;
  /**
   * Renames a document from a page that has it open. Its id and lock stay.
   * @param page.isOwnLock whether the page's own editor holds the lock
   * @param page.assertAllowed called when no other change to the document can start
   * @returns the new name
   * @throws AppError name-invalid, name-taken, file-locked, file-missing, and what `assertAllowed` throws
   */
  renameOpen(
    hosted: Hosting,
    id: string,
    typed: string,
    page: { isOwnLock: () => boolean; assertAllowed: (found: FoundFile) => void },
  ): Promise<string>;
  /**
   * @returns the new path
   * @throws AppError file-missing, file-locked, name-invalid, name-taken, link-untouched, disk-refused
   */
  rename(hosted: Hosting, path: string, typed: string): Promise<string>;
  /**
   * Into another folder, one after the other; one that can't be moved doesn't stop the others. Nothing is overwritten: if a name is
   * taken there, it fails, or gets a number with `keepsBoth`. `done` has the new paths. `by` words the messages.
   * @throws AppError path-invalid, folder-unknown
   */
  move(hosted: Hosting, request: MoveRequest, by: CallerName): Promise<Moved>;
  /** One after the other; one that can't be moved doesn't stop the others. `by` words the messages. */
  trash(hosted: Hosting, paths: readonly string[], by: CallerName): Promise<TrashResult>;
  /**
   * Puts back what one `trash` moved, once and within 10 seconds. What has another name now, because its own was taken, has another
   * `path` than `from`.
   * @throws AppError undo-over
   */
  undoTrash(hosted: Hosting, id: string, by: CallerName): Promise<Moved>;
}

type DocumentChangesDeps = Pick<
  SharedServices,
  'settings' | 'locks' | 'mutex' | 'filesTable' | 'transaction' | 'clock' | 'emit'
>;

export interface MoveRequest {
  paths: readonly string[];
  /** The folder to move them to. */
  folderPath: string;
  keepsBoth?: boolean | undefined;
}

export interface Moved extends Outcome {
  done: { id: string; path: string; from: string }[];
}

interface Trashed {
  id: string;
  path: string;
  documents: Pick<FileRow, 'id' | 'path'>[];
  place: TrashedPlace | undefined;
}

/** What one call of `trash` moved. */
interface TrashUndo {
  tenantId: number;
  untilMs: number;
  entries: Trashed[];
}

const dayMs = 24 * 60 * 60 * 1000;

export function createDocumentChanges(deps: DocumentChangesDeps): DocumentChanges {
  const { settings, locks, mutex, filesTable: files, transaction, clock, emit } = deps;
  const findDesktopLock = createDesktopLockFinder();
  const undos = new Map<string, TrashUndo>();

  /** Runs the work while it holds all of these. Always in one order, so that two never wait for each other. */
  const holding = <T>(keys: readonly string[], work: () => Promise<T>): Promise<T> =>
    [...new Set(keys)]
      .toSorted()
      .reduceRight<() => Promise<T>>((inner, key) => () => mutex.run(key, inner), work)();

  /** Runs the work while no name in these folders is taken. */
  const onNames = <T>(folders: readonly string[], work: () => Promise<T>): Promise<T> =>
    holding(
      folders.map((path) => `folder ${path}`),
      work,
    );

  /** @param own the name of the entry itself, which isn't taken */
  const firstFree = async (
    { documents }: Hosting,
    parent: string,
    names: Iterable<string>,
    own?: string,
  ): Promise<string | undefined> => {
    const taken = await documents.takenKeys(parent, own);
    for (const name of names) if (!taken.has(documents.keyOf(name))) return name;
    return undefined;
  };

  /** `Ana Ruiz`; undefined if the lock doesn't say. */
  const holderOf = (id: string): string | undefined => {
    const lock = locks.find(id);
    return lock?.userName ?? lock?.user ?? undefined;
  };

  /** Runs the work while no editor can save the document. @throws AppError file-missing, file-locked */
  const onDocument = async <T>(
    { folder }: Hosting,
    id: string,
    work: (found: FoundFile) => Promise<T>,
    isOwnLock = () => false,
  ) =>
    mutex.run(id, async () => {
      const found = await folder.findHeld(id);
      if (found === undefined) throw new AppError('file-missing');
      if (locks.isHeld(id)) {
        const holder = holderOf(id);
        const detail = holder === undefined ? undefined : () => t('host.user-has-it-open', { user: holder });
        if (!isOwnLock()) throw new AppError('file-locked', { detail });
      } else if (settings.current().desktopLocks === 'block') {
        const held = await findDesktopLock(folder.jail, found.row.path);
        if (held !== undefined) throw new AppError('file-locked', { detail: desktopLockReason(held) });
      }
      return work(found);
    });

  /** Runs the work while no document in the folder is locked and none can be saved. @throws AppError file-locked */
  const onFolder = async <T>(
    { documents, folder }: Hosting,
    place: Place,
    work: (inUse: FileRow[]) => Promise<T>,
  ): Promise<T> => {
    const inUseAnywhere = (): FileRow[] => files.inUse(folder.tenantId, clock() - dayMs);
    const inUse = (): FileRow[] => inUseAnywhere().filter(({ path }) => path.startsWith(`${place.path}/`));
    // Another program may have changed the case of the folder's name since they were opened.
    const key = documents.keyOf(`${place.path}/`);
    for (const { id, path } of inUseAnywhere()) {
      if (documents.keyOf(path).startsWith(key)) await folder.updateSpelling(id);
    }
    const ids = inUse().map(({ id }) => id);
    return holding(ids, async () => {
      const rows = inUse();
      const held = rows.find(({ id }) => locks.isHeld(id));
      if (held === undefined) return work(rows);
      const holder = holderOf(held.id);
      const name = nameOf(held.path);
      throw new AppError('file-locked', {
        detail:
          holder === undefined
            ? t('host.it-is-name-in-this-folder', { name })
            : t('host.it-is-name-in-this-folder-open-by', { name, user: holder }),
      });
    });
  };

  /**
   * Renames a folder, or moves it to another parent, to the first of the names that is free.
   * @returns undefined if none is
   */
  const moveFolder = (
    hosted: Hosting,
    place: Place,
    { parent: to, names }: { parent: string; names: Iterable<string> },
  ): Promise<string | undefined> =>
    onFolder(hosted, place, async (inUse) => {
      const { jail, tenantId } = hosted.folder;
      const [from, name] = [parentOf(place.path), nameOf(place.path)];
      return onNames([from, to], async () => {
        const free = await firstFree(hosted, to, names, from === to ? name : undefined);
        if (free === undefined) return undefined;
        const path = joinPath(to, free);
        if (path === place.path) return path;
        await jail.inFolder(from, (source) =>
          jail.inFolder(to, (target) =>
            rename(source.at(name), target.at(free)).catch((error: unknown) => {
              throw errorCode(error) === 'EXDEV' ? onOtherDisk(error) : diskRefused(error);
            }),
          ),
        );
        try {
          transaction(() => {
            // The name was free, so documents recorded at these paths no longer exist.
            for (const former of files.below(tenantId, { folder: path })) files.vacate(tenantId, former.path);
            files.moveFolder(tenantId, { folder: place.path, to: path });
          });
          for (const parent of new Set([to, from])) await jail.inFolder(parent, (opened) => opened.sync());
        } catch (error) {
          throw unconfirmed(error);
        }
        for (const { id, path: before } of inUse) {
          emit({
            event: 'file-renamed',
            fileId: id,
            path: path + before.slice(place.path.length),
            from: before,
          });
        }
        return path;
      });
    });

  /**
   * Renames a document or folder, or moves it to another parent, to the first of the names that is free.
   * @returns undefined if none is
   */
  const moveEntry = async (
    hosted: Hosting,
    place: Place,
    to: { parent: string; names: Iterable<string> },
  ): Promise<{ id: string; path: string } | undefined> => {
    if (place.stats.isDirectory()) {
      const path = await moveFolder(hosted, place, to);
      return path === undefined ? undefined : { id: path, path };
    }
    const { id } = await hosted.folder.openPath(place.path);
    const moved = await onDocument(hosted, id, (found) => hosted.documents.move(found, to.parent, to.names));
    return moved && { id, path: moved.row.path };
  };

  const moveOne = async (
    hosted: Hosting,
    place: Place,
    { parent, keepsBoth }: { parent: string; keepsBoth: boolean },
  ): Promise<{ id: string; path: string }> => {
    const name = nameOf(place.path);
    if (parentOf(place.path) === parent) return { id: place.path, path: place.path };
    if (`${parent}/`.startsWith(`${place.path}/`)) throw new AppError('move-into-itself');
    const names = keepsBoth ? candidateNames(name) : [name];
    const moved = await moveEntry(hosted, place, { parent, names });
    if (moved !== undefined) return moved;
    const other = (await hosted.documents.named(parent, name)) ?? name;
    throw new AppError('target-taken', { detail: () => t('host.quoted-name', { name: other }) });
  };

  const trashFolder = (hosted: Hosting, place: Place): Promise<Omit<Trashed, 'id' | 'path'>> =>
    onFolder(hosted, place, async (inUse) => {
      const { jail, tenantId } = hosted.folder;
      const documents = files.below(tenantId, { folder: place.path });
      const trashed = await trashPlace(jail, place.path, systemTrash);
      files.setFolderDeleted(tenantId, { folder: place.path, nowMs: clock() });
      for (const { id, path } of inUse) emit({ event: 'file-trashed', fileId: id, path });
      return { documents, place: trashed };
    });

  /** To `wanted`, or next to what has that name now. @returns its path */
  const putBack = (hosted: Hosting, entry: Trashed, wanted: string): Promise<string> =>
    onNames([parentOf(wanted)], async () => {
      const { jail, tenantId } = hosted.folder;
      if (entry.place === undefined) throw new AppError('trash-unknown');
      const [parent, name] = [parentOf(wanted), nameOf(wanted)];
      const free =
        (await firstFree(hosted, parent, [name])) ?? (await firstFree(hosted, parent, candidateNames(name)));
      if (free === undefined) throw new AppError('no-free-name');
      const path = joinPath(parent, free);
      const stats = await restoreFromTrash(jail, path, entry.place);
      const found = entry.documents.map(({ id, path: before }) => ({
        id,
        path: path + before.slice(entry.path.length),
      }));
      transaction(() => {
        for (const { id, path: back } of found) {
          files.vacate(tenantId, back);
          files.setUndeleted(id);
          files.setPath(id, { path: back, renamingFrom: null });
          const row = files.byId(id);
          // The way back changed the document's ctime; in a folder, only the folder's.
          if (row !== undefined && back === path) files.setContent(id, { ...row, ...signatureOf(stats) });
        }
      });
      for (const { id, path: back } of found) emit({ event: 'file-created', fileId: id, path: back });
      return path;
    });

  const rememberTrashed = (hosted: Hosting, entries: Trashed[]): TrashResult['undo'] => {
    for (const [id, { untilMs }] of undos) if (untilMs < clock()) undos.delete(id);
    if (!entries.some(({ place }) => place !== undefined)) return null;
    const [id, untilMs] = [randomUUID(), clock() + undoLimitMs];
    undos.set(id, { tenantId: hosted.folder.tenantId, untilMs, entries });
    return { id, untilMs };
  };

  return {
    async createFolder(hosted, { folderPath, name: typed }) {
      const { jail } = hosted.folder;
      const { path: parent } = await findFolder(jail, folderPath);
      const { name, candidates } = chosenName(typed, '');
      return onNames([parent], async () => {
        const free = await firstFree(hosted, parent, candidates);
        if (free === undefined) throw await nameTaken(hosted, parent, name);
        await jail.inFolder(parent, async (opened) => {
          await mkdir(opened.at(free)).catch(async (error: unknown) => {
            throw errorCode(error) === 'EEXIST' ? await nameTaken(hosted, parent, free) : diskRefused(error);
          });
          await opened.sync();
        });
        return joinPath(parent, free);
      });
    },

    async renameOpen(hosted, id, typed, { isOwnLock, assertAllowed }) {
      const rename = async (found: FoundFile): Promise<string> => {
        assertAllowed(found);
        const { candidates, name } = chosenName(typed, extensionOf(nameOf(found.row.path)));
        const renamed = await hosted.documents.rename(found, candidates);
        if (renamed === undefined) throw await nameTaken(hosted, parentOf(found.row.path), name);
        return nameOf(renamed.row.path);
      };
      return onDocument(hosted, id, rename, isOwnLock);
    },

    async rename(hosted, path, typed) {
      const place = await changeable(hosted, path);
      const parent = parentOf(place.path);
      const extension = place.stats.isDirectory() ? '' : extensionOf(nameOf(place.path));
      const { candidates, name } = chosenName(typed, extension);
      const renamed = await moveEntry(hosted, place, { parent, names: candidates });
      if (renamed === undefined) throw await nameTaken(hosted, parent, name);
      return renamed.path;
    },

    async move(hosted, { paths, folderPath, keepsBoth = false }, by) {
      const { path: parent } = await findFolder(hosted.folder.jail, folderPath);
      const moved: Moved = { done: [], failed: [] };
      for (const from of paths) {
        // It was moved with a folder earlier in the list.
        if (moved.done.some((done) => from.startsWith(`${done.from}/`))) continue;
        try {
          const place = await changeable(hosted, from);
          moved.done.push({ ...(await moveOne(hosted, place, { parent, keepsBoth })), from });
        } catch (error) {
          moved.failed.push(failure(from, from, error, by));
        }
      }
      return moved;
    },

    async trash(hosted, paths, by) {
      const outcome: Omit<TrashResult, 'undo'> = { done: [], failed: [], gone: [] };
      const entries: Trashed[] = [];
      for (const path of paths) {
        // It was moved with a folder earlier in the list.
        if (outcome.done.some((done) => path.startsWith(`${done.path}/`))) {
          outcome.done.push({ id: path, path });
          continue;
        }
        let id = path;
        try {
          const place = await changeable(hosted, path);
          if (place.stats.isFile()) ({ id } = await hosted.folder.openPath(place.path));
          const trashed = place.stats.isDirectory()
            ? await trashFolder(hosted, place)
            : await onDocument(hosted, id, async (found) => ({
                documents: [{ id: found.row.id, path: found.row.path }],
                place: await hosted.documents.trash(found),
              }));
          entries.push({ ...trashed, id, path: place.path });
          outcome.done.push({ id, path });
        } catch (error) {
          if (await isNothingAt(hosted, path)) outcome.gone.push(path);
          else outcome.failed.push(failure(id, path, error, by));
        }
      }
      return { ...outcome, undo: rememberTrashed(hosted, entries) };
    },

    async undoTrash(hosted, undoId, by) {
      const undo = undos.get(undoId);
      undos.delete(undoId);
      if (undo === undefined || undo.untilMs < clock() || undo.tenantId !== hosted.folder.tenantId) {
        throw new AppError('undo-over');
      }
      const outcome: Moved = { done: [], failed: [] };
      // What was in a folder that was moved later needs that folder first, under the name that it has now.
      for (const entry of undo.entries.toReversed()) {
        const { id, path } = entry;
        const folder = outcome.done.findLast(({ from }) => path.startsWith(`${from}/`));
        const wanted = folder === undefined ? path : folder.path + path.slice(folder.from.length);
        try {
          outcome.done.push({ id, path: await putBack(hosted, entry, wanted), from: path });
        } catch (error) {
          outcome.failed.push(failure(id, path, error, by));
        }
      }
      return outcome;
    },
  };
}

/** One that couldn't be changed, in the caller's words. */
export function failure(id: string, path: string, error: unknown, by: CallerName): Outcome['failed'][number] {
  return { id, path, message: messageFor(by, error), code: describeError(error).code };
}

/** The document or folder at a path, if it can be changed. @throws AppError path-invalid, file-missing, link-untouched */
async function changeable({ folder: { jail } }: Hosting, path: string): Promise<Place> {
  const parsed = jail.parse(path);
  await jail.requireRoot();
  if (parsed === '')
    throw new AppError('path-invalid', { detail: () => t('host.this-is-the-hosted-folder') });
  const folder = await jail.resolve(parentOf(parsed));
  if (folder === undefined) throw new AppError('file-missing');
  const real = joinPath(folder.path, nameOf(parsed));
  const place = await findVisible(jail, real, 'stat');
  if (place !== undefined) return place;
  const isLink = (await jail.stat(real)) === undefined && (await jail.resolve(parsed)) !== undefined;
  throw new AppError(isLink ? 'link-untouched' : 'file-missing');
}

/** Whether the folder exists but has nothing of that name, not even a link or a hidden file. */
function isNothingAt({ folder: { jail } }: Hosting, path: string): Promise<boolean> {
  const isNothing = async () => {
    const parsed = jail.parse(path);
    return jail.inFolder(
      parentOf(parsed),
      async (folder) => (await folder.stat(nameOf(parsed))) === undefined,
    );
  };
  return isNothing().catch(() => false);
}
