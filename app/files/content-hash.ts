// SHA-256 of a file's content, read in large pieces so that the event loop stays free in between.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const pieceBytes = 1024 * 1024;

/** @throws the signal's reason once it is aborted */
export async function hashFile(absolute: string, signal?: AbortSignal): Promise<Buffer> {
  const handle = await open(absolute, 'r');
  try {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(piece, 0, pieceBytes, null);
      if (bytesRead === 0) return hash.digest();
      hash.update(piece.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
