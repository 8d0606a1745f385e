// What the operating system's refusals mean, and the words for them that hold no path.

import { AppError, errorCode } from '../contract/errors.ts';

export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The file system has no hard links, not here, or not any more of this file. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

export function cannotLink(error: unknown): boolean {
  return noLinks.has(errorCode(error));
}

const words: Record<string, string> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  EFBIG: 'The file is larger than this disk or process may hold.',
  EROFS: 'The disk is read-only.',
  EACCES: 'The folder or the document may not be written to.',
  EPERM: 'The folder or the document may not be written to.',
  EIO: 'The disk reported an error.',
  ENOENT: 'The folder is gone.',
  ENOTDIR: 'The folder is gone.',
  EBUSY: 'Another program holds the document.',
  ENAMETOOLONG: 'The name is too long for this disk.',
  EMFILE: 'Too many files are open.',
  ENFILE: 'Too many files are open.',
};

/** A short sentence on why the disk refused; safe for `X-WOPI-ServerError`. */
export function diskRefusal(error: unknown): string {
  const code = errorCode(error);
  return words[code] ?? (code === '' ? 'The disk refused.' : `The disk refused (${code}).`);
}

export function diskRefused(error: unknown): AppError {
  return new AppError('disk-refused', { cause: error, detail: diskRefusal(error) });
}

/** What failed after the change was on the disk: nothing is lost, and nothing may be claimed. */
export function unconfirmed(
  error: unknown,
  code: 'save-unconfirmed' | 'change-unconfirmed' = 'change-unconfirmed',
): AppError {
  return new AppError(code, { cause: error, detail: diskRefusal(error) });
}
