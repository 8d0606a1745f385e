// Which addresses are the host's own pages and which are a connected editor's: what the guards of editor windows and the way
// to the browser go by.

import type { Editor } from '../editors/editor.ts';
import type { Discovery } from '../wopi/discovery.ts';

/** What of the running host is asked here. */
export interface PlacesHost {
  readonly baseUrl: string;
  publicUrl(): string;
  baseUrlOf(editorId: string | null): string;
  services: {
    editors: { list(): readonly Pick<Editor, 'id' | 'kind' | 'url' | 'acceptsOtherHosts' | 'discovery'>[] };
  };
}

/** One discovery lists hundreds of addresses of very few origins; every request of a page asks for them. */
const originsOf = new WeakMap<Discovery, string[]>();

/** By all the names the host has; empty while none runs. */
export function hostPageUrls(host: PlacesHost | undefined): string[] {
  if (host === undefined) return [];
  const editors = host.services.editors.list();
  const urls = [host.baseUrl, host.publicUrl(), ...editors.map(({ id }) => host.baseUrlOf(id))];
  return [...new Set(urls.filter((url) => url !== ''))].flatMap(withLoopbackNames);
}

/** Another host than the editor's own counts only where the user agreed to that. */
export function editorUrls(host: PlacesHost | undefined): string[] {
  const urls = (host?.services.editors.list() ?? []).flatMap(
    ({ url, kind, acceptsOtherHosts, discovery }) => {
      // At the other name of this computer than the page that it is in.
      if (kind === 'text-editor') return withLoopbackNames(url);
      const { hostname } = new URL(url);
      const others = discoveredOrigins(discovery);
      return [url, ...others.filter((other) => acceptsOtherHosts || new URL(other).hostname === hostname)];
    },
  );
  return [...new Set(urls)];
}

/** The page's address has the name of this machine that the editor's own address has. */
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
