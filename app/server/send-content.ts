// Sends a large document's content from its open descriptor by pieces, reading the next while the last is on its way, with
// memory for two.

import type { ServerResponse } from 'node:http';
import type { ContentBody } from '../wopi/wopi-call.ts';

const pieceBytes = 1024 * 1024;

/**
 * Sends all of it and ends the answer. When the file became shorter than its announced length, or the client went away, the
 * connection is cut: a torn document must not look whole.
 */
export async function sendPieces(response: ServerResponse, content: ContentBody): Promise<void> {
  const idle = [Buffer.allocUnsafe(pieceBytes), Buffer.allocUnsafe(pieceBytes)];
  let release: (() => void) | undefined;
  let isClosed = response.destroyed;
  const onClose = (): void => {
    isClosed = true;
    release?.();
  };
  response.once('close', onClose);
  try {
    for (let position = content.start; position < content.end;) {
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
