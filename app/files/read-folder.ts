// Reads the visible entries of one folder, in short turns.

import type { Dirent } from 'node:fs';
import { AppError } from '../contract/errors.ts';
import { sortKey } from '../contract/name-order.ts';
import { diskRefused, isMissing } from './disk-error.ts';
import type { YieldTurn } from './event-loop.ts';
import { type Jail, type OpenFolder } from './jail.ts';
import { findVisible, isHiddenName } from './visible.ts';
import { joinPath } from '../contract/names.ts';

/** A document or a folder as it is listed: a link has its own path and its target's type. */
export interface ListedPath {
  path: string;
  isLink: boolean;
}

export interface FolderEntry extends ListedPath {
  name: string;
  /** The sort key. */
  key: string;
  isFolder: boolean;
}

/** The number of names read from disk at once. */
const namesAtOnce = 512;

/**
 * In disk order.
 * @throws AppError folder-unknown if it is gone, disk-refused if it can't be read; what `yieldTurn` throws
 */
export async function readFolder(jail: Jail, path: string, yieldTurn: YieldTurn): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  const add = (name: string, isFolder: boolean, isLink: boolean): void => {
    entries.push({ path: joinPath(path, name), name, key: sortKey(name), isFolder, isLink });
  };
  const links: string[] = [];
  let folder: OpenFolder | undefined;
  try {
    folder = await jail.openFolder(path);
    if (folder === undefined) throw new AppError('folder-unknown');
    for await (const batch of readVisible(jail, folder, yieldTurn)) {
      for (const entry of batch) {
        if (entry.isSymbolicLink()) links.push(entry.name);
        else add(entry.name, entry.isDirectory(), false);
      }
    }
  } catch (error) {
    if (isMissing(error)) throw new AppError('folder-unknown', { cause: error });
    const isOfDisk = error instanceof Error && 'syscall' in error;
    throw isOfDisk ? diskRefused(error) : error;
  } finally {
    folder?.close();
  }
  // A link's type is its target's.
  for (const name of links) {
    await yieldTurn();
    const target = await findVisible(jail, joinPath(path, name));
    if (target !== undefined) add(name, target.stats.isDirectory(), true);
  }
  return entries;
}

/** Documents, folders and links with visible names, in batches; links aren't resolved yet. */
export async function* readVisible(
  { isRemote }: Pick<Jail, 'isRemote'>,
  folder: OpenFolder,
  yieldTurn: YieldTurn,
): AsyncGenerator<Dirent[]> {
  const dir = await folder.openDir(namesAtOnce);
  try {
    for (let isOver = false; !isOver;) {
      const batch: Dirent[] = [];
      for (let count = 0; count < namesAtOnce && !isOver; count += 1) {
        const entry = isRemote ? await dir.read() : dir.readSync();
        if (entry === null) isOver = true;
        else if (isVisible(entry) && (!entry.name.includes('\ufffd') || (await isThere(folder, entry.name))))
          batch.push(entry);
      }
      yield batch;
      await yieldTurn();
    }
  } finally {
    dir.closeSync();
  }
}

function isVisible(entry: Dirent): boolean {
  return !isHiddenName(entry.name) && (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink());
}

/** A name that isn't UTF-8 was decoded with loss, so its path leads nowhere. */
async function isThere(folder: OpenFolder, name: string): Promise<boolean> {
  try {
    return (await folder.stat(name)) !== undefined;
  } catch {
    // The name is too long.
    return false;
  }
}
