// Every command of the terminal in one table: name → rules for its arguments → what it does. The control socket and the
// terminal without a running host go through the same table, and the terminal's types come from it.

import { z } from 'zod';
import { startLinkLifeMs } from '../accounts/tickets.ts';
import { AppError } from '../contract/errors.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import { textEditorKeys } from '../settings/settings.ts';
import type { LockSummary } from '../wopi/locks.ts';
import { command, file, nothing, runningHost, text, type Command } from './command.ts';
import type { CommandContext, ControlServices, SettingContext } from './control-services.ts';
import { diagnose } from './doctor.ts';
import { documentServerCommands } from './document-server-commands.ts';
import { editorCommands } from './editor-commands.ts';
import { findDocument, possiblePaths, type FileArgument } from './file-argument.ts';
import { describeServing } from './serving.ts';
import { getSetting, setSetting } from './setting-commands.ts';
import { tlsCommands } from './tls-commands.ts';

function settingCommand<Args, Result>(
  args: z.ZodType<Args>,
  run: Command<SettingContext, Args, Result>['run'],
): Command<SettingContext, Args, Result> {
  return { args, run };
}

const id = z.strictObject({ id: text });
const password = z.string().max(4096);

const settingCommands = {
  settings: settingCommand(nothing, ({ services }) => services.settings.current()),
  setting: settingCommand(z.strictObject({ key: text }), ({ services }, args) =>
    getSetting(services.settings, args),
  ),
  'set-setting': settingCommand(
    z.strictObject({ key: text, value: z.string().max(65_536), cwd: text }),
    async ({ services, host }, args) => {
      const set = await setSetting(services.settings, args, host !== undefined);
      const problem = textEditorKeys.has(set.key) ? await host?.textEditorProblem() : undefined;
      return problem === undefined ? set : { ...set, problem: `${problem.sentence} ${problem.remedy}` };
    },
  ),
};

export const commands = {
  ...editorCommands,
  ...documentServerCommands,
  ...tlsCommands,

  locks: command(nothing, ({ services }) => services.locks.list()),
  lock: command(z.strictObject(file), ({ services }, args) => findLock(services, args)),
  unlock: command(z.strictObject(file), async ({ services }, args) => {
    const { fileId } = await findLock(services, args);
    return services.locks.forceClear(fileId, 'terminal');
  }),

  sessions: command(nothing, ({ services }) => services.sessions.list()),
  tokens: command(nothing, ({ services }) => listTokens(services)),
  'revoke-token': command(id, ({ services }, args) => {
    const isRevoked = services.apiTokens.revoke(args.id) || services.accessTokens.revoke(args.id);
    if (!isRevoked) throw new AppError('token-unknown');
    return { id: args.id };
  }),

  users: command(nothing, ({ services }) => services.users.list()),
  'add-user': command(
    z.strictObject({
      login: text,
      displayName: text.optional(),
      role: z.enum(['editor', 'viewer'], { error: 'Give editor or viewer.' }),
      password,
    }),
    ({ services }, { displayName, ...input }) =>
      services.users.add({ ...input, ...(displayName === undefined ? {} : { displayName }) }),
  ),
  'remove-user': command(z.strictObject({ login: text }), ({ services }, { login }) => {
    services.users.remove(login);
    return { login };
  }),
  'set-password': command(z.strictObject({ login: text, password }), async ({ services }, args) => {
    await services.users.setPassword(args.login, args.password);
    return { login: args.login };
  }),
  'find-user': command(z.strictObject({ login: text }), ({ services }, { login }) => {
    const user = services.users.byLogin(login);
    if (user === undefined) throw new AppError('user-unknown');
    return user;
  }),

  versions: command(z.strictObject(file), async ({ services }, args) => {
    const document = await findDocument(services, args);
    const versions = services.versions.list(document.id).map((version) => ({
      ...version,
      savedBy: version.savedBy === null ? null : namesOf(services, version.savedBy),
    }));
    return { path: document.path, fileId: document.id, versions };
  }),
  restore: command(z.strictObject({ ...file, version: text }), async ({ services }, { version, ...args }) => {
    const document = await findDocument(services, args);
    const { path, itemVersion, size } = await services.versions.restore(document.id, version);
    return { path, itemVersion, size };
  }),

  rescued: command(nothing, ({ services }) => services.recoveredSaves.list()),
  'restore-rescued': command(id, async ({ services }, args) => ({
    path: await services.recoveredSaves.restore(args.id),
  })),
  'discard-rescued': command(id, async ({ services }, args) => {
    await services.recoveredSaves.discard(args.id);
    return { id: args.id };
  }),

  ...settingCommands,

  /** What a start would print, for a second one. */
  serving: command(
    z.strictObject({ ticketLifeMs: z.int().min(1).max(startLinkLifeMs) }),
    (context, { ticketLifeMs }) => {
      const host = runningHost(context, 'It must be running to show where it serves.');
      const { baseUrl, openInEditor } = host;
      return describeServing({ services: context.services, baseUrl, openInEditor }, { ticketLifeMs });
    },
  ),

  doctor: command(nothing, (context) => diagnose(context)),
};

export type CommandName = keyof typeof commands;
export type CommandArgs<Name extends CommandName> = Parameters<(typeof commands)[Name]['run']>[1];
export type CommandResult<Name extends CommandName> = Awaited<ReturnType<(typeof commands)[Name]['run']>>;

/** @throws AppError not-found for a command this version does not know, invalid-argument, what the command throws */
export async function runCommand(context: CommandContext, name: string, args: unknown): Promise<unknown> {
  if (!isCommandName(name)) {
    throw new AppError('not-found', {
      detail: 'The running DocTray does not know this command; restart it after an update.',
    });
  }
  return runChecked(commands[name] as Command<CommandContext, unknown, unknown>, context, args);
}

/** Those that need the settings alone, and so work where the host cannot start. */
export function isSettingCommand(name: string): name is keyof typeof settingCommands {
  return Object.hasOwn(settingCommands, name);
}

/** @throws AppError as `runCommand` */
export async function runSettingCommand(
  settings: SettingsStore,
  name: keyof typeof settingCommands,
  args: unknown,
): Promise<unknown> {
  const chosen = settingCommands[name] as Command<SettingContext, unknown, unknown>;
  return runChecked(chosen, { services: { settings } }, args);
}

async function runChecked<Context>(
  { args: rules, run }: Command<Context, unknown, unknown>,
  context: Context,
  args: unknown,
): Promise<unknown> {
  const checked = rules.safeParse(args);
  if (checked.success) return run(context, checked.data);
  const [issue] = checked.error.issues;
  throw new AppError('invalid-argument', {
    detail: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  });
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** Also of a document that is not there any more. */
async function findLock(services: ControlServices, argument: FileArgument): Promise<LockSummary> {
  const locks = services.locks.list();
  const byId = locks.find(({ fileId }) => fileId === argument.file);
  if (byId !== undefined) return byId;
  const folder = services.folder();
  if (folder !== undefined) {
    const paths = await possiblePaths(folder.root, argument);
    const byPath = paths.flatMap((path) => locks.filter((lock) => lock.path === path));
    if (byPath[0] !== undefined) return byPath[0];
  }
  const { id: fileId } = await findDocument(services, argument);
  const lock = locks.find((held) => held.fileId === fileId);
  if (lock === undefined) throw new AppError('file-not-locked');
  return lock;
}

async function listTokens(services: ControlServices) {
  const apiTokens = services.apiTokens.list();
  const accessTokens = await Promise.all(
    services.accessTokens.list().map(async (token) => {
      const document = await services
        .folder()
        ?.find(token.fileId)
        .catch(() => undefined);
      return { ...token, path: document?.row.path ?? null };
    }),
  );
  return { apiTokens, accessTokens };
}

/** Editors name the users of a save by their ids, divided by commas. */
function namesOf({ users }: ControlServices, savedBy: string): string {
  const logins = new Map(users.list().map(({ id, login }) => [id, login]));
  return savedBy
    .split(',')
    .map((id) => logins.get(id) ?? id)
    .join(', ');
}
