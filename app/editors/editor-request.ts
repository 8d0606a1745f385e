// One request to a document server. The user entered its address, but a name may resolve to anything and the response may be
// anything: the address is checked at the moment of the connection, size and time are limited, and redirects aren't followed.

import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { createConnectionRules, trustedContext, type LookupAll } from './connection-rules.ts';
import { EditorFault } from './editor-fault.ts';
import { faultOfConnection } from './fetch-faults.ts';

export interface EditorRequestInput {
  url: string;
  method: 'GET' | 'POST';
  body?: string;
  contentType?: string;
  accept?: string;
  /** An abort's reason is thrown as it is. */
  signal?: AbortSignal | undefined;
  limitMs?: number;
  maxBytes?: number;
  /** Only to see who responds: nothing secret is sent, so the certificate doesn't matter. */
  acceptsAnyCertificate?: boolean;
}

export interface EditorAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body had more than `maxBytes`. */
  isCut: boolean;
}

/** @throws EditorFault */
export type EditorRequest = (input: EditorRequestInput) => Promise<EditorAnswer>;

export function createEditorRequest(lookup?: LookupAll): EditorRequest {
  const rules = createConnectionRules(lookup);
  return async (input) => {
    const { signal, limitMs = 10_000, maxBytes = 64 * 1024 } = input;
    const url = new URL(input.url);
    rules.check(url);
    const limit = AbortSignal.timeout(limitMs);
    try {
      const either = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      const response = await send(url, input, either, rules.lookup);
      const { statusCode: status = 0, headers } = response;
      return { status, headers, ...(await bodyOf(response, maxBytes)) };
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof EditorFault ? error : faultOfConnection(url, error, limit.aborted);
    }
  };
}

async function send(
  url: URL,
  { method, body = '', contentType, accept, acceptsAnyCertificate = false }: EditorRequestInput,
  signal: AbortSignal,
  lookup: LookupFunction,
): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const start = isTls ? (await import('node:https')).request : requestHttp;
  const trust = acceptsAnyCertificate
    ? { rejectUnauthorized: false }
    : isTls
      ? { secureContext: await trustedContext() }
      : {};
  return new Promise((resolve, reject) => {
    const request = start(url, {
      ...trust,
      method,
      lookup,
      signal,
      agent: false,
      headers: {
        'user-agent': 'DocTray',
        'accept-encoding': 'identity',
        ...(accept !== undefined && { accept }),
        ...(contentType !== undefined && {
          'content-type': contentType,
          'content-length': Buffer.byteLength(body),
        }),
      },
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
  });
}

async function bodyOf(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Pick<EditorAnswer, 'body' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } finally {
    response.destroy();
  }
  const body = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes));
  return { body, isCut: bytes > maxBytes };
}
