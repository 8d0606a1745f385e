// The state that the parts of the stand-in share: the browser, the windows, the phase of the app's life cycle. One hub is created at the
// start and passed to every factory; only test/stand-in uses it.

import type { Privileges } from 'electron';

import type { StandInWindow } from './browser-window.ts';
import type { Cdp } from './cdp.ts';
import type { IpcScope } from './ipc-main.ts';
import type { SchemeAlias } from './scheme-alias.ts';
import type { Targets } from './targets.ts';
import type { StandInContents } from './web-contents.ts';

/** Something the app asked the desktop to do. */
export interface Deed {
  kind: string;
  [detail: string]: unknown;
}

export interface PopupTarget {
  targetId: string;
  sessionId: string;
}

export interface Hub {
  cdp: Cdp;
  targets: Targets;
  alias: SchemeAlias;
  ipcMain: IpcScope;
  isReady: boolean;
  windows: Set<StandInWindow>;
  contents: Set<StandInContents>;
  focused: StandInWindow | undefined;
  /** Everything the app asked the desktop to do, in order, for tests to read. */
  deeds: Deed[];
  /** The privileges of each scheme from registerSchemesAsPrivileged. */
  privileges: Map<string, Privileges>;
  /** Secrets of the pages that identify the stand-in's internal dialogs. */
  secrets: Set<string>;
  /** Emits an event of `app`. */
  emitApp(name: string, ...args: unknown[]): void;
  onWindowClosed(): void;
  /** Called when a window prevented its close, which cancels a quit in progress. */
  onCloseVetoed(): void;
  isQuitting(): boolean;
  isDark(): boolean;
  /** Whether the app chose a theme, which pages then get. */
  themeOverride(): boolean;
  /** Paths of files that a test put into a page, by file name. */
  filePaths: Map<string, string>;
}
