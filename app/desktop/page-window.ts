// What the windows that show a page have in common: the sandboxed process the page runs in, bounds that are remembered, and
// recovery when that process dies.

import type {
  BrowserWindow,
  BrowserWindowConstructorOptions,
  LoadURLOptions,
  NativeTheme,
  Rectangle,
  Screen,
  WebPreferences,
} from 'electron';
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock } from '../contract/clock.ts';
import { errorCode } from '../contract/errors.ts';
import type { Logger } from '../log/logger.ts';

export interface PageWindowDeps {
  BrowserWindow: typeof BrowserWindow;
  nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors'>;
  screen: Pick<Screen, 'getDisplayMatching'>;
  /** Set on Linux only; elsewhere the window has the program's icon. */
  icon: string | undefined;
  /** Where the bounds are remembered. */
  boundsFile: string;
  hasDevTools: boolean;
  clock: Clock;
  /** By a dialog: the window may be gone. */
  showError(error: { message: string }): void;
  log: Logger;
}

const smallestSize = { width: 720, height: 480 };
const usualSize = { width: 1120, height: 760 };
/** `--bg` of renderer/kit/tokens.css, until the page is drawn: a dark window doesn't open with a white flash. */
const background = { light: '#ffffff', dark: '#1c1d20' };

const pixels = z.int().min(-100_000).max(100_000);
const boundsSchema = z.object({
  bounds: z.object({ x: pixels, y: pixels, width: pixels.min(1), height: pixels.min(1) }),
  isMaximized: z.boolean(),
});

/** Hidden; the caller loads the page and shows the window. */
export function createPageWindow(
  deps: PageWindowDeps,
  title: string,
  preferences: Pick<WebPreferences, 'session' | 'preload' | 'safeDialogs'>,
): BrowserWindow {
  const { boundsFile, screen, log } = deps;
  const remembered = readBounds(boundsFile);
  const window = newWindow(deps, preferences, {
    ...(remembered === undefined ? usualSize : onScreen(remembered.bounds, screen)),
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    title,
    backgroundColor: backgroundColor(deps.nativeTheme),
    ...(deps.icon !== undefined && { icon: deps.icon }),
  });
  if (remembered?.isMaximized === true) window.once('show', () => window.maximize());
  // Unlike with autoHideMenuBar, Alt doesn't bring the menu bar back.
  window.setMenuBarVisibility(false);
  window.on('close', () => {
    const current = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() };
    try {
      writeFileSync(boundsFile, JSON.stringify(current), { mode: 0o600 });
    } catch (error) {
      log.info({ err: error }, 'A window’s bounds couldn’t be saved.');
    }
  });
  return window;
}

/** Hidden. @see Electron's security checklist, 2 to 11 */
export function newWindow(
  deps: Pick<PageWindowDeps, 'BrowserWindow' | 'hasDevTools'>,
  preferences: WebPreferences,
  options: BrowserWindowConstructorOptions,
): BrowserWindow {
  return new deps.BrowserWindow({
    ...options,
    show: false,
    webPreferences: {
      ...preferences,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      plugins: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: deps.hasDevTools,
    },
  });
}

/**
 * Resolves when the page has arrived, before all its parts have.
 * @throws Error with Chromium's code, and with the address in its message
 */
export async function loadPage(window: BrowserWindow, url: string, options?: LoadURLOptions): Promise<void> {
  const arrived = new Promise<void>((resolve) => {
    window.webContents.once('did-navigate', () => resolve());
  });
  await Promise.race([arrived, window.loadURL(url, options)]);
}

export function backgroundColor({ shouldUseDarkColors }: PageWindowDeps['nativeTheme']): string {
  return shouldUseDarkColors ? background.dark : background.light;
}

export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Chromium's code only: the text of the error holds the address. */
export function loadErrorCode(error: unknown): string {
  return errorCode(error) || 'ERR_FAILED';
}

const recoveredForMs = 60_000;
const abortedByNavigation = -3;

/**
 * Reloads a page whose process died, or that failed to load. If that happens again within a minute, closes the window and says so. The
 * host keeps serving either way.
 */
export function recoverPage(
  window: BrowserWindow,
  { clock, log, showError }: Pick<PageWindowDeps, 'clock' | 'log' | 'showError'>,
  page: {
    reload(): void;
    message(): string;
    /** Until it has, whoever loads the page reports a failure. */
    hasArrived?(): boolean;
  },
): void {
  let reloadedAtMs = Number.NEGATIVE_INFINITY;
  const onLost = (reason: string): void => {
    log.error({ reason }, 'A page crashed, or couldn’t be loaded. The host keeps serving.');
    const isAgain = clock() - reloadedAtMs < recoveredForMs;
    reloadedAtMs = clock();
    // Chromium is still cleaning up the old process while it reports its end.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      if (!isAgain) return page.reload();
      window.destroy();
      showError({ message: page.message() });
    });
  };
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit') onLost(reason);
  });
  window.webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (isMainFrame && code !== abortedByNavigation && page.hasArrived?.() !== false) onLost(description);
  });
}

/** Undefined when nothing usable is there: remembering bounds is only a convenience. */
export function readBounds(file: string): z.infer<typeof boundsSchema> | undefined {
  try {
    return boundsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Moved onto the screen that it is mostly on, or nearest to: its own may be gone, or smaller now. */
function onScreen(bounds: Rectangle, screen: PageWindowDeps['screen']): Rectangle {
  const { workArea: area } = screen.getDisplayMatching(bounds);
  const width = Math.min(bounds.width, area.width);
  const height = Math.min(bounds.height, area.height);
  return {
    x: Math.max(area.x, Math.min(bounds.x, area.x + area.width - width)),
    y: Math.max(area.y, Math.min(bounds.y, area.y + area.height - height)),
    width,
    height,
  };
}
