// What the window's commands need from the desktop: dialogs, clipboard, file manager. Electron implements it, so that the commands run
// and are tested without Electron.

import type { EngineHelp } from '../contract/document-servers.ts';
import type { UpdateState } from '../contract/state.ts';

/** What a person is asked before a command runs. */
export interface Confirmation {
  message: string;
  detail: string;
  /** The button that agrees. */
  button: string;
}

/** Pages of the host. */
export const helpPages = [
  'start',
  'onlyoffice',
  'collabora',
  'network',
  'troubleshooting',
  'licenses',
] as const;

export interface Desktop {
  /** By the system's dialog, from that folder on; undefined when the user thought better of it. */
  chooseFolder(startIn: string | null): Promise<string | undefined>;
  chooseSavePath(suggestedName: string, kind: 'csv' | 'json' | 'crt'): Promise<string | undefined>;
  /** By a dialog of the system, which no script in the page can answer. */
  confirm(question: Confirmation): Promise<boolean>;
  copyText(text: string): void;
  /** In the file manager, with the file selected. */
  reveal(absolute: string): void;
  /** In the file manager. @throws AppError disk-refused */
  openFolder(absolute: string): Promise<void>;
  /**
   * The page with a document's editor in it; its address holds a ticket and goes nowhere else.
   * @throws AppError browser-refused, host-away
   */
  openDocumentPage(url: string, title: string): Promise<'browser' | 'window'>;
  openHelp(page: (typeof helpPages)[number]): Promise<void>;
  /** A page of Docker's or Podman's makers, in the default browser. */
  openEngineHelp(page: EngineHelp): Promise<void>;
  /** Null where the system offers no such thing. */
  startsAtLogin(): boolean | null;
  setStartsAtLogin(isOn: boolean): Promise<void>;
  hasTray(): boolean;
  /** Null if this package doesn't update itself. */
  update(): UpdateState | null;
  checkForUpdates(): void;
  /** Quits like `quit`, then starts the downloaded version. */
  restartToUpdate(): void;
  /** Asks about open documents as every way of quitting does. */
  quit(): void;
  /** Electron, Chromium, Node, by name. */
  readonly versions: Record<string, string>;
  readonly appVersion: string;
}
