// What the parts of the stand-in share: the browser, the windows there are, and where the app is in its life. One hub is
// made at start and passed to every factory; only test/stand-in knows it.

import type { Privileges } from 'electron';

import type { StandInWindow } from './browser-window.ts';
import type { Cdp } from './cdp.ts';
import type { IpcScope } from './ipc-main.ts';
import type { SchemeAlias } from './scheme-alias.ts';
import type { Targets } from './targets.ts';
import type { StandInContents } from './web-contents.ts';

/** One thing the app did to the desktop. */
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
  /** Everything the app did to the desktop, in order: what a test reads. */
  deeds: Deed[];
  /** What registerSchemesAsPrivileged said of each scheme. */
  privileges: Map<string, Privileges>;
  /** Secrets of the pages, by which the stand-in's own dialogs are told from the app's. */
  secrets: Set<string>;
  /** Emits an event of `app`. */
  emitApp(name: string, ...args: unknown[]): void;
  onWindowClosed(): void;
  /** A window did not close: a quit under way ends. */
  onCloseVetoed(): void;
  isQuitting(): boolean;
  isDark(): boolean;
  /** True when the app chose a theme, so that pages are told. */
  themeOverride(): boolean;
  /** Paths of files a test put into a page, by the file's name. */
  filePaths: Map<string, string>;
}
