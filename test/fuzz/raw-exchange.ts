// Sends raw bytes to the host, and returns the bytes it answers and how the connection ended. A small separate parser reads the
// answers, so that a wrong Content-Length of the host shows as garbage.

import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Lower-case names; a repeated header keeps its last value. */
  headers: Record<string, string>;
  body: string;
}

export interface Exchange {
  /** Complete final answers in the order of arrival, without interim ones (1xx). */
  answers: RawAnswer[];
  /** Bytes after the last complete answer: a truncated answer or garbage. */
  rest: string;
  /** How it ended: the host closed or reset the connection, enough answers came, or nothing more happened until the deadline. */
  end: 'closed' | 'answered' | 'hang';
}

export interface RawRequest {
  port: number;
  /** Sent one after the other, with a short pause between. */
  parts: (string | Buffer)[];
  /** Close our half after the last part, so that the host knows that nothing more comes. Node then answers only what is ready. */
  halfClose?: boolean;
  /** Stop after that many answers; 1 by default. */
  answers?: number;
  deadlineMs?: number;
  /** Methods whose answers have no body. */
  isHead?: boolean;
}

/** Never rejects: a refused or reset connection counts as closed. Text parts are sent as latin1. */
export function exchange(request: RawRequest): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const wanted = request.answers ?? 1;
  const received: Buffer[] = [];
  const socket = connect({ port: request.port, host: '127.0.0.1', allowHalfOpen: true });
  let pause: NodeJS.Timeout | undefined;
  const finish = (end: Exchange['end']): void => {
    clearTimeout(deadline);
    clearTimeout(pause);
    socket.destroy();
    const { answers, rest } = parseAnswers(
      Buffer.concat(received).toString('latin1'),
      request.isHead ?? false,
    );
    resolve({ answers, rest, end });
  };
  const deadline = setTimeout(() => finish('hang'), request.deadlineMs ?? 30_000);
  const sendFrom = (index: number): void => {
    const part = request.parts[index];
    if (part === undefined) {
      if (request.halfClose === true) socket.end();
      return;
    }
    socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    if (index + 1 < request.parts.length) pause = setTimeout(() => sendFrom(index + 1), 15);
    else sendFrom(index + 1);
  };
  socket.setNoDelay(true);
  socket.on('connect', () => sendFrom(0));
  socket.on('data', (chunk) => {
    received.push(chunk);
    const { answers } = parseAnswers(Buffer.concat(received).toString('latin1'), request.isHead ?? false);
    if (answers.length >= wanted) finish('answered');
  });
  socket.on('error', () => finish('closed'));
  socket.on('end', () => finish('closed'));
  socket.on('close', () => finish('closed'));
  return promise;
}

function parseAnswers(text: string, isHead: boolean): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    const match = /^HTTP\/1\.[01] (\d{3})/.exec(rest);
    if (headEnd < 0 || match === null) return { answers, rest };
    const headers: Record<string, string> = {};
    for (const line of rest.slice(0, headEnd).split('\r\n').slice(1)) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const status = Number(match[1]);
    const body = rest.slice(headEnd + 4);
    const length = isHead || status < 200 || status === 204 || status === 304 ? 0 : bodyLength(headers, body);
    if (length === undefined || body.length < length) return { answers, rest };
    if (status >= 200) answers.push({ status, headers, body: body.slice(0, length) });
    rest = body.slice(length);
  }
}

/** The length of the body as sent, including chunk lines; undefined until its end has arrived. */
function bodyLength(headers: Record<string, string>, body: string): number | undefined {
  if (headers['transfer-encoding'] === 'chunked') {
    const end = body.indexOf('0\r\n\r\n');
    return end < 0 ? undefined : end + 5;
  }
  // Without a length, the body ends with the connection. Node answers requests like this that it can't parse.
  return Number(headers['content-length'] ?? body.length);
}
