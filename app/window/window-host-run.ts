// Runs what the window asks for. Whoever broke into the window may send anything: a name counts only when it stands in the
// contract's table, and arguments only when they pass its rules.

import { AppError } from '../contract/errors.ts';
import type { CommandName } from '../contract/commands.ts';
import type { Logger } from '../log/logger.ts';
import type { Handlers } from './handlers.ts';
import { inWindowWords } from './window-host-words.ts';

export interface CommandRunner {
  /** @throws AppError not-found for an unknown name, invalid-argument naming the field, what the command throws, internal */
  run(name: string, args: unknown): Promise<unknown>;
}

export function createCommandRunner(deps: { handlers: Handlers; log: Logger }): CommandRunner {
  const { handlers, log } = deps;
  return {
    async run(name, args) {
      // Checking is not needed to start.
      const { commands } = await import('../contract/commands.ts');
      if (!isOwn(commands, name)) {
        throw new AppError('not-found', { detail: 'DocTray has no command of this name.' });
      }
      const checked = commands[name].args.safeParse(args);
      if (!checked.success) {
        throw new AppError('invalid-argument', { detail: faultOf(checked.error.issues) });
      }
      const handler = handlers[name] as (args: unknown) => unknown;
      try {
        return await handler(checked.data);
      } catch (error) {
        if (error instanceof AppError) throw inWindowWords(error);
        log.error({ err: error, command: name }, 'A command of the window failed.');
        throw new AppError('internal', { cause: error });
      }
    },
  };
}

function isOwn(commands: object, name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** The first fault, with the place it is at; the value itself is not told again. */
function faultOf(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  if (issue === undefined) return '';
  const place = issue.path.map(String).join('.');
  return place === '' ? `${issue.message}.` : `${place}: ${issue.message}.`;
}
