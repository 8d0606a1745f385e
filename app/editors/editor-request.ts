// One request to a document server for the connection test, under the rules of discovery: what is connected to is judged by
// the address a name has at that moment, little is read, and where it sends on to is not followed.
// @see behaviour page section 8

import { lookup as systemLookup } from 'node:dns';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { EditorFault } from './editor-fault.ts';
import { faultOfConnection, forbiddenFault } from './fetch-faults.ts';
import { createForbiddenAddresses } from '../network/addresses.ts';

export interface EditorRequestInput {
  url: string;
  method: 'GET' | 'POST';
  body?: string;
  contentType?: string;
  /** What aborts it is thrown as it is. */
  signal?: AbortSignal;
  limitMs?: number;
  /** Only to see who answers: nothing secret is sent, so whose certificate it is does not matter. */
  isTrustingAnybody?: boolean;
}

export interface EditorAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The beginning of it. */
  body: string;
}

/** @throws EditorFault */
export type EditorRequest = (input: EditorRequestInput) => Promise<EditorAnswer>;

const keptBytes = 64 * 1024;

export function createEditorRequest(): EditorRequest {
  const isForbidden = createForbiddenAddresses();

  /** Only what may be connected to is handed on, so that nothing can change between the look and the connection. */
  const lookup: LookupFunction = (name, options, done) => {
    systemLookup(name, { all: true }, (error, addresses) => {
      const allowed = (addresses ?? []).filter(({ address }) => !isForbidden(address));
      const [first] = allowed;
      if (error !== null) done(error, '', 0);
      else if (first === undefined) done(forbiddenFault(name), '', 0);
      else if (options.all === true) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };

  return async (input) => {
    const { signal, limitMs = 10_000 } = input;
    const url = new URL(input.url);
    const literal = url.hostname.replaceAll(/[[\]]/gu, '');
    // A name is judged by `lookup`, an address is never looked up.
    if (isIP(literal) !== 0 && isForbidden(literal)) throw forbiddenFault(url.hostname);
    const limit = AbortSignal.timeout(limitMs);
    try {
      const either = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      const response = await send(url, input, either, lookup);
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
  { method, body = '', contentType, isTrustingAnybody = false }: EditorRequestInput,
  signal: AbortSignal,
  lookup: LookupFunction,
): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const start = isTls ? (await import('node:https')).request : requestHttp;
  const trust = isTrustingAnybody
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

/** As for discovery: those of the system as well. */
async function trustedAuthorities(): Promise<string[]> {
  const { getCACertificates } = await import('node:tls');
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
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
