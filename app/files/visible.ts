// The one rule for what is visible in the hosted folder to users and editors, whether listed, searched or opened: documents and
// folders whose names aren't hidden, and links to them that stay inside.

import type { BigIntStats } from 'node:fs';
import { AppError } from '../contract/errors.ts';
import type { Jail, Place } from './jail.ts';

/** Folders that Windows reserves for itself, in the case that its version prefers. */
const systemFolders = new Set(['$RECYCLE.BIN', 'SYSTEM VOLUME INFORMATION']);

/** Hidden files, lock and temporary files of editors and of DocTray, and system folders. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~$') || systemFolders.has(name.toUpperCase());
}

export function isHiddenPath(path: string): boolean {
  return path.split('/').some((part) => part !== '' && isHiddenName(part));
}

/**
 * What a canonical path leads to, if it is visible.
 * @param how `stat` if the path is known to be real, which saves following its links
 */
export async function findVisible(
  jail: Pick<Jail, 'resolve' | 'stat'>,
  path: string,
  how: 'resolve' | 'stat' = 'resolve',
): Promise<Place | undefined> {
  if (isHiddenPath(path)) return undefined;
  const place = await jail[how](path);
  return place !== undefined && isDocumentOrFolder(place.stats) && !isHiddenPath(place.path)
    ? place
    : undefined;
}

/** @throws AppError path-invalid, folder-unknown, folder-missing */
export async function findFolder(jail: Jail, path: string): Promise<Place> {
  const parsed = jail.parse(path);
  await jail.requireRoot();
  const place = await findVisible(jail, parsed);
  if (place?.stats.isDirectory() !== true) throw new AppError('folder-unknown');
  return place;
}

function isDocumentOrFolder(stats: BigIntStats): boolean {
  return stats.isFile() || stats.isDirectory();
}
