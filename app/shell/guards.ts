// What no web contents of this app may do, whoever wrote the page it shows: leave its page, open another, hold a webview,
// get a permission, load anything that is not the app's own, download. Nothing here has an exception for the window.

import type { App, Session, WebContents } from 'electron';
import { appOrigin } from './app-address.ts';

export interface GuardDeps {
  /** Developer tools load their own pages; they are there only in an unpackaged app. */
  hasDevTools: boolean;
  /** In words, without the address: that may hold what somebody wants logged. */
  onRefused(what: string): void;
}

/**
 * Before `ready`: every web contents and session made from then on is guarded.
 * @returns what guards a session of which nobody said that it was made: Electron's default one
 */
export function installGuards(app: Pick<App, 'on'>, deps: GuardDeps): (session: Session) => void {
  const guarded = new WeakSet<Session>();
  const guard = (session: Session): void => {
    if (!guarded.has(session)) guardSession(session, deps);
    guarded.add(session);
  };
  app.on('session-created', guard);
  app.on('web-contents-created', (_event, contents) => {
    guardContents(contents, deps);
  });
  return guard;
}

/** @see Electron's security checklist, 13 and 14: disable or limit navigation, and the creation of new windows */
function guardContents(contents: WebContents, { onRefused }: GuardDeps): void {
  const refuse =
    (what: string) =>
    (event: { preventDefault(): void }): void => {
      event.preventDefault();
      onRefused(what);
    };
  contents.on('will-navigate', refuse('a navigation'));
  contents.on('will-frame-navigate', refuse('a navigation of a frame'));
  contents.on('will-redirect', refuse('a redirect'));
  contents.on('will-attach-webview', refuse('a webview'));
  contents.setWindowOpenHandler(() => {
    onRefused('another window');
    return { action: 'deny' };
  });
}

/** @see Electron's security checklist, 5: handle session permission requests from remote content */
export function guardSession(session: Session, { hasDevTools, onRefused }: GuardDeps): void {
  session.setPermissionRequestHandler((_contents, permission, callback) => {
    onRefused(`the permission ${permission}`);
    callback(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, callback) => {
    onRefused('a recording of the screen');
    callback(null);
  });
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest(({ url }, callback) => {
    const isOwn = url.startsWith(`${appOrigin}/`) || (hasDevTools && url.startsWith('devtools://'));
    if (!isOwn) onRefused('a request');
    callback({ cancel: !isOwn });
  });
  session.on('will-download', (event) => {
    event.preventDefault();
    onRefused('a download');
  });
}
