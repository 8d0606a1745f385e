// The load generator: HTTP/1.1 with keep-alive over a plain socket, one call at a time per connection. It parses only the status
// line and Content-Length, so that the client isn't the bottleneck on two cores. All sides of a comparison are called by it.

import net from 'node:net';
import type { Body } from './bodies.ts';

export interface Address {
  host: string;
  port: number;
}

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
  body: Buffer;
  /** From the call to the first byte of the answer's body, and to its end. */
  firstByteMs: number;
  ms: number;
}

export type Connection = Awaited<ReturnType<typeof connect>>;

const silenceLimitMs = 30_000;
const readBufferBytes = 1 << 20;
const chunksInFlight = 4;
const headLimitBytes = 16_384;

export async function connect(address: Address) {
  /** Of the running call. */
  let receive = (_data: Buffer): void =>
    void socket.destroy(new Error('The server sent bytes that nobody asked for'));
  let fail = (_error: Error): void => undefined;
  const socket = net.connect({
    ...address,
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(readBufferBytes),
      callback(length, { buffer, byteOffset }) {
        receive(Buffer.from(buffer, byteOffset, length));
        return true;
      },
    },
  });
  socket.setTimeout(silenceLimitMs, () => socket.destroy(new Error('The server was silent for 30 s')));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', (error) => fail(error));
  socket.on('close', () => fail(new Error('The server closed the connection')));

  const call = (request: Call): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      let firstByteMs = Number.NaN;
      let head = '';
      let left = Number.NaN;
      let isOver = false;
      const kept: Buffer[] = [];
      fail = reject;
      receive = (data) => {
        let rest = data;
        if (Number.isNaN(left)) {
          const before = head.length;
          head += data.toString('latin1', 0, headLimitBytes);
          const end = head.indexOf('\r\n\r\n');
          if (end < 0 && head.length < headLimitBytes) return;
          left = Number(/\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2))?.[1]);
          if (Number.isNaN(left)) return void socket.destroy(new Error('The answer has no Content-Length'));
          rest = data.subarray(end + 4 - before);
        }
        if (rest.length > 0 && Number.isNaN(firstByteMs)) firstByteMs = performance.now() - startedAt;
        if (request.isBodyKept === true) kept.push(Buffer.from(rest));
        left -= rest.length;
        if (left < 0) socket.destroy(new Error('The answer is longer than its Content-Length'));
        if (left !== 0) return;
        isOver = true;
        const ms = performance.now() - startedAt;
        resolve({ status: Number(head.slice(9, 12)), head, body: Buffer.concat(kept), firstByteMs, ms });
      };
      socket.cork();
      socket.write(requestHead(request, `${address.host}:${address.port}`), 'latin1');
      if (Buffer.isBuffer(request.body)) socket.write(request.body);
      else if (request.body) pump(socket, request.body, () => isOver);
      socket.uncork();
    });

  return {
    call,
    /** Like `call`, but throws unless the status is 200 or 201, because measuring rejected calls would be meaningless. */
    async expectOk(request: Call): Promise<Answer> {
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

function requestHead({ method, target, headers = {}, body }: Call, host: string): string {
  const length = Buffer.isBuffer(body) ? body.length : (body?.bytes ?? 0);
  const all = { Host: host, ...headers, ...(method !== 'GET' && { 'Content-Length': length }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
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

export interface Loop {
  address: Address;
  /** Workers, each on its own connection. */
  concurrency?: number;
  /** The duration; 0 runs the operation once. */
  ms: number;
  /** The units of one operation. */
  units?: number;
  operation: (connection: Connection, worker: number) => Promise<unknown>;
}

/**
 * Repeats an operation for some time. Connecting isn't measured. Workers finish their running operation, and the time ends with the last
 * one.
 */
export async function takeTurn({ address, concurrency = 1, ms, units = 1, operation }: Loop) {
  const connections = await Promise.all(Array.from({ length: concurrency }, () => connect(address)));
  let count = 0;
  const startedAt = performance.now();
  try {
    await Promise.all(
      connections.map(async (connection, worker) => {
        do {
          await operation(connection, worker);
          count += 1;
        } while (performance.now() - startedAt < ms);
      }),
    );
    return { units: count * units, ms: performance.now() - startedAt };
  } finally {
    for (const connection of connections) connection.close();
  }
}
