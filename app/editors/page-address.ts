// The addresses of this host as an editor and this machine's own browser use them. The browser may not know the one that an
// editor was given: a container's name for this machine, or a tunnel that lets nobody at the pages.

import { hostOf, isContainerName, isLoopbackHost } from '../network/addresses.ts';

/**
 * An address of this host with the scheme the listener speaks now: it may have been given before TLS was switched on or off.
 * What another port or an unknown name leads to is somebody else's, a proxy's, and stays as it was given.
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
  /** Under which the editor reaches this host. */
  baseUrl: string;
  /** Under which this machine reaches itself, such as `http://127.0.0.1:8790`. */
  loopbackUrl: string;
  /** Where this machine reaches the editor; null where there is none. */
  editorUrl: string | null;
  /** It lets its page be shown only within one of the same host name, as Collabora does. */
  needsSameName: boolean;
  /** Names and addresses of this machine, in lower case; IPv6 without brackets. */
  ownHosts: ReadonlySet<string>;
  /** Whether the pages answer others than this machine. */
  isOnNetwork: boolean;
}

/**
 * The editor's own address for this host where the browser can use it: document servers allow that one as the frame around
 * their page. Else the loopback address, by its number: a browser does not keep the cookies of two ports apart, and an editor on
 * this machine is mostly known as `localhost`. An editor that wants the same name gets it.
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

/** The two names under which every listener of this host is reached. */
function isPlainLoopback(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1';
}

/** A browser shows no plain page within one by TLS. This machine's own listener takes both, on the same port. */
function isMixed({ baseUrl, loopbackUrl, editorUrl }: PageAddressInput): boolean {
  const isOwnListener = URL.parse(baseUrl)?.port === URL.parse(loopbackUrl)?.port;
  return baseUrl.startsWith('https:') && editorUrl?.startsWith('http:') === true && isOwnListener;
}
