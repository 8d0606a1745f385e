// What a row of the table of commands is: rules for the arguments, and what is done with them.

import { z } from 'zod';
import { AppError } from '../contract/errors.ts';
import type { CommandContext, RunningHost } from './control-services.ts';

export interface Command<Context, Args, Result> {
  args: z.ZodType<Args>;
  run: (context: Context, args: Args) => Result | Promise<Result>;
}

export function command<Args, Result>(
  args: z.ZodType<Args>,
  run: Command<CommandContext, Args, Result>['run'],
): Command<CommandContext, Args, Result> {
  return { args, run };
}

export const nothing = z.strictObject({});
export const text = z
  .string({ error: 'a text is wanted' })
  .min(1, { error: 'it is empty' })
  .max(4096, { error: 'it is too long' });
/** A document as a person types it, and where they stand. */
export const file = { file: text, cwd: text };

/** @throws AppError not-running */
export function runningHost({ host }: Pick<CommandContext, 'host'>, detail: string): RunningHost {
  if (host === undefined) throw new AppError('not-running', { detail });
  return host;
}
