// The addresses of this host for an editor and for this computer's own browser. The browser may not be able to use the editor's
// base address: a container's name for this computer, or a tunnel that doesn't pass the pages.

import { isLoopbackHost } from '../contract/addresses.ts';
import { hostOf, isContainerName } from '../network/addresses.ts';

/**
 * A base address with the listener's current scheme: it may have been set before TLS was switched on or off. One with another
 * port or an unknown name belongs to a proxy, and stays as it is.
 */
export function listenedAddress(
  url: string,
  listener: { port: string; isTls: boolean; ownHosts: ReadonlySet<string> },
): string {
  const host = hostOf(url);
  const isOurs = listener.ownHosts.has(host) || isContainerName(host);
  if (!isOurs || isLoopbackHost(host) || URL.parse(url)?.port !== listener.port) return url;
  return url.replace(/^https?:/u, listener.isTls ? 'https:' : 'http:');
}

export interface PageAddressInput {
  /** The editor's base address. */
  baseUrl: string;
  /** Where this computer reaches itself, such as `http://127.0.0.1:8790`. */
  loopbackUrl: string;
  /** The editor's URL for this computer; null if there is none. */
  editorUrl: string | null;
  /** It allows framing only by pages with the same host name, as Collabora does. */
  needsSameName: boolean;
  /** Names and addresses of this computer, in lower case; IPv6 without brackets. */
  ownHosts: ReadonlySet<string>;
  /** Whether other computers may open the pages. */
  isOnNetwork: boolean;
}

/**
 * The editor's own base address if the browser can use it: document servers allow that one to frame their page. Else the loopback
 * IP address: browsers share cookies between ports, and an editor on this computer is usually known as `localhost`. An editor
 * that needs the same name gets it.
 */
export function pageAddress(input: PageAddressInput): string {
  const host = hostOf(input.baseUrl);
  if (isPlainLoopback(host)) return loopbackPage(input, input.baseUrl);
  if (isLoopbackHost(host) || input.ownHosts.has(host)) {
    return isMixed(input) ? input.baseUrl.replace(/^https:/u, 'http:') : input.baseUrl;
  }
  if (input.isOnNetwork && !isContainerName(host)) return input.baseUrl;
  return loopbackPage(input, input.loopbackUrl);
}

function loopbackPage({ editorUrl, needsSameName }: PageAddressInput, base: string): string {
  const editorHost = editorUrl === null ? '' : hostOf(editorUrl);
  if (!isPlainLoopback(editorHost) || !isPlainLoopback(hostOf(base))) return base;
  const url = new URL(base);
  url.hostname = needsSameName ? editorHost : '127.0.0.1';
  return url.href.replace(/\/$/u, '');
}

/** The two names of every listener of this host. */
function isPlainLoopback(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1';
}

/** Browsers don't show an HTTP page inside an HTTPS one. This computer's own listener accepts both, on the same port. */
function isMixed({ baseUrl, loopbackUrl, editorUrl }: PageAddressInput): boolean {
  const isOwnListener = URL.parse(baseUrl)?.port === URL.parse(loopbackUrl)?.port;
  return baseUrl.startsWith('https:') && editorUrl?.startsWith('http:') === true && isOwnListener;
}
