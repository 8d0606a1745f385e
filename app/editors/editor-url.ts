// URLs as users enter them: pasted from a browser, with a page's path, or without http://.

import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { isLoopbackHost } from '../contract/addresses.ts';

/** What a browser shows, or a guide lists, after the base URL. */
const tails = /\/(?:hosting\/(?:discovery|capabilities)|welcome)?\/*$/iu;

/**
 * The URL of a document server, without a trailing slash.
 * @throws AppError editor-url-invalid
 */
export function editorUrlOf(text: string): string {
  const url = webUrl(text);
  if (url === undefined) throw new AppError('editor-url-invalid');
  return `${url.origin}${url.pathname.replace(tails, '')}`;
}

/**
 * A base address of this host, without a trailing slash.
 * @throws AppError invalid-argument
 */
export function publicUrlOf(text: string): string {
  const url = webUrl(text);
  if (url === undefined || url.search !== '' || url.hash !== '') {
    throw new AppError('invalid-argument', { detail: () => t('host.enter-public-address') });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}

/** Whether two names mean one host: all names of this computer's loopback count as one. */
export function isSameHost(left: string, right: string): boolean {
  return left === right || (isLoopbackHost(left) && isLoopbackHost(right));
}

/** Whether two URLs mean one server: same scheme, port and host. */
export function isSamePlace(left: string, right: string): boolean {
  const [one, other] = [new URL(left), new URL(right)];
  return (
    one.protocol === other.protocol && one.port === other.port && isSameHost(one.hostname, other.hostname)
  );
}

function webUrl(text: string): URL | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 2048) return undefined;
  // Otherwise the name in `localhost:9980` would be parsed as a scheme.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//iu.test(trimmed) ? trimmed : `http://${trimmed}`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return url.username === '' && url.password === '' ? url : undefined;
}
