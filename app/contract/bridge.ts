// What the preload script puts into the window's world as `window.doctray`, and the names of its two channels.

import type { CommandAnswer } from './results.ts';
import type { PushName, Pushes } from './pushes.ts';

export const commandChannel = 'doctray:command';
export const pushChannel = 'doctray:push';

export interface Bridge {
  /** Name and arguments are checked on the other side. Never rejects: an error is an answer. */
  call(name: string, args: unknown): Promise<CommandAnswer<unknown>>;
  /** The function returned ends the listening. */
  onPush<Name extends PushName>(name: Name, listener: (push: Pushes[Name]) => void): () => void;
  /** The path of a file that was dropped onto the window; '' when it has none. */
  pathOf(file: unknown): string;
}
