// What the pages of each of the app's sessions may do, as one table: whatever a row doesn't name is refused. The app's own window
// is the most restricted. An editor's page is third-party code: it gets what a careful browser would give it in a tab, and no
// access to the app. guards.ts enforces the table.

import { appOrigin } from './protocol.ts';

/** Whose pages: the app's window, a document in a window of its own, the connection test. */
export type PageKind = 'window' | 'editor' | 'probe';

/**
 * `app`: the window's own pages. `tools`: developer tools, in an unpackaged app. `page`: the host's pages. `editor`: a connected
 * editor's pages. `blank`: what a frame shows before it navigates, and blobs that an editor created. `data`: data URLs. `secure`:
 * anything over TLS.
 */
export type Place = 'app' | 'tools' | 'page' | 'editor' | 'blank' | 'data' | 'secure';

export interface PageRules {
  /** What may be loaded, whatever started it: as the whole page, into a frame, and as a part of a page. */
  loads: Record<'whole' | 'frame' | 'part', readonly Place[]>;
  /** Where a page may navigate: itself, the whole page from a frame in it, the whole page by a redirect, and its frames. */
  navigates: Record<'whole' | 'byFrame' | 'redirect' | 'frame', readonly Place[]>;
  /** Granted to editors' pages only. */
  permissions: readonly string[];
  /** Other windows: of the app for the host's pages, otherwise in the default browser if the address may go there. */
  windows: 'none' | 'outside';
  downloads: 'none' | 'asked';
}

export const pageRules: Readonly<Record<PageKind, PageRules>> = {
  window: {
    loads: { whole: ['app', 'tools'], frame: ['app', 'tools'], part: ['app', 'tools'] },
    navigates: { whole: [], byFrame: [], redirect: [], frame: [] },
    permissions: [],
    windows: 'none',
    downloads: 'none',
  },
  editor: {
    loads: {
      whole: ['page', 'editor'],
      frame: ['editor', 'blank'],
      part: ['page', 'editor', 'blank', 'data', 'secure'],
    },
    // During a conversion the whole page is the editor's; a frame may navigate it only back to the host's pages.
    navigates: {
      whole: ['page', 'editor'],
      byFrame: ['page'],
      redirect: ['page', 'editor'],
      frame: ['editor', 'blank'],
    },
    permissions: ['clipboard-sanitized-write', 'fullscreen'],
    windows: 'outside',
    downloads: 'asked',
  },
  probe: {
    loads: {
      whole: ['editor'],
      frame: ['editor', 'blank'],
      part: ['editor', 'blank', 'data', 'secure'],
    },
    navigates: { whole: ['editor'], byFrame: ['editor'], redirect: ['editor'], frame: ['editor', 'blank'] },
    permissions: [],
    windows: 'none',
    downloads: 'none',
  },
};

export interface Places {
  /** Developer tools load their own pages; they are there only in an unpackaged app. */
  hasDevTools: boolean;
  /** Addresses of the host's pages. */
  pageUrls: readonly string[];
  /** Addresses of the connected editors. */
  editorUrls: readonly string[];
}

export function isAllowedUrl(url: string, allowed: readonly Place[], places: Places): boolean {
  return allowed.some((place) => isPlace[place](url, places));
}

/** For an origin as Chromium reports it, with or without a trailing slash. */
export function isEditorOrigin(origin: string, places: Places): boolean {
  return isPlace.editor(origin, places);
}

const isPlace: Record<Place, (url: string, places: Places) => boolean> = {
  app: (url) => url.startsWith(`${appOrigin}/`),
  tools: (url, { hasDevTools }) => hasDevTools && url.startsWith('devtools://'),
  page: (url, { pageUrls }) => hasOriginOf(url, pageUrls),
  editor: (url, { editorUrls }) => hasOriginOf(url, editorUrls),
  blank: (url, { editorUrls }) =>
    url === 'about:blank' ||
    url === 'about:srcdoc' ||
    (url.startsWith('blob:') && hasOriginOf(url.slice('blob:'.length), editorUrls)),
  data: (url) => url.startsWith('data:'),
  secure: (url) => /^(?:https|wss):\/\//u.test(url),
};

function hasOriginOf(url: string, others: readonly string[]): boolean {
  const origin = webOrigin(url);
  return origin !== undefined && others.some((other) => webOrigin(other) === origin);
}

/** A WebSocket has the origin of its server. Undefined for other schemes. */
function webOrigin(url: string): string | undefined {
  const parsed = URL.parse(url.replace(/^ws(?=s?:\/\/)/u, 'http'));
  if (parsed === null || !/^https?:$/u.test(parsed.protocol)) return undefined;
  return parsed.origin;
}
