// Whether a folder can be hosted: it is a folder, and can be listed and written to. Leaves nothing in it.

import { access, constants } from 'node:fs/promises';
import { AppError, errorCode } from '../contract/errors.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import { diskRefusal } from './disk-error.ts';

export function notAFolder(path: string, { exists }: { exists: boolean }): AppError {
  const detail = t(exists ? 'host.path-is-a-file' : 'host.folder-path-doesnt-exist', { path });
  return new AppError('folder-invalid', { detail });
}

/** The system's error code for what users can't do with the folder's documents. */
export interface FolderFaults {
  list: string | undefined;
  save: string | undefined;
}

export async function findFolderFaults(root: string): Promise<FolderFaults> {
  const { R_OK, W_OK, X_OK } = constants;
  return { list: await refusalOf(root, R_OK | X_OK), save: await refusalOf(root, W_OK | X_OK) };
}

function refusalOf(root: string, mode: number): Promise<string | undefined> {
  return access(root, mode).then(() => undefined, errorCode);
}

/** What users can't do and why, in sentences; undefined if everything works. */
export function folderWarning({ list, save }: FolderFaults): string | undefined {
  const sentences = [
    sentenceOf(list, 'host.cant-list-documents-forbidden', 'host.cant-list-documents'),
    sentenceOf(save, 'host.cant-save-documents-forbidden', 'host.cant-save-documents'),
  ].flatMap((sentence) => sentence ?? []);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

export async function findFolderProblem(root: string): Promise<string | undefined> {
  return folderWarning(await findFolderFaults(root));
}

function sentenceOf(code: string | undefined, forbidden: MessageKey, other: MessageKey): string | undefined {
  if (code === undefined) return undefined;
  return code === 'EACCES' || code === 'EPERM' ? t(forbidden) : t(other, { reason: diskRefusal({ code }) });
}
