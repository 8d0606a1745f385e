// GetFile: the content or a range of it, from one open descriptor, so that a concurrent save can't mix two contents.

import { hash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import { readAt } from '../../files/copy-bytes.ts';
import { isSameContent } from '../../files/file-signature.ts';
import type { DocumentIndex, FoundFile } from '../../files/document-index.ts';
import { itemVersionOf } from '../../files/item-version.ts';
import { byteRange } from '../byte-range.ts';
import type { Locks } from '../locks.ts';
import {
  badRequest,
  notFound,
  type ContentBody,
  type WopiAnswer,
  type WopiCall,
  type WopiOperation,
} from '../wopi-call.ts';
import { readSize } from '../wopi-headers.ts';

export interface GetFileDeps {
  folder: DocumentIndex;
  locks: Locks;
  mutex: KeyedMutex;
  /** The document was opened for editing, so its hash can be computed when there is time. */
  onOpened: (found: FoundFile) => void;
  recordHash: (found: FoundFile, sha256: Buffer) => void;
  /** Bookkeeping failed. The document is served all the same. */
  onError: (error: unknown, text: string) => void;
}

/** Up to this size a document is read whole and sent with its header in one write: each client may leave that much unread. */
const wholeBytes = 256 * 1024;
/** From this size on, allocating memory for each answer costs more than reading, because of garbage collection. */
const pooledBytes = 16 * 1024;
/** Buffers kept for the next answers. */
const maxPooled = 16;
const changedWhileRead = 'Another program changed the document while it was being read.';

export function createGetFile(deps: GetFileDeps): WopiOperation {
  const pool: Buffer[] = [];
  return {
    name: 'GetFile',
    async run(call) {
      const maxExpected = readSize(call.header, 'X-WOPI-MaxExpectedSize');
      const opened = await openDocument(deps, call.fileId);
      if (opened === undefined) return notFound;
      try {
        return await answer(deps, pool, call, maxExpected, opened);
      } catch (error) {
        closeSync(opened.fd);
        throw error;
      }
    },
  };
}

/** The answer closes the descriptor once it is sent; if it doesn't need the descriptor, that is already closed. */
async function answer(
  deps: GetFileDeps,
  pool: Buffer[],
  call: WopiCall,
  maxExpected: ReturnType<typeof readSize>,
  { found, fd }: Opened,
): Promise<WopiAnswer> {
  const size = Number(found.stats.size);
  const refuse = (refusal: WopiAnswer): WopiAnswer => {
    closeSync(fd);
    return refusal;
  };
  if (maxExpected === 'invalid')
    return refuse(badRequest('X-WOPI-MaxExpectedSize is not a number of bytes.'));
  if (maxExpected !== undefined && BigInt(size) > maxExpected) return refuse({ status: 412 });

  // DocTray sends no validators, so a conditional range always refers to other content: send all of it.
  const range = call.header('If-Range') === undefined ? byteRange(call.header('Range'), size) : undefined;
  if (range === 'unsatisfiable') {
    return refuse({ status: 416, headers: { 'Content-Range': `bytes */${size}` } });
  }
  const { start, end } = range ?? { start: 0, end: size };
  const isShort = end - start <= wholeBytes;
  const whole = isShort ? await readWhole(deps, pool, fd, start, end) : undefined;
  const bytes = whole?.bytes;
  if (call.grant.canWrite) {
    try {
      const isHashable = found.row.sha256 === null && bytes?.length === size;
      if (isHashable && isSameContent(found.row, fstatSync(fd, { bigint: true }))) {
        deps.recordHash(found, hash('sha256', bytes, 'buffer'));
      }
      // Only a complete response counts as a read.
      if (range === undefined && !call.isHead) deps.locks.recordRead(found.row, call.grant);
      deps.onOpened(found);
    } catch (error) {
      deps.onError(error, 'A document was read, but DocTray couldn’t record that.');
    }
  }
  const headers = {
    'X-WOPI-ItemVersion': itemVersionOf(found.row),
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': 'attachment',
    'Accept-Ranges': 'bytes',
    ...(range === undefined ? {} : { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
  };
  const status = range === undefined ? 200 : 206;
  if (bytes === undefined) return { status, headers, content: contentOf(fd, start, end) };
  closeSync(fd);
  return { status, headers, ...whole };
}

interface Opened {
  found: FoundFile;
  fd: number;
}

/** The document as it was when the descriptor was opened, and its row for that content. */
async function openDocument({ folder, mutex }: GetFileDeps, fileId: string): Promise<Opened | undefined> {
  let row = folder.rowOf(fileId);
  // Another program may replace the file between stat and open; then both are repeated.
  for (let tries = 0; row !== undefined && tries < 5; tries += 1) {
    const file = await folder.jail.openFile(row.path);
    if (file !== undefined && isSameContent(row, file.stats)) {
      return { found: { row, stats: file.stats }, fd: file.fd };
    }
    if (file !== undefined) closeSync(file.fd);
    row = (await mutex.run(fileId, () => folder.findHeld(fileId)))?.row;
  }
  return undefined;
}

async function readWhole(
  deps: GetFileDeps,
  pool: Buffer[],
  fd: number,
  start: number,
  end: number,
): Promise<{ bytes: Buffer; onSent?: () => void }> {
  const isPooled = end - start >= pooledBytes;
  const memory = isPooled
    ? (pool.pop() ?? Buffer.allocUnsafeSlow(wholeBytes))
    : Buffer.allocUnsafe(end - start);
  const wanted = memory.subarray(0, end - start);
  // On a local disk, a short read takes less time than handing it to another thread.
  const { isRemote } = deps.folder.jail;
  const filled = isRemote
    ? await readLater(fd, wanted, start)
    : readSync(fd, wanted, 0, wanted.length, start);
  if (filled !== wanted.length) throw new AppError('disk-refused', { detail: changedWhileRead });
  if (!isPooled) return { bytes: wanted };
  const onSent = (): void => {
    if (pool.length < maxPooled) pool.push(memory);
  };
  return { bytes: wanted, onSent };
}

/** Returns the number of bytes read: fewer than wanted if another program has truncated the file. */
async function readLater(fd: number, wanted: Buffer, start: number): Promise<number> {
  let filled = 0;
  while (filled < wanted.length) {
    const rest = wanted.subarray(filled);
    const bytes = await readAt(fd, rest, rest.length, start + filled);
    if (bytes === 0) break;
    filled += bytes;
  }
  return filled;
}

function contentOf(fd: number, start: number, end: number): ContentBody {
  let isOpen = true;
  return {
    start,
    end,
    async read(buffer, position) {
      const length = Math.min(buffer.length, end - position);
      return length <= 0 ? 0 : readAt(fd, buffer, length, position);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(fd);
    },
  };
}
