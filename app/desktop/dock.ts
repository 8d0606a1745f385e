// macOS: DocTray is in the dock only while it shows a window. LSUIElement in the packaged app keeps it out of the dock at login.

import type { App, BrowserWindow } from 'electron';

export interface DockDeps {
  app: Pick<App, 'on' | 'focus' | 'dock'>;
  windows(): readonly Pick<BrowserWindow, 'isVisible' | 'isMinimized'>[];
}

/** Before the first window, on macOS only. */
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
