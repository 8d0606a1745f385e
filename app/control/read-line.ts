// Reads the first line from a socket, limited in size and time: the other side may send nothing, too much, or disconnect.

import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';

export type LineFailure = 'ended' | 'too-long' | 'too-late';

/** Resolves with the line, without the line break. Rejects with the socket's error, or an Error whose message is a LineFailure. */
export function readLine(socket: Socket, limits: { maxBytes: number; timeoutMs: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    const parts: string[] = [];
    let bytes = 0;
    const timer = setTimeout(() => fail('too-late'), limits.timeoutMs);
    const fail = (failure: LineFailure): void => finish(() => reject(new Error(failure)));

    function finish(settle: () => void): void {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      settle();
    }
    function onData(chunk: Buffer): void {
      const end = chunk.indexOf(0x0a);
      bytes += end < 0 ? chunk.length : end;
      if (bytes > limits.maxBytes) return fail('too-long');
      parts.push(decoder.write(end < 0 ? chunk : chunk.subarray(0, end)));
      if (end >= 0) finish(() => resolve(parts.join('')));
    }
    function onEnd(): void {
      fail('ended');
    }
    function onError(error: Error): void {
      finish(() => reject(error));
    }
    socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
  });
}
