// The DevTools protocol over Chromium's debugging pipe: messages end with a NUL byte, responses have the id of their command. The pipe
// closes with either process, so neither outlives the other.

import type { Readable, Writable } from 'node:stream';

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';

export type Command = keyof Protocol.CommandParameters & keyof Protocol.CommandReturnValues;

export interface CdpMessage {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string; code?: number };
}

type Listener = (message: CdpMessage) => void;

export type Cdp = ReturnType<typeof createCdp>;

export function createCdp(deps: { input: Writable; output: Readable; onClose: () => void }) {
  let lastId = 0;
  const waiting = new Map<number, (answer: CdpMessage) => void>();
  const bySession = new Map<string, Listener>();
  const anyListeners: Listener[] = [];

  function receive(text: string): void {
    const message = JSON.parse(text) as CdpMessage;
    if (message.id !== undefined) {
      const answer = waiting.get(message.id);
      waiting.delete(message.id);
      answer?.(message);
      return;
    }
    for (const listener of anyListeners) listener(message);
    bySession.get(message.sessionId ?? '')?.(message);
  }

  let parts: Buffer[] = [];
  deps.output.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, end));
      const text = Buffer.concat(parts).toString('utf8');
      parts = [];
      start = end + 1;
      receive(text);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
  for (const event of ['close', 'error']) {
    deps.output.on(event, deps.onClose);
    deps.input.on(event, deps.onClose);
  }

  function write(message: CdpMessage, onAnswer: (answer: CdpMessage) => void): void {
    const id = ++lastId;
    waiting.set(id, onAnswer);
    deps.input.write(`${JSON.stringify({ ...message, id })}\0`);
  }

  return {
    /** Rejects with the protocol's error message. Without `sessionId` the command goes to the browser. */
    send: <Method extends Command>(
      method: Method,
      params?: Protocol.CommandParameters[Method],
      sessionId?: string,
    ): Promise<Protocol.CommandReturnValues[Method]> =>
      new Promise((resolve, reject) => {
        const message: CdpMessage = { method, params: params ?? {} };
        if (sessionId !== undefined) message.sessionId = sessionId;
        write(message, (answer) => {
          if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
          else resolve(answer.result as Protocol.CommandReturnValues[typeof method]);
        });
      }),
    /** Forwards a message of another client, and returns its response unchanged. */
    relay: write,
    /** Every event of one session ('' is the browser), in order. */
    onSession: (sessionId: string, listener: Listener) => void bySession.set(sessionId, listener),
    /** Every event of every session, before the session's own listener. */
    onAny: (listener: Listener) => void anyListeners.push(listener),
  };
}
