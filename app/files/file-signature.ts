// What a file's stat says about its identity and its content.

import { lstat, lstatSync, realpath, type BigIntStats } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { errorCode } from '../contract/errors.ts';
import type { FileSignature } from '../store/files.ts';
import { isMissing } from './disk-error.ts';

export function signatureOf(stats: BigIntStats): FileSignature {
  return {
    device: String(stats.dev),
    inode: String(stats.ino),
    birthNs: String(stats.birthtimeNs),
    size: Number(stats.size),
    mtimeNs: String(stats.mtimeNs),
    ctimeNs: String(stats.ctimeNs),
  };
}

export function modifiedMsOf({ mtimeNs }: Pick<BigIntStats, 'mtimeNs'>): number {
  return Number(mtimeNs / 1_000_000n);
}

/** No write has changed the file. The device is ignored: a drive may get another number when it is plugged in again. */
export function isSameContent(known: FileSignature, stats: BigIntStats): boolean {
  return isSameContentMoved(known, stats) && known.ctimeNs === String(stats.ctimeNs);
}

/** A rename changes only the ctime. */
export function isSameContentMoved(known: FileSignature, stats: BigIntStats): boolean {
  return (
    known.size === Number(stats.size) &&
    known.mtimeNs === String(stats.mtimeNs) &&
    known.inode === String(stats.ino)
  );
}

/**
 * The same file, wherever it is now. Inode numbers are reused at once, so the birth time must match too; size and mtime replace
 * it on file systems without birth times.
 */
export function isSameFile(known: FileSignature, stats: BigIntStats): boolean {
  if (known.inode !== String(stats.ino) || known.device !== String(stats.dev)) return false;
  if (known.birthNs !== String(stats.birthtimeNs)) return false;
  return (
    known.birthNs !== '0' || (known.size === Number(stats.size) && known.mtimeNs === String(stats.mtimeNs))
  );
}

/** Linux file systems that assign inode numbers on the fly: a file gets another number once the cache is dropped. */
const typesWithPassingInodes = new Set([
  0x4d44, // FAT
  0x2011bab0, // exFAT
  0x65735546, // FUSE
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x786f4256, // VirtualBox shared folders
]);

/** Whether a file keeps its inode number for as long as it exists. Systems other than Linux don't say, but mostly do. */
export async function hasLastingInodes(absolute: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  // The system's number is signed if the field is 32 bits wide.
  return !typesWithPassingInodes.has((await statfs(absolute)).type >>> 0);
}

/** `lstat`, synchronously: for a local disk, where it takes microseconds. */
export function statNow(absolute: string): BigIntStats | undefined {
  return lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
}

/** `lstat` on the thread pool; undefined if there is nothing. */
export function statLater(absolute: string): Promise<BigIntStats | undefined> {
  return new Promise((resolve, reject) => {
    lstat(absolute, { bigint: true }, (error, stats) => {
      if (error === null) resolve(stats);
      else if (isMissing(error)) resolve(undefined);
      else reject(error);
    });
  });
}

/** A path that can't lead anywhere: circular links, or a name that is too long. */
export const unreachable: ReadonlySet<string> = new Set(['ELOOP', 'ENAMETOOLONG', 'EINVAL']);

/** The native real path, or undefined if there is nothing. */
export function realPathOf(absolute: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    realpath.native(absolute, (error, path) => {
      if (error === null) resolve(path);
      else if (isMissing(error) || unreachable.has(errorCode(error))) resolve(undefined);
      else reject(error);
    });
  });
}
