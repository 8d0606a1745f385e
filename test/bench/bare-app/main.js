// The bare app: the smallest app of the same shape as DocTray's (one sandboxed window) that shows one line of text. What
// Electron and Chromium cost by themselves, or the stand-in in their place, is in its figures as it is in DocTray's.

import { join } from 'node:path';
import { BrowserWindow, app } from 'electron';

await app.whenReady();
const window = new BrowserWindow({
  width: 1100,
  height: 720,
  show: false,
  webPreferences: { sandbox: true, contextIsolation: true },
});
window.once('ready-to-show', () => window.show());
void window.loadFile(join(import.meta.dirname, 'index.html'));
