// The app's one window: made when it is first wanted, hidden when it is closed while there is a tray, and loaded again when
// its process dies. What it shows is drawn in a sandboxed process that may be anybody's; guards.ts holds it.

import type { BrowserWindow, NativeTheme, Screen, Session, WebContents } from 'electron';
import type { Clock } from '../contract/clock.ts';
import type { SettingsState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { appPage } from './app-address.ts';
import type { Ask, Question } from './desktop-ask.ts';
import { pagePreferences } from './page-preferences.ts';
import { createRendererCrash, type RendererCrash } from './renderer-crash.ts';
import { reachableBounds, readWindowPlace, smallestSize, writeWindowPlace } from './window-bounds.ts';

export interface AppWindowDeps {
  BrowserWindow: typeof BrowserWindow;
  nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors' | 'themeSource' | 'on'>;
  screen: Pick<Screen, 'getAllDisplays'>;
  /** The app's own, see app-session.ts; asked for when the window is made. */
  session(): Session;
  /** Absolute path of the bundled preload script. */
  preload: string;
  /** Linux and Windows show it on the window; elsewhere undefined. */
  icon: string | undefined;
  /** Where place and size are remembered. */
  placeFile: string;
  hasDevTools: boolean;
  ask: Ask;
  /** `Quitting.windowClosing`: hides, asks or lets go. */
  onClosing(event: { preventDefault(): void }, hide: () => void): void;
  quit(): void;
  /** Each time one is made, before its page is loaded. */
  onMade(window: BrowserWindow): void;
  /** The page is loaded anew, or its process is gone. */
  onPageGone(): void;
  clock: Clock;
  log: Logger;
}

export interface AppWindow {
  /** Makes it where there is none, and brings it to the front. */
  show(): void;
  /** Makes it where there is none, unseen. */
  prepare(): void;
  /** As its close button does. */
  close(): void;
  setTitle(title: string): void;
  contents(): WebContents | undefined;
  browserWindow(): BrowserWindow | undefined;
  setAppearance(appearance: SettingsState['appearance']): void;
}

/** `--bg` of renderer/window/styles/tokens.css, before the page is drawn: a dark window does not open with a white flash. */
const background = { light: '#ffffff', dark: '#1c1d20' };
/** A hung page is given this long after Chromium noticed it. */
const hungLimitMs = 5000;
const rememberAfterMs = 500;

const crashQuestion: Question = {
  type: 'error',
  message: 'The window of DocTray failed twice.',
  detail: 'Documents that are being edited still save. Quitting ends that.',
  buttons: ['Reload the window', 'Quit DocTray'],
  defaultId: 0,
  cancelId: 0,
};

export function createAppWindow(deps: AppWindowDeps): AppWindow {
  const { nativeTheme, log } = deps;
  let window: BrowserWindow | undefined;
  let isWanted = false;

  const load = (): void => {
    if (window === undefined || window.isDestroyed()) return;
    deps.onPageGone();
    // what goes wrong is told by did-fail-load
    window.loadURL(appPage).catch(() => undefined);
  };
  const crash = createRendererCrash({
    clock: deps.clock,
    log,
    // Chromium is still at work on the old process while it tells of its end
    reload: () => setImmediate(load),
    ask: async () => ((await deps.ask(crashQuestion)) === 1 ? 'quit' : 'reload'),
    quit: deps.quit,
  });
  nativeTheme.on('updated', () => window?.setBackgroundColor(backgroundNow(nativeTheme)));

  function make(): BrowserWindow {
    const place = readWindowPlace(deps.placeFile);
    const workAreas = deps.screen.getAllDisplays().map(({ workArea }) => workArea);
    const made = new deps.BrowserWindow({
      ...reachableBounds(place, workAreas),
      minWidth: smallestSize.width,
      minHeight: smallestSize.height,
      show: false,
      title: 'DocTray',
      backgroundColor: backgroundNow(nativeTheme),
      ...(deps.icon !== undefined && { icon: deps.icon }),
      webPreferences: { ...pagePreferences(deps.session(), deps.hasDevTools), preload: deps.preload },
    });
    if (place?.isMaximized === true) made.once('show', () => made.maximize());
    // hidden so, unlike by autoHideMenuBar, it does not come up with Alt
    made.setMenuBarVisibility(false);
    made.once('ready-to-show', () => {
      if (isWanted) made.show();
    });
    made.on('close', (event) => {
      deps.onClosing(event, () => made.hide());
    });
    made.on('closed', () => {
      window = undefined;
      deps.onPageGone();
    });
    rememberPlace(made, deps.placeFile, log);
    watchProcess(made, crash, deps.onPageGone);
    deps.onMade(made);
    return made;
  }

  function prepare(): void {
    if (window !== undefined) return;
    window = make();
    load();
  }

  return {
    prepare,
    show() {
      isWanted = true;
      if (window === undefined) return prepare();
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    close: () => window?.close(),
    setTitle(title) {
      if (window !== undefined && window.getTitle() !== title) window.setTitle(title);
    },
    contents: () => window?.webContents,
    browserWindow: () => window,
    setAppearance(appearance) {
      if (nativeTheme.themeSource !== appearance) nativeTheme.themeSource = appearance;
    },
  };
}

export function backgroundNow({ shouldUseDarkColors }: Pick<NativeTheme, 'shouldUseDarkColors'>): string {
  return shouldUseDarkColors ? background.dark : background.light;
}

function watchProcess({ webContents }: BrowserWindow, crash: RendererCrash, onPageGone: () => void): void {
  let hungTimer: NodeJS.Timeout | undefined;
  webContents.on('render-process-gone', (_event, { reason }) => {
    clearTimeout(hungTimer);
    onPageGone();
    if (reason !== 'clean-exit') crash.onGone(reason);
  });
  webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    const isBrokenOff = code === -3;
    if (isMainFrame && !isBrokenOff) crash.onGone(description);
  });
  // a page that hangs is ended, and then loaded again like one that crashed
  webContents.on('unresponsive', () => {
    clearTimeout(hungTimer);
    hungTimer = setTimeout(() => {
      webContents.forcefullyCrashRenderer();
    }, hungLimitMs);
  });
  webContents.on('responsive', () => {
    clearTimeout(hungTimer);
  });
}

export function rememberPlace(window: BrowserWindow, file: string, log: Logger): void {
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    try {
      writeWindowPlace(file, { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() });
    } catch (error) {
      log.debug({ err: error }, 'the window’s place could not be remembered');
    }
  };
  const writeSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(write, rememberAfterMs);
  };
  window.on('resize', writeSoon);
  window.on('move', writeSoon);
  window.on('close', write);
  window.on('closed', () => {
    clearTimeout(timer);
  });
}
