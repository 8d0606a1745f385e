// Receives a document's new content into a temporary file, hashing on the way, and forces it to the disk. The body comes
// from the network: it may stop, lie about its length, or never end. The file lies beside its target; where the disk there
// refuses, the bytes go on into the data folder, so that a whole body is never thrown away for want of a place.

import { createHash, type Hash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '../contract/errors.ts';
import { diskRefused } from './disk-error.ts';

export interface Incoming {
  /** Where the bytes are. */
  path: string;
  size: number;
  sha256: Buffer;
  inode: bigint;
  /** Permission bits that the file has now. */
  mode: number;
  /** Why the bytes are not beside the target; such a body can only be rescued. */
  refusal: AppError | undefined;
  /** Closes and removes the temporary file. Does nothing after `release`. */
  discard(): Promise<void>;
  /** Closes the descriptor; the file now belongs to the caller. */
  release(): Promise<void>;
  /** The bytes in a new, synced file, wherever the temporary one has gone. @throws AppError disk-refused */
  copyTo(absolute: string): Promise<void>;
}

export interface IncomingOptions {
  source: AsyncIterable<Uint8Array>;
  /** Folder of the target; undefined when it is known to be gone. */
  directory: string | undefined;
  /** Folder for the bytes when the first one refuses. */
  fallbackDirectory: string;
  name: string;
  /** Permission bits wanted, as far as the umask lets them; 0600 where not given. */
  mode?: number;
  maxBytes: number;
}

/** So much may wait for the disk before the sender is told to wait. */
const waitingBytes = 4 * 1024 * 1024;
/** As many as the system takes in one call. */
const waitingChunks = 1024;
const copyBytesAtOnce = 1024 * 1024;
/** After so many bytes the disk is asked to start writing, so that the final sync has little left to do. */
const flushBytes = 16 * 1024 * 1024;

/** @throws AppError upload-too-large, body-incomplete, disk-refused; nothing is left behind. */
export async function receiveBody(options: IncomingOptions): Promise<Incoming> {
  const sink = createSink(options);
  const hash = createHash('sha256');
  try {
    const size = await pour(options, sink, hash);
    const synced = await sink.sync();
    return { size, sha256: hash.digest(), ...synced, ...sink.file };
  } catch (error) {
    await sink.file.discard();
    throw error;
  }
}

/** Everything from the source into the sink: while one batch is written the next gathers, up to a bound. */
async function pour(options: IncomingOptions, sink: Sink, hash: Hash): Promise<number> {
  const source = options.source instanceof Readable ? options.source : Readable.from(options.source);
  let size = 0;
  let batch: Uint8Array[] = [];
  let gathered = 0;
  let writing: Promise<void> | undefined;
  let isEnded = false;
  let failure: Error | undefined;

  await new Promise<void>((resolve) => {
    const fail = (error: Error): void => {
      failure ??= error;
      settle();
    };
    const settle = (): void => {
      source.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      if (failure !== undefined) source.pause();
      // An error that comes later concerns nobody any more.
      source.on('error', () => undefined);
      resolve();
    };
    const write = (): void => {
      if (writing !== undefined || failure !== undefined) return;
      if (gathered === 0) {
        if (isEnded) settle();
        return;
      }
      const bytes = gathered;
      writing = sink.write(batch, bytes);
      batch = [];
      gathered = 0;
      writing.then(() => {
        writing = undefined;
        source.resume();
        write();
      }, fail);
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size > options.maxBytes) {
        fail(new AppError('upload-too-large'));
        return;
      }
      hash.update(chunk);
      batch.push(chunk);
      gathered += chunk.length;
      write();
      if (gathered >= waitingBytes || batch.length >= waitingChunks) source.pause();
    };
    const onEnd = (): void => {
      isEnded = true;
      write();
    };
    const onError = (error: Error): void => fail(new AppError('body-incomplete', { cause: error }));
    const onClose = (): void => {
      if (!isEnded) fail(new AppError('body-incomplete'));
    };
    source.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    // Given up before anybody listened: none of these events comes any more.
    if (source.destroyed && !source.readableEnded) onClose();
  });
  await writing?.catch(() => undefined);
  if (failure !== undefined) throw failure;
  return size;
}

interface Sink {
  write(batch: Uint8Array[], bytes: number): Promise<void>;
  sync(): Promise<Pick<Incoming, 'path' | 'inode' | 'mode' | 'refusal'>>;
  file: Pick<Incoming, 'discard' | 'release' | 'copyTo'>;
}

function createSink(options: IncomingOptions): Sink {
  let path = join(options.directory ?? options.fallbackDirectory, options.name);
  let handle: FileHandle | undefined;
  let written = 0;
  let flushed = 0;
  let flushing: Promise<void> | undefined;
  let refusal =
    options.directory === undefined
      ? new AppError('disk-refused', { detail: 'The folder is gone.' })
      : undefined;

  const openSink = async (): Promise<FileHandle> => {
    if (handle !== undefined) return handle;
    try {
      handle = await open(path, 'wx+', options.mode ?? 0o600);
    } catch (error) {
      refusal ??= diskRefused(error);
      path = join(options.fallbackDirectory, options.name);
      handle = await open(path, 'wx+', 0o600).catch((cause: unknown) => {
        throw diskRefused(cause);
      });
    }
    return handle;
  };

  /** The bytes written so far, moved to the data folder. */
  const spill = async (cause: unknown): Promise<FileHandle> => {
    if (refusal !== undefined || handle === undefined) throw diskRefused(cause);
    refusal = diskRefused(cause);
    const from = handle;
    const fromPath = path;
    path = join(options.fallbackDirectory, options.name);
    try {
      handle = await open(path, 'wx+', 0o600);
      await copyBytes(from, handle, written);
    } catch (error) {
      throw diskRefused(error);
    } finally {
      await from.close();
      await rm(fromPath, { force: true }).catch(() => undefined);
    }
    return handle;
  };

  const close = async (): Promise<void> => {
    const open = handle;
    handle = undefined;
    await flushing;
    await open?.close();
  };

  return {
    async write(batch, bytes) {
      const file = await openSink();
      try {
        await writeAll(file, batch, bytes, written);
      } catch (error) {
        await writeAll(await spill(error), batch, bytes, written).catch((cause: unknown) => {
          throw diskRefused(cause);
        });
      }
      written += bytes;
      if (written - flushed >= flushBytes && flushing === undefined && handle !== undefined) {
        flushed = written;
        flushing = handle
          .datasync()
          .catch(() => undefined) // The final sync reports what the disk refuses.
          .finally(() => {
            flushing = undefined;
          });
      }
    },

    async sync() {
      const file = await openSink();
      await flushing;
      try {
        await file.sync();
      } catch (error) {
        await (await spill(error)).sync().catch((cause: unknown) => {
          throw diskRefused(cause);
        });
      }
      // The inode of an open file is in memory.
      const { ino, mode } = fstatSync((handle ?? file).fd, { bigint: true });
      return { path, inode: ino, mode: Number(mode & 0o7777n), refusal };
    },

    file: {
      async discard() {
        if (handle === undefined) return;
        await close().catch(() => undefined);
        await rm(path, { force: true }).catch(() => undefined);
      },

      release: close,

      async copyTo(absolute) {
        try {
          if (handle === undefined) throw new Error('The temporary file was closed.');
          const copy = await open(absolute, 'wx', 0o600);
          try {
            await copyBytes(handle, copy, written);
            await copy.sync();
          } catch (error) {
            await rm(absolute, { force: true });
            throw error;
          } finally {
            await copy.close();
          }
        } catch (error) {
          throw diskRefused(error);
        }
      },
    },
  };
}

/** Writes at a position, so that a batch can be written again elsewhere. A short write is carried on, until it is an error. */
async function writeAll(
  file: FileHandle,
  batch: Uint8Array[],
  bytes: number,
  position: number,
): Promise<void> {
  if (bytes === 0) return;
  const { bytesWritten } = await file.writev(batch, position);
  if (bytesWritten === bytes) return;
  const rest = Buffer.concat(batch).subarray(bytesWritten);
  for (let done = 0; done < rest.length;) {
    const step = await file.write(rest, done, rest.length - done, position + bytesWritten + done);
    done += step.bytesWritten;
  }
}

async function copyBytes(from: FileHandle, to: FileHandle, bytes: number): Promise<void> {
  const piece = Buffer.allocUnsafe(copyBytesAtOnce);
  for (let done = 0; done < bytes;) {
    const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, bytes - done), done);
    if (bytesRead === 0) throw new Error('The temporary file is shorter than what was written to it.');
    await writeAll(to, [piece.subarray(0, bytesRead)], bytesRead, done);
    done += bytesRead;
  }
}
