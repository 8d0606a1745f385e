// Pages of editors in windows of the app: documents, each a host page with an editor in it, as a browser tab would show it, and the
// hidden page of a connection test. Editors are third-party code, so these windows have no preload script and sessions of their own, in
// memory, under the rows `editor` and `probe` of guards.ts.

import type { BrowserWindow, Dialog, DownloadItem, Session, WebContents } from 'electron';
import { X509Certificate } from 'node:crypto';
import { basename, join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import { forbiddenCharacters } from '../contract/names.ts';
import { EditorFault } from '../editors/editor-fault.ts';
import type { PageForm } from '../editors/page-check.ts';
import { createAsk } from './desktop.ts';
import type { Guards, Ruling } from './guards.ts';
import { nameText } from './labels.ts';
import {
  bringToFront,
  createPageWindow,
  loadErrorCode,
  loadPage,
  newWindow,
  recoverPage,
  type PageWindowDeps,
} from './page-window.ts';

export interface EditorPagesDeps extends PageWindowDeps {
  /** Of Electron's `session`. */
  fromPartition(partition: string): Session;
  dialog: Pick<Dialog, 'showMessageBox'>;
  guards: Pick<Guards, 'rule'>;
  platform: NodeJS.Platform;
  downloadsFolder(): string;
  /** The app is quitting: unsaved changes no longer keep a window open. */
  isQuitting(): boolean;
  /** Addresses of the host's pages. */
  pageUrls(): readonly string[];
  /** Addresses of the connected editors. */
  editorUrls(): readonly string[];
  /** PEM, of the host's HTTPS listener; undefined without HTTPS. */
  hostCertificate(): string | undefined;
  /** Opens the address in the default browser, if it may go there. */
  openExternal(url: string): Promise<void>;
}

export type EditorPages = ReturnType<typeof createEditorPages>;

/** A page that opens one window after another isn't one the user is working with. */
const openEveryMs = 1000;
/** Results of a certificate verify procedure. @see Electron's `Session.setCertificateVerifyProc` */
const trusted = 0;
const verifiedByChromium = -3;

/** The one place where a session gets rules other than the app window's. */
export function createEditorPages(deps: EditorPagesDeps) {
  const { log } = deps;
  /** Documents' windows, and whether their page arrived and isn't an error. */
  const windows = new Map<BrowserWindow, boolean>();
  /** By path, while their pages are on their way. */
  const opening = new Map<string, Promise<void>>();
  let openedAtMs = Number.NEGATIVE_INFINITY;

  /** Without `persist:`, what an editor stores is gone when the app quits. */
  function sessionOf(kind: Ruling['kind']): Session {
    const session = deps.fromPartition(kind);
    const { pageUrls, editorUrls } = deps;
    deps.guards.rule(session, {
      kind,
      pageUrls,
      editorUrls,
      openOutside,
      nameDownload: (item) => nameDownload(item, deps.downloadsFolder()),
    });
    session.setCertificateVerifyProc(({ certificate }, callback) => {
      callback(isSameCertificate(certificate.data, deps.hostCertificate()) ? trusted : verifiedByChromium);
    });
    return session;
  }

  /**
   * Shows the page of a document, in its window if it already has one. Resolves when the page has arrived.
   * @throws AppError host-away
   */
  function open(url: string, title: string): Promise<void> {
    const { pathname } = new URL(url);
    const running = opening.get(pathname);
    if (running !== undefined) return running;
    const arrived = show(url, title).finally(() => opening.delete(pathname));
    opening.set(pathname, arrived);
    return arrived;
  }

  async function show(url: string, title: string): Promise<void> {
    const { pathname } = new URL(url);
    // The path is the document and its mode; a page may have switched from viewing to editing.
    const known = [...windows.keys()].find(
      ({ webContents }) => URL.parse(webContents.getURL())?.pathname === pathname,
    );
    if (known !== undefined) bringToFront(known);
    if (known !== undefined && windows.get(known) === true) return;
    const window = known ?? create(nameText(title, 80));
    try {
      await loadPage(window, url);
    } catch (error) {
      if (known === undefined && !window.isDestroyed()) window.destroy();
      const code = loadErrorCode(error);
      throw new AppError('host-away', { detail: () => t('desktop.page-didnt-load', { code }) });
    }
    if (known !== undefined) return;
    recoverPage(window, deps, {
      reload: () => window.webContents.reload(),
      message: () => t('desktop.the-documents-page-crashed-twice'),
      hasArrived: () => windows.get(window) === true,
    });
  }

  function create(title: string): BrowserWindow {
    // safeDialogs: an editor that shows one alert after another can be silenced
    const preferences = { session: sessionOf('editor'), safeDialogs: true };
    const window = createPageWindow(deps, `${title} – DocTray`, preferences);
    const { webContents } = window;
    windows.set(window, false);
    window.once('ready-to-show', () => window.show());
    window.on('closed', () => void windows.delete(window));
    // Only the host's own page sets the title.
    window.on('page-title-updated', (event) => {
      if (!isOwnPage(webContents.getURL())) event.preventDefault();
    });
    webContents.on('did-navigate', (_event, url, status) => {
      windows.set(window, status < 400);
      // The editor was closed, so its window has no purpose any more.
      const isClosed = isOwnPage(url) && new URL(url).pathname.endsWith('/closed');
      if (isClosed) setImmediate(() => !window.isDestroyed() && window.close());
    });
    askBeforeLeaving(window, title, deps);
    return window;
  }

  function isOwnPage(url: string): boolean {
    const origin = URL.parse(url)?.origin;
    return deps.pageUrls().some((own) => URL.parse(own)?.origin === origin);
  }

  /** A page of the host gets a window, everything else opens in the browser. */
  function openOutside(url: string, contents: WebContents): void {
    const nowMs = deps.clock();
    const isTooSoon = Math.abs(nowMs - openedAtMs) < openEveryMs;
    if (isTooSoon || deps.BrowserWindow.fromWebContents(contents)?.isFocused() !== true) {
      log.warn({}, 'A page tried to open a window without a user’s action.');
      return;
    }
    openedAtMs = nowMs;
    const isDocument = isOwnPage(url) && /\/(?:edit|view)\/[\w-]+$/u.test(new URL(url).pathname);
    const opening = isDocument ? open(url, t('common.document')) : deps.openExternal(url);
    opening.catch((error: unknown) => log.warn({ err: error }, 'A page’s link couldn’t be opened.'));
  }

  return {
    open,
    /** Like its close button. @returns false when no document's window has the focus */
    closeFocused() {
      const focused = [...windows.keys()].find((window) => window.isFocused());
      focused?.close();
      return focused !== undefined;
    },
    /**
     * For a connection test: posts the form to the editor's page in a hidden window, which stays until the signal aborts. Resolves when
     * the page has arrived.
     * @throws EditorFault for what only a browser finds
     */
    async showProbe({ action, accessToken, accessTokenTtl }: PageForm, signal: AbortSignal) {
      signal.throwIfAborted();
      const session = sessionOf('probe');
      const preferences = { session, disableDialogs: true, backgroundThrottling: false };
      const size = { width: 1024, height: 768 };
      const options = { ...size, focusable: false, skipTaskbar: true, title: 'DocTray' };
      const window = newWindow({ ...deps, hasDevTools: false }, preferences, options);
      window.webContents.setAudioMuted(true);
      window.webContents.on('will-prevent-unload', (event) => {
        event.preventDefault();
      });
      const end = (): void => {
        if (!window.isDestroyed()) window.destroy();
        // The session is in memory: what can't be cleared now is gone when the app quits.
        void session.clearStorageData().catch(() => undefined);
      };
      signal.addEventListener('abort', end);
      const form = new URLSearchParams({
        access_token: accessToken,
        access_token_ttl: String(accessTokenTtl),
      });
      try {
        await loadPage(window, action, {
          postData: [{ type: 'rawData', bytes: Buffer.from(form.toString()) }],
          extraHeaders: 'Content-Type: application/x-www-form-urlencoded',
        });
      } catch (error) {
        signal.throwIfAborted();
        end();
        throw pageFault(new URL(action).host, loadErrorCode(error));
      }
    },
  };
}

/**
 * The host's pages open in the app's windows even though this computer doesn't trust DocTray's local authority: a connection that
 * presents the host's own certificate ends in this process.
 */
function isSameCertificate(presented: string, own: string | undefined): boolean {
  if (own === undefined) return false;
  try {
    return new X509Certificate(presented).fingerprint256 === new X509Certificate(own).fingerprint256;
  } catch {
    return false;
  }
}

/** The start value of the system's save dialog. */
function nameDownload(item: DownloadItem, downloadsFolder: string): void {
  const name = basename(item.getFilename()).replaceAll(forbiddenCharacters, '_');
  item.setSaveDialogOptions({
    defaultPath: join(downloadsFolder, /^\.{0,2}$/u.test(name) ? 'document' : name),
    properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
  });
}

/**
 * A page with unsaved changes prevents unloading, and Chromium would keep the window open without a word. The dialog must not
 * block the process, since saves run in it.
 */
function askBeforeLeaving(window: BrowserWindow, title: string, deps: EditorPagesDeps): void {
  const ask = createAsk({ ...deps, window: () => window });
  let isClosing = false;
  let isAsking = false;
  let mayLeave = false;
  window.on('close', () => {
    isClosing = true;
  });
  const askToClose = async (): Promise<void> => {
    isAsking = true;
    const answer = await ask({
      type: 'question',
      message: t('desktop.name-has-unsaved-changes', { name: title }),
      detail: t('desktop.the-editor-is-about-to'),
      buttons: [t('common.keep-editing'), t('common.close-anyway')],
      defaultId: 0,
      cancelId: 0,
    });
    isAsking = false;
    if (answer !== 1 || window.isDestroyed()) return;
    mayLeave = true;
    window.close();
  };
  window.webContents.on('will-prevent-unload', (event) => {
    if (mayLeave || deps.isQuitting()) return event.preventDefault();
    // A navigation that the page itself started, it may also stop.
    if (!isClosing) return;
    isClosing = false;
    if (!isAsking) void askToClose();
  });
  // A page that hangs can't say whether it has unsaved changes.
  window.on('unresponsive', () => {
    if (isClosing && !window.isDestroyed()) window.destroy();
  });
}

type PageFault = [part: string, kind: EditorFault['code'], sentence: MessageKey, remedy: MessageKey];

const pageFaults: PageFault[] = [
  ['CERT_', 'tls-not-trusted', 'desktop.page-not-trusted', 'desktop.page-trust-authority'],
  ['BLOCKED_BY_CLIENT', 'other-host', 'desktop.page-on-other-host', 'desktop.page-allow-other-host'],
  ['ABORTED', 'redirected', 'desktop.page-redirected', 'desktop.page-connect-at-its-address'],
];
const otherPageFault: PageFault = ['', 'broken', 'desktop.page-failed', 'desktop.page-check-proxy'];

/** Why a browser can't load a page that this process could request. */
function pageFault(host: string, code: string): EditorFault {
  const [, kind, sentence, remedy] = pageFaults.find(([part]) => code.includes(part)) ?? otherPageFault;
  return new EditorFault(kind, [sentence, remedy], { host, code });
}
