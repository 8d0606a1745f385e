// Documents in windows of the app: each shows one host page with an editor in it, as a browser's tab would. The editor's part is
// a stranger's, so these windows have a session of their own that forgets everything, no preload script, and the row `editor` of
// page-rules.ts.

import type { BrowserWindow, DownloadItem, NativeTheme, Screen, Session, WebContents } from 'electron';
import { basename, join } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import { AppError, errorCode } from '../contract/errors.ts';
import type { Logger } from '../log/logger.ts';
import type { Ask, Question } from './desktop-ask.ts';
import { nameText } from './menu-text.ts';
import { pagePreferences } from './page-preferences.ts';
import { createRendererCrash } from './renderer-crash.ts';
import { reachableBounds, readWindowPlace, smallestSize } from './window-bounds.ts';
import { backgroundNow, rememberPlace } from './window.ts';

export interface EditorWindowsDeps {
  BrowserWindow: typeof BrowserWindow;
  nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors'>;
  screen: Pick<Screen, 'getAllDisplays'>;
  /** Of its own, with the ruling `editor`. */
  session(): Session;
  icon: string | undefined;
  placeFile: string;
  hasDevTools: boolean;
  /** A question over that window. */
  askOver(window: BrowserWindow): Ask;
  /** Nobody is asked to stay any more. */
  isEnding(): boolean;
  /** Addresses of the host's pages. */
  pageUrls(): readonly string[];
  /** To the default browser, if the address may go there. */
  openExternal(url: string): Promise<void>;
  clock: Clock;
  log: Logger;
}

export interface EditorWindows {
  /**
   * Shows the page of a document: in the window that has it already, else in a new one. Resolves once the page has come.
   * @throws AppError host-away
   */
  open(url: string, title: string): Promise<void>;
  /** What a page of theirs wants opened: a page of the host in a window of its own, everything else in the browser. */
  openOutside(url: string, contents: WebContents): void;
  /** As its close button does. False: none of them has the focus. */
  closeFocused(): boolean;
}

interface Shown {
  window: BrowserWindow;
  /** The page came and is no refusal. */
  isGood: boolean;
}

/** A page that opens one window after another is none a person works with. */
const apartMs = 1000;
const brokenOff = -3;

export function createEditorWindows(deps: EditorWindowsDeps): EditorWindows {
  const { log } = deps;
  const shown = new Set<Shown>();
  let openedAtMs = Number.NEGATIVE_INFINITY;

  function make(title: string): BrowserWindow {
    const place = readWindowPlace(deps.placeFile);
    const workAreas = deps.screen.getAllDisplays().map(({ workArea }) => workArea);
    const made = new deps.BrowserWindow({
      ...reachableBounds(place, workAreas),
      minWidth: smallestSize.width,
      minHeight: smallestSize.height,
      show: false,
      title: `${title} – DocTray`,
      backgroundColor: backgroundNow(deps.nativeTheme),
      ...(deps.icon !== undefined && { icon: deps.icon }),
      // an editor that asks one thing after another can be silenced
      webPreferences: { ...pagePreferences(deps.session(), deps.hasDevTools), safeDialogs: true },
    });
    if (place?.isMaximized === true) made.once('show', () => made.maximize());
    made.setMenuBarVisibility(false);
    made.once('ready-to-show', () => made.show());
    // only the host's own page says what the window is called
    made.on('page-title-updated', (event) => {
      if (!isOwnPage(made.webContents.getURL())) event.preventDefault();
    });
    rememberPlace(made, deps.placeFile, log);
    return made;
  }

  async function open(url: string, title: string): Promise<void> {
    const { pathname } = new URL(url);
    // the path is the document and how it is opened; a page may have gone from viewing to editing
    const known = [...shown].find(({ window }) => pathOf(window) === pathname);
    if (known?.isGood === true) {
      bringForward(known.window);
      return;
    }
    const window = known?.window ?? make(nameText(title, 80));
    const entry: Shown = known ?? { window, isGood: false };
    if (known === undefined) {
      shown.add(entry);
      window.on('closed', () => void shown.delete(entry));
      watchPage(entry);
      askBeforeLeaving(window, nameText(title, 80), deps);
    }
    const arrival = arrivalOf(window, url);
    if (known !== undefined) bringForward(window);
    const fault = await arrival;
    if (fault === undefined) return;
    if (known === undefined && !window.isDestroyed()) window.destroy();
    throw new AppError('host-away', { detail: `The page of the document did not come (${fault}).` });
  }

  function watchPage(entry: Shown): void {
    const { window } = entry;
    const { webContents } = window;
    const crash = createRendererCrash({
      clock: deps.clock,
      log,
      reload: () => setImmediate(() => !window.isDestroyed() && webContents.reload()),
      async ask() {
        return (await deps.askOver(window)(goneQuestion)) === 0 ? 'reload' : 'quit';
      },
      quit: () => !window.isDestroyed() && window.destroy(),
    });
    webContents.on('did-navigate', (_event, url, status) => {
      entry.isGood = status < 400;
      // the editor was closed, and with it what the window is for
      const isOver = isOwnPage(url) && new URL(url).pathname.endsWith('/closed');
      if (isOver) setImmediate(() => !window.isDestroyed() && window.close());
    });
    webContents.on('render-process-gone', (_event, { reason }) => {
      entry.isGood = false;
      if (reason !== 'clean-exit') crash.onGone(reason);
    });
    webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
      if (!isMainFrame || code === brokenOff || !entry.isGood) return;
      entry.isGood = false;
      crash.onGone(description);
    });
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
      const isTooSoon = Math.abs(nowMs - openedAtMs) < apartMs;
      if (isTooSoon || opener?.isFocused() !== true) {
        log.warn({}, 'A page wanted another window out of turn.');
        return;
      }
      openedAtMs = nowMs;
      const isDocument = isOwnPage(url) && /\/(?:edit|view)\/[\w-]+$/u.test(new URL(url).pathname);
      const opening = isDocument ? open(url, 'Document') : deps.openExternal(url);
      opening.catch((error: unknown) => log.warn({ err: error }, 'What a page wanted opened was not.'));
    },

    closeFocused() {
      const focused = [...shown].find(({ window }) => window.isFocused());
      focused?.window.close();
      return focused !== undefined;
    },
  };
}

/** The system asks where to; this says only what it starts with. */
export function nameDownload(item: DownloadItem, downloadsFolder: string): void {
  const name = basename(item.getFilename().replaceAll(/[\p{Cc}<>:"|?*\\]/gu, '_'));
  item.setSaveDialogOptions({
    defaultPath: join(downloadsFolder, /^\.{0,2}$/u.test(name) ? 'document' : name),
    properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
  });
}

/** Loads it. Chromium's word for why nothing came; undefined once the page has come, though not all that is in it. */
function arrivalOf(window: BrowserWindow, url: string): Promise<string | undefined> {
  const { webContents } = window;
  return new Promise((resolve) => {
    const arrived = (): void => settle(undefined);
    const gone = (): void => settle('the window was closed');
    const settle = (fault: string | undefined): void => {
      webContents.off('did-navigate', arrived);
      webContents.off('destroyed', gone);
      resolve(fault);
    };
    webContents.on('did-navigate', arrived);
    webContents.on('destroyed', gone);
    window.loadURL(url).then(arrived, (error: unknown) => settle(loadFault(error)));
  });
}

/** Its code alone: the text holds the address. */
export function loadFault(error: unknown): string {
  return errorCode(error) || 'ERR_FAILED';
}

/**
 * A page that wants to stay because something is not saved: Chromium would only leave the window open. Never asked while the
 * process waits, since saves run in it.
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
    } finally {
      isAsking = false;
    }
  };
  window.webContents.on('will-prevent-unload', (event) => {
    if (mayLeave || deps.isEnding()) return event.preventDefault();
    // what the page itself leads away from, it may also keep
    if (!isClosing) return;
    isClosing = false;
    if (isAsking) return;
    ask().catch((error: unknown) => deps.log.error({ err: error }, 'A question could not be shown.'));
  });
  // a page that hangs cannot say whether it wants to stay
  window.on('unresponsive', () => {
    if (isClosing && !window.isDestroyed()) window.destroy();
  });
}

function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function pathOf({ webContents }: BrowserWindow): string | undefined {
  return URL.parse(webContents.getURL())?.pathname;
}

function unsavedQuestion(title: string): Question {
  return {
    type: 'question',
    message: `${title} has changes that are not saved yet.`,
    detail: 'The editor saves them in a moment. Closing now may lose them.',
    buttons: ['Keep editing', 'Close anyway'],
    defaultId: 0,
    cancelId: 0,
  };
}

const goneQuestion: Question = {
  type: 'error',
  message: 'The page of the document failed twice.',
  detail: 'What the editor has saved is safe.',
  buttons: ['Try again', 'Close the window'],
  defaultId: 0,
  cancelId: 1,
};
