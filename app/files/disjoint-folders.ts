// Keeps secrets and documents apart: neither the hosted folder nor the data folder may contain the other, also not through links.

import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';

/**
 * Neither folder needs to exist: checked before the data folder is created, so that a refusal leaves nothing among the documents.
 * @throws AppError folder-invalid
 */
export async function assertDisjoint(folder: string, dataDir: string): Promise<void> {
  const [hosted, data] = await Promise.all([realPathEvenIfMissing(folder), realPathEvenIfMissing(dataDir)]);
  if (!isWithin(hosted, data) && !isWithin(data, hosted)) return;
  const detail =
    hosted === data
      ? t('host.folder-is-the-data-folder')
      : isWithin(hosted, data)
        ? t('host.folder-contains-the-data-folder', { folder: data })
        : t('host.folder-is-in-the-data-folder');
  throw new AppError('folder-invalid', { detail });
}

/** Also works for a path that doesn't exist yet: resolved from the nearest existing parent folder. */
export async function realPathEvenIfMissing(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(await realPathEvenIfMissing(parent), basename(absolute));
  }
}

/** Also true for the same path. */
export function isWithin(outer: string, inner: string): boolean {
  return pathInside(outer, inner) !== undefined;
}

/** The path relative to the folder, '/'-separated; '' for the folder itself, undefined outside of it. */
export function pathInside(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? undefined : inside.split(sep).join('/');
}
