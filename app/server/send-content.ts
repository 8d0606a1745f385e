// Sends a large document's content from its open descriptor in pieces, reading the next while the last one is sent. A client may
// request many and read none of them: each response has memory for two pieces, and an address has few responses at a time.

import type { ServerResponse } from 'node:http';
import { addressKey } from '../network/addresses.ts';
import type { ContentBody } from '../wopi/wopi-call.ts';

/** Smaller ones cost more CPU time per byte, larger ones barely less. */
const pieceBytes = 512 * 1024;
/** Buffers kept for the next responses. */
const maxPooled = 16;

export interface ContentSender {
  /**
   * Waits for its turn, sends everything and ends the response. If the file became shorter than announced, or the client
   * disconnected, the connection is cut: a truncated document must not look complete.
   */
  send(response: ServerResponse, content: ContentBody, address: string): Promise<void>;
}

/** `pieceLimitMs`: the time limit for a client to read one piece. */
export function createContentSender({ maxPerAddress = 32, pieceLimitMs = 240_000 } = {}): ContentSender {
  const pool: Buffer[] = [];
  /** By address: responses that are sending or waiting, in order. */
  const queues = new Map<string, Set<() => void>>();

  /** Resolves when it is the response's turn, or it was closed. */
  const enter = async (response: ServerResponse, address: string): Promise<void> => {
    if (response.destroyed) return;
    const key = addressKey(address);
    const queue = queues.get(key) ?? new Set();
    queues.set(key, queue);
    const { promise: isTurn, resolve: begin } = Promise.withResolvers<void>();
    queue.add(begin);
    const wake = (): void => {
      let place = 0;
      for (const next of queue) {
        if (place === maxPerAddress) return;
        next();
        place += 1;
      }
    };
    response.once('close', () => {
      begin();
      queue.delete(begin);
      if (queue.size === 0) queues.delete(key);
      else wake();
    });
    wake();
    await isTurn;
  };

  const sendPieces = async (response: ServerResponse, content: ContentBody): Promise<void> => {
    let held = 0;
    let release: (() => void) | undefined;
    let isClosed = response.destroyed;
    // A client that reads a byte now and then would hold the memory forever.
    const limit = setTimeout(() => response.destroy(), pieceLimitMs);
    response.once('close', () => {
      isClosed = true;
      clearTimeout(limit);
      release?.();
    });
    if (isClosed) clearTimeout(limit);
    for (let position = content.start; position < content.end;) {
      if (held === 2 && !isClosed) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      if (isClosed) return;
      const buffer = pool.pop() ?? Buffer.allocUnsafeSlow(pieceBytes);
      held += 1;
      const bytes = await content.read(buffer, position);
      if (bytes === 0) {
        response.destroy();
        return;
      }
      position += bytes;
      response.write(buffer.subarray(0, bytes), (error) => {
        held -= 1;
        // If the connection broke, the system may still have the buffer.
        if (error == null && pool.length < maxPooled) pool.push(buffer);
        limit.refresh();
        release?.();
      });
    }
    if (!isClosed) response.end();
  };

  return {
    async send(response, content, address) {
      await enter(response, address);
      await sendPieces(response, content);
    },
  };
}
