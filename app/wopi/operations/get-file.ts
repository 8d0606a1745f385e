// GetFile: the content from one open descriptor, so that a save in between cannot tear it; whole or a range.

import { hash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  open as openFd,
  openSync,
  read as readFd,
  readSync,
  type BigIntStats,
} from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import { diskErrorCode, isMissing } from '../../files/disk-error.ts';
import { isSameContent } from '../../files/file-signature.ts';
import type { Folder, SeenFile } from '../../files/folder.ts';
import { itemVersionOf } from '../../files/item-version.ts';
import { byteRange } from '../byte-range.ts';
import type { LockBook } from '../lock-book.ts';
import { badRequest, notFound, type ContentBody, type WopiOperation } from '../wopi-call.ts';
import { readSize } from '../wopi-headers.ts';

export interface GetFileDeps {
  folder: () => Folder;
  locks: LockBook;
  mutex: KeyedMutex;
  /** Told that a document is open for editing, so that its hash can be made when there is time. */
  onOpened: (seen: SeenFile) => void;
  recordHash: (seen: SeenFile, sha256: Buffer) => void;
}

/** Up to here a document is read whole and sent with its header in one write: that much each client may leave unread. */
const wholeBytes = 256 * 1024;
const changedWhileRead = 'Another program changed the document while it was read.';

export function createGetFile(deps: GetFileDeps): WopiOperation {
  return {
    name: 'GetFile',
    async run(call) {
      const maxExpected = readSize(call.header, 'X-WOPI-MaxExpectedSize');
      const opened = await openDocument(deps, call.fileId);
      if (opened === undefined) return notFound;
      const { seen, fd } = opened;
      const size = Number(seen.stats.size);
      const refuse = (answer: { status: number; headers?: Record<string, string> }) => {
        closeSync(fd);
        return answer;
      };
      if (maxExpected === 'invalid') {
        return refuse(badRequest('X-WOPI-MaxExpectedSize is not a number of bytes.'));
      }
      if (maxExpected !== undefined && BigInt(size) > maxExpected) return refuse({ status: 412 });

      // No validator was ever given out, so a conditional range meets another content: all of it is sent.
      const range = call.header('If-Range') === undefined ? byteRange(call.header('Range'), size) : undefined;
      if (range === 'unsatisfiable') {
        return refuse({ status: 416, headers: { 'Content-Range': `bytes */${size}` } });
      }
      const { start, end } = range ?? { start: 0, end: size };
      const content = contentOf(fd, start, end);
      let bytes: Buffer | undefined;
      let stillThere = seen.stats;
      if (end - start <= wholeBytes) {
        try {
          // A short read of a disk of this machine takes less time than handing it to another thread.
          bytes = deps.folder().jail.isRemote ? await readWhole(content) : readNow(fd, start, end);
          stillThere = fstatSync(fd, { bigint: true });
        } finally {
          content.close();
        }
        if (bytes.length !== end - start) throw new AppError('disk-refused', { detail: changedWhileRead });
      }
      if (call.grant.canWrite) {
        const isWhole = bytes?.length === size && isSameContent(seen.row, stillThere);
        if (bytes !== undefined && isWhole && seen.row.sha256 === null) {
          deps.recordHash(seen, hash('sha256', bytes, 'buffer'));
        }
        // Only who was sent all of it has read it.
        if (range === undefined && !call.isHead) deps.locks.recordRead(seen.row, call.grant);
        deps.onOpened(seen);
      }
      return {
        status: range === undefined ? 200 : 206,
        headers: {
          'X-WOPI-ItemVersion': itemVersionOf(seen.row),
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': 'attachment',
          'Accept-Ranges': 'bytes',
          ...(range === undefined ? {} : { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
        },
        ...(bytes === undefined ? { content } : { bytes }),
      };
    },
  };
}

/** The document as it was when the descriptor was opened, and its row at that very content. */
async function openDocument(
  { folder: folderOf, mutex }: GetFileDeps,
  fileId: string,
): Promise<{ seen: SeenFile; fd: number } | undefined> {
  const folder = folderOf();
  // Another program may replace the file between the look and the open; then both are done again.
  for (let tries = 0; tries < 5; tries += 1) {
    const looked =
      tries === 0 ? await folder.see(fileId) : await mutex.run(fileId, () => folder.seeHeld(fileId));
    if (looked === undefined) return undefined;
    const fd = folder.jail.isRemote ? await openRead(looked.absolute) : openNow(looked.absolute);
    if (fd === undefined) continue;
    let stats: BigIntStats;
    try {
      stats = fstatSync(fd, { bigint: true }); // No disk access: the inode of an open file is in memory.
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    if (isSameContent(looked.row, stats)) return { seen: { ...looked, stats }, fd };
    closeSync(fd);
  }
  return undefined;
}

// Without O_NONBLOCK the opening of a pipe that took the document's place would never end.
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function openNow(absolute: string): number | undefined {
  try {
    return openSync(absolute, readFlags);
  } catch (error) {
    if (isMissing(error) || diskErrorCode(error) === 'ELOOP') return undefined;
    throw error;
  }
}

function openRead(absolute: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    openFd(absolute, readFlags, (error, fd) => {
      if (error === null) resolve(fd);
      else if (isMissing(error) || error.code === 'ELOOP') resolve(undefined);
      else reject(error);
    });
  });
}

/** Fewer bytes than announced when another program cut the file meanwhile. */
async function readWhole(content: ContentBody): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(content.end - content.start);
  let filled = 0;
  while (filled < buffer.length) {
    const bytes = await content.read(buffer.subarray(filled), content.start + filled);
    if (bytes === 0) break;
    filled += bytes;
  }
  return buffer.subarray(0, filled);
}

function readNow(fd: number, start: number, end: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(end - start);
  return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, start));
}

function contentOf(fd: number, start: number, end: number): ContentBody {
  let isOpen = true;
  return {
    start,
    end,
    read: (buffer, position) =>
      new Promise((resolve, reject) => {
        const length = Math.min(buffer.length, end - position);
        if (length <= 0) {
          resolve(0);
          return;
        }
        readFd(fd, buffer, 0, length, position, (error, bytesRead) => {
          if (error === null) resolve(bytesRead);
          else reject(error);
        });
      }),
    close() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(fd);
    },
  };
}
