// The commands `locks`, `unlock`, `sessions` and `tokens`.

import type { Command } from 'commander';
import { staleSentence } from '../../contract/attention.ts';
import { formatRelative, formatSize, formatTimestamp } from '../../contract/format.ts';
import { maxApiTokenDays } from '../../contract/results.ts';
import type { StaleCause } from '../../contract/state.ts';
import { wholeNumber, type CommandHelpers, type CommonOptions } from '../command-helpers.ts';
import { formatPairs, formatUntil, listOr, orNone, type Show } from '../table.ts';

export function addLockCommands(
  program: Command,
  { terminal, common, asking, confirm, requireAnswer, plain, call, run, runOnAll }: CommandHelpers,
): void {
  const { cwd } = terminal;
  plain(
    program.command('locks').description('list locked documents, and who locked them'),
    'locks.list',
    () => ({}),
    showLocks,
  );
  asking(program.command('unlock <file>').description('force-clear the lock on a document')).action(
    async (file: string, options: CommonOptions) => {
      await requireAnswer(options);
      const lock = await call(options, 'locks.find', { file, cwd });
      if (options.yes !== true) terminal.stderr.write(`${showLock(lock, Date.now())}\n`);
      await confirm(
        options,
        'Force-clear it? Unsaved changes in its editor will be kept as a recovered save.',
      );
      await runOnAll(
        options,
        [lock.fileId],
        (ids) => call(options, 'locks.forceClear', { ids }),
        (path) => `The lock on ${path} was cleared.`,
      );
    },
  );

  const sessions = program.command('sessions').description('list or end editing sessions');
  plain(
    sessions.command('list', { isDefault: true }).description('list all sessions'),
    'sessions.list',
    () => ({}),
    showSessions,
  );
  common(sessions.command('end <id...>').description('end sessions; their editors lose access')).action(
    (all: string[], options: CommonOptions) =>
      runOnAll(
        options,
        all,
        (ids) => call(options, 'sessions.end', { ids }),
        (path) => `The session on ${path} was ended.`,
      ),
  );

  const tokens = program.command('tokens').description('list, create or revoke API tokens and access tokens');
  plain(
    tokens.command('list', { isDefault: true }).description('list all tokens'),
    'tokens.list',
    () => ({}),
    showTokens,
  );
  common(tokens.command('create <login>').description('create an API token; prints it once'))
    .option('--name <name>', 'what it is for, such as the program that uses it')
    .option('--days <days>', 'days until it expires (default: the setting apiTokenDays)')
    .action(async (login: string, options: CommonOptions & { name?: string; days?: string }) => {
      const { name = null } = options;
      const days = options.days === undefined ? null : wholeNumber('--days', options.days, maxApiTokenDays);
      await run(options, 'tokens.createApiToken', { login, name, days }, ({ token }) => token);
    });
  common(tokens.command('revoke <id...>').description('revoke tokens')).action(
    (all: string[], options: CommonOptions) =>
      runOnAll(
        options,
        all,
        (ids) => call(options, 'tokens.revoke', { ids }),
        (_path, id) => `Token ${id} was revoked.`,
      ),
  );
}

const showLocks: Show<'locks.list'> = (locks, nowMs) =>
  listOr(
    'No document is locked.',
    ['DOCUMENT', 'USER', 'SINCE', 'LAST CALL', 'EXPIRES', 'STATE'],
    locks.map((lock) => [
      lock.path,
      orNone(lock.user),
      formatTimestamp(lock.takenAtMs),
      formatRelative(lock.lastCallAtMs, nowMs),
      formatRelative(lock.expiresAtMs, nowMs),
      lockState(lock.stale, nowMs),
    ]),
  );

function lockState(stale: StaleCause | null, nowMs: number): string {
  return stale === null ? 'in use' : `stale: ${staleSentence(stale, nowMs)}`;
}

const showLock: Show<'locks.find'> = (lock, nowMs) =>
  formatPairs([
    ['document', lock.path],
    ['locked by', orNone(lock.user)],
    ['since', formatTimestamp(lock.takenAtMs)],
    ['last call', formatRelative(lock.lastCallAtMs, nowMs)],
    ['state', lockState(lock.stale, nowMs)],
  ]);

const showSessions: Show<'sessions.list'> = (sessions, nowMs) =>
  listOr(
    'No document is open.',
    ['DOCUMENT', 'USER', 'MODE', 'EDITOR', 'SINCE', 'LAST CALL', 'READ', 'WRITTEN', 'SAVES', 'TOKEN ID'],
    sessions.map((session) => [
      session.path,
      session.userLogin,
      session.mode,
      orNone(session.editorName ?? session.client),
      formatTimestamp(session.sinceMs),
      formatRelative(session.lastCallAtMs, nowMs),
      formatSize(session.bytesRead),
      formatSize(session.bytesWritten),
      String(session.saves),
      session.id,
    ]),
  );

const showTokens: Show<'tokens.list'> = ({ apiTokens, accessTokens }, nowMs) =>
  listOr(
    'No tokens.',
    ['ID', 'KIND', 'USER', 'FOR', 'CREATED', 'EXPIRES', 'LAST USED'],
    [
      ...apiTokens.map((token) => [
        token.id,
        'API',
        token.userLogin,
        token.name ?? 'a sign-in to the JSON API',
        formatTimestamp(token.createdAtMs),
        formatUntil(token.expiresAtMs, nowMs),
        lastUse(token.lastUsedAtMs, nowMs),
      ]),
      ...accessTokens.map((token) => [
        token.id,
        'access',
        token.userLogin,
        `${token.path ?? token.fileId} (${token.mode})`,
        formatTimestamp(token.createdAtMs),
        formatUntil(token.expiresAtMs, nowMs),
        lastUse(token.lastUsedAtMs, nowMs),
      ]),
    ],
  );

function lastUse(atMs: number | null, nowMs: number): string {
  return atMs === null ? '-' : formatRelative(atMs, nowMs);
}
