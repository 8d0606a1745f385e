// What the operating system's errors mean, in sentences without a path.

import { AppError, errorCode } from '../contract/errors.ts';
import { t, type MessageKey } from '../contract/messages.ts';

export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The file system has no hard links, doesn't support them here, or allows no more of this file. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

export function cannotLink(error: unknown): boolean {
  return noLinks.has(errorCode(error));
}

const reasons = {
  ENOSPC: 'host.disk-full',
  EDQUOT: 'host.disk-quota-used-up',
  EFBIG: 'host.disk-file-too-large',
  EROFS: 'host.disk-read-only',
  EACCES: 'host.disk-no-permission',
  EPERM: 'host.disk-no-permission',
  EIO: 'host.disk-returned-an-error',
  ENOENT: 'host.folder-no-longer-exists',
  ENOTDIR: 'host.folder-no-longer-exists',
  EBUSY: 'host.document-in-use',
  ENAMETOOLONG: 'host.disk-name-too-long',
  EMFILE: 'host.too-many-files-open',
  ENFILE: 'host.too-many-files-open',
} as const satisfies Record<string, MessageKey>;

/** Stored with recovered saves. */
export type DiskReason = (typeof reasons)[keyof typeof reasons];

/** The key of what `diskRefusal` says; undefined for an error that isn't known. */
export function diskReason(error: unknown): DiskReason | undefined {
  return (reasons as Record<string, DiskReason>)[errorCode(error)];
}

/** Why the disk returned an error; safe for `X-WOPI-ServerError`. */
export function diskRefusal(error: unknown): string {
  const reason = diskReason(error);
  if (reason !== undefined) return t(reason);
  const code = errorCode(error);
  return code === '' ? t('host.disk-returned-an-error') : t('host.disk-returned-an-error-code', { code });
}

export function diskRefused(error: unknown): AppError {
  const detail = (): string =>
    errorCode(error) === 'EROFS' ? t('host.disk-read-only-folder') : diskRefusal(error);
  return new AppError('disk-refused', { cause: error, detail });
}

/** For a move to a folder where another disk is mounted. */
export function onOtherDisk(error: unknown): AppError {
  return new AppError('disk-refused', { cause: error, detail: () => t('host.folder-is-on-another-disk') });
}

/** For what failed after the change was on disk: the change stays, but can't be confirmed. */
export function unconfirmed(
  error: unknown,
  code: 'save-unconfirmed' | 'change-unconfirmed' = 'change-unconfirmed',
): AppError {
  return new AppError(code, { cause: error, detail: () => diskRefusal(error) });
}
