// Copies the bytes of open files. Nothing here opens a source by name, so what is copied is what was checked.

import { constants, read, readSync, writev, writevSync } from 'node:fs';
import { copyFile, open, rm } from 'node:fs/promises';
import { errorCode } from '../contract/errors.ts';
import type { OpenFile } from './jail.ts';

const bytesAtOnce = 1024 * 1024;

/** Copies exactly `bytes` from the start of one open file to the start of the other. @throws if the source is shorter */
export async function copyBytes(fromFd: number, toFd: number, bytes: number): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.max(1, Math.min(bytesAtOnce, bytes)));
  for (let done = 0; done < bytes;) {
    const bytesRead = await readAt(fromFd, piece, Math.min(piece.length, bytes - done), done);
    if (bytesRead === 0) throw new Error('The source is shorter than expected.');
    await writeAt(toFd, [piece.subarray(0, bytesRead)], done);
    done += bytesRead;
  }
}

/** Writes everything at that position; a short write is continued. */
export async function writeAt(fd: number, batch: readonly Uint8Array[], position: number): Promise<void> {
  for (let rest = batch, at = position; rest.length > 0;) {
    const written = await new Promise<number>((resolve, reject) => {
      writev(fd, rest, at, (error, bytesWritten) => {
        if (error === null) resolve(bytesWritten);
        else reject(error);
      });
    });
    at += written;
    rest = after(rest, written);
  }
}

/** The same, synchronously: only for a few bytes on a local disk, where that is faster than the thread pool. */
export function writeNowAt(fd: number, batch: readonly Uint8Array[], position: number): void {
  for (let rest = batch, at = position; rest.length > 0;) {
    const written = writevSync(fd, rest, at);
    at += written;
    rest = after(rest, written);
  }
}

/** What is left of a batch after `written` bytes. */
function after(batch: readonly Uint8Array[], written: number): Uint8Array[] {
  let left = written;
  const rest: Uint8Array[] = [];
  for (const chunk of batch) {
    if (left < chunk.length) rest.push(left === 0 ? chunk : chunk.subarray(left));
    left = Math.max(0, left - chunk.length);
  }
  return rest;
}

/** A new, synced file with the content of an open one. @throws the system's EEXIST; nothing is left behind */
export async function copyToFile({ fd, stats }: OpenFile, target: string, mode = 0o600): Promise<void> {
  const copy = await open(target, 'wx', 0o600);
  try {
    await copyBytes(fd, copy.fd, Number(stats.size));
    if (mode !== 0o600) await copy.chmod(mode);
    await copy.sync();
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await copy.close();
  }
}

/** Like `copyToFile`, but shares the bytes on disk. False if the system or the file system can't. */
export async function reflinkToFile({ fd }: OpenFile, target: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    // The descriptor's own path: never opens another file that has taken the name.
    await copyFile(`/proc/self/fd/${fd}`, target, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    const copy = await open(target, 'r+');
    await copy.sync().finally(() => copy.close());
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error;
    return false;
  }
}

/** Reads up to `length` bytes; 0 at the end. */
export function readAt(fd: number, buffer: Uint8Array, length: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, length, position, (error, bytesRead) => {
      if (error === null) resolve(bytesRead);
      else reject(error);
    });
  });
}

/** A new buffer of up to `length` bytes; fewer at the end. */
export async function readPiece(fd: number, position: number, length: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(length);
  let done = 0;
  for (let bytesRead = 1; done < length && bytesRead > 0; done += bytesRead)
    bytesRead = await readAt(fd, piece.subarray(done), length - done, position + done);
  return piece.subarray(0, done);
}

/** The same, synchronously: only for a few bytes that were just written to a local disk. */
export function readPieceNow(fd: number, position: number, length: number): Buffer {
  const piece = Buffer.allocUnsafe(length);
  return piece.subarray(0, readSync(fd, piece, 0, length, position));
}
