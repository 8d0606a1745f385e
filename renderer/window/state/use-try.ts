// A command whose error is shown on the page, next to its button, until the next try. For toasts there is useAction.

import { useState } from 'react';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';
import { sentenceOf } from './call.ts';
import { useCall } from './window-context.tsx';

/** `run` answers undefined when it failed; `problem` is the sentence then, and `forget` takes it away. */
export function useTry<Name extends CommandName>(name: Name) {
  const call = useCall();
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const run = async (args: CommandArgs<Name>): Promise<CommandResult<Name> | undefined> => {
    setProblem(null);
    setIsPending(true);
    try {
      return await call(name, args);
    } catch (error) {
      setProblem(sentenceOf(error));
      return undefined;
    } finally {
      setIsPending(false);
    }
  };
  return { run, problem, isPending, forget: () => setProblem(null) };
}
