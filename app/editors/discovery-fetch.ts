// Reads a document server's discovery, and what it says about itself.

import { AppError } from '../contract/errors.ts';
import type { Discovery } from '../store/editors.ts';
import type { LookupAll } from './connection-rules.ts';
import { EditorFault, unreachable } from './editor-fault.ts';
import { createEditorRequest } from './editor-request.ts';
import { isSameHost } from './editor-url.ts';
import { redirectFault, sizeFault, statusFault } from './fetch-faults.ts';
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
  const request = createEditorRequest(deps.lookup);

  /** Follows redirects within the host. */
  const read = async (address: string, signal: AbortSignal | undefined): Promise<string> => {
    const untilMs = performance.now() + limitMs;
    let url = new URL(address);
    for (let redirects = 0; ; redirects += 1) {
      const { status, headers, body, isCut } = await request({
        url: url.href,
        method: 'GET',
        accept: 'text/xml, application/json',
        signal,
        limitMs: Math.max(1, Math.ceil(untilMs - performance.now())),
        maxBytes,
      });
      if (status < 300 || status >= 400 || headers.location === undefined) {
        if (status !== 200) throw statusFault(url, status);
        if (isCut) throw sizeFault(url);
        return body;
      }
      const next = URL.parse(headers.location, url.href);
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

  /** Nothing depends on it, so failures are ignored. */
  const capabilitiesOf = async (url: string, signal: AbortSignal | undefined): Promise<unknown> => {
    try {
      return JSON.parse(await read(`${url}/hosting/capabilities`, signal));
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
  };

  return async (url, signal) => {
    let xml: string;
    try {
      xml = await read(`${url}/hosting/discovery`, signal);
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

function noDiscovery(url: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const words = ['host.isnt-a-document-server', 'host.check-address-and-wopi'] as const;
  const fault = new EditorFault('no-discovery', words, { url }, error);
  return new AppError('discovery-invalid', {
    cause: fault,
    detail: () => `${error.detail ?? ''} ${fault.remedy}`.trim(),
  });
}
