// Receives a document's new content into a temporary file, hashes it as it arrives, and forces it to disk. The body is untrusted: it
// may stop, be shorter than declared, or never end. The file is created beside its target; if the disk there returns an error,
// the bytes go to the data folder, so that a complete body is never lost.

import {
  close,
  closeSync,
  fchmod,
  fchown,
  fdatasync,
  fstatSync,
  open,
  openSync,
  type BigIntStats,
} from 'node:fs';
import { open as openHandle, rm } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { AppError, errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { createBodyHash, type BodyHash } from './body-hash.ts';
import { hashFd } from './content-hash.ts';
import { copyBytes, readPiece, readPieceNow, writeAt, writeNowAt } from './copy-bytes.ts';
import { diskRefused } from './disk-error.ts';
import { syncFd } from './folder-sync.ts';
import type { OpenFolder } from './jail.ts';
import { pathOf, type NameInFolder } from './move-file.ts';

export interface ReceivedBody {
  /** Where the bytes are, until they are released or discarded. */
  location: NameInFolder;
  size: number;
  sha256: Buffer;
  inode: bigint;
  /** The file's current permission bits. */
  mode: number;
  /** Why the bytes aren't beside the target; such a body can only become a recovered save. */
  refusal: AppError | undefined;
  /** Sets the owner (if this process may) and the permission bits of the open file. */
  setAccess(access: { mode: number; owner?: { uid: number; gid: number } }): Promise<void>;
  /** Of the open file. */
  stat(): BigIntStats;
  /** From the open file; fewer bytes only at its end. */
  read(position: number, length: number): Promise<Buffer>;
  /** Closes and removes the temporary file. Does nothing after `release`. */
  discard(): Promise<void>;
  /** Closes the descriptors; the file now belongs to the caller. */
  release(): Promise<void>;
  /** Copies the bytes into a new, synced file, even if the temporary one was moved. @throws AppError disk-refused */
  copyTo(absolute: string): Promise<void>;
}

export interface ReceiveBodyOptions {
  source: AsyncIterable<Uint8Array>;
  /** Folder of the target, closed with the body; undefined if it is known to be gone. */
  folder: OpenFolder | undefined;
  /** Where the bytes go if that folder can't be written to. */
  fallbackDirectory: string;
  name: string;
  /** Wanted permission bits, subject to the umask; 0600 by default. */
  mode?: number;
  maxBytes: number;
}

/** A small body is written at once, a large one in batches of at least this size. */
const batchBytes = 256 * 1024;
/** The first bytes of a body on a local disk are written and read synchronously: copied in memory, faster than the thread pool. */
const writtenNowBytes = 512 * 1024;
/** How much may wait for the disk before the sender has to pause. */
const waitingBytes = 4 * 1024 * 1024;
/** As many as the system takes in one call. */
const waitingChunks = 1024;
/** After this many bytes the disk is asked to start writing, so that the final sync is short. */
const flushBytes = 16 * 1024 * 1024;

const openLater = promisify(open);
const closeLater = promisify(close);
const chmodLater = promisify(fchmod);
const chownLater = promisify(fchown);
const dataSyncLater = promisify(fdatasync);

/** @throws AppError upload-too-large, body-incomplete, disk-refused; nothing is left behind. */
export async function receiveBody(options: ReceiveBodyOptions): Promise<ReceivedBody> {
  const sink = createSink(options);
  // Node gives every chunk of a request memory of its own.
  const hash = createBodyHash(options.source instanceof IncomingMessage);
  try {
    const size = await receiveInto(options, sink, hash);
    const digest = hash.digest();
    const synced = await sink.sync();
    const sha256 = (await digest) ?? (await sink.hash());
    return { size, sha256, ...synced, ...sink.file };
  } catch (error) {
    hash.discard();
    await sink.file.discard();
    throw error;
  }
}

/** Copies the source into the sink: while one batch is written the next fills, up to a limit. */
async function receiveInto(options: ReceiveBodyOptions, sink: Sink, hash: BodyHash): Promise<number> {
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
      // Later errors don't matter.
      source.on('error', () => undefined);
      resolve();
    };
    const write = (): void => {
      if (writing !== undefined || failure !== undefined) return;
      if (gathered === 0) {
        if (isEnded) settle();
        return;
      }
      if (gathered < batchBytes && batch.length < waitingChunks && !isEnded) return;
      const written = batch;
      writing = sink.write(batch, gathered).then(() => hash.update(written));
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
    // Destroyed before the listeners were added: none of these events will come.
    if (source.destroyed && !source.readableEnded) onClose();
  });
  await writing?.catch(() => undefined);
  if (failure !== undefined) throw failure;
  return size;
}

interface Sink {
  write(batch: Uint8Array[], bytes: number): Promise<void>;
  sync(): Promise<Pick<ReceivedBody, 'location' | 'inode' | 'mode' | 'refusal'>>;
  /** Of what was written. */
  hash(): Promise<Buffer>;
  file: Pick<ReceivedBody, 'setAccess' | 'stat' | 'read' | 'discard' | 'release' | 'copyTo'>;
}

function createSink(options: ReceiveBodyOptions): Sink {
  const fallback: NameInFolder = {
    folder: { at: (name) => join(options.fallbackDirectory, name), isRemote: false },
    name: options.name,
  };
  let location: NameInFolder =
    options.folder === undefined ? fallback : { folder: options.folder, name: options.name };
  let fd: number | undefined;
  let written = 0;
  let flushed = 0;
  let flushing: Promise<void> | undefined;
  let refusal =
    options.folder === undefined
      ? new AppError('disk-refused', { detail: () => t('host.folder-no-longer-exists') })
      : undefined;

  const openNew = async (mode: number): Promise<number> =>
    location.folder.isRemote
      ? openLater(pathOf(location), 'wx+', mode)
      : openSync(pathOf(location), 'wx+', mode);

  const closeAt = async (from: number, { folder }: NameInFolder): Promise<void> => {
    if (folder.isRemote) await closeLater(from);
    else closeSync(from);
  };

  const openSink = async (): Promise<number> => {
    if (fd !== undefined) return fd;
    try {
      fd = await openNew(options.mode ?? 0o600);
    } catch (error) {
      refusal ??= error instanceof AppError ? error : diskRefused(error);
      location = fallback;
      fd = await openNew(0o600).catch((cause: unknown) => {
        throw diskRefused(cause);
      });
    }
    return fd;
  };

  const isInMemory = (bytes: number): boolean => !location.folder.isRemote && bytes <= writtenNowBytes;

  const writeTo = async (to: number, batch: Uint8Array[], bytes: number): Promise<void> => {
    if (isInMemory(written + bytes)) writeNowAt(to, batch, written);
    else await writeAt(to, batch, written);
  };

  /** The bytes written so far, moved to the data folder. */
  const spill = async (cause: unknown): Promise<number> => {
    if (refusal !== undefined || fd === undefined) throw diskRefused(cause);
    refusal = diskRefused(cause);
    const from = fd;
    const former = location;
    location = fallback;
    // If the code below fails, the descriptor must not be closed twice.
    fd = undefined;
    try {
      fd = await openNew(0o600);
      await copyBytes(from, fd, written);
    } catch (error) {
      throw diskRefused(error);
    } finally {
      await flushing;
      await closeAt(from, former);
      await removeNamed(former);
    }
    return fd;
  };

  const requireOpen = (): number => {
    if (fd === undefined) throw new Error('The temporary file was closed.');
    return fd;
  };
  const closeSink = async (): Promise<void> => {
    const open = fd;
    fd = undefined;
    await flushing;
    if (open !== undefined) await closeAt(open, location);
  };
  const closeAll = async (): Promise<void> => {
    await closeSink().finally(() => options.folder?.close());
  };

  return {
    async write(batch, bytes) {
      const to = await openSink();
      try {
        await writeTo(to, batch, bytes);
      } catch (error) {
        await writeTo(await spill(error), batch, bytes).catch((cause: unknown) => {
          throw diskRefused(cause);
        });
      }
      written += bytes;
      if (written - flushed >= flushBytes && flushing === undefined && fd !== undefined) {
        flushed = written;
        flushing = dataSyncLater(fd)
          .catch(() => undefined) // The final sync reports disk errors.
          .finally(() => {
            flushing = undefined;
          });
      }
    },

    async sync() {
      const to = await openSink();
      await flushing;
      try {
        await syncFd(to);
      } catch (error) {
        await syncFd(await spill(error)).catch((cause: unknown) => {
          throw diskRefused(cause);
        });
      }
      // The inode of an open file is in memory.
      const { ino, mode } = fstatSync(requireOpen(), { bigint: true });
      return { location, inode: ino, mode: Number(mode & 0o777n), refusal };
    },

    hash: () => hashFd(requireOpen()),

    file: {
      async setAccess({ mode, owner }) {
        if (process.platform === 'win32') return;
        const open = requireOpen();
        if (owner !== undefined) {
          await chownLater(open, owner.uid, owner.gid).catch((error: unknown) => {
            if (errorCode(error) !== 'EPERM') throw error;
          });
        }
        await chmodLater(open, mode);
      },

      stat: () => fstatSync(requireOpen(), { bigint: true }),

      read: async (position, length) =>
        (isInMemory(written) ? readPieceNow : readPiece)(requireOpen(), position, length),

      async discard() {
        if (fd !== undefined) {
          await closeSink().catch(() => undefined);
          await removeNamed(location);
        }
        options.folder?.close();
      },

      release: closeAll,

      async copyTo(absolute) {
        try {
          const from = requireOpen();
          const copy = await openHandle(absolute, 'wx', 0o600);
          try {
            await copyBytes(from, copy.fd, written);
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

async function removeNamed(location: NameInFolder): Promise<void> {
  try {
    await rm(pathOf(location), { force: true });
  } catch {
    // Its folder is gone, or can't be written to any more: the next start removes it.
  }
}
