// Copies one file from anywhere on this computer into a new, synced file. The source may be swapped, grow or vanish during the
// copy: only a plain file is ever opened, and only its content at that moment is copied.

import { constants, type BigIntStats } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { t } from '../contract/messages.ts';
import { AppError, errorCode } from '../contract/errors.ts';
import { diskRefused } from './disk-error.ts';

export interface CopyIn {
  from: string;
  /** A free name; removed again if the copy fails. */
  to: string;
  /** Permission bits of the copy. */
  mode: number;
  signal: AbortSignal;
  onBytes: (bytes: number) => void;
}

const bytesAtOnce = 1024 * 1024;

/**
 * The copy keeps the original's timestamp, as in file managers.
 * @throws AppError file-changed, import-failed if it can't be read, disk-refused if the copy can't be written; the signal's
 * reason
 */
export async function copyIn({ from, to, mode, signal, onBytes }: CopyIn): Promise<void> {
  const source = await openPlainFile(from);
  try {
    const before = await source.stat({ bigint: true });
    if (!before.isFile()) throw unreadable(undefined);
    const target = await open(to, 'wx', 0o600).catch(refuse);
    try {
      await copyContent(source, target, Number(before.size), signal, onBytes);
      if (!isSame(before, await source.stat({ bigint: true }))) throw new AppError('file-changed');
      await finish(target, before, mode).catch(refuse);
    } catch (error) {
      await rm(to, { force: true });
      throw error;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Without O_NONBLOCK, a pipe that replaced the file would hang the call; Windows has neither flag. */
async function openPlainFile(path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    return await open(path, flags);
  } catch (error) {
    throw unreadable(error);
  }
}

async function copyContent(
  source: FileHandle,
  target: FileHandle,
  size: number,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.max(1, Math.min(bytesAtOnce, size)));
  for (let done = 0; done < size;) {
    signal.throwIfAborted();
    const wanted = Math.min(piece.length, size - done);
    const { bytesRead } = await source.read(piece, 0, wanted, done).catch((error: unknown) => {
      throw unreadable(error);
    });
    if (bytesRead === 0) throw new AppError('file-changed');
    await writeAll(target, piece.subarray(0, bytesRead), done).catch(refuse);
    done += bytesRead;
    onBytes(bytesRead);
  }
}

async function writeAll(target: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await target.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function finish(target: FileHandle, { mtimeMs, atimeMs }: BigIntStats, mode: number): Promise<void> {
  await target.chmod(mode);
  await target.utimes(Number(atimeMs) / 1000, Number(mtimeMs) / 1000);
  await target.sync();
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.size === other.size && one.mtimeNs === other.mtimeNs;
}

function unreadable(cause: unknown): AppError {
  const isGone = errorCode(cause) === 'ENOENT';
  return new AppError('import-failed', {
    cause,
    detail: () => t(isGone ? 'host.import-file-gone' : 'host.import-file-unreadable'),
  });
}

function refuse(error: unknown): never {
  throw diskRefused(error);
}
