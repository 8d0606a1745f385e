// An HTTP request over a plain socket, for what no HTTP library would send: an incomplete body, a Content-Length without a body, or
// a head long before its body.

import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RawAnswer {
  /** 0 if the host closed the connection without an answer, or didn't answer in time. */
  status: number;
  head: string;
  body: string;
}

const answerTimeoutMs = 10_000;

/**
 * @param parts written in order; a number waits that many milliseconds
 * @param ending `wait`: keep the connection until the host answers; `hang-up`: close it at once
 */
export async function rawCall(
  baseUrl: string,
  parts: readonly (string | Buffer | number)[],
  ending: 'wait' | 'hang-up',
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  const closed = new Promise<void>((resolve) => {
    // A host that answers early may reset the connection during the upload. Its answer is still read.
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
  });
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (isComplete(text)) resolve();
    });
  });
  for (const part of parts) {
    if (socket.destroyed) break;
    if (typeof part === 'number') await pause(part);
    else socket.write(part);
  }
  if (ending === 'hang-up') {
    await pause(100);
    socket.destroy();
  }
  const silence = new AbortController();
  const silent = pause(answerTimeoutMs, undefined, { signal: silence.signal }).catch(() => undefined);
  await Promise.race([answered, closed, silent]);
  silence.abort();
  socket.destroy();
  const [head = '', body = ''] = text.split(/\r\n\r\n([\s\S]*)/);
  return { status: Number(head.split(' ')[1] ?? 0), head, body };
}

/** The head of a request, with a Host header. */
export function rawHead(method: string, url: URL, headers: Record<string, string | number>): string {
  const lines = Object.entries({ Host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${url.pathname}${url.search} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length !== undefined && text.length >= end + 4 + Number(length);
}
