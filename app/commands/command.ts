// A row of the command table: who may call it, what it needs, the rules for its arguments, and what it does. The window (IPC)
// and the terminal (control socket, or the data folder if no host runs) call the same rows.

import { z } from 'zod';
import type { DefaultFolderPlace, HostKeeper } from '../host/host-keeper.ts';
import type { RunningHost } from '../host/running-host.ts';
import type { Services } from '../host/services.ts';
import type { ActivityFeed } from '../live-state/activity-feed.ts';
import type { FolderWatch } from '../live-state/folder-watch.ts';
import type { LiveState } from '../live-state/live-state.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import type { Confirmation, Desktop } from './desktop.ts';

export type CallerName = 'window' | 'terminal';

/** What only the window's commands can use. */
export interface WindowParts {
  keeper: HostKeeper;
  /** The host that runs. @throws AppError host-away, or what kept it from starting */
  requireHost(): RunningHost;
  desktop: Desktop;
  settings: { store(): Promise<SettingsStore> };
  live: Pick<LiveState, 'state' | 'mark'>;
  feed: ActivityFeed;
  folderWatch: FolderWatch;
  /** Absent if the system has no place for one. */
  defaultFolder: DefaultFolderPlace | undefined;
}

/** What a row's `run` gets, by what it needs. */
export interface Contexts {
  /** Also works if the host can't start. */
  settings: { by: CallerName; settings: SettingsStore; host: RunningHost | undefined };
  /** Also works on the data folder of a host that doesn't run. */
  services: { by: CallerName; services: Services; host: RunningHost | undefined };
  host: { by: CallerName; services: Services; host: RunningHost };
  window: WindowParts;
}

export interface Command<Need extends keyof Contexts, Args, Result> {
  needs: Need;
  /** Anyone else is refused as if the command didn't exist. */
  from: Need extends 'window' ? 'window' : CallerName | 'both';
  args: z.ZodType<Args>;
  /** What the window's user has to agree to first, if anything: a script in the page must not do it alone. */
  confirm?(args: Args): Confirmation | undefined;
  run(context: Contexts[Need], args: Args): Result | Promise<Result>;
  /** Only a type: nothing is there at run time. */
  result?: () => Result;
}

export function command<Need extends keyof Contexts, Args, Result>(
  row: Command<Need, Args, Result>,
): Command<Need, Args, Result> {
  return row;
}

export const nothing = z.strictObject({});
export const text = z
  .string({ error: 'enter text' })
  .min(1, { error: 'it is empty' })
  .max(4096, { error: 'it is too long' });
export const id = text.max(128, { error: 'it is too long' });
export const ids = z.array(id).min(1).max(10_000);
export const name = text.max(512, { error: 'it is too long' });
export const login = text;
export const url = text.max(2048, { error: 'it is too long' });
/** Inside the hosted folder. */
export const path = text;
/** Inside the hosted folder; '' is the folder itself. */
export const folderPath = z.string().max(4096);
/** With the terminal's current folder: paths are what a person typed there. */
export const cwd = text.optional();
export const mode = z.enum(['edit', 'view']);
/** A document as a person types it, and the folder they are in. */
export const typedFile = { file: text, cwd: text };
