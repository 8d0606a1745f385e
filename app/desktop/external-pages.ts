// Pages outside the app: which addresses belong to the host and to the connected editors, and the only way to the default
// browser. An address may come from a document server or from a compromised page, and for `file:`, `smb:` or `ms-…:` the system
// would start a program just as readily.

import { AppError } from '../contract/errors.ts';
import type { Editor } from '../editors/editor.ts';
import type { RunningHost } from '../host/running-host.ts';
import type { Discovery } from '../wopi/discovery.ts';

/** What is read from the running host. */
export type PagesHost = Pick<RunningHost, 'baseUrl' | 'publicUrl' | 'baseUrlOf'> & {
  services: {
    editors: { list(): readonly Pick<Editor, 'id' | 'kind' | 'url' | 'acceptsOtherHosts' | 'discovery'>[] };
  };
};

const maxUrlLength = 2048;
/** One discovery lists hundreds of addresses on very few origins, and every request of a page asks for them. */
const originsOf = new WeakMap<Discovery, string[]>();

/**
 * @param open Electron's `shell.openExternal`
 * @param ownUrls what may be opened without HTTPS: addresses of the host's pages and of the editors
 * @returns a function that throws AppError permission-denied for an address that the app doesn't open
 */
export function createOpenExternal(
  open: (url: string) => Promise<void>,
  ownUrls: () => readonly string[],
): (url: string) => Promise<void> {
  const isOwn = (target: URL): boolean =>
    ownUrls().some((own) => URL.canParse(own) && new URL(own).origin === target.origin);
  return async (url) => {
    const target = url.length <= maxUrlLength ? URL.parse(url) : null;
    const isAllowed =
      target !== null &&
      target.username === '' &&
      target.password === '' &&
      (target.protocol === 'https:' || (target.protocol === 'http:' && isOwn(target)));
    if (!isAllowed) throw new AppError('permission-denied', { detail: 'DocTray doesn’t open this address.' });
    await open(target.href);
  };
}

/** Under every name that the host has; empty while no host runs. */
export function hostPageUrls(host: PagesHost | undefined): string[] {
  if (host === undefined) return [];
  const editors = host.services.editors.list();
  const urls = [host.baseUrl, host.publicUrl(), ...editors.map(({ id }) => host.baseUrlOf(id))];
  return [...new Set(urls.filter((url) => url !== ''))].flatMap(withLoopbackNames);
}

/** Addresses on another host than the editor's own count only if the user agreed to that. */
export function editorUrls(host: PagesHost | undefined): string[] {
  const editors = host?.services.editors.list() ?? [];
  const urls = editors.flatMap(({ url, kind, acceptsOtherHosts, discovery }) => {
    // It uses the loopback name that the page around it doesn't.
    if (kind === 'text-editor') return withLoopbackNames(url);
    const { hostname } = new URL(url);
    const others = discoveredOrigins(discovery);
    return [url, ...others.filter((other) => acceptsOtherHosts || new URL(other).hostname === hostname)];
  });
  return [...new Set(urls)];
}

/** A host page is opened under the loopback name that the editor's own address has. */
function withLoopbackNames(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null || !/^(?:localhost|127\.0\.0\.1)$/u.test(parsed.hostname)) return [url];
  return ['localhost', '127.0.0.1'].map((hostname) => {
    parsed.hostname = hostname;
    return parsed.origin;
  });
}

function discoveredOrigins(discovery: Discovery): string[] {
  const known = originsOf.get(discovery);
  if (known !== undefined) return known;
  const found = new Set<string>();
  for (const { urlsrc } of discovery.actions) {
    const origin = URL.parse(urlsrc.replace(/[?<].*$/su, ''))?.origin;
    if (origin !== undefined && /^https?:/u.test(origin)) found.add(origin);
  }
  const origins = [...found];
  originsOf.set(discovery, origins);
  return origins;
}
