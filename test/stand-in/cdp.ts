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

export interface Cdp {
  /** Rejects with the protocol's error message. Without `sessionId` the command goes to the browser. */
  send<Method extends Command>(
    method: Method,
    params?: Protocol.CommandParameters[Method],
    sessionId?: string,
  ): Promise<Protocol.CommandReturnValues[Method]>;
  /** Forwards a message of another client, and returns its response unchanged. */
  relay(message: CdpMessage, onAnswer: (answer: CdpMessage) => void): void;
  /** Every event of one session ('' is the browser), in order. */
  onSession(sessionId: string, listener: (message: CdpMessage) => void): void;
  offSession(sessionId: string): void;
  /** Every event of every session, before the session's own listener. */
  onAny(listener: (message: CdpMessage) => void): void;
  onClose(listener: () => void): void;
}

export function createCdp(deps: { input: Writable; output: Readable }): Cdp {
  let lastId = 0;
  let isClosed = false;
  const waiting = new Map<number, (answer: CdpMessage) => void>();
  const bySession = new Map<string, (message: CdpMessage) => void>();
  const anyListeners: ((message: CdpMessage) => void)[] = [];
  const closeListeners: (() => void)[] = [];

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
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    for (const answer of waiting.values()) answer({ error: { message: 'Chromium has ended' } });
    waiting.clear();
    for (const listener of closeListeners) listener();
  };
  deps.output.on('close', close);
  deps.output.on('error', close);
  deps.input.on('error', close);

  function write(message: CdpMessage, onAnswer: (answer: CdpMessage) => void): void {
    if (isClosed) {
      onAnswer({ error: { message: 'Chromium has ended' } });
      return;
    }
    const id = ++lastId;
    waiting.set(id, onAnswer);
    deps.input.write(`${JSON.stringify({ ...message, id })}\0`);
  }

  return {
    send: (method, params, sessionId) =>
      new Promise((resolve, reject) => {
        const message: CdpMessage = { method, params: params ?? {} };
        if (sessionId !== undefined) message.sessionId = sessionId;
        write(message, (answer) => {
          if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
          else resolve(answer.result as Protocol.CommandReturnValues[typeof method]);
        });
      }),
    relay: write,
    onSession: (sessionId, listener) => void bySession.set(sessionId, listener),
    offSession: (sessionId) => void bySession.delete(sessionId),
    onAny: (listener) => void anyListeners.push(listener),
    onClose: (listener) => void closeListeners.push(listener),
  };
}
