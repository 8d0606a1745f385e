// An error that nothing caught ends the app, because its state is unknown: the host stops first, an installed app restarts once, and the
// restarted app says so.

import type { App, Dialog } from 'electron';
import type { Logger } from '../log/logger.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { t } from '../contract/messages.ts';

export interface FailuresDeps {
  process: Pick<NodeJS.Process, 'on'>;
  app: Pick<App, 'exit' | 'relaunch' | 'isPackaged'>;
  dialog: Pick<Dialog, 'showErrorBox'>;
  /** How to start this app again. @param isHidden without its window */
  restart: (isHidden: boolean) => { execPath?: string; args: string[] };
  /** It was restarted after an error; another one doesn't restart it again. */
  isRestarted: boolean;
  log: Pick<Logger, 'error' | 'flush'>;
}

export interface Failures {
  /** What an error does from now on. `stop` ends the host: running saves are finished. */
  endWith(ending: { stop: () => Promise<void>; isWindowVisible: () => boolean }): void;
}

/** Long enough for a save; a stop that hangs loses nothing that was reported as saved. */
const stopMs = 10_000;

export function watchFailures(deps: FailuresDeps): Failures {
  const { process, app, dialog, log } = deps;
  let ending: Parameters<Failures['endWith']>[0] = {
    stop: () => Promise.resolve(),
    isWindowVisible: () => true,
  };
  let isEnding = false;

  const end = async (): Promise<void> => {
    try {
      // Before the window closes.
      const isHidden = !ending.isWindowVisible();
      await Promise.race([ending.stop(), new Promise((resolve) => void setTimeout(resolve, stopMs).unref())]);
      if (app.isPackaged && !deps.isRestarted) app.relaunch(deps.restart(isHidden));
      else {
        dialog.showErrorBox(
          t('desktop.doctray-closed-because-of-an'),
          t('desktop.everything-that-was-saved-is-safe-start'),
        );
      }
    } catch (failure) {
      log.error({ err: failure }, 'The host couldn’t be stopped.');
    } finally {
      log.flush();
      app.exit(exitCode.failed);
    }
  };

  const onFailure = (error: unknown): void => {
    // Without a listener, Node would print the error with whatever it quotes, and Electron would show it in a dialog.
    log.error({ err: error }, 'DocTray is closing because of an error. Everything that was saved is safe.');
    log.flush();
    if (isEnding) return;
    isEnding = true;
    void end();
  };
  process.on('uncaughtException', onFailure).on('unhandledRejection', onFailure);
  return { endWith: (chosen) => void (ending = chosen) };
}
