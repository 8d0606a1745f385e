// What the window is told without asking, to its own page alone. A page that has asked for nothing yet listens to nothing
// yet, so a place it was to be led to waits for it; of everything else it gets the whole when it asks.

import type { WebContents } from 'electron';
import { pushChannel } from '../contract/bridge.ts';
import { pushNames, type PushName, type Pushes } from '../contract/pushes.ts';
import { appOrigin } from '../shell/app-address.ts';

export interface PushChannelDeps {
  contents(): WebContents | undefined;
  onPush<Name extends PushName>(name: Name, listener: (push: Pushes[Name]) => void): () => void;
}

export interface PushChannel {
  /** The page is there and listens. */
  onAnswered(): void;
  /** The page was loaded anew, or its process is gone. */
  onPageGone(): void;
  close(): void;
}

export function openPushChannel({ contents, onPush }: PushChannelDeps): PushChannel {
  let isListening = false;
  let waiting: Pushes['navigate'] | undefined;

  function send<Name extends PushName>(name: Name, push: Pushes[Name]): void {
    const target = contents();
    // a page that is not ours never gets in; should one, it is told nothing
    if (target === undefined || target.isDestroyed() || target.isCrashed()) return;
    if (target.getURL().startsWith(`${appOrigin}/`)) target.send(pushChannel, name, push);
  }
  const listen = (name: PushName): (() => void) =>
    onPush(name, (push) => {
      if (isListening) send(name, push);
      else if (name === 'navigate') waiting = push as Pushes['navigate'];
    });
  const endings = pushNames.map((name) => listen(name));

  return {
    onAnswered() {
      isListening = true;
      if (waiting !== undefined) send('navigate', waiting);
      waiting = undefined;
    },
    onPageGone() {
      isListening = false;
    },
    close() {
      for (const end of endings) end();
    },
  };
}
