// Holds every page of the app to its row of page-rules.ts: where it may navigate, which windows it may open, which permissions it
// gets, what it may load and download. A session without a ruling has the rules of the app's own window, which are the strictest.

import type { App, DownloadItem, Session, WebContents, WebFrameMain } from 'electron';
import {
  isAllowedUrl,
  isEditorOrigin,
  pageRules,
  type PageKind,
  type Place,
  type Places,
} from './page-rules.ts';

export interface GuardDeps {
  hasDevTools: boolean;
  /** Without the address: a page could use it to write into the log. */
  onRefused(what: string): void;
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

export interface Guards {
  /** For the session that exists before `session-created` is heard: Electron's default one. */
  guardSession(session: Session): void;
  /** Before the session's first page. */
  rule(session: Session, ruling: Ruling): void;
}

interface Guarding extends GuardDeps {
  rulingOf(session: Session | undefined): Ruling | undefined;
}

/** A navigation, as Electron's events describe it. */
interface Navigation {
  preventDefault(): void;
  url?: string;
  isMainFrame?: boolean;
  initiator?: WebFrameMain | null;
}

/** Before `ready`, so that every session and web contents is guarded. */
export function installGuards(app: Pick<App, 'on'>, deps: GuardDeps): Guards {
  const guarded = new WeakSet<Session>();
  const rulings = new WeakMap<Session, Ruling>();
  const guarding: Guarding = {
    hasDevTools: deps.hasDevTools,
    onRefused: oncePerSecond(deps.onRefused),
    rulingOf: (session) => (session === undefined ? undefined : rulings.get(session)),
  };
  const guard = (session: Session): void => {
    if (!guarded.has(session)) guardSession(session, guarding);
    guarded.add(session);
  };
  app.on('session-created', guard);
  app.on('web-contents-created', (_event, contents) => {
    guardContents(contents, guarding);
  });
  return {
    guardSession: guard,
    rule(session, ruling) {
      guard(session);
      rulings.set(session, ruling);
    },
  };
}

/** @see Electron's security checklist, 13 and 14: disable or limit navigation, and the creation of new windows */
function guardContents(contents: WebContents, guarding: Guarding): void {
  const { onRefused } = guarding;
  const ruling = (): Ruling | undefined => guarding.rulingOf(contents.session);
  const blockUnlessAllowed = (navigation: Navigation, allowed: readonly Place[], what: string): void => {
    if (isAllowedUrl(navigation.url ?? '', allowed, placesOf(guarding, ruling()))) return;
    navigation.preventDefault();
    onRefused(what);
  };
  contents.on('will-navigate', (navigation: Navigation) => {
    const { navigates } = rulesOf(ruling());
    blockUnlessAllowed(
      navigation,
      isByFrame(navigation.initiator) ? navigates.byFrame : navigates.whole,
      'a navigation',
    );
  });
  contents.on('will-frame-navigate', (navigation: Navigation) => {
    const { navigates } = rulesOf(ruling());
    const whole = isByFrame(navigation.initiator) ? navigates.byFrame : navigates.whole;
    blockUnlessAllowed(
      navigation,
      navigation.isMainFrame === true ? whole : navigates.frame,
      'a navigation of a frame',
    );
  });
  contents.on('will-redirect', (navigation: Navigation) => {
    const { navigates } = rulesOf(ruling());
    blockUnlessAllowed(
      navigation,
      navigation.isMainFrame === false ? navigates.frame : navigates.redirect,
      'a redirect',
    );
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
    onRefused('a webview');
  });
  contents.setWindowOpenHandler(({ url }) => {
    const current = ruling();
    if (current !== undefined && rulesOf(current).windows === 'outside') current.openOutside(url, contents);
    else onRefused('another window');
    return { action: 'deny' };
  });
}

/** @see Electron's security checklist, 5: handle session permission requests from remote content */
export function guardSession(
  session: Session,
  deps: GuardDeps & { rulingOf?: (session: Session) => Ruling | undefined },
): void {
  const { onRefused } = deps;
  const ruling = (): Ruling | undefined => deps.rulingOf?.(session);
  const isGranted = (permission: string, origin: string): boolean => {
    const current = ruling();
    return (
      rulesOf(current).permissions.includes(permission) && isEditorOrigin(origin, placesOf(deps, current))
    );
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
    const current = ruling();
    const { loads } = rulesOf(current);
    const allowed = { mainFrame: loads.whole, subFrame: loads.frame }[resourceType as string] ?? loads.part;
    const isAllowed = isAllowedUrl(url, allowed, placesOf(deps, current));
    if (!isAllowed) onRefused('a request');
    callback({ cancel: !isAllowed });
  });
  session.on('will-download', (event, item) => {
    const current = ruling();
    if (current !== undefined && rulesOf(current).downloads === 'asked') return current.nameDownload(item);
    event.preventDefault();
    onRefused('a download');
  });
}

function rulesOf(ruling: Ruling | undefined): (typeof pageRules)[PageKind] {
  return pageRules[ruling?.kind ?? 'window'];
}

function placesOf({ hasDevTools }: Pick<GuardDeps, 'hasDevTools'>, ruling: Ruling | undefined): Places {
  return { hasDevTools, pageUrls: ruling?.pageUrls() ?? [], editorUrls: ruling?.editorUrls() ?? [] };
}

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
