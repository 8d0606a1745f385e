// The bridge as the window uses it. Commands are typed functions that unwrap the answer, so that the rest of the window awaits results and
// catches one kind of error. The host's sentences are translated where they arrive, so that views show them as they are: a host in a
// terminal may have another language than a window in a browser.

import type { Bridge } from '../../../app/contract/bridge.ts';
import { t } from '../../../app/contract/messages.ts';
import type { CommandAnswer } from '../../../app/contract/results.ts';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';

/** What the host refused. `message` is a sentence for the user and says what to do; `code` is one of app/contract/errors.ts. */
export class CallError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'CallError';
    this.code = code;
  }
}

/** @throws CallError */
export type Call = <Name extends CommandName>(
  name: Name,
  args: CommandArgs<Name>,
) => Promise<CommandResult<Name>>;

export function createCall(bridge: Bridge): Call {
  return async <Name extends CommandName>(name: Name, args: CommandArgs<Name>) => {
    return resultOf(await bridge.call(name, args)) as CommandResult<Name>;
  };
}

/** @throws CallError */
export function resultOf<Result>(answer: CommandAnswer<Result>): Result {
  if (!answer.isDone) throw new CallError(answer.error.code, answer.error.message);
  return answer.result;
}

export function errorOf(thrown: unknown): CallError {
  return thrown instanceof CallError
    ? thrown
    : new CallError('internal', t('window.something-went-wrong-in-the'));
}

/** The user was asked and didn't want it, so there is nothing to report. */
export function isDeclined(thrown: unknown): boolean {
  return errorOf(thrown).code === 'not-confirmed';
}

/** The sentence to show for any thrown value. */
export function sentenceOf(thrown: unknown): string {
  return errorOf(thrown).message;
}
