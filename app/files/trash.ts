// Moves an entry of the hosted folder to the operating system's trash, and back. It goes there at once, so at every moment it is in
// the folder or where users look for it, also after a crash. It is put back only from a place where its identity was verified.

import { lstat, opendir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, parse } from 'node:path';
import type { BigIntStats } from 'node:fs';
import { AppError, errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { statLater } from './file-signature.ts';
import { type Jail } from './jail.ts';
import { moveWithoutOverwrite } from './move-file.ts';
import { joinPath, parentOf, nameOf } from '../contract/names.ts';

/** Where an entry is in the trash. */
export interface TrashedPlace {
  absolute: string;
  /** The trash's own record of it, removed when the entry is put back. */
  record?: string;
}

/**
 * @param reach its path for system calls, while its folder is open. @param absolute its path for users.
 * @returns places where it may be now
 */
export type MoveToTrash = (reach: string, absolute: string) => Promise<readonly TrashedPlace[] | void>;

/** @returns where it is in the trash; undefined if that isn't known @throws AppError disk-refused, folder-missing */
export async function trashPlace(
  jail: Jail,
  path: string,
  moveToTrash: MoveToTrash,
): Promise<TrashedPlace | undefined> {
  return jail.inFolder(parentOf(path), async (folder) => {
    const name = nameOf(path);
    const before = await folder.stat(name);
    const places = await moveToTrash(folder.at(name), jail.absolute(path)).catch((cause: unknown) => {
      const isFull = ['ENOSPC', 'EDQUOT'].includes(errorCode(cause));
      const key = isFull ? 'host.not-moved-to-trash-disk-full' : 'host.not-moved-to-trash';
      throw new AppError('disk-refused', { cause, detail: () => t(key, { name }) });
    });
    if ((await folder.stat(name)) !== undefined)
      throw new AppError('disk-refused', { detail: () => t('host.not-moved-to-trash', { name }) });
    for (const place of places ?? []) {
      const now = await statLater(place.absolute).catch(() => undefined);
      if (before !== undefined && now !== undefined && isSameEntry(before, now)) return place;
    }
    return undefined;
  });
}

/**
 * Moves an entry back to that path, which must be free.
 * @returns its stats there @throws AppError folder-missing, target-taken, trash-unknown
 */
export async function restoreFromTrash(
  jail: Jail,
  path: string,
  trashed: TrashedPlace,
): Promise<BigIntStats> {
  return jail.inFolder(parentOf(path), async (folder) => {
    const name = nameOf(path);
    const from = { folder: { at: () => trashed.absolute, isRemote: false }, name };
    try {
      const stats = await lstat(trashed.absolute, { bigint: true });
      if ((await folder.stat(name)) !== undefined)
        throw new AppError('target-taken', { detail: () => t('host.quoted-name', { name }) });
      if (stats.isDirectory()) await rename(trashed.absolute, folder.at(name));
      else await moveWithoutOverwrite(from, { folder, name });
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (errorCode(error) === 'EEXIST')
        throw new AppError('target-taken', { detail: () => t('host.quoted-name', { name }) });
      throw new AppError('trash-unknown', { cause: error });
    }
    // Without its entry, the record only leaves a dead line in the trash.
    if (trashed.record !== undefined) await rm(trashed.record, { force: true }).catch(() => undefined);
    await folder.sync();
    const stats = await folder.stat(name);
    if (stats === undefined) throw new AppError('file-missing', { detail: joinPath('', name) });
    return stats;
  });
}

export const systemTrash: MoveToTrash = async (reach, absolute) => {
  const { default: trash } = await import('trash');
  // There, Windows programs do the work, and they have no /proc.
  const isWsl = process.env['WSL_DISTRO_NAME'] !== undefined;
  const trashed: unknown = await trash(isWsl ? absolute : reach, { glob: false });
  if (process.platform !== 'linux') return otherPlaces(absolute);
  if (isWsl) return undefined;
  const entries = Array.isArray(trashed) ? (trashed as { path: string; info: string }[]) : [];
  for (const { info } of reach === absolute ? [] : entries) {
    // The trash records the original path, and got the descriptor's path.
    const text = await readFile(info, 'utf8');
    await writeFile(
      info,
      text.replace(/^Path=.*$/mu, () => `Path=${encodeURI(absolute)}`),
    );
  }
  return entries.map(({ path, info }) => ({ absolute: path, record: info }));
};

/** Where macOS and Windows may have put it: they don't say. */
async function otherPlaces(absolute: string): Promise<TrashedPlace[]> {
  if (process.platform === 'darwin') {
    const [, volume] = /^(\/Volumes\/[^/]+)\//u.exec(absolute) ?? [];
    const bins = [join(homedir(), '.Trash')];
    if (volume !== undefined) bins.push(join(volume, '.Trashes', String(process.getuid?.())));
    return bins.map((bin) => ({ absolute: join(bin, basename(absolute)) }));
  }
  if (process.platform !== 'win32') return [];
  const bin = join(parse(absolute).root, '$Recycle.Bin');
  const places: TrashedPlace[] = [];
  // One folder for each user; those of others can't be read. `$R…` is the entry, `$I…` the record.
  for (const user of await namesIn(bin)) {
    for (const name of await namesIn(join(bin, user))) {
      if (!name.startsWith('$R')) continue;
      places.push({ absolute: join(bin, user, name), record: join(bin, user, `$I${name.slice(2)}`) });
    }
  }
  return places;
}

const maxNames = 5000;

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      names.push(name);
      if (names.length >= maxNames) break;
    }
  } catch {
    // What can't be read isn't offered.
  }
  return names;
}

function isSameEntry(before: BigIntStats, now: BigIntStats): boolean {
  return before.ino === now.ino && before.dev === now.dev && before.birthtimeNs === now.birthtimeNs;
}
