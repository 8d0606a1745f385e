// SHA-256 of an open file's content, read in large pieces so that the event loop isn't blocked.

import { createHash } from 'node:crypto';
import { readAt } from './copy-bytes.ts';

const pieceBytes = 1024 * 1024;

/** The descriptor stays open. @throws the signal's reason once it is aborted */
export async function hashFd(fd: number, signal?: AbortSignal): Promise<Buffer> {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let position = 0; ;) {
    signal?.throwIfAborted();
    const bytes = await readAt(fd, piece, pieceBytes, position);
    if (bytes === 0) return hash.digest();
    hash.update(piece.subarray(0, bytes));
    position += bytes;
  }
}
