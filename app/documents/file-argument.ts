// FILE as a person types it: an absolute path, a path relative to the current folder, a path inside the hosted folder, or an id from
// one of our tables. What is found is inside the hosted folder; its jail makes sure of that.

import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { pathInside } from '../files/disjoint-folders.ts';
import type { DocumentIndex, HostedFile } from '../files/document-index.ts';
import { isFileId } from '../files/file-id.ts';
import type { Place } from '../files/jail.ts';
import { findVisible } from '../files/visible.ts';
import type { Services } from '../host/services.ts';

export interface FileArgument {
  file: string;
  /** The terminal's current folder. */
  cwd: string;
}

/** @throws AppError folder-not-chosen, folder-missing, path-invalid, file-missing */
export async function findDocument(
  services: Pick<Services, 'folders'>,
  { file, cwd }: FileArgument,
): Promise<HostedFile> {
  const { folder } = services.folders.require();
  return folder.openPath(await findPath(services, { path: file, cwd }));
}

/**
 * The path of a document or folder. Without `cwd` it is one already.
 * @throws AppError folder-not-chosen, folder-missing, path-invalid, file-missing
 */
export async function findPath(
  services: Pick<Services, 'folders'>,
  { path: typed, cwd }: { path: string; cwd?: string | undefined },
): Promise<string> {
  if (cwd === undefined) return typed;
  const { folder } = services.folders.require();
  await folder.jail.requireRoot();
  const real = await realpath(resolve(cwd, typed)).catch(() => undefined);
  if (real === folder.root)
    throw new AppError('path-invalid', { detail: () => t('host.this-is-the-hosted-folder') });
  const path = await firstThatIs(folder, { file: typed, cwd }, () => true);
  if (path !== undefined) return path;
  const known = isFileId(typed) ? await folder.find(typed) : undefined;
  if (known === undefined) throw new AppError('file-missing');
  return known.row.path;
}

/**
 * The folder that something is created in or copied to; if none is typed, the terminal's current folder if it is inside the
 * hosted folder, otherwise the hosted folder itself.
 * @throws AppError folder-not-chosen, folder-missing, path-invalid, folder-unknown
 */
export async function targetFolder(
  { folders }: Pick<Services, 'folders'>,
  { folderPath, cwd }: { folderPath: string; cwd?: string | undefined },
): Promise<string> {
  if (cwd === undefined) return folderPath;
  const { folder } = folders.require();
  const { root } = folder;
  await folder.jail.requireRoot();
  const here = await realpath(cwd).catch(() => cwd);
  if (folderPath === '') return pathInside(root, here) ?? '';
  const typed = resolve(here, folderPath);
  if ((await realpath(typed).catch(() => typed)) === root) return '';
  const path = await firstThatIs(folder, { file: folderPath, cwd: here }, ({ stats }) => stats.isDirectory());
  if (path === undefined) throw new AppError('folder-unknown');
  return path;
}

/** The first possible path at which there is something wanted. @throws AppError path-invalid if all are outside the folder */
async function firstThatIs(
  { jail, root }: DocumentIndex,
  argument: FileArgument,
  isWanted: (place: Place) => boolean,
): Promise<string | undefined> {
  const paths = await possiblePaths(root, argument);
  if (paths.length === 0)
    throw new AppError('path-invalid', { detail: () => t('host.path-is-outside', { path: argument.file }) });
  for (const path of paths) {
    const place = await findVisible(jail, jail.parse(path));
    if (place !== undefined && isWanted(place)) return path;
  }
  return undefined;
}

/** Paths inside the folder that may be meant, the likeliest first. */
export async function possiblePaths(root: string, { file, cwd }: FileArgument): Promise<string[]> {
  const typed = resolve(cwd, file);
  // a link outside the folder may lead into it
  const real = await realpath(typed).catch(() => typed);
  const inside = isAbsolute(file) ? [] : [resolve(root, file)];
  const paths = [typed, real, ...inside].flatMap((path) => pathInside(root, path) ?? []);
  return [...new Set(paths)].filter((path) => path !== '');
}
