// Pushes, only to the window's own page. A page that has asked for nothing yet gets none: it asks for the whole state first, and
// from then on it must miss no change. The place it was to be led to waits until its first answer is out.

import type { WebContents } from 'electron';
import { pushChannel } from '../contract/bridge.ts';
import { pushNames, type PushName, type Pushes } from '../contract/pushes.ts';
import { appOrigin } from './app-address.ts';

export interface PushChannelDeps {
  contents(): WebContents | undefined;
  onPush<Name extends PushName>(name: Name, listener: (push: Pushes[Name]) => void): () => void;
}

export interface PushChannel {
  /** The page has sent a command. From now on it gets every change: the answer may not include one that happens meanwhile. */
  onAsked(): void;
  /** The first answer was sent; a waiting navigation can follow. */
  onAnswered(): void;
  /** The page was loaded anew, or its process is gone. */
  onPageGone(): void;
  close(): void;
}

export function openPushChannel({ contents, onPush }: PushChannelDeps): PushChannel {
  let isListening = false;
  let isAnswered = false;
  let waiting: Pushes['navigate'] | undefined;

  function send<Name extends PushName>(name: Name, push: Pushes[Name]): void {
    const target = contents();
    // a page that is not ours never gets in; should one, it is told nothing
    if (target === undefined || target.isDestroyed() || target.isCrashed()) return;
    if (target.getURL().startsWith(`${appOrigin}/`)) target.send(pushChannel, name, push);
  }
  const listen = (name: PushName): (() => void) =>
    onPush(name, (push) => {
      if (name === 'navigate' && !isAnswered) waiting = push as Pushes['navigate'];
      else if (isListening) send(name, push);
    });
  const endings = pushNames.map((name) => listen(name));

  return {
    onAsked() {
      isListening = true;
    },
    onAnswered() {
      isAnswered = true;
      if (waiting !== undefined) send('navigate', waiting);
      waiting = undefined;
    },
    onPageGone() {
      isListening = false;
      isAnswered = false;
    },
    close() {
      for (const end of endings) end();
    },
  };
}
