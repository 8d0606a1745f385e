// What the pages of each of the app's sessions may do, as one table: whatever a row doesn't name is refused. The app's own window
// is the most restricted. An editor's page is third-party code: it gets what a careful browser would give it in a tab, and no
// access to the app. Below the table: the guards, which hold every page to its row; which addresses belong to the host and to the
// connected editors; and the only way to the default browser.

import type { App, DownloadItem, Session, WebContents, WebFrameMain } from 'electron';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { Editor, Discovery } from '../store/editors.ts';
import type { RunningHost } from '../host/running-host.ts';
import { appOrigin } from './protocol.ts';

/** Whose pages: the app's window, a document in a window of its own, the connection test. */
type PageKind = 'window' | 'editor' | 'probe';

/**
 * `app`: the window's own pages. `tools`: developer tools, in an unpackaged app. `page`: the host's pages. `editor`: a connected
 * editor's pages. `blank`: what a frame shows before it navigates, and blobs that an editor created. `data`: data URLs. `secure`:
 * anything over TLS.
 */
type Place = 'app' | 'tools' | 'page' | 'editor' | 'blank' | 'data' | 'secure';

interface PageRules {
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

const pageRules: Readonly<Record<PageKind, PageRules>> = {
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

interface Places {
  /** Developer tools load their own pages; they are there only in an unpackaged app. */
  hasDevTools: boolean;
  /** Addresses of the host's pages. */
  pageUrls: readonly string[];
  /** Addresses of the connected editors. */
  editorUrls: readonly string[];
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

/** Whose pages a session shows, and what its rules depend on at run time. */
export interface Ruling {
  kind: Exclude<PageKind, 'window'>;
  pageUrls(): readonly string[];
  editorUrls(): readonly string[];
  /** A page asked for another window, and its rules allow that. */
  openOutside(url: string, contents: WebContents): void;
  /** Before the system's save dialog. */
  nameDownload(item: DownloadItem): void;
}

/** Without a ruling, a session has the rules of the app's own window, which are the strictest. */
export interface Guards {
  /** For the session that exists before `session-created` is heard: Electron's default one. */
  guardSession(session: Session): void;
  /** Before the session's first page. */
  rule(session: Session, ruling: Ruling): void;
}

/** A navigation, as Electron's events describe it. */
interface Navigation {
  preventDefault(): void;
  url?: string;
  isMainFrame?: boolean;
  initiator?: WebFrameMain | null;
}

/** Before `ready`, so that every session and web contents is guarded. */
export function installGuards(
  app: Pick<App, 'on'>,
  deps: {
    hasDevTools: boolean;
    /** Without the address: a page could use it to write into the log. */
    onRefused(what: string): void;
  },
): Guards {
  const guarded = new WeakSet<Session>();
  const rulings = new WeakMap<Session, Ruling>();
  const onRefused = oncePerSecond(deps.onRefused);

  function rulesOf(session: Session): { rules: PageRules; isAllowed: IsAllowed; ruling?: Ruling } {
    const ruling = rulings.get(session);
    const places: Places = {
      hasDevTools: deps.hasDevTools,
      pageUrls: ruling?.pageUrls() ?? [],
      editorUrls: ruling?.editorUrls() ?? [],
    };
    return {
      rules: pageRules[ruling?.kind ?? 'window'],
      isAllowed: (url, allowed) => allowed.some((place) => isPlace[place](url, places)),
      ...(ruling && { ruling }),
    };
  }

  /** @see Electron's security checklist, 5: handle session permission requests from remote content */
  function guardSession(session: Session): void {
    if (guarded.has(session)) return;
    guarded.add(session);
    const isGranted = (permission: string, origin: string): boolean => {
      const { rules, isAllowed } = rulesOf(session);
      return rules.permissions.includes(permission) && isAllowed(origin, ['editor']);
    };
    session.setPermissionRequestHandler((_contents, permission, callback, details) => {
      const isAllowed = isGranted(permission, details.requestingUrl);
      if (!isAllowed) onRefused(`the permission ${permission}`);
      callback(isAllowed);
    });
    session.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin));
    session.setDevicePermissionHandler(() => false);
    session.setDisplayMediaRequestHandler((_request, callback) => {
      onRefused('a recording of the screen');
      callback(null);
    });
    session.setSpellCheckerEnabled(false);
    session.webRequest.onBeforeRequest(({ url, resourceType }, callback) => {
      const { rules, isAllowed } = rulesOf(session);
      const { whole, frame, part } = rules.loads;
      const cancel = !isAllowed(url, { mainFrame: whole, subFrame: frame }[resourceType as string] ?? part);
      if (cancel) onRefused('a request');
      callback({ cancel });
    });
    session.on('will-download', (event, item) => {
      const { rules, ruling } = rulesOf(session);
      if (rules.downloads === 'asked') return ruling?.nameDownload(item);
      event.preventDefault();
      onRefused('a download');
    });
  }

  /** @see Electron's security checklist, 13 and 14: disable or limit navigation, and the creation of new windows */
  function guardContents(contents: WebContents): void {
    const guard = (navigation: Navigation, what: string, to: (by: Navigator) => keyof Navigates): void => {
      const { rules, isAllowed } = rulesOf(contents.session);
      const by = isByFrame(navigation.initiator) ? 'byFrame' : 'whole';
      if (isAllowed(navigation.url ?? '', rules.navigates[to(by)])) return;
      navigation.preventDefault();
      onRefused(what);
    };
    contents.on('will-navigate', (navigation: Navigation) => {
      guard(navigation, 'a navigation', (by) => by);
    });
    contents.on('will-frame-navigate', (navigation: Navigation) => {
      guard(navigation, 'a navigation of a frame', (by) => (navigation.isMainFrame === true ? by : 'frame'));
    });
    contents.on('will-redirect', (navigation: Navigation) => {
      guard(navigation, 'a redirect', () => (navigation.isMainFrame === false ? 'frame' : 'redirect'));
    });
    contents.on('will-attach-webview', (event) => {
      event.preventDefault();
      onRefused('a webview');
    });
    contents.setWindowOpenHandler(({ url }) => {
      const { rules, ruling } = rulesOf(contents.session);
      if (rules.windows === 'outside') ruling?.openOutside(url, contents);
      else onRefused('another window');
      return { action: 'deny' };
    });
  }

  app.on('session-created', guardSession);
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
  return {
    guardSession,
    rule(session, ruling) {
      guardSession(session);
      rulings.set(session, ruling);
    },
  };
}

type Navigates = PageRules['navigates'];
type Navigator = 'whole' | 'byFrame';
type IsAllowed = (url: string, allowed: readonly Place[]) => boolean;

/** True if that can't be read any more: its rule is the stricter one. */
function isByFrame(initiator: WebFrameMain | null | undefined): boolean {
  try {
    return initiator?.parent !== null;
  } catch {
    return true;
  }
}

/** A page can ask a thousand times a second, and each time would be a line of the log. */
function oncePerSecond(onRefused: (what: string) => void): (what: string) => void {
  const reportedAtMs = new Map<string, number>();
  return (what) => {
    const nowMs = performance.now();
    const last = reportedAtMs.get(what);
    if (last !== undefined && nowMs - last < 1000) return;
    reportedAtMs.set(what, nowMs);
    onRefused(what);
  };
}

/** What is read from the running host. */
export type PagesHost = Pick<RunningHost, 'baseUrl' | 'publicUrl' | 'baseUrlOf'> & {
  services: {
    editors: { list(): readonly Pick<Editor, 'id' | 'kind' | 'url' | 'acceptsOtherHosts' | 'discovery'>[] };
  };
};

const maxUrlLength = 2048;

/**
 * An address may come from a document server or from a compromised page, and for `file:`, `smb:` or `ms-…:` the system would start a
 * program just as readily.
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
    if (!isAllowed)
      throw new AppError('permission-denied', { detail: () => t('desktop.address-not-opened') });
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

/** One discovery lists hundreds of addresses on very few origins, and every request of a page asks for them. */
const knownOrigins = new WeakMap<Discovery, string[]>();

function discoveredOrigins(discovery: Discovery): string[] {
  const known = knownOrigins.get(discovery);
  if (known !== undefined) return known;
  const urls = discovery.actions.flatMap(({ urlsrc }) => URL.parse(urlsrc.replace(/[?<].*$/su, '')) ?? []);
  const origins = [...new Set(urls.map(({ origin }) => origin))].filter((origin) => /^https?:/u.test(origin));
  knownOrigins.set(discovery, origins);
  return origins;
}
