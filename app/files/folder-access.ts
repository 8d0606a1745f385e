// Whether a folder can be hosted: it is a folder, and can be listed and written to. Leaves nothing in it.

import { access, constants } from 'node:fs/promises';
import { AppError, errorCode } from '../contract/errors.ts';
import { diskRefusal, permissionRemedy } from './disk-error.ts';

export function notAFolder(path: string, { exists }: { exists: boolean }): AppError {
  const detail = exists ? `${path} is a file, not a folder.` : `The folder ${path} doesn’t exist.`;
  return new AppError('folder-invalid', { detail });
}

/** What users can't do with the folder's documents and why, in sentences; undefined if everything works. */
export async function findFolderProblem(root: string): Promise<string | undefined> {
  const { R_OK, W_OK, X_OK } = constants;
  const problems = [
    await problemOf(
      root,
      R_OK | X_OK,
      'DocTray can’t list the documents in this folder.',
      'You don’t have permission to read this folder.',
    ),
    await problemOf(
      root,
      W_OK | X_OK,
      'Documents can be opened but not saved.',
      'You don’t have permission to write to this folder.',
    ),
  ].flatMap((problem) => problem ?? []);
  return problems.length === 0 ? undefined : problems.join(' ');
}

async function problemOf(
  root: string,
  mode: number,
  consequence: string,
  forbidden: string,
): Promise<string | undefined> {
  try {
    await access(root, mode);
    return undefined;
  } catch (error) {
    const isForbidden = ['EACCES', 'EPERM'].includes(errorCode(error));
    return `${consequence} ${isForbidden ? `${forbidden} ${permissionRemedy}` : diskRefusal(error)}`;
  }
}
