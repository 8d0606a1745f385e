// What the window's commands need from the desktop: dialogs, clipboard, file manager. Implemented by Electron for the app's window,
// and by the dashboard for a browser, so that the commands run and are tested without either.

import type { EngineHelp } from '../contract/document-servers.ts';
import type { UpdateState } from '../contract/state.ts';

/** What the user must confirm before a command runs. */
export interface Confirmation {
  message: string;
  detail: string;
  /** The button that agrees. */
  button: string;
}

/** Help pages that the host serves. */
export const helpPages = [
  'start',
  'onlyoffice',
  'collabora',
  'network',
  'troubleshooting',
  'licenses',
] as const;

export interface Desktop {
  /** In a browser, there is no file manager, no tray and no start at login. */
  readonly isBrowser: boolean;
  /** Shows the system's dialog, which starts in that folder; undefined if the user cancels. */
  chooseFolder(startIn: string | null): Promise<string | undefined>;
  /** Asks where to save it. @returns the path, or the name of a download; undefined if the user cancels @throws AppError disk-refused */
  saveFile(suggestedName: string, kind: 'csv' | 'json' | 'crt', text: string): Promise<string | undefined>;
  /** Shows a dialog of the system, which no script in the page can answer. */
  confirm(question: Confirmation): Promise<boolean>;
  copyText(text: string): void;
  /** Without showing it to the page. @throws AppError not-in-browser */
  copySecret(text: string): void;
  /** In the file manager, with the file selected. */
  reveal(absolute: string): void;
  /** In the file manager. @throws AppError disk-refused */
  openFolder(absolute: string): Promise<void>;
  /**
   * Opens a host page. Its URL contains a ticket, so it must not be logged or passed on.
   * @throws AppError browser-refused, host-away
   */
  openDocumentPage(url: string, title: string): Promise<'browser' | 'window'>;
  openHelp(page: (typeof helpPages)[number]): Promise<void>;
  /** Opens Docker's or Podman's own help page in the default browser. */
  openEngineHelp(page: EngineHelp): Promise<void>;
  /** Null if the system doesn't support it. */
  startsAtLogin(): boolean | null;
  setStartsAtLogin(isOn: boolean): Promise<void>;
  hasTray(): boolean;
  /** Null if this package doesn't update itself. */
  update(): UpdateState | null;
  checkForUpdates(): void;
  /** Whether the app closed because of an error, until `dismissCrash`. */
  hasCrashed(): boolean;
  dismissCrash(): void;
  /** Quits like `quit`, then starts the downloaded version. */
  restartToUpdate(): void;
  /** Asks first if documents are open. */
  quit(): void;
  /** Electron, Chromium, Node, by name. */
  readonly versions: Record<string, string>;
  readonly appVersion: string;
}
