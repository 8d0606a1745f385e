// What the preload script puts into the window's world as `window.doctray`, and the names of its two channels.

import type { CommandAnswer } from './results.ts';
import type { PushName, Pushes } from './pushes.ts';

export const commandChannel = 'doctray:command';
export const pushChannel = 'doctray:push';

export interface ImportedFiles {
  /** Of the jobs that copy them. */
  jobIds: string[];
  /** How many have no path: text or pictures from a browser. */
  withoutPath: number;
  /** Why the rest wasn't copied. */
  failure: { code: string; message: string } | null;
}

export interface Bridge {
  /** Name and arguments are checked on the other side. Never rejects: an error is an answer. */
  call(name: string, args: unknown): Promise<CommandAnswer<unknown>>;
  /** The function returned ends the listening. */
  onPush<Name extends PushName>(name: Name, listener: (push: Pushes[Name]) => void): () => void;
  /**
   * Copies files that were dropped onto the window into that folder. Only what is a `File` of this computer has a path, so a script
   * in the page can't import what the user didn't drop. Never rejects.
   */
  importFiles(folderPath: string, files: readonly unknown[]): Promise<CommandAnswer<ImportedFiles>>;
}
