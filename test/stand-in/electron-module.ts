// Assembles the `electron` module and provides it to `import` and `require` in the app.

import { registerHooks } from 'node:module';

import type * as Electron from 'electron';

import { StandInWindow } from './browser-window.ts';
import { createDialog } from './desktop/dialog.ts';
import { createMenuModule } from './desktop/menu.ts';
import { net } from './desktop/net.ts';
import {
  StandInNotification,
  autoUpdater,
  clipboard,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  screen,
  shell,
} from './desktop/small-modules.ts';
import { StandInTray, nativeImage } from './desktop/tray.ts';
import { hub } from './hub.ts';
import { createProtocol, sessionOf } from './session.ts';
import { strict } from './strict.ts';

/** Once `hub.app` is there. */
export function createElectronModule(): Record<string, unknown> {
  const modules = {
    app: hub.app,
    autoUpdater,
    BrowserWindow: strict(StandInWindow, 'BrowserWindow'),
    clipboard,
    dialog: createDialog(),
    ipcMain: hub.ipcMain.facade,
    Menu: createMenuModule(),
    nativeImage,
    nativeTheme,
    net,
    Notification: StandInNotification,
    powerMonitor,
    powerSaveBlocker,
    protocol: createProtocol(() => sessionOf('').protocolHandlers),
    screen,
    session: strict(
      {
        get defaultSession() {
          return sessionOf('').facade;
        },
        fromPartition: (name: string) => sessionOf(name).facade,
      },
      'session',
    ),
    shell,
    Tray: StandInTray,
    webContents: strict({ getAllWebContents: () => [...hub.contents] }, 'webContents'),
  } satisfies Partial<Record<keyof typeof Electron, unknown>>;
  return strict<Record<string, unknown>>(modules, 'electron');
}

/** Makes `import 'electron'` and `require('electron')` resolve to the given module. */
export function provideElectron(exports: Record<string, unknown>): void {
  const key = 'stand-in electron';
  Object.defineProperty(globalThis, Symbol.for(key), { value: exports, configurable: true });
  const module = `globalThis[Symbol.for(${JSON.stringify(key)})]`;
  const named = Object.keys(exports).map((name) => `export const ${name} = electron.${name};`);
  const sources: Record<string, { format: 'module' | 'commonjs'; source: string }> = {
    'standin:electron/module': {
      format: 'module',
      source: [`const electron = ${module};`, 'export default electron;', ...named].join('\n'),
    },
    'standin:electron/commonjs': { format: 'commonjs', source: `module.exports = ${module};` },
  };
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'electron') return next(specifier, context);
      const kind = context.conditions.includes('import') ? 'module' : 'commonjs';
      return { url: `standin:electron/${kind}`, shortCircuit: true };
    },
    load(url, context, next) {
      const own = sources[url];
      return own ? { ...own, shortCircuit: true } : next(url, context);
    },
  });
}
