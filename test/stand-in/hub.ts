// What the parts of the stand-in share: the browser, the windows, the phase of the app's life. A process is one Electron, so there is one
// hub, as a module.

import type { App } from 'electron';

import type { StandInWindow } from './browser-window.ts';
import type { Cdp } from './cdp.ts';
import { createSchemeAlias } from './scheme-alias.ts';
import { createIpcMain } from './ipc-main.ts';
import type { Targets } from './targets.ts';
import type { StandInContents } from './web-contents.ts';

/** Something the app asked the desktop to do. */
export interface Deed {
  kind: string;
  [detail: string]: unknown;
}

export const hub = {
  alias: createSchemeAlias(),
  ipcMain: createIpcMain(),
  isReady: false,
  windows: new Set<StandInWindow>(),
  contents: new Set<StandInContents>(),
  focused: undefined as StandInWindow | undefined,
  /** In order, for tests to read. */
  deeds: [] as Deed[],
  /** Secrets of the pages, which identify the stand-in's internal dialogs. */
  secrets: new Set<string>(),
  /** Paths of files that a test put into a page, by file name. */
  filePaths: new Map<string, string>(),
  /** `nativeTheme.themeSource` */
  theme: 'system' as Electron.NativeTheme['themeSource'],
  // Set by main.ts before the app's main file runs.
  cdp: undefined as unknown as Cdp,
  targets: undefined as unknown as Targets,
  app: undefined as unknown as App,
  onWindowClosed: (): void => undefined,
  /** A window or its page prevented its close, which cancels a quit in progress. */
  onCloseVetoed: (): void => undefined,
};

let lastId = 0;

/** Ids of windows, contents, frames and processes. */
export function nextId(): number {
  lastId += 1;
  return lastId;
}
