// Every command in one table: name → who may call it, what it needs, its arguments, what it does. A compromised window may send
// anything, so a name must be in the table, and arguments must match its schema.

import type { CommandSender } from '../contract/bridge.ts';
import { AppError, type CallerName } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { RunningHost } from '../host/running-host.ts';
import { activityCommands } from './activity.ts';
import { appCommands } from './app.ts';
import type { Command, Contexts, WindowParts } from './command.ts';
import type { Confirmation } from './desktop.ts';
import { diagnosisOf, diagnosisOfFailure } from '../doctor/diagnostics.ts';
import { documentServerCommands } from './document-servers.ts';
import { documentCommands } from './documents.ts';
import { editorCommands } from './editors.ts';
import { hostCommands } from './host.ts';
import { jobCommands } from './jobs.ts';
import { lockCommands } from './locks.ts';
import { recoveredSaveCommands } from './recovered-saves.ts';
import { secretCommands } from './secrets.ts';
import { settingCommands } from './settings.ts';
import { tlsCommands } from './tls.ts';
import { tokenCommands } from './tokens.ts';
import { userCommands } from './users.ts';
import { versionCommands } from './versions.ts';

export const commands = {
  ...appCommands,
  ...hostCommands,
  ...documentCommands,
  ...versionCommands,
  ...recoveredSaveCommands,
  ...lockCommands,
  ...tokenCommands,
  ...userCommands,
  ...editorCommands,
  ...documentServerCommands,
  ...secretCommands,
  ...settingCommands,
  ...tlsCommands,
  ...activityCommands,
  ...jobCommands,
};

export type CommandName = keyof typeof commands;
export type CommandArgs<Name extends CommandName> = Parameters<(typeof commands)[Name]['run']>[1];
export type CommandResult<Name extends CommandName> = ReturnType<
  NonNullable<(typeof commands)[Name]['result']>
>;

/** Provides what a command needs; each function throws if that isn't available. */
export type Caller = {
  by: CallerName;
  /** Undefined for the terminal. */
  sender?: CommandSender;
  /** Asks the user; undefined in the terminal, where only the user can have sent the command. */
  confirm?: (question: Confirmation) => Promise<boolean>;
} & {
  [Need in keyof Contexts]: () => Contexts[Need] | Promise<Contexts[Need]>;
};

/** @throws AppError not-found, invalid-argument naming the field, what the caller and the command throw */
export async function runCommand(caller: Caller, name: string, args: unknown): Promise<unknown> {
  const row = rowOf(name, caller.by);
  if (row === undefined) throw new AppError('not-found', { detail: unknownSentence(caller.by) });
  if (row.isOnlyForApp === true && caller.sender === 'page')
    throw new AppError('permission-denied', { detail: () => t('host.drop-files-onto-the-window') });
  const checked = row.args.safeParse(args);
  if (!checked.success)
    throw new AppError('invalid-argument', { detail: argumentFault(checked.error.issues) });
  // A path that a compromised window makes up must not be resolved outside the folder.
  if (caller.by === 'window' && hasCurrentFolder(checked.data))
    throw new AppError('invalid-argument', { detail: () => t('host.window-has-no-current-folder') });
  const context = await caller[row.needs]();
  const question = caller.confirm && row.confirm?.(checked.data, context);
  if (question !== undefined && !(await caller.confirm?.(question))) throw new AppError('not-confirmed');
  return (await row.run(context, checked.data)) ?? null;
}

function hasCurrentFolder(args: unknown): boolean {
  return typeof args === 'object' && args !== null && 'cwd' in args && args.cwd !== undefined;
}

/** @returns undefined if this caller may not call it */
export function rowOf(name: string, by: CallerName): Command<keyof Contexts, unknown, unknown> | undefined {
  if (!Object.hasOwn(commands, name)) return undefined;
  const row = commands[name as CommandName] as unknown as Command<keyof Contexts, unknown, unknown>;
  return row.from === 'both' || row.from === by ? row : undefined;
}

function unknownSentence(by: CallerName): string {
  return by === 'window' ? t('host.command-unknown') : t('host.command-unknown-terminal');
}

/** The first fault and its field. Doesn't repeat the value, which may be a password. */
function argumentFault(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  if (issue === undefined) return '';
  const place = issue.path.map(String).join('.');
  return place === '' ? `${issue.message}.` : `${place}: ${issue.message}.`;
}

/** Contexts for a command that came through the control socket. */
export function terminalCaller(host: RunningHost): Caller {
  const { services } = host;
  const { settings } = services;
  return {
    by: 'terminal',
    settings: () => ({ by: 'terminal', settings, host }),
    services: () => ({ by: 'terminal', services, host }),
    host: () => ({ by: 'terminal', services, host, confirm: () => Promise.resolve(true) }),
    diagnosis: () => diagnosisOf({ by: 'terminal', services, host }),
    window: noWindow,
  };
}

/** Contexts for a command from the window. */
export function windowCaller(parts: WindowParts, sender: CommandSender): Caller {
  const { requireHost, keeper } = parts;
  const withHost = (): Contexts['host'] => {
    const host = requireHost();
    return { by: 'window', services: host.services, host, confirm: parts.desktop.confirm };
  };
  return {
    by: 'window',
    sender,
    confirm: parts.desktop.confirm,
    settings: async () => ({ by: 'window', settings: await parts.settings.store(), host: keeper.host() }),
    services: withHost,
    host: withHost,
    diagnosis() {
      const host = keeper.host();
      const log = parts.log.tail?.() ?? [];
      const state = parts.live.state();
      const { findings } =
        host === undefined
          ? diagnosisOfFailure(keeper.problem() ?? new AppError('host-away'), {
              dataDir: keeper.dataDir,
              by: 'window',
            })
          : diagnosisOf({ by: 'window', services: host.services, host });
      return { state, findings, log };
    },
    window: () => parts,
  };
}

export function noWindow(): never {
  throw new AppError('not-found', { detail: unknownSentence('terminal') });
}
