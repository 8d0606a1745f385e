// Copies the bytes of open files. Nothing here opens a source by its name, so what is copied is what was checked.

import { constants, read } from 'node:fs';
import { copyFile, open, rm, type FileHandle } from 'node:fs/promises';
import { errorCode } from '../contract/errors.ts';
import type { OpenFile } from './jail.ts';

const bytesAtOnce = 1024 * 1024;

/** Copies exactly that many bytes from the start of one open file to the start of the other. @throws where the source is shorter */
export async function copyBytes(fromFd: number, to: FileHandle, bytes: number): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.max(1, Math.min(bytesAtOnce, bytes)));
  for (let done = 0; done < bytes;) {
    const bytesRead = await readAt(fromFd, piece, Math.min(piece.length, bytes - done), done);
    if (bytesRead === 0) throw new Error('The source is shorter than expected.');
    await writeAt(to, [piece.subarray(0, bytesRead)], done);
    done += bytesRead;
  }
}

/** Writes all of it at that position; a short write is continued. */
export async function writeAt(to: FileHandle, batch: Uint8Array[], position: number): Promise<void> {
  const bytes = batch.reduce((sum, { length }) => sum + length, 0);
  if (bytes === 0) return;
  const { bytesWritten } = await to.writev(batch, position);
  if (bytesWritten === bytes) return;
  const rest = Buffer.concat(batch).subarray(bytesWritten);
  for (let done = 0; done < rest.length;) {
    const step = await to.write(rest, done, rest.length - done, position + bytesWritten + done);
    done += step.bytesWritten;
  }
}

/** A new, synced file with the content of an open one. @throws the system's EEXIST; nothing is left behind */
export async function copyToFile({ fd, stats }: OpenFile, target: string, mode = 0o600): Promise<void> {
  const copy = await open(target, 'wx', 0o600);
  try {
    await copyBytes(fd, copy, Number(stats.size));
    if (mode !== 0o600) await copy.chmod(mode);
    await copy.sync();
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await copy.close();
  }
}

/** Like `copyToFile`, sharing the bytes on the disk. False where the system or the file system cannot. */
export async function reflinkToFile({ fd }: OpenFile, target: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    // The descriptor's own path: whatever has the file's name by now is not opened.
    await copyFile(`/proc/self/fd/${fd}`, target, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    const copy = await open(target, 'r+');
    await copy.sync().finally(() => copy.close());
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error;
    return false;
  }
}

/** Up to that many bytes; 0 at the end. */
export function readAt(fd: number, buffer: Uint8Array, length: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, length, position, (error, bytesRead) => {
      if (error === null) resolve(bytesRead);
      else reject(error);
    });
  });
}
