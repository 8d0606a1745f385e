// The app's own window: created when it is first needed, hidden when it is closed while there is a tray, and loaded again when
// its process dies. That process may be compromised, so it is sandboxed, and guards.ts limits what its page can do.

import type { App, BrowserWindow, NativeTheme } from 'electron';
import type { SettingsState } from '../contract/settings.ts';
import type { Ask, Question } from './desktop.ts';
import {
  backgroundColor,
  bringToFront,
  createCrashRecovery,
  createPageWindow,
  onLoadFailed,
  type PageWindowDeps,
} from './page-window.ts';
import { appPage } from './protocol.ts';
import { t } from '../contract/messages.ts';

export interface AppWindowDeps extends PageWindowDeps {
  nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors' | 'themeSource' | 'on'>;
  /** Absolute path of the bundled preload script. */
  preload: string;
  ask: Ask;
  /** `Quitting.windowClosing`: hides the window, asks, or lets it close. */
  onClosing(event: { preventDefault(): void }, hide: () => void): void;
  quit(): void;
  /** Before the page is loaded. */
  onCreated(window: BrowserWindow): void;
  /** The page is about to load again, or its process is gone. */
  onPageGone(): void;
}

export interface AppWindow {
  /** Creates the window if there is none, and brings it to the front. */
  show(): void;
  /** Creates the window if there is none, hidden. */
  prepare(): void;
  /** Like its close button. */
  close(): void;
  /** Replaces the page's title until it is undefined again. */
  setTitle(title: string | undefined): void;
  browserWindow(): BrowserWindow | undefined;
  setAppearance(appearance: SettingsState['appearance']): void;
}

/** How long a page may hang after Chromium noticed it. */
const hangLimitMs = 5000;

const crashQuestion = (): Question => ({
  type: 'error',
  message: t('desktop.doctrays-window-crashed-twice'),
  detail: t('desktop.open-documents-can-still-be'),
  buttons: [t('desktop.reload-the-window'), t('desktop.quit-doctray')],
  defaultId: 0,
  cancelId: 0,
});

export function createAppWindow(deps: AppWindowDeps): AppWindow {
  const { nativeTheme } = deps;
  let window: BrowserWindow | undefined;
  let isWanted = false;
  let titleOverride: string | undefined;

  const load = (): void => {
    if (window === undefined || window.isDestroyed()) return;
    deps.onPageGone();
    // did-fail-load reports what goes wrong
    window.loadURL(appPage).catch(() => undefined);
  };
  const onCrash = createCrashRecovery({
    ...deps,
    question: crashQuestion(),
    // Chromium is still cleaning up the old process while it reports its end
    reload: () => setImmediate(load),
    giveUp: deps.quit,
  });
  nativeTheme.on('updated', () => window?.setBackgroundColor(backgroundColor(nativeTheme)));

  function create(): BrowserWindow {
    const created = createPageWindow(deps, 'DocTray', { preload: deps.preload });
    const { webContents } = created;
    created.once('ready-to-show', () => {
      if (isWanted) created.show();
    });
    created.on('page-title-updated', (event) => {
      if (titleOverride !== undefined) event.preventDefault();
    });
    created.on('close', (event) => deps.onClosing(event, () => created.hide()));
    created.on('closed', () => {
      window = undefined;
      deps.onPageGone();
    });
    let hangTimer: NodeJS.Timeout | undefined;
    webContents.on('render-process-gone', (_event, { reason }) => {
      clearTimeout(hangTimer);
      deps.onPageGone();
      if (reason !== 'clean-exit') onCrash(reason);
    });
    onLoadFailed(webContents, onCrash);
    // A page that hangs is killed, and then recovered like one that crashed.
    webContents.on('unresponsive', () => {
      clearTimeout(hangTimer);
      hangTimer = setTimeout(() => webContents.forcefullyCrashRenderer(), hangLimitMs);
    });
    webContents.on('responsive', () => clearTimeout(hangTimer));
    deps.onCreated(created);
    return created;
  }

  function prepare(): void {
    if (window !== undefined) return;
    window = create();
    load();
  }

  return {
    prepare,
    show() {
      isWanted = true;
      if (window === undefined) prepare();
      else bringToFront(window);
    },
    close: () => window?.close(),
    setTitle(title) {
      if (title === titleOverride) return;
      titleOverride = title;
      window?.setTitle(title ?? window.webContents.getTitle());
    },
    browserWindow: () => window,
    setAppearance(appearance) {
      if (nativeTheme.themeSource !== appearance) nativeTheme.themeSource = appearance;
    },
  };
}

export interface DockDeps {
  app: Pick<App, 'on' | 'focus' | 'dock'>;
  windows(): readonly Pick<BrowserWindow, 'isVisible' | 'isMinimized'>[];
}

/**
 * macOS: DocTray is in the dock only while it shows a window. LSUIElement in the packaged app keeps it out of the dock at login. Call it
 * before the first window.
 */
export function hideDockIconWithoutWindows({ app, windows }: DockDeps): void {
  const { dock } = app;
  const hideIfUnused = (): void => {
    if (!windows().some((window) => window.isVisible() || window.isMinimized())) dock?.hide();
  };
  // Electron ignores hiding right after showing.
  const hideSoon = (): void => {
    hideIfUnused();
    setTimeout(hideIfUnused, 1100).unref();
  };
  app.on('browser-window-created', (_event, window) => {
    // An app that has just entered the dock doesn't get the focus by itself.
    window.on('show', () => void dock?.show().then(() => app.focus({ steal: true })));
    window.on('hide', hideSoon);
    window.on('closed', hideSoon);
  });
}
