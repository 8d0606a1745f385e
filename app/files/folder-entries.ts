// What one folder shows, read in short turns however long it is. Hidden names, what is neither document nor folder, and links
// that lead out of the hosted folder are not there at all.

import type { Dirent } from 'node:fs';
import { AppError } from '../contract/errors.ts';
import { diskRefused, isMissing } from './disk-error.ts';
import { isHiddenName, isHiddenPath, joinPath, type Jail, type Place } from './jail.ts';
import type { Breathe } from './time-slice.ts';

export interface FolderEntry {
  name: string;
  /** What names are ordered by: themselves, without case. */
  key: string;
  isFolder: boolean;
  /** Its own name leads to something else inside the hosted folder. */
  isLink: boolean;
}

/** So many names come from the disk at once. */
const namesAtOnce = 512;
/** Folders that Windows keeps for itself, in the case that its version prefers. */
const systemFolders = new Set(['$RECYCLE.BIN', 'SYSTEM VOLUME INFORMATION']);

/**
 * In the order of the disk.
 * @throws AppError folder-unknown when it is gone, disk-refused when it may not be read; what `breathe` throws
 */
export async function readFolderEntries(jail: Jail, place: Place, breathe: Breathe): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  const links: string[] = [];
  try {
    for await (const batch of readBatches(jail, place.path, breathe)) {
      for (const entry of batch) {
        const { name } = entry;
        if (isHiddenName(name) || isSystemFolder(name)) continue;
        if (name.includes('\ufffd') && !(await isNameable(jail, joinPath(place.path, name)))) continue;
        const key = name.toLowerCase();
        if (entry.isFile()) entries.push({ name, key, isFolder: false, isLink: false });
        else if (entry.isDirectory()) entries.push({ name, key, isFolder: true, isLink: false });
        else if (entry.isSymbolicLink()) links.push(name);
      }
    }
  } catch (error) {
    if (isMissing(error)) throw new AppError('folder-unknown', { cause: error });
    const isOfDisk = error instanceof Error && 'syscall' in error;
    throw isOfDisk ? diskRefused(error) : error;
  }
  for (const name of links) {
    await breathe();
    const target = await resolveShown(jail, joinPath(place.path, name));
    if (target === undefined) continue;
    entries.push({ name, key: name.toLowerCase(), isFolder: target.stats.isDirectory(), isLink: true });
  }
  return entries;
}

export function isSystemFolder(name: string): boolean {
  return systemFolders.has(name.toUpperCase());
}

/** What a path of the hosted folder leads to, when it is something that is shown. */
export async function resolveShown(jail: Jail, path: string): Promise<Place | undefined> {
  const target = await jail.resolve(path);
  if (target === undefined || isHiddenPath(target.path)) return undefined;
  return target.stats.isFile() || target.stats.isDirectory() ? target : undefined;
}

async function* readBatches(jail: Jail, path: string, breathe: Breathe): AsyncGenerator<Dirent[]> {
  const folder = await jail.openFolder(path);
  if (folder === undefined) throw new AppError('folder-unknown');
  const dir = await folder.openDir(namesAtOnce).catch((error: unknown) => {
    folder.close();
    throw error;
  });
  try {
    for (let isOver = false; !isOver;) {
      const batch: Dirent[] = [];
      while (batch.length < namesAtOnce && !isOver) {
        const entry = jail.isRemote ? await dir.read() : dir.readSync();
        if (entry === null) isOver = true;
        else batch.push(entry);
      }
      yield batch;
      await breathe();
    }
  } finally {
    dir.closeSync();
    folder.close();
  }
}

/** False for a name that is no UTF-8: what was read of it leads nowhere. */
async function isNameable(jail: Jail, path: string): Promise<boolean> {
  return (await jail.stat(path)) !== undefined;
}
