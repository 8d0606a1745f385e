// The bare app: a minimal app that, like DocTray, has one sandboxed window. It shows one line of text. Its figures are what Electron
// and Chromium cost, or the stand-in for them.

import { BrowserWindow, app } from 'electron';

await app.whenReady();
const window = new BrowserWindow({
  width: 1100,
  height: 720,
  show: false,
  webPreferences: { sandbox: true, contextIsolation: true },
});
window.once('ready-to-show', () => window.show());
void window.loadURL(new URL('index.html', import.meta.url).href);
