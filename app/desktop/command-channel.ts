// The one channel by which the window asks for something. Whoever broke into the window may send anything: the sender is
// checked here, name and arguments by `run` against the command table, and nothing that is thrown crosses to the window.

import type { IpcMain, WebContents } from 'electron';
import { commandChannel } from '../contract/bridge.ts';
import type { CommandAnswer } from '../contract/results.ts';
import { AppError, describeError } from '../contract/errors.ts';
import type { Logger } from '../log/logger.ts';
import { isFromOwnPage } from './sender.ts';

export interface CommandChannelDeps {
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>;
  /** The window's, while there is one. */
  contents(): WebContents | undefined;
  /** @throws AppError; `invalid-argument` for names and arguments that are not in the table */
  run(name: string, args: unknown): Promise<unknown>;
  /** Before each command of the window's own page runs. */
  onAsked(): void;
  /** After each answer to it. */
  onAnswered(): void;
  log: Logger;
}

/** @returns what closes the channel again */
export function openCommandChannel(deps: CommandChannelDeps): () => void {
  const { ipcMain, log } = deps;
  ipcMain.handle(commandChannel, async (event, name: unknown, args: unknown) => {
    if (!isFromOwnPage(event, deps.contents())) {
      log.warn({}, 'a message that is not from the window’s own page was refused');
      return refusal(new AppError('permission-denied'));
    }
    deps.onAsked();
    try {
      if (typeof name !== 'string') throw new AppError('invalid-argument');
      return { isDone: true, result: await deps.run(name, args) } satisfies CommandAnswer<unknown>;
    } catch (error) {
      const told = describeError(error);
      // only a name of the table gets here with `internal`; what an attacker typed is not logged
      if (told.code === 'internal')
        log.error({ err: error, command: name }, 'a command of the window failed');
      return refusal(told);
    } finally {
      setImmediate(deps.onAnswered);
    }
  });
  return () => {
    ipcMain.removeHandler(commandChannel);
  };
}

function refusal({ code, message }: AppError): CommandAnswer<never> {
  return { isDone: false, error: { code, message } };
}
