// What the operating system's errors mean, in sentences without a path.

import { AppError, errorCode } from '../contract/errors.ts';

export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The file system has no hard links, doesn't support them here, or allows no more of this file. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

export function cannotLink(error: unknown): boolean {
  return noLinks.has(errorCode(error));
}

export const permissionRemedy = 'Change its permissions, or choose another folder.';
const noPermission = [
  'DocTray has no permission to write to the folder or the document.',
  permissionRemedy,
].join(' ');

const readOnly = 'The disk is read-only.';
const readOnlyFolder = [readOnly, 'Make it writable, or choose another folder.'].join(' ');

const words: Record<string, string> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  EFBIG: 'The file is larger than this disk or process allows.',
  EROFS: readOnly,
  EACCES: noPermission,
  EPERM: noPermission,
  EIO: 'The disk reported an error.',
  ENOENT: 'The folder no longer exists.',
  ENOTDIR: 'The folder no longer exists.',
  EBUSY: 'Another program is using the document.',
  ENAMETOOLONG: 'The name is too long for this disk.',
  EMFILE: 'Too many files are open.',
  ENFILE: 'Too many files are open.',
};

/** Why the disk returned an error; safe for `X-WOPI-ServerError`. */
export function diskRefusal(error: unknown): string {
  const code = errorCode(error);
  return (
    words[code] ?? (code === '' ? 'The disk returned an error.' : `The disk returned an error (${code}).`)
  );
}

export function diskRefused(error: unknown): AppError {
  const detail = errorCode(error) === 'EROFS' ? readOnlyFolder : diskRefusal(error);
  return new AppError('disk-refused', { cause: error, detail });
}

/** For a move to a folder where another disk is mounted. */
export function onOtherDisk(error: unknown): AppError {
  const detail = 'That folder is on another disk. Move it with the file manager.';
  return new AppError('disk-refused', { cause: error, detail });
}

/** For what failed after the change was on disk: the change stays, but can't be confirmed. */
export function unconfirmed(
  error: unknown,
  code: 'save-unconfirmed' | 'change-unconfirmed' = 'change-unconfirmed',
): AppError {
  return new AppError(code, { cause: error, detail: diskRefusal(error) });
}
