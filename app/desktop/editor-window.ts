// Documents in windows of the app: each shows one host page with an editor in it, as a browser tab would. Editors are third-party
// code, so these windows have no preload script and a session of their own, in memory, under the row `editor` of guards.ts.

import type { BrowserWindow, Dialog, DownloadItem, Session, WebContents } from 'electron';
import { X509Certificate } from 'node:crypto';
import { basename, join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { createAsk, type Ask, type Question } from './desktop.ts';
import type { Guards, Ruling } from './guards.ts';
import { nameText } from './labels.ts';
import {
  bringToFront,
  createCrashRecovery,
  createPageWindow,
  loadErrorCode,
  onLoadFailed,
  type PageWindowDeps,
} from './page-window.ts';
import { createShowProbe, type ShowPage } from './probe-window.ts';
import { t } from '../contract/messages.ts';
import { forbiddenCharacters } from '../contract/names.ts';

export interface EditorWindowsDeps extends PageWindowDeps {
  /** Asks over that window. */
  askOver(window: BrowserWindow): Ask;
  /** The app is quitting: unsaved changes no longer keep a window open. */
  isQuitting(): boolean;
  /** Addresses of the host's pages. */
  pageUrls(): readonly string[];
  /** Opens the address in the default browser, if it may go there. */
  openExternal(url: string): Promise<void>;
}

export interface EditorWindows {
  /**
   * Shows the page of a document, in its window if it already has one. Resolves when the page has arrived.
   * @throws AppError host-away
   */
  open(url: string, title: string): Promise<void>;
  /** A page asked for another window: a page of the host gets one, everything else opens in the browser. */
  openOutside(url: string, contents: WebContents): void;
  /** Like its close button. @returns false when none of them has the focus */
  closeFocused(): boolean;
}

export interface EditorPagesDeps extends Omit<EditorWindowsDeps, 'session' | 'askOver'> {
  /** Of Electron's `session`. */
  fromPartition(partition: string): Session;
  dialog: Pick<Dialog, 'showMessageBox'>;
  guards: Pick<Guards, 'rule'>;
  platform: NodeJS.Platform;
  downloadsFolder(): string;
  /** Addresses of the connected editors. */
  editorUrls(): readonly string[];
  /** PEM, of the host's HTTPS listener; undefined without HTTPS. */
  hostCertificate(): string | undefined;
}

export interface EditorPages {
  windows: EditorWindows;
  showProbe: ShowPage;
}

/** Without `persist:`, what an editor stores is gone when the app quits. */
const partitions = { editor: 'editor', probe: 'probe' } as const satisfies Record<Ruling['kind'], string>;

/** Windows for documents and for the connection test. The one place where a session gets rules other than the app window's. */
export function createEditorPages(deps: EditorPagesDeps): EditorPages {
  const { BrowserWindow, dialog, platform, pageUrls, editorUrls } = deps;
  const sessions = new Map<Ruling['kind'], Session>();

  function sessionOf(kind: Ruling['kind']): Session {
    const known = sessions.get(kind);
    if (known !== undefined) return known;
    const session = deps.fromPartition(partitions[kind]);
    deps.guards.rule(session, {
      kind,
      pageUrls,
      editorUrls,
      openOutside: (url, contents) => windows.openOutside(url, contents),
      nameDownload: (item) => nameDownload(item, deps.downloadsFolder()),
    });
    session.setCertificateVerifyProc(({ certificate }, callback) => {
      callback(isSameCertificate(certificate.data, deps.hostCertificate()) ? trusted : verifiedByChromium);
    });
    sessions.set(kind, session);
    return session;
  }
  const windows = createEditorWindows({
    ...deps,
    session: () => sessionOf('editor'),
    askOver: (window) => createAsk({ dialog, window: () => window, platform }),
  });
  return { windows, showProbe: createShowProbe({ BrowserWindow, session: () => sessionOf('probe') }) };
}

/** Results of a certificate verify procedure. @see Electron's `Session.setCertificateVerifyProc` */
const trusted = 0;
const verifiedByChromium = -3;

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

interface EditorWindow {
  window: BrowserWindow;
  /** The page arrived and isn't an error. */
  isLoaded: boolean;
}

/** A page that opens one window after another isn't one the user is working with. */
const openEveryMs = 1000;

export function createEditorWindows(deps: EditorWindowsDeps): EditorWindows {
  const { log } = deps;
  const editorWindows = new Set<EditorWindow>();
  let openedAtMs = Number.NEGATIVE_INFINITY;

  function create(title: string): BrowserWindow {
    // safeDialogs: an editor that shows one alert after another can be silenced
    const window = createPageWindow(deps, `${title} – DocTray`, { safeDialogs: true });
    window.once('ready-to-show', () => window.show());
    // Only the host's own page sets the title.
    window.on('page-title-updated', (event) => {
      if (!isOwnPage(window.webContents.getURL())) event.preventDefault();
    });
    return window;
  }

  async function open(url: string, title: string): Promise<void> {
    const { pathname } = new URL(url);
    // The path is the document and its mode; a page may have switched from viewing to editing.
    const known = [...editorWindows].find(({ window }) => pathOf(window) === pathname);
    if (known?.isLoaded === true) return bringToFront(known.window);
    const window = known?.window ?? add(nameText(title, 80));
    const loading = load(window, url);
    if (known !== undefined) bringToFront(window);
    const failure = await loading;
    if (failure === undefined) return;
    if (known === undefined && !window.isDestroyed()) window.destroy();
    throw new AppError('host-away', { detail: () => t('desktop.page-didnt-load', { code: failure }) });
  }

  function add(title: string): BrowserWindow {
    const window = create(title);
    const { webContents } = window;
    const editorWindow: EditorWindow = { window, isLoaded: false };
    editorWindows.add(editorWindow);
    window.on('closed', () => void editorWindows.delete(editorWindow));
    askBeforeLeaving(window, title, deps);
    const onCrash = createCrashRecovery({
      ...deps,
      ask: deps.askOver(window),
      question: crashQuestion(),
      reload: () => setImmediate(() => !window.isDestroyed() && webContents.reload()),
      giveUp: () => !window.isDestroyed() && window.destroy(),
    });
    webContents.on('did-navigate', (_event, url, status) => {
      editorWindow.isLoaded = status < 400;
      // The editor was closed, so its window has no purpose any more.
      const isClosed = isOwnPage(url) && new URL(url).pathname.endsWith('/closed');
      if (isClosed) setImmediate(() => !window.isDestroyed() && window.close());
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      editorWindow.isLoaded = false;
      if (reason !== 'clean-exit') onCrash(reason);
    });
    onLoadFailed(webContents, (reason) => {
      // A page that has not arrived yet is reported by `open`.
      if (!editorWindow.isLoaded) return;
      editorWindow.isLoaded = false;
      onCrash(reason);
    });
    return window;
  }

  function isOwnPage(url: string): boolean {
    const origin = URL.parse(url)?.origin;
    return deps.pageUrls().some((own) => URL.parse(own)?.origin === origin);
  }

  return {
    open,

    openOutside(url, contents) {
      const nowMs = deps.clock();
      const opener = deps.BrowserWindow.fromWebContents(contents);
      const isTooSoon = Math.abs(nowMs - openedAtMs) < openEveryMs;
      if (isTooSoon || opener?.isFocused() !== true) {
        log.warn({}, 'A page tried to open a window without a user’s action.');
        return;
      }
      openedAtMs = nowMs;
      const isDocument = isOwnPage(url) && /\/(?:edit|view)\/[\w-]+$/u.test(new URL(url).pathname);
      const opening = isDocument ? open(url, 'Document') : deps.openExternal(url);
      opening.catch((error: unknown) => log.warn({ err: error }, 'A page’s link couldn’t be opened.'));
    },

    closeFocused() {
      const focused = [...editorWindows].find(({ window }) => window.isFocused());
      focused?.window.close();
      return focused !== undefined;
    },
  };
}

/** The start value of the system's save dialog. */
export function nameDownload(item: DownloadItem, downloadsFolder: string): void {
  const name = basename(item.getFilename()).replaceAll(forbiddenCharacters, '_');
  item.setSaveDialogOptions({
    defaultPath: join(downloadsFolder, /^\.{0,2}$/u.test(name) ? 'document' : name),
    properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
  });
}

/** Resolves when the page has arrived, before all its parts have: with undefined, or with why it didn't arrive. */
function load(window: BrowserWindow, url: string): Promise<string | undefined> {
  const { webContents } = window;
  return new Promise((resolve) => {
    const finish = (failure: string | undefined): void => {
      webContents.off('did-navigate', arrived);
      webContents.off('destroyed', closed);
      resolve(failure);
    };
    const arrived = (): void => finish(undefined);
    const closed = (): void => finish('the window was closed');
    webContents.on('did-navigate', arrived);
    webContents.on('destroyed', closed);
    window.loadURL(url).then(arrived, (error: unknown) => finish(loadErrorCode(error)));
  });
}

/**
 * A page with unsaved changes prevents unloading, and Chromium would keep the window open without a word. The dialog must not
 * block the process, since saves run in it.
 */
function askBeforeLeaving(window: BrowserWindow, title: string, deps: EditorWindowsDeps): void {
  let isClosing = false;
  let isAsking = false;
  let mayLeave = false;
  window.on('close', () => {
    isClosing = true;
  });
  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      const answer = await deps.askOver(window)(unsavedQuestion(title));
      if (answer !== 1 || window.isDestroyed()) return;
      mayLeave = true;
      window.close();
    } catch (error) {
      deps.log.error({ err: error }, 'A dialog couldn’t be shown.');
    } finally {
      isAsking = false;
    }
  };
  window.webContents.on('will-prevent-unload', (event) => {
    if (mayLeave || deps.isQuitting()) return event.preventDefault();
    // A navigation that the page itself started, it may also stop.
    if (!isClosing) return;
    isClosing = false;
    if (!isAsking) void ask();
  });
  // A page that hangs can't say whether it has unsaved changes.
  window.on('unresponsive', () => {
    if (isClosing && !window.isDestroyed()) window.destroy();
  });
}

function pathOf({ webContents }: BrowserWindow): string | undefined {
  return URL.parse(webContents.getURL())?.pathname;
}

function unsavedQuestion(title: string): Question {
  return {
    type: 'question',
    message: t('desktop.name-has-unsaved-changes', { name: title }),
    detail: t('desktop.the-editor-is-about-to'),
    buttons: [t('common.keep-editing'), t('common.close-anyway')],
    defaultId: 0,
    cancelId: 0,
  };
}

const crashQuestion = (): Question => ({
  type: 'error',
  message: t('desktop.the-documents-page-crashed-twice'),
  detail: t('desktop.everything-that-was-saved-is'),
  buttons: [t('common.try-again'), t('desktop.close-the-window')],
  defaultId: 0,
  cancelId: 1,
});
