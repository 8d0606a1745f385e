// Sends a document's content from its open descriptor. Small ones in one piece; large ones by pieces, reading the next while
// the last is on its way, with memory for two.

import type { ServerResponse } from 'node:http';
import type { ContentBody } from '../wopi/wopi-call.ts';

/** Up to here a document is read whole and sent with its header in one write. */
export const wholeBytes = 1024 * 1024;
const pieceBytes = 1024 * 1024;

/** The content in one buffer; shorter than announced when another program cut the file meanwhile. */
export async function readWhole(content: ContentBody): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(content.end - content.start);
  let filled = 0;
  while (filled < buffer.length) {
    const bytes = await content.read(buffer.subarray(filled), content.start + filled);
    if (bytes === 0) break;
    filled += bytes;
  }
  return buffer.subarray(0, filled);
}

/**
 * Sends all of it and ends the answer. When the file became shorter than its announced length, or the client went away, the
 * connection is cut: a torn document must not look whole.
 */
export async function sendPieces(response: ServerResponse, content: ContentBody): Promise<void> {
  const idle = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)];
  let release: (() => void) | undefined;
  let isClosed = false;
  const onClose = (): void => {
    isClosed = true;
    release?.();
  };
  response.once('close', onClose);
  try {
    for (let position = content.start; position < content.end; ) {
      if (idle.length === 0 && !isClosed) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      const buffer = idle.pop();
      if (isClosed || buffer === undefined) break;
      const bytes = await content.read(buffer, position);
      if (bytes === 0) {
        response.destroy();
        return;
      }
      position += bytes;
      response.write(buffer.subarray(0, bytes), () => {
        idle.push(buffer);
        release?.();
      });
    }
    if (!isClosed) response.end();
  } finally {
    response.removeListener('close', onClose);
  }
}
