// What no web contents of this app may do, whoever wrote the page it shows: leave its page, open another, hold a webview,
// get a permission, load anything that is not its own, download. page-rules.ts says what each kind of page may do of that all
// the same; a session of which nobody said anything has the window's rules, which are the strictest.

import type { App, DownloadItem, Session, WebContents, WebFrameMain } from 'electron';
import { isAt, isEditorOrigin, pageRules, type PageKind, type Place, type Places } from './page-rules.ts';

export interface GuardDeps {
  /** Developer tools load their own pages; they are there only in an unpackaged app. */
  hasDevTools: boolean;
  /** In words, without the address: that may hold what somebody wants logged. */
  onRefused(what: string): void;
}

/** Whose pages a session shows, and what of the rules depends on who is connected. */
export interface Ruling {
  kind: Exclude<PageKind, 'window'>;
  pageUrls(): readonly string[];
  editorUrls(): readonly string[];
  /** Another window was wanted, where that is not refused anyway. */
  openOutside(url: string, contents: WebContents): void;
  /** Before the system asks where to. */
  nameDownload(item: DownloadItem): void;
}

export interface Guards {
  /** Guards a session of which nobody said that it was made: Electron's default one. */
  guardSession(session: Session): void;
  /** Before the session's first page. */
  rule(session: Session, ruling: Ruling): void;
}

interface Guarding extends GuardDeps {
  rulingOf(session: Session | undefined): Ruling | undefined;
}

/** What was wanted, as Electron tells it. */
interface Step {
  preventDefault(): void;
  url?: string;
  isMainFrame?: boolean;
  initiator?: WebFrameMain | null;
}

/** Before `ready`: every web contents and session made from then on is guarded. */
export function installGuards(app: Pick<App, 'on'>, deps: GuardDeps): Guards {
  const guarded = new WeakSet<Session>();
  const rulings = new WeakMap<Session, Ruling>();
  const guarding: Guarding = {
    hasDevTools: deps.hasDevTools,
    onRefused: seldom(deps.onRefused),
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
  const judge = (step: Step, wanted: readonly Place[], what: string): void => {
    if (isAt(step.url ?? '', wanted, placesOf(guarding, ruling()))) return;
    step.preventDefault();
    onRefused(what);
  };
  contents.on('will-navigate', (step: Step) => {
    const { goes } = rulesOf(ruling());
    judge(step, isByFrame(step.initiator) ? goes.byFrame : goes.whole, 'a navigation');
  });
  contents.on('will-frame-navigate', (step: Step) => {
    const { goes } = rulesOf(ruling());
    const whole = isByFrame(step.initiator) ? goes.byFrame : goes.whole;
    judge(step, step.isMainFrame === true ? whole : goes.frame, 'a navigation of a frame');
  });
  contents.on('will-redirect', (step: Step) => {
    const { goes } = rulesOf(ruling());
    judge(step, step.isMainFrame === false ? goes.frame : goes.redirect, 'a redirect');
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
    onRefused('a webview');
  });
  contents.setWindowOpenHandler(({ url }) => {
    const ruled = ruling();
    if (ruled !== undefined && rulesOf(ruled).windows === 'outside') ruled.openOutside(url, contents);
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
    const ruled = ruling();
    return rulesOf(ruled).permissions.includes(permission) && isEditorOrigin(origin, placesOf(deps, ruled));
  };
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    const isRight = isGranted(permission, details.requestingUrl);
    if (!isRight) onRefused(`the permission ${permission}`);
    callback(isRight);
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, callback) => {
    onRefused('a recording of the screen');
    callback(null);
  });
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest(({ url, resourceType }, callback) => {
    const ruled = ruling();
    const { loads } = rulesOf(ruled);
    const wanted = { mainFrame: loads.whole, subFrame: loads.frame }[resourceType as string] ?? loads.part;
    const isRight = isAt(url, wanted, placesOf(deps, ruled));
    if (!isRight) onRefused('a request');
    callback({ cancel: !isRight });
  });
  session.on('will-download', (event, item) => {
    const ruled = ruling();
    if (ruled !== undefined && rulesOf(ruled).downloads === 'asked') return ruled.nameDownload(item);
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

/** Also of one that cannot be told any more: it is the stricter rule. */
function isByFrame(initiator: WebFrameMain | null | undefined): boolean {
  try {
    return initiator?.parent !== null;
  } catch {
    return true;
  }
}

/** A page can ask a thousand times a second, and each would be a line of the log. */
function seldom(onRefused: (what: string) => void): (what: string) => void {
  const toldAtMs = new Map<string, number>();
  return (what) => {
    const nowMs = performance.now();
    const last = toldAtMs.get(what);
    if (last !== undefined && nowMs - last < 1000) return;
    toldAtMs.set(what, nowMs);
    onRefused(what);
  };
}
