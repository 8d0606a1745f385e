// A row of the command table: who may call it, what it needs, the rules for its arguments, and what it does. The window (IPC)
// and the terminal (control socket, or the data folder if no host runs) call the same rows.

import { z } from 'zod';
import type { CallerName } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { UserActionName } from '../contract/user-actions.ts';
import type { DefaultFolderPlace, HostKeeper } from '../host/host-keeper.ts';
import type { RunningHost } from '../host/running-host.ts';
import type { Services } from '../host/services.ts';
import type { ActivityFeed } from '../live-state/activity-feed.ts';
import type { FolderWatch } from '../live-state/folder-watch.ts';
import type { LiveState } from '../live-state/live-state.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import type { Logger } from '../log/logger.ts';
import type { Diagnosis } from '../doctor/diagnostics.ts';
import type { Confirmation, Desktop } from './desktop.ts';

/** What only the window's commands can use. */
export interface WindowParts {
  keeper: HostKeeper;
  /** The host that runs. @throws AppError host-away, or what kept it from starting */
  requireHost(): RunningHost;
  desktop: Desktop;
  settings: { store(): Promise<SettingsStore> };
  live: Pick<LiveState, 'state' | 'refresh'>;
  feed: ActivityFeed;
  log: Pick<Logger, 'tail'>;
  folderWatch: FolderWatch;
  /** Undefined if the system has no folder for documents. */
  defaultFolder: DefaultFolderPlace | undefined;
}

/** What a row's `run` receives, by its `needs`. */
export interface Contexts {
  /** Also works if the host can't start. */
  settings: { by: CallerName; settings: SettingsStore; host: RunningHost | undefined };
  /** Also works without a running host, on its data folder. */
  services: { by: CallerName; services: Services; host: RunningHost | undefined };
  host: {
    by: CallerName;
    services: Services;
    host: RunningHost;
    /** Asks the window's user to confirm what is known only while the command runs. Always true in the terminal. */
    confirm(question: Confirmation): Promise<boolean>;
  };
  /** Also works if no host can start and its data can't be opened. */
  diagnosis: Diagnosis;
  window: WindowParts;
}

interface CommandRow<Need extends keyof Contexts, Args, Result> {
  needs: Need;
  /** For any other caller, the command doesn't exist. */
  from: Need extends 'window' ? 'window' : CallerName | 'both';
  /** Without it, the command takes none. */
  args?: z.ZodType<Args>;
  /** A page can't call it, only DocTray itself on its behalf: it reads the files that its arguments name. */
  isOnlyForApp?: true;
  /** The terminal calls it again and again to follow something, so it isn't logged. */
  isPolled?: true;
  /** It may create the data folder. Any other command of the terminal would hide a mistyped --data by creating one. */
  createsDataFolder?: true;
  /**
   * What the window's user must confirm first, if anything: a script in the page must not be able to do it. Throws if the arguments are
   * known to be wrong, so that nobody is asked to confirm what is refused anyway.
   */
  confirm?(args: Args, context: Contexts[Need]): Confirmation | undefined;
  run(context: Contexts[Need], args: Args): Result | Promise<Result>;
  /** A type only, never set at run time: what callers get, null from a command that returns nothing. */
  result?: () => [Result] extends [void] ? null : Result;
}

export type Command<Need extends keyof Contexts, Args, Result> = CommandRow<Need, Args, Result> & {
  args: z.ZodType<Args>;
};

const noArgs = z.strictObject({});

export function command<Need extends keyof Contexts, Result, Args = z.infer<typeof noArgs>>(
  row: CommandRow<Need, Args, Result>,
): Command<Need, Args, Result> {
  return { args: noArgs as unknown as z.ZodType<Args>, ...row };
}

/** Words what is wrong with an argument: its message follows the argument's name. */
export const cantBeEmpty = (): string => t('host.argument-cant-be-empty');
export const isTooLong = (): string => t('host.argument-too-long');

export const text = z
  .string({ error: () => t('host.argument-must-be-text') })
  .min(1, { error: cantBeEmpty })
  .max(4096, { error: isTooLong });
export const id = text.max(128, { error: isTooLong });
export const ids = z.array(id).min(1).max(10_000);
export const name = text.max(512, { error: isTooLong });
export const login = text;
export const url = text.max(2048, { error: isTooLong });
/** Inside the hosted folder. */
export const path = text;
/** Inside the hosted folder; '' is the folder itself. */
export const folderPath = z.string().max(4096);
/** The terminal's current folder. If it is set, paths are what a user typed there. */
export const cwd = text.optional();
export const mode = z.enum(['edit', 'view']);
/** A document as a user typed it in the terminal, and the terminal's current folder. */
export const typedFile = { file: text, cwd: text };

/**
 * Adds what a user did to the journal, which Activity shows. Requests are added by server/middleware/request-journal.ts.
 * @param path what it applied to: a document's path, a login
 */
export function journalAction(
  { services, by }: Pick<Contexts['services'], 'services' | 'by'>,
  operation: UserActionName,
  path: string,
  fileId?: string,
): void {
  const { journal, clock } = services;
  journal.addAction({ atMs: clock(), operation, path, user: by, ...(fileId !== undefined && { fileId }) });
}

/** A long poll returns after this time even if there is nothing new. */
const pollLimitMs = 10_000;

/**
 * For a command that the terminal polls to follow something: returns when there is something new.
 * @param listen calls its listener when there may be something new, and returns a function that removes the listener
 */
export async function longPoll(
  listen: (listener: () => void) => () => void,
  hasNews: () => boolean,
): Promise<void> {
  if (hasNews()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stopListening = listen(() => {
    if (hasNews()) resolve();
  });
  const timer = setTimeout(resolve, pollLimitMs);
  try {
    await promise;
  } finally {
    stopListening();
    clearTimeout(timer);
  }
}
