// A command behind a button: pending while it runs, an error as a toast, nothing thrown.

import { useCallback, useRef, useState } from 'react';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from './call.ts';
import { useCall } from './window-context.tsx';

export interface Action<Name extends CommandName> {
  /** Undefined when it failed (the user was told) or is running already. */
  run(args: CommandArgs<Name>): Promise<CommandResult<Name> | undefined>;
  isPending: boolean;
}

export interface ActionOptions<Name extends CommandName> {
  /** The toast's first line when it fails: `Could not end the session`. */
  failure: string;
  /** The toast when it is done; left out: none. */
  success?: string | ((result: CommandResult<Name>) => string);
}

/**
 * @example
 * const copy = useAction('app.copyText', { failure: 'Could not copy', success: 'Address copied' });
 * <Button isPending={copy.isPending} onPress={() => void copy.run({ text })}>Copy</Button>
 */
export function useAction<Name extends CommandName>(name: Name, options: ActionOptions<Name>): Action<Name> {
  const call = useCall();
  const toasts = useToasts();
  const [isPending, setIsPending] = useState(false);
  const isRunning = useRef(false);
  const latest = useRef(options);
  latest.current = options;

  const run = useCallback(
    async (args: CommandArgs<Name>) => {
      if (isRunning.current) return undefined;
      isRunning.current = true;
      setIsPending(true);
      try {
        const result = await call(name, args);
        const { success } = latest.current;
        if (success !== undefined) {
          toasts.show({ tone: 'good', title: typeof success === 'string' ? success : success(result) });
        }
        return result;
      } catch (error) {
        toasts.show({ tone: 'bad', title: latest.current.failure, detail: sentenceOf(error) });
        return undefined;
      } finally {
        isRunning.current = false;
        setIsPending(false);
      }
    },
    [call, name, toasts],
  );
  return { run, isPending };
}
