// FILE as a person types it: an absolute path, a path from where they stand, a path inside the hosted folder, or an id from
// one of our tables. What is found lies inside the folder; the folder itself sees to that.

import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { hostedFile, type HostedFile } from '../files/document-index.ts';
import { isFileId } from '../files/file-id.ts';
import type { Services } from '../host/services.ts';

export interface FileArgument {
  file: string;
  /** The terminal's current folder. */
  cwd: string;
}

/** @throws AppError folder-not-chosen, folder-missing, path-invalid, file-missing */
export async function findDocument(
  services: Pick<Services, 'folder'>,
  argument: FileArgument,
): Promise<HostedFile> {
  const folder = services.folder();
  if (folder === undefined) throw new AppError('folder-not-chosen');
  let missing = new AppError('path-invalid', { detail: `${argument.file} is outside it.` });
  for (const path of await possiblePaths(folder.root, argument)) {
    try {
      return await folder.openPath(path);
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'file-missing' && error.code !== 'path-invalid'))
        throw error;
      missing = error;
    }
  }
  const known = isFileId(argument.file) ? await folder.find(argument.file) : undefined;
  if (known !== undefined) return hostedFile(known);
  throw missing;
}

/** Paths inside the folder that may be meant, the likeliest first. */
export async function possiblePaths(root: string, { file, cwd }: FileArgument): Promise<string[]> {
  const typed = resolve(cwd, file);
  // a link outside the folder may lead into it
  const real = await realpath(typed).catch(() => typed);
  const inside = isAbsolute(file) ? undefined : resolve(root, file);
  const paths = [typed, real, inside].flatMap((path) => {
    const within = path === undefined ? '' : relative(root, path);
    const isWithin =
      within !== '' && within !== '..' && !within.startsWith(`..${sep}`) && !isAbsolute(within);
    return isWithin ? [within.split(sep).join('/')] : [];
  });
  return [...new Set(paths)];
}
