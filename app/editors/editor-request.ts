// One request to a document server for the connection test, with the rules of discovery: the address is checked at the moment of
// the connection, the size is limited, and redirects aren't followed.

import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { createConnectionRules, trustedAuthorities } from './connection-rules.ts';
import { EditorFault } from './editor-fault.ts';
import { faultOfConnection } from './fetch-faults.ts';

export interface EditorRequestInput {
  url: string;
  method: 'GET' | 'POST';
  body?: string;
  contentType?: string;
  /** An abort's reason is thrown as it is. */
  signal?: AbortSignal;
  limitMs?: number;
  /** Only to see who responds: nothing secret is sent, so the certificate doesn't matter. */
  acceptsAnyCertificate?: boolean;
}

export interface EditorAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Only the beginning. */
  body: string;
}

/** @throws EditorFault */
export type EditorRequest = (input: EditorRequestInput) => Promise<EditorAnswer>;

const keptBytes = 64 * 1024;

export function createEditorRequest(): EditorRequest {
  const rules = createConnectionRules();
  return async (input) => {
    const { signal, limitMs = 10_000 } = input;
    const url = new URL(input.url);
    rules.check(url);
    const limit = AbortSignal.timeout(limitMs);
    try {
      const either = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      const response = await send(url, input, either, rules.lookup);
      const { statusCode: status = 0, headers } = response;
      return { status, headers, body: await beginningOf(response) };
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof EditorFault ? error : faultOfConnection(url, error, limit.aborted);
    }
  };
}

async function send(
  url: URL,
  { method, body = '', contentType, acceptsAnyCertificate = false }: EditorRequestInput,
  signal: AbortSignal,
  lookup: LookupFunction,
): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const start = isTls ? (await import('node:https')).request : requestHttp;
  const trust = acceptsAnyCertificate
    ? { rejectUnauthorized: false }
    : isTls
      ? { ca: await trustedAuthorities() }
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

async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= keptBytes) break;
    }
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8');
}
