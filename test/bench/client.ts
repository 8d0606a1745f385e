// The load generator: HTTP/1.1 with keep-alive over a plain socket, one call at a time per connection. It parses only the status
// line and Content-Length, so that the client isn't the bottleneck on two cores. All sides of a comparison are called by it.

import net from 'node:net';
import type { Body } from './bodies.ts';

export interface Call {
  method: string;
  /** Path and query as sent. */
  target: string;
  headers?: Record<string, string>;
  body?: Body | Buffer;
  /** Keeps the answer's body. By default its bytes are only counted. */
  isBodyKept?: boolean;
}

export interface Answer {
  status: number;
  /** Status line and headers. */
  head: string;
  /** Length of the answer's body. */
  bytes: number;
  body: Buffer;
  /** From the call to the first byte of the answer's body, and to its end. */
  firstByteMs: number;
  ms: number;
}

export interface Connection {
  call(call: Call): Promise<Answer>;
  /** Like `call`, but throws unless the status is 200 or 201, because measuring rejected calls would be meaningless. */
  expectOk(call: Call): Promise<Answer>;
  close(): void;
}

interface Waiting {
  startedAt: number;
  firstByteAt: number;
  head: string;
  status: number;
  /** Remaining bytes of the body; undefined until the head is read. */
  left: number | undefined;
  bytes: number;
  kept: Buffer[] | undefined;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

const silenceLimitMs = 30_000;
const readBufferBytes = 1 << 20;
const chunksInFlight = 4;
const headLimitBytes = 16_384;

export async function connect(address: { host: string; port: number }): Promise<Connection> {
  let waiting: Waiting | undefined;

  const finish = (one: Waiting): void => {
    waiting = undefined;
    const { status, head, bytes, kept = [], startedAt } = one;
    const [firstByteMs, ms] = [one.firstByteAt - startedAt, performance.now() - startedAt];
    one.resolve({ status, head, bytes, body: Buffer.concat(kept), firstByteMs, ms });
  };
  const fail = (error: Error): void => {
    const one = waiting;
    waiting = undefined;
    one?.reject(error);
  };
  const receive = (length: number, buffer: Uint8Array): boolean => {
    if (!waiting) {
      socket.destroy(new Error('The server sent bytes that nobody asked for'));
      return true;
    }
    try {
      if (read(waiting, Buffer.from(buffer.buffer, buffer.byteOffset, length))) finish(waiting);
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  };

  const socket = net.connect({
    ...address,
    noDelay: true,
    onread: { buffer: Buffer.allocUnsafe(readBufferBytes), callback: receive },
  });
  socket.setTimeout(silenceLimitMs, () => socket.destroy(new Error('The server was silent for 30 s')));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection')));

  const call = (request: Call): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const one: Waiting = {
        startedAt: performance.now(),
        firstByteAt: Number.NaN,
        head: '',
        status: 0,
        left: undefined,
        bytes: 0,
        kept: request.isBodyKept ? [] : undefined,
        resolve,
        reject,
      };
      waiting = one;
      socket.cork();
      socket.write(requestHead(request, `${address.host}:${address.port}`), 'latin1');
      if (Buffer.isBuffer(request.body)) socket.write(request.body);
      else if (request.body) pump(socket, request.body, () => waiting !== one);
      socket.uncork();
    });

  return {
    call,
    async expectOk(request) {
      const answer = await call(request);
      if (answer.status === 200 || answer.status === 201) return answer;
      const operation = request.headers?.['X-WOPI-Override'] ?? request.target.replace(/\?.*/, '');
      throw new Error(`${request.method} ${operation} was answered with ${answer.status}`);
    },
    close() {
      socket.removeAllListeners('close');
      socket.destroy();
    },
  };
}

function requestHead(request: Call, host: string): string {
  let head = `${request.method} ${request.target} HTTP/1.1\r\nHost: ${host}\r\n`;
  for (const [name, value] of Object.entries(request.headers ?? {})) head += `${name}: ${value}\r\n`;
  const length = Buffer.isBuffer(request.body) ? request.body.length : request.body?.bytes;
  if (length !== undefined) head += `Content-Length: ${length}\r\n`;
  else if (request.method !== 'GET') head += 'Content-Length: 0\r\n';
  return `${head}\r\n`;
}

/** Adds received data to the answer. @returns whether the answer is complete */
function read(one: Waiting, data: Buffer): boolean {
  let rest = data;
  if (one.left === undefined) {
    const before = one.head.length;
    one.head += data.toString('latin1', 0, headLimitBytes);
    const end = one.head.indexOf('\r\n\r\n');
    if (end < 0 && one.head.length >= headLimitBytes) throw new Error('The head of the answer has no end');
    if (end < 0) return false;
    const length = /\r\ncontent-length: *(\d+)/i.exec(one.head.slice(0, end + 2))?.[1];
    if (length === undefined) throw new Error('The answer has no Content-Length');
    one.status = Number(one.head.slice(9, 12));
    one.left = Number(length);
    one.bytes = one.left;
    rest = data.subarray(end + 4 - before);
  }
  if (rest.length > 0 && Number.isNaN(one.firstByteAt)) one.firstByteAt = performance.now();
  if (one.kept && rest.length > 0) one.kept.push(Buffer.from(rest));
  one.left -= rest.length;
  if (one.left < 0) throw new Error('The answer is longer than its Content-Length');
  return one.left === 0;
}

/** Sends a body chunk by chunk. The memory of a chunk is reused only after its bytes were sent. */
function pump(socket: net.Socket, body: Body, isOver: () => boolean): void {
  let index = 0;
  let inFlight = 0;
  const next = (): void => {
    while (inFlight < chunksInFlight && index < body.chunkCount && !isOver() && !socket.destroyed) {
      inFlight += 1;
      socket.write(body.chunk(index), () => {
        inFlight -= 1;
        next();
      });
      index += 1;
    }
  };
  next();
}
