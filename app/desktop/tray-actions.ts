// What a press on the tray's menu does: each action of the model, by the same commands the window uses.

import type { CommandArgs, CommandName } from '../commands/commands.ts';
import { describeError, type AppError } from '../contract/errors.ts';
import type { Pushes } from '../contract/pushes.ts';
import type { WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { canOpenInEditor } from './openable.ts';
import { addressOf, type TrayAction } from './tray-model.ts';

export interface TrayActionDeps {
  /** `WindowHost.run`. */
  run(name: string, args: unknown): Promise<unknown>;
  navigate(to: Pushes['navigate']): void;
  showWindow(): void;
  quit(): void;
  state(): WindowState;
  /** Nobody looks at the window then: by a dialog. */
  tell(problem: AppError): void;
  log: Pick<Logger, 'warn'>;
}

export function createTrayActions(deps: TrayActionDeps): (action: TrayAction) => void {
  function run<Name extends CommandName>(name: Name, args: CommandArgs<Name>): void {
    deps.run(name, args).catch((error: unknown) => {
      deps.log.warn({ err: error, command: name }, 'What the tray was asked for could not be done.');
      deps.tell(describeError(error));
    });
  }

  function show(to: Pushes['navigate']): void {
    deps.showWindow();
    deps.navigate(to);
  }

  return (action) => {
    switch (action.do) {
      case 'open-window':
        return deps.showWindow();
      case 'open-folder':
        return run('host.openFolder', {});
      case 'copy-address': {
        const address = addressOf(deps.state().host);
        return address === null ? undefined : run('app.copyText', { text: address });
      }
      case 'pause':
        return run('host.pause', { minutes: action.minutes });
      case 'resume':
        return run('host.resume', {});
      case 'show':
        return show({ view: action.view, ...(action.path !== undefined && { path: action.path }) });
      case 'open-document': {
        const { path } = action;
        if (!canOpenInEditor(deps.state(), path)) return show({ view: 'documents', path });
        return run('documents.openInEditor', { path, mode: 'edit', editorId: null });
      }
      case 'quit':
        return deps.quit();
    }
  };
}
