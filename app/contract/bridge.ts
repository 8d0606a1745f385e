// What the preload script exposes to the window as `window.doctray`, and the names of its two channels.

import type { CommandAnswer } from './results.ts';
import type { PushName, Pushes } from './pushes.ts';

export const commandChannel = 'doctray:command';
export const pushChannel = 'doctray:push';

/** `app`: DocTray's own code, such as the preload script; a script in the page can't send as that. */
export type CommandSender = 'page' | 'app';

export interface ImportedFiles {
  /** The jobs that copy them. */
  jobIds: string[];
  /** How many dropped items have no path, such as text or pictures from a browser. */
  withoutPath: number;
  /** Why the rest wasn't copied; null if everything was. */
  failure: { code: string; message: string } | null;
}

export interface Bridge {
  /** The main process checks name and arguments. Never rejects: an error is returned as an answer. */
  call(name: string, args: unknown): Promise<CommandAnswer<unknown>>;
  /** Returns a function that removes the listener. */
  onPush<Name extends PushName>(name: Name, listener: (push: Pushes[Name]) => void): () => void;
  /**
   * Copies files that were dropped onto the window into that folder. Only a `File` from this computer has a path, so a script in
   * the page can't import what the user didn't drop. Never rejects.
   */
  importFiles(folderPath: string, files: readonly unknown[]): Promise<CommandAnswer<ImportedFiles>>;
}
