// Creates folders, renames documents and folders, and moves them to the trash, by the rules that editors follow: a locked document is
// left alone. A
// folder counts as locked if a document in it is. Links are left to the file manager.

import { mkdir, rename } from 'node:fs/promises';
import type { Outcome } from '../contract/results.ts';
import { AppError, errorCode, messageFor, type CallerName } from '../contract/errors.ts';
import { createDesktopLockFinder, type FindDesktopLock } from '../files/desktop-lock-finder.ts';
import { desktopLockReason } from '../files/desktop-lock.ts';
import { diskRefused, unconfirmed } from '../files/disk-error.ts';
import type { FoundFile } from '../files/document-index.ts';
import { joinPath, nameOf, parentOf, type Place } from '../files/jail.ts';
import { systemTrash, trashPlace, type MoveToTrash } from '../files/trash.ts';
import { findFolder, findVisible } from '../files/visible.ts';
import type { HostedFolder } from '../host/hosted-folder.ts';
import type { SharedServices } from '../host/shared.ts';
import type { FileRow } from '../store/files.ts';
import { extensionOf } from '../wopi/names.ts';
import { chosenName, nameTaken } from './new-document.ts';

type Hosting = Pick<HostedFolder, 'folder' | 'documents'>;

export interface DocumentChanges {
  /**
   * @param input.folderPath the folder it is in
   * @returns its path
   * @throws AppError path-invalid, folder-unknown, name-invalid, name-taken, disk-refused
   */
  createFolder(hosting: Hosting, input: { folderPath: string; name: string }): Promise<string>;
  /**
   * @returns the new path
   * @throws AppError file-missing, file-locked, name-invalid, name-taken, link-untouched, disk-refused
   */
  rename(hosting: Hosting, path: string, typed: string): Promise<string>;
  /** One after the other; one that can't be moved doesn't stop the others. `by` words the messages. */
  trash(hosting: Hosting, paths: readonly string[], by: CallerName): Promise<Outcome>;
}

export interface DocumentChangesDeps extends Pick<
  SharedServices,
  'settings' | 'locks' | 'mutex' | 'filesTable' | 'transaction' | 'clock' | 'emit'
> {
  /** For folders; documents are moved by `Documents.trash`. */
  moveToTrash?: MoveToTrash;
  /** Called only if the setting `desktopLocks` is `block`. */
  findDesktopLock?: FindDesktopLock;
}

const dayMs = 24 * 60 * 60 * 1000;

export function createDocumentChanges(deps: DocumentChangesDeps): DocumentChanges {
  const { settings, locks, mutex, filesTable: files, transaction, clock, emit } = deps;
  const moveToTrash = deps.moveToTrash ?? systemTrash;
  const findDesktopLock = deps.findDesktopLock ?? createDesktopLockFinder();

  /** The document's mutex is held. @throws AppError file-locked */
  const assertUnlocked = async ({ folder }: Hosting, { row }: FoundFile): Promise<void> => {
    if (locks.isHeld(row.id)) throw new AppError('file-locked');
    if (settings.current().desktopLocks !== 'block') return;
    const held = await findDesktopLock(folder.jail, row.path);
    if (held !== undefined) throw new AppError('file-locked', { detail: desktopLockReason(held) });
  };

  const onDocument = async <T>(hosting: Hosting, id: string, work: (found: FoundFile) => Promise<T>) =>
    mutex.run(id, async () => {
      const found = await hosting.folder.findHeld(id);
      if (found === undefined) throw new AppError('file-missing');
      await assertUnlocked(hosting, found);
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
    const holdAll = ids.toSorted().reduceRight<() => Promise<T>>(
      (inner, id) => () => mutex.run(id, inner),
      async () => {
        const rows = inUse();
        const held = rows.find(({ id }) => locks.isHeld(id));
        if (held !== undefined) {
          throw new AppError('file-locked', { detail: `It is “${nameOf(held.path)}” in this folder.` });
        }
        return work(rows);
      },
    );
    return holdAll();
  };

  const renameFolder = (hosting: Hosting, place: Place, typed: string): Promise<string> =>
    onFolder(hosting, place, async (inUse) => {
      const { documents, folder } = hosting;
      const { jail, tenantId } = folder;
      const parent = parentOf(place.path);
      const { name, candidates } = chosenName(typed, '');
      return mutex.run(`folder ${parent}`, async () => {
        const taken = await documents.takenKeys(parent, nameOf(place.path));
        const free = [...take(candidates, (candidate) => !taken.has(documents.keyOf(candidate)))][0];
        if (free === undefined) throw nameTaken(taken.get(documents.keyOf(name)) ?? name);
        const path = joinPath(parent, free);
        if (path === place.path) return path;
        await jail.inFolder(parent, async (opened) => {
          await rename(opened.at(nameOf(place.path)), opened.at(free)).catch((error: unknown) => {
            throw diskRefused(error);
          });
        });
        try {
          transaction(() => {
            // The name was free, so documents recorded at these paths no longer exist.
            for (const former of files.below(tenantId, { folder: path })) files.vacate(tenantId, former.path);
            files.moveFolder(tenantId, { folder: place.path, to: path });
          });
          await jail.inFolder(parent, (opened) => opened.sync());
        } catch (error) {
          throw unconfirmed(error);
        }
        for (const { id, path: from } of inUse) {
          const to = path + from.slice(place.path.length);
          emit({ event: 'file-renamed', fileId: id, path: to, from });
        }
        return path;
      });
    });

  const trashFolder = (hosting: Hosting, place: Place): Promise<void> =>
    onFolder(hosting, place, async (inUse) => {
      await trashPlace(hosting.folder.jail, place.path, moveToTrash);
      files.setFolderDeleted(hosting.folder.tenantId, { folder: place.path, nowMs: clock() });
      for (const { id, path } of inUse) emit({ event: 'file-trashed', fileId: id, path });
    });

  const trashOne = async (hosting: Hosting, place: Place, fileId: string): Promise<void> => {
    if (place.stats.isDirectory()) await trashFolder(hosting, place);
    else await onDocument(hosting, fileId, (found) => hosting.documents.trash(found));
  };

  return {
    async createFolder(hosting, { folderPath, name: typed }) {
      const { documents, folder } = hosting;
      const { path: parent } = await findFolder(folder.jail, folderPath);
      const { name, candidates } = chosenName(typed, '');
      return mutex.run(`folder ${parent}`, async () => {
        const taken = await documents.takenKeys(parent);
        const [free] = take(candidates, (candidate) => !taken.has(documents.keyOf(candidate)));
        if (free === undefined) throw nameTaken(taken.get(documents.keyOf(name)) ?? name);
        await folder.jail.inFolder(parent, async (opened) => {
          await mkdir(opened.at(free)).catch((error: unknown) => {
            throw errorCode(error) === 'EEXIST' ? nameTaken(free) : diskRefused(error);
          });
          await opened.sync();
        });
        return joinPath(parent, free);
      });
    },

    async rename(hosting, path, typed) {
      const place = await changeable(hosting, path);
      if (place.stats.isDirectory()) return renameFolder(hosting, place, typed);
      const { candidates, name } = chosenName(typed, extensionOf(nameOf(place.path)));
      const { id } = await hosting.folder.openPath(place.path);
      const renamed = await onDocument(hosting, id, (found) => hosting.documents.rename(found, candidates));
      if (renamed === undefined) throw nameTaken(name);
      return renamed.row.path;
    },

    async trash(hosting, paths, by) {
      const outcome: Outcome = { done: [], failed: [] };
      for (const path of paths) {
        // It was moved with a folder earlier in the list.
        if (outcome.done.some((done) => path.startsWith(`${done.path}/`))) {
          outcome.done.push({ id: path, path });
          continue;
        }
        let id = path;
        try {
          const place = await changeable(hosting, path);
          if (place.stats.isFile()) ({ id } = await hosting.folder.openPath(place.path));
          await trashOne(hosting, place, id);
          outcome.done.push({ id, path });
        } catch (error) {
          outcome.failed.push({ id, path, message: messageFor(by, error) });
        }
      }
      return outcome;
    },
  };
}

/** The document or folder at a path, if it can be changed. @throws AppError path-invalid, file-missing, link-untouched */
async function changeable({ folder: { jail } }: Hosting, path: string): Promise<Place> {
  const parsed = jail.parse(path);
  await jail.requireRoot();
  if (parsed === '') throw new AppError('path-invalid', { detail: 'This is the hosted folder itself.' });
  const folder = await jail.resolve(parentOf(parsed));
  if (folder === undefined) throw new AppError('file-missing');
  const real = joinPath(folder.path, nameOf(parsed));
  const place = await findVisible(jail, real, 'stat');
  if (place !== undefined) return place;
  const isLink = (await jail.stat(real)) === undefined && (await jail.resolve(parsed)) !== undefined;
  throw new AppError(isLink ? 'link-untouched' : 'file-missing');
}

function* take<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Generator<T> {
  for (const item of items) {
    if (!isWanted(item)) continue;
    yield item;
    return;
  }
}
