// What the pages of each of the app's sessions may do, as one table: whatever a row does not name is refused. The window's own
// pages may least. An editor's page is a stranger's: it gets what a tab of a careful browser would give it, and no way to the
// app. guards.ts holds every session to its row.

import { appOrigin } from './app-address.ts';

/** Whose pages: the app's window, a document in a window of its own, the connection test. */
export type PageKind = 'window' | 'editor' | 'probe';

/**
 * `app`: the window's own pages. `tools`: developer tools, where there are any. `page`: the host's pages. `editor`: a connected
 * editor's. `blank`: what a frame holds before it is led anywhere, and what an editor made itself. `data`: in the address
 * itself. `secure`: anything by TLS.
 */
export type Place = 'app' | 'tools' | 'page' | 'editor' | 'blank' | 'data' | 'secure';

export interface PageRules {
  /** What may be loaded, whoever asked: as the whole page, into a frame, and as a part of a page. */
  loads: Record<'whole' | 'frame' | 'part', readonly Place[]>;
  /** Where a page leads: itself, the whole by a frame in it, the whole by a redirect, and its frames. */
  goes: Record<'whole' | 'byFrame' | 'redirect' | 'frame', readonly Place[]>;
  /** Granted to the pages of the editors alone. */
  permissions: readonly string[];
  /** Another window: in the default browser, if the address may go there. */
  windows: 'none' | 'outside';
  downloads: 'none' | 'asked';
}

export const pageRules: Readonly<Record<PageKind, PageRules>> = {
  window: {
    loads: { whole: ['app', 'tools'], frame: ['app', 'tools'], part: ['app', 'tools'] },
    goes: { whole: [], byFrame: [], redirect: [], frame: [] },
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
    // A conversion is the editor's own page for a moment; a frame leads nowhere but back to the host's pages.
    goes: {
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
    goes: { whole: ['editor'], byFrame: ['editor'], redirect: ['editor'], frame: ['editor', 'blank'] },
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

export function isAt(url: string, wanted: readonly Place[], places: Places): boolean {
  return wanted.some((place) => isPlace[place](url, places));
}

/** Of an origin as Chromium tells it, with or without a slash at its end. */
export function isEditorOrigin(origin: string, places: Places): boolean {
  return isPlace.editor(origin, places);
}

const isPlace: Record<Place, (url: string, places: Places) => boolean> = {
  app: (url) => url.startsWith(`${appOrigin}/`),
  tools: (url, { hasDevTools }) => hasDevTools && url.startsWith('devtools://'),
  page: (url, { pageUrls }) => isOfOne(url, pageUrls),
  editor: (url, { editorUrls }) => isOfOne(url, editorUrls),
  blank: (url, { editorUrls }) =>
    url === 'about:blank' ||
    url === 'about:srcdoc' ||
    (url.startsWith('blob:') && isOfOne(url.slice('blob:'.length), editorUrls)),
  data: (url) => url.startsWith('data:'),
  secure: (url) => /^(?:https|wss):\/\//u.test(url),
};

function isOfOne(url: string, others: readonly string[]): boolean {
  const origin = webOrigin(url);
  return origin !== undefined && others.some((other) => webOrigin(other) === origin);
}

/** A socket is its server's. Undefined for what is neither. */
function webOrigin(url: string): string | undefined {
  const parsed = URL.parse(url.replace(/^ws(?=s?:\/\/)/u, 'http'));
  if (parsed === null || !/^https?:$/u.test(parsed.protocol)) return undefined;
  return parsed.origin;
}
