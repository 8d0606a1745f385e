// The two channels between the window and the main process: commands from the window, pushes to it. A compromised window may send
// anything, so the sender is checked here, and name and arguments are checked by `run` against the command table. Errors cross as
// code and sentence only.

import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron';
import { commandChannel, pushChannel } from '../contract/bridge.ts';
import { AppError } from '../contract/errors.ts';
import type { PushListener, Pushes } from '../contract/pushes.ts';
import { answerOf } from '../contract/results.ts';
import type { Logger } from '../log/logger.ts';
import type { WindowHost } from '../live-state/window-host.ts';
import { appOrigin } from './protocol.ts';

export interface WindowChannels {
  /** The page is loading again, or its process is gone. */
  onPageGone(): void;
  close(): void;
}

export function openWindowChannels(deps: {
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>;
  windowHost: Pick<WindowHost, 'run' | 'onPush'>;
  /** The window's, while there is one. */
  contents(): WebContents | undefined;
  log: Pick<Logger, 'warn'>;
}): WindowChannels {
  const { ipcMain, windowHost, contents, log } = deps;
  /** The page has asked for something: the complete state comes first, and after that it must miss no change. */
  let isListening = false;
  /** It also has an answer, so it can navigate. */
  let isAnswered = false;
  /** Counts pages: the answer to one that is gone says nothing about the next. */
  let page = 0;
  let waitingNavigation: Pushes['navigate'] | undefined;

  ipcMain.handle(commandChannel, async (event, name: unknown, args: unknown, sender: unknown) => {
    if (!isFromOwnPage(event, contents())) {
      log.warn({}, 'A message that isn’t from the window’s own page was rejected.');
      return answerOf(Promise.reject(new AppError('permission-denied')));
    }
    // Before the command runs: the answer may lack a change that happens in the meantime.
    isListening = true;
    const asking = page;
    const running =
      typeof name === 'string'
        ? windowHost.run(name, args, sender === 'app' ? sender : 'page')
        : Promise.reject(new AppError('invalid-argument'));
    const answer = await answerOf(running);
    setImmediate(() => asking === page && onAnswered());
    return answer;
  });

  function onAnswered(): void {
    isAnswered = true;
    if (waitingNavigation !== undefined) send('navigate', waitingNavigation);
    waitingNavigation = undefined;
  }

  const send: PushListener = (...push) => {
    const target = contents();
    if (target === undefined || target.isDestroyed() || target.isCrashed()) return;
    // The guards keep other pages out of the window; if one got in, it would get nothing.
    if (target.getURL().startsWith(`${appOrigin}/`)) target.send(pushChannel, ...push);
  };

  const stopPushes = windowHost.onPush((...push) => {
    if (push[0] === 'navigate' && !isAnswered) [, waitingNavigation] = push;
    else if (isListening) send(...push);
  });

  return {
    onPageGone() {
      page += 1;
      isListening = false;
      isAnswered = false;
    },
    close() {
      ipcMain.removeHandler(commandChannel);
      stopPushes();
    },
  };
}

export type SentBy = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>;

/**
 * A message may come from a page that replaced the window's own, a frame inside the window, other web contents, or a frame that is
 * gone; only the window's own page in its main frame counts.
 * @see Electron's security checklist, 17: validate the sender of all IPC messages
 */
export function isFromOwnPage({ sender, senderFrame }: SentBy, contents: WebContents | undefined): boolean {
  if (contents === undefined || contents.isDestroyed() || sender !== contents || senderFrame === null)
    return false;
  try {
    const { mainFrame } = contents;
    return (
      senderFrame.parent === null &&
      senderFrame.frameTreeNodeId === mainFrame.frameTreeNodeId &&
      senderFrame.processId === mainFrame.processId &&
      senderFrame.origin === appOrigin &&
      senderFrame.url.startsWith(`${appOrigin}/`)
    );
  } catch {
    // a frame that was replaced in the meantime throws on every access
    return false;
  }
}
