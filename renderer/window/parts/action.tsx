// A command behind a button: pending while it runs, nothing thrown. `useAction` shows an error as a toast, `useTry` leaves it to the page.

import { useCallback, useRef, useState } from 'react';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';
import { t } from '../../../app/contract/messages.ts';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { IconButton } from './button.tsx';
import { capitalized } from './format.ts';
import { useToasts } from './toast.tsx';

interface Action<Name extends CommandName> {
  /** Undefined when it failed (the user was told) or is running already. */
  run(args: CommandArgs<Name>): Promise<CommandResult<Name> | undefined>;
  isPending: boolean;
}

interface ActionOptions<Name extends CommandName> {
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

/** `what` completes `Copy …` and `… copied`: `address`. */
export function CopyButton(props: { text: string; what: string }) {
  const { what } = props;
  const copy = useAction('app.copyText', {
    failure: t('Couldn’t copy the {what}', { what }),
    success: t('{what} copied', { what: capitalized(what) }),
  });
  return (
    <IconButton
      icon="copy"
      label={t('Copy {what}', { what })}
      isPending={copy.isPending}
      onPress={() => void copy.run({ text: props.text })}
    />
  );
}
