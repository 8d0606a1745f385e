// Every command of the terminal in one table: name → rules for its arguments → what it does. The control socket and the
// terminal without a running host go through the same table, and the terminal's types come from it.

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from '../contract/errors.ts';
import { isSettingKey, type SettingKey } from '../settings/settings.ts';
import { parseSettingText } from '../settings/setting-text.ts';
import type { CommandContext, ControlServices, LockSummary } from './control-services.ts';
import { diagnose } from './doctor.ts';
import { findDocument, possiblePaths, type FileArgument } from './file-argument.ts';

interface Command<Args, Result> {
  args: z.ZodType<Args>;
  run: (context: CommandContext, args: Args) => Result | Promise<Result>;
}

function command<Args, Result>(
  args: z.ZodType<Args>,
  run: Command<Args, Result>['run'],
): Command<Args, Result> {
  return { args, run };
}

const nothing = z.strictObject({});
const text = z.string().min(1).max(4096);
const file = { file: text, cwd: text };
const id = z.strictObject({ id: text });
const password = z.string().max(4096);

export const commands = {
  open: command(
    z.strictObject({ ...file, mode: z.enum(['edit', 'view']) }),
    async ({ services, host }, args) => {
      if (host === undefined)
        throw new AppError('not-running', { detail: 'A document opens only while it runs.' });
      const user = services.users.list().find(({ role }) => role === 'owner');
      if (user === undefined) throw new AppError('user-unknown');
      const { path } = await findDocument(services, args);
      return { path, mode: args.mode, ...(await host.openDocument({ user, path, mode: args.mode })) };
    },
  ),

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
    return { path: document.path, fileId: document.id, versions: services.versions.list(document.id) };
  }),
  restore: command(z.strictObject({ ...file, version: text }), async ({ services }, { version, ...args }) => {
    const document = await findDocument(services, args);
    const { path, itemVersion, size } = await services.versions.restore(document.id, version);
    return { path, itemVersion, size };
  }),

  rescued: command(nothing, ({ services }) => services.rescued.list()),
  'restore-rescued': command(id, async ({ services }, args) => ({
    path: await services.rescued.restore(args.id),
  })),
  'discard-rescued': command(id, async ({ services }, args) => {
    await services.rescued.discard(args.id);
    return { id: args.id };
  }),

  settings: command(nothing, ({ services }) => services.settings.current()),
  setting: command(z.strictObject({ key: text }), ({ services }, { key }) => {
    return { key, value: services.settings.current()[knownKey(key)] };
  }),
  'set-setting': command(
    z.strictObject({ key: text, value: z.string().max(65_536), cwd: text }),
    async ({ services, host }, args) => {
      const key = knownKey(args.key);
      const value = await settingValue(key, args);
      const settings = await services.settings.update({ [key]: value });
      return { key, value: settings[key], needsRestart: host !== undefined && restartKeys.includes(key) };
    },
  ),

  doctor: command(nothing, (context) => diagnose(context)),
};

export type CommandName = keyof typeof commands;
export type CommandArgs<Name extends CommandName> = Parameters<(typeof commands)[Name]['run']>[1];
export type CommandResult<Name extends CommandName> = Awaited<ReturnType<(typeof commands)[Name]['run']>>;

/** Read when the host starts. */
const restartKeys: readonly SettingKey[] = ['folder', 'host', 'port'];

/** @throws AppError not-found for a command this version does not know, invalid-argument, what the command throws */
export async function runCommand(context: CommandContext, name: string, args: unknown): Promise<unknown> {
  if (!isCommandName(name)) {
    throw new AppError('not-found', {
      detail: 'The running DocTray does not know this command; restart it after an update.',
    });
  }
  const { args: rules, run } = commands[name] as Command<unknown, unknown>;
  const checked = rules.safeParse(args);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new AppError('invalid-argument', {
      detail: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
    });
  }
  return run(context, checked.data);
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** Also of a document that is not there any more. */
async function findLock(services: ControlServices, argument: FileArgument): Promise<LockSummary> {
  const locks = services.locks.list();
  const byId = locks.find(({ fileId }) => fileId === argument.file);
  if (byId !== undefined) return byId;
  if (services.folder !== undefined) {
    const paths = await possiblePaths(services.folder.root, argument);
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
      const document = await services.folder?.find(token.fileId).catch(() => undefined);
      return { ...token, path: document?.path ?? null };
    }),
  );
  return { apiTokens, accessTokens };
}

function knownKey(key: string): SettingKey {
  if (!isSettingKey(key)) {
    throw new AppError('setting-invalid', { detail: `There is no setting ${key}. \`settings\` shows them.` });
  }
  return key;
}

async function settingValue(key: SettingKey, args: { value: string; cwd: string }): Promise<unknown> {
  const value = parseSettingText(key, args.value);
  if (key !== 'folder' || typeof value !== 'string') return value;
  const folder = resolve(args.cwd, value);
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new AppError('folder-invalid', { detail: `There is no folder at ${folder}.` });
  return folder;
}
