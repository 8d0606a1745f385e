// Both directions between the window and the main process, opened and closed together.

import type { IpcMain, WebContents } from 'electron';
import type { Logger } from '../log/logger.ts';
import type { WindowHost } from '../live-state/window-host.ts';
import { openCommandChannel } from './command-channel.ts';
import { openPushChannel } from './push-channel.ts';

export interface WindowChannels {
  /** The page is loaded anew, or its process is gone: what it is told next waits until it asks. */
  onPageGone(): void;
  close(): void;
}

export function openWindowChannels(deps: {
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>;
  windowHost: Pick<WindowHost, 'run' | 'onPush'>;
  contents(): WebContents | undefined;
  log: Logger;
}): WindowChannels {
  const { ipcMain, windowHost, contents, log } = deps;
  const pushes = openPushChannel({ contents, onPush: windowHost.onPush });
  const { onAsked, onAnswered } = pushes;
  const closeCommands = openCommandChannel({
    ipcMain,
    contents,
    run: windowHost.run,
    onAsked,
    onAnswered,
    log,
  });
  return {
    onPageGone: pushes.onPageGone,
    close() {
      closeCommands();
      pushes.close();
    },
  };
}
