// What the windows that show a page have in common: the sandboxed process the page runs in, bounds that are remembered, and
// recovery when that process dies.

import type {
  BrowserWindow,
  NativeTheme,
  Rectangle,
  Screen,
  Session,
  WebContents,
  WebPreferences,
} from 'electron';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock } from '../contract/clock.ts';
import { errorCode } from '../contract/errors.ts';
import type { Logger } from '../log/logger.ts';
import type { Ask, Question } from './desktop.ts';

export interface PageWindowDeps {
  BrowserWindow: typeof BrowserWindow;
  nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors'>;
  screen: Pick<Screen, 'getAllDisplays'>;
  /** Called when a window is created. */
  session(): Session;
  /** Set on Linux only; elsewhere the window has the program's icon. */
  icon: string | undefined;
  /** Where the bounds are remembered. */
  boundsFile: string;
  hasDevTools: boolean;
  clock: Clock;
  log: Logger;
}

interface RememberedBounds {
  bounds: Rectangle;
  isMaximized: boolean;
}

const smallestSize = { width: 720, height: 480 };
const usualSize = { width: 1120, height: 760 };
/** How much of the window's upper edge must be on a screen, so that the window can be dragged. */
const grip = { width: 120, height: 40 };
const rememberAfterMs = 500;
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
  preferences: Pick<WebPreferences, 'preload' | 'safeDialogs'>,
): BrowserWindow {
  const remembered = readBounds(deps.boundsFile);
  const workAreas = deps.screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new deps.BrowserWindow({
    ...reachableBounds(remembered, workAreas),
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    show: false,
    title,
    backgroundColor: backgroundColor(deps.nativeTheme),
    ...(deps.icon !== undefined && { icon: deps.icon }),
    webPreferences: { ...pagePreferences(deps.session(), deps.hasDevTools), ...preferences },
  });
  if (remembered?.isMaximized === true) window.once('show', () => window.maximize());
  // Unlike with autoHideMenuBar, Alt doesn't bring the menu bar back.
  window.setMenuBarVisibility(false);
  rememberBounds(window, deps);
  return window;
}

/** @see Electron's security checklist, 2 to 11 */
export function pagePreferences(session: Session, hasDevTools: boolean): WebPreferences {
  return {
    session,
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
    devTools: hasDevTools,
  };
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

/** Calls back when the window's own page failed to load, unless another navigation replaced it. */
export function onLoadFailed(contents: WebContents, listener: (reason: string) => void): void {
  const abortedByNavigation = -3;
  contents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (isMainFrame && code !== abortedByNavigation) listener(description);
  });
}

const recoveredForMs = 60_000;

/**
 * Reloads a page whose process died. If it dies again within a minute, the user is asked; answer 1 gives up. The host keeps
 * serving either way.
 * @returns what to call when the process is gone, with Chromium's reason, such as `crashed` or `oom`
 */
export function createCrashRecovery(deps: {
  clock: Clock;
  log: Pick<Logger, 'error'>;
  ask: Ask;
  question: Question;
  reload(): void;
  giveUp(): void;
}): (reason: string) => void {
  const { clock, log } = deps;
  let reloadedAtMs = Number.NEGATIVE_INFINITY;
  let isAsking = false;

  function reload(): void {
    reloadedAtMs = clock();
    deps.reload();
  }
  async function ask(): Promise<void> {
    isAsking = true;
    try {
      if ((await deps.ask(deps.question)) === 1) deps.giveUp();
      else reload();
    } catch (error) {
      log.error({ err: error }, 'The dialog about a crashed page couldn’t be shown.');
    } finally {
      isAsking = false;
    }
  }
  return (reason) => {
    log.error({ reason }, 'A page’s process crashed. The host keeps serving.');
    if (isAsking) return;
    if (clock() - reloadedAtMs >= recoveredForMs) reload();
    else void ask();
  };
}

/** Undefined when nothing usable is there: remembering bounds is only a convenience. */
export function readBounds(file: string): RememberedBounds | undefined {
  try {
    return boundsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Synchronous, since it also runs while the app quits. @throws what the file system reports */
export function writeBounds(file: string, remembered: RememberedBounds): void {
  const next = `${file}.new`;
  writeFileSync(next, JSON.stringify(remembered), { mode: 0o600 });
  renameSync(next, file);
}

function rememberBounds(window: BrowserWindow, { boundsFile, log }: PageWindowDeps): void {
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    try {
      writeBounds(boundsFile, { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() });
    } catch (error) {
      log.info({ err: error }, 'A window’s bounds couldn’t be saved.');
    }
  };
  const writeSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(write, rememberAfterMs);
  };
  window.on('resize', writeSoon);
  window.on('move', writeSoon);
  window.on('close', write);
  window.on('closed', () => clearTimeout(timer));
}

/** The remembered bounds if the window can be reached there, else only its size: its screen may be gone. */
export function reachableBounds(
  remembered: RememberedBounds | undefined,
  workAreas: readonly Rectangle[],
): Partial<Rectangle> {
  const largest = workAreas.reduce((best, area) => (area.width > best.width ? area : best), {
    width: 0,
    height: 0,
  });
  if (remembered === undefined || largest.width === 0) return usualSize;
  const { bounds } = remembered;
  const width = Math.max(smallestSize.width, Math.min(bounds.width, largest.width));
  const height = Math.max(smallestSize.height, Math.min(bounds.height, largest.height));
  const { x, y } = bounds;
  const isReachable = workAreas.some(
    (area) =>
      y >= area.y &&
      y + grip.height <= area.y + area.height &&
      Math.min(x + width, area.x + area.width) - Math.max(x, area.x) >= grip.width,
  );
  return isReachable ? { x, y, width, height } : { width, height };
}
