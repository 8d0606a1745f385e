// The app's own window: created when it is first needed, hidden when it is closed while there is a tray, and loaded again when
// its process dies. That process may be compromised, so it is sandboxed, and guards.ts limits what its page can do.

import type { App, BrowserWindow, NativeTheme, Session } from 'electron';
import type { SettingsState } from '../contract/settings.ts';
import {
  backgroundColor,
  bringToFront,
  createPageWindow,
  recoverPage,
  type PageWindowDeps,
} from './page-window.ts';
import { appPage } from './protocol.ts';
import { t } from '../contract/messages.ts';

export interface AppWindowDeps extends PageWindowDeps {
  nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors' | 'themeSource' | 'on'>;
  /** Called when a window is created. */
  session(): Session;
  /** Absolute path of the bundled preload script. */
  preload: string;
  /** `Quitting.windowClosing`: hides the window, asks, or lets it close. */
  onClosing(event: { preventDefault(): void }, hide: () => void): void;
  /** Before the page is loaded. */
  onCreated(window: BrowserWindow): void;
  /** The page is about to load again, or its process is gone. */
  onPageGone(): void;
}

export function createAppWindow(deps: AppWindowDeps) {
  const { nativeTheme } = deps;
  let window: BrowserWindow | undefined;
  let isWanted = false;
  let titleOverride: string | undefined;
  nativeTheme.on('updated', () => window?.setBackgroundColor(backgroundColor(nativeTheme)));

  function prepare(): void {
    if (window !== undefined) return;
    const created = createPageWindow(deps, 'DocTray', { session: deps.session(), preload: deps.preload });
    const { webContents } = created;
    window = created;
    const load = (): void => {
      deps.onPageGone();
      // did-fail-load reports what goes wrong
      created.loadURL(appPage).catch(() => undefined);
    };
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
    webContents.on('render-process-gone', deps.onPageGone);
    // A page that hangs is killed, and then recovered like one that crashed.
    webContents.on('unresponsive', () => webContents.forcefullyCrashRenderer());
    recoverPage(created, deps, {
      reload: load,
      message: () => t('desktop.doctrays-window-crashed-twice'),
    });
    deps.onCreated(created);
    load();
  }

  return {
    /** Creates the window if there is none, hidden. */
    prepare,
    /** Creates the window if there is none, and brings it to the front. */
    show() {
      isWanted = true;
      if (window === undefined) prepare();
      else bringToFront(window);
    },
    /** Like its close button. */
    close: () => window?.close(),
    /** Replaces the page's title until it is undefined again. */
    setTitle(title: string | undefined) {
      if (title === titleOverride) return;
      titleOverride = title;
      window?.setTitle(title ?? window.webContents.getTitle());
    },
    browserWindow: () => window,
    setAppearance(appearance: SettingsState['appearance']) {
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
  // Electron ignores hiding within a second after showing.
  const hideSoon = (): void => void setTimeout(hideIfUnused, 1100).unref();
  app.on('browser-window-created', (_event, window) => {
    // An app that has just entered the dock doesn't get the focus by itself.
    window.on('show', () => void dock?.show().then(() => app.focus({ steal: true })));
    window.on('hide', hideSoon);
    window.on('closed', hideSoon);
  });
}
