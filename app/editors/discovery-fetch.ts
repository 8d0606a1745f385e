// Reads a document server's discovery. The user entered the address, but a name may resolve to anything and the response may be
// anything: the address is checked at the moment of the connection, and size and time are limited.

import { request as requestHttp, type IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { Discovery } from '../store/editors.ts';
import { createConnectionRules, trustedAuthorities, type LookupAll } from './connection-rules.ts';
import { EditorFault, unreachable } from './editor-fault.ts';
import { isSameHost } from './editor-url.ts';
import { faultOfConnection, redirectFault, sizeFault, statusFault } from './fetch-faults.ts';
import { hasCapabilities, productOf, type Product } from './product.ts';

export interface FetchedDiscovery extends Product {
  discovery: Discovery;
}

/**
 * @param url an editor's, without a trailing slash.
 * @throws AppError editor-unreachable, discovery-invalid; the cause is an EditorFault. An abort's reason is thrown as it is.
 */
export type FetchDiscovery = (url: string, signal?: AbortSignal) => Promise<FetchedDiscovery>;

export interface DiscoveryFetchDeps {
  lookup?: LookupAll;
  limitMs?: number;
  maxBytes?: number;
}

const maxRedirects = 3;

export function createDiscoveryFetch(deps: DiscoveryFetchDeps = {}): FetchDiscovery {
  const { limitMs = 10_000, maxBytes = 1024 * 1024 } = deps;
  const rules = createConnectionRules(deps.lookup);

  const readOnce = async (
    url: URL,
    signal: AbortSignal,
  ): Promise<{ text: string } | { location: string }> => {
    rules.check(url);
    const response = await open(url, signal, rules.lookup);
    try {
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        return { location: headers.location };
      }
      if (statusCode !== 200) throw statusFault(url, statusCode);
      return { text: await bodyOf(response, maxBytes, url) };
    } finally {
      response.destroy();
    }
  };

  const read = async (address: string, signal: AbortSignal): Promise<string> => {
    let url = new URL(address);
    for (let redirects = 0; ; redirects += 1) {
      // oxlint-disable-next-line no-await-in-loop
      const answer = await readOnce(url, signal);
      if ('text' in answer) return answer.text;
      const next = URL.parse(answer.location, url.href);
      const isSafer = next?.protocol === 'https:' || next?.protocol === url.protocol;
      if (
        next === null ||
        !isSafer ||
        !isSameHost(next.hostname, url.hostname) ||
        redirects === maxRedirects
      ) {
        throw redirectFault(url, next);
      }
      url = next;
    }
  };

  const readWithin = async (address: string, signal: AbortSignal | undefined): Promise<string> => {
    const limit = AbortSignal.timeout(limitMs);
    try {
      return await read(address, signal === undefined ? limit : AbortSignal.any([limit, signal]));
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof EditorFault ? error : faultOfConnection(new URL(address), error, limit.aborted);
    }
  };

  /** Nothing depends on it, so failures are ignored. */
  const capabilitiesOf = async (url: string, signal: AbortSignal | undefined): Promise<unknown> => {
    try {
      return JSON.parse(await readWithin(`${url}/hosting/capabilities`, signal));
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
  };

  return async (url, signal) => {
    let xml: string;
    try {
      xml = await readWithin(`${url}/hosting/discovery`, signal);
    } catch (error) {
      throw error instanceof EditorFault ? unreachable(error) : error;
    }
    const { parseDiscovery } = await import('../wopi/discovery.ts');
    let discovery: Discovery;
    try {
      discovery = parseDiscovery(xml, url);
    } catch (error) {
      throw noDiscovery(url, error);
    }
    const capabilities = hasCapabilities(discovery) ? await capabilitiesOf(url, signal) : undefined;
    return { discovery, ...productOf(discovery, capabilities) };
  };
}

async function open(url: URL, signal: AbortSignal, lookup: LookupFunction): Promise<IncomingMessage> {
  const isTls = url.protocol === 'https:';
  const send = isTls ? (await import('node:https')).request : requestHttp;
  const ca = isTls ? await trustedAuthorities() : undefined;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      ...(ca !== undefined && { ca }),
      lookup,
      signal,
      agent: false,
      headers: {
        accept: 'text/xml, application/json',
        'accept-encoding': 'identity',
        'user-agent': 'DocTray',
      },
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.end();
  });
}

async function bodyOf(response: IncomingMessage, maxBytes: number, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw sizeFault(url);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function noDiscovery(url: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const fault = new EditorFault(
    'no-discovery',
    () => [t('host.isnt-a-document-server', { url }), t('host.check-address-and-wopi')],
    error,
  );
  return new AppError('discovery-invalid', {
    cause: fault,
    detail: () => `${error.detail ?? ''} ${fault.remedy}`.trim(),
  });
}
