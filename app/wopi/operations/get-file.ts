// GetFile: the content from one open descriptor, so that a save in between cannot tear it; whole or a range.

import { close as closeFd, constants, fstatSync, open as openFd, read as readFd, type BigIntStats } from 'node:fs';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import { isMissing } from '../../files/disk-error.ts';
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
}

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
        closeFd(fd);
        return answer;
      };
      if (maxExpected === 'invalid') {
        return refuse(badRequest('X-WOPI-MaxExpectedSize is not a number of bytes.'));
      }
      if (maxExpected !== undefined && BigInt(size) > maxExpected) return refuse({ status: 412 });

      const range = byteRange(call.header('Range'), size);
      if (range === 'unsatisfiable') {
        return refuse({ status: 416, headers: { 'Content-Range': `bytes */${size}` } });
      }
      if (call.grant.canWrite) {
        deps.locks.recordRead(seen.row, call.grant);
        deps.onOpened(seen);
      }
      const { start, end } = range ?? { start: 0, end: size };
      return {
        status: range === undefined ? 200 : 206,
        headers: {
          'X-WOPI-ItemVersion': itemVersionOf(seen.row),
          'Content-Type': 'application/octet-stream',
          'Accept-Ranges': 'bytes',
          ...(range === undefined ? {} : { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
        },
        content: contentOf(fd, start, end),
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
    const looked = tries === 0 ? await folder.see(fileId) : await mutex.run(fileId, () => folder.seeHeld(fileId));
    if (looked === undefined) return undefined;
    const fd = await openRead(looked.absolute);
    if (fd === undefined) continue;
    let stats: BigIntStats;
    try {
      stats = fstatSync(fd, { bigint: true }); // No disk access: the inode of an open file is in memory.
    } catch (error) {
      closeFd(fd);
      throw error;
    }
    if (isSameContent(looked.row, stats)) return { seen: { ...looked, stats }, fd };
    closeFd(fd);
  }
  return undefined;
}

function openRead(absolute: string): Promise<number | undefined> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
  return new Promise((resolve, reject) => {
    openFd(absolute, flags, (error, fd) => {
      if (error === null) resolve(fd);
      else if (isMissing(error) || error.code === 'ELOOP') resolve(undefined);
      else reject(error);
    });
  });
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
      closeFd(fd);
    },
  };
}
