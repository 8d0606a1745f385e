// The addresses of this host as an editor and this machine's own browser use them. The browser may not know the one that an
// editor was given: a container's name for this machine, or a tunnel that lets nobody at the pages.

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
  if (!isOurs || isLoopbackName(host) || URL.parse(url)?.port !== listener.port) return url;
  return url.replace(/^https?:/u, listener.isTls ? 'https:' : 'http:');
}

export interface PageAddressInput {
  /** Under which the editor reaches this host. */
  baseUrl: string;
  /** Under which this machine reaches itself, such as `http://127.0.0.1:8790`. */
  loopbackUrl: string;
  /** Where this machine reaches the editor; null where there is none. */
  editorUrl: string | null;
  /** Names and addresses of this machine, in lower case; IPv6 without brackets. */
  ownHosts: ReadonlySet<string>;
  /** Whether the pages answer others than this machine. */
  isOnNetwork: boolean;
}

/**
 * The editor's own address for this host where the browser can use it: document servers allow that one as the frame around
 * their page. Else the loopback address, by the very name the editor's own address has, which they allow too.
 */
export function pageAddress(input: PageAddressInput): string {
  const host = hostOf(input.baseUrl);
  if (isLoopbackName(host) || input.ownHosts.has(host)) {
    return isMixed(input) ? input.baseUrl.replace(/^https:/u, 'http:') : input.baseUrl;
  }
  if (input.isOnNetwork && !isContainerName(host)) return input.baseUrl;
  const editorHost = input.editorUrl === null ? '' : hostOf(input.editorUrl);
  if (editorHost !== 'localhost' && editorHost !== '127.0.0.1') return input.loopbackUrl;
  const url = new URL(input.loopbackUrl);
  url.hostname = editorHost;
  return url.origin;
}

/** Containers know this machine by a name that it does not know itself. */
function isContainerName(host: string): boolean {
  return /^(host|gateway)\.(docker|containers|lima|minikube)\.internal$/u.test(host);
}

/** A browser shows no plain page within one by TLS. This machine's own listener takes both, on the same port. */
function isMixed({ baseUrl, loopbackUrl, editorUrl }: PageAddressInput): boolean {
  const isOwnListener = URL.parse(baseUrl)?.port === URL.parse(loopbackUrl)?.port;
  return baseUrl.startsWith('https:') && editorUrl?.startsWith('http:') === true && isOwnListener;
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replaceAll(/[[\]]/gu, '').toLowerCase() ?? '';
}

function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/u.test(host);
}
