// The commands `locks`, `unlock`, `sessions` and `tokens`.

import type { Command } from 'commander';
import { staleSentence } from '../../contract/attention.ts';
import { formatRelative, formatSize, formatTimestamp } from '../../contract/format.ts';
import { t } from '../../contract/messages.ts';
import { maxApiTokenDays } from '../../contract/results.ts';
import type { StaleCause } from '../../contract/state.ts';
import { wholeNumber, type CommandHelpers, type CommonOptions } from '../command-helpers.ts';
import { formatPairs, formatUntil, listOr, orNone, type Show } from '../table.ts';

export function addLockCommands(
  program: Command,
  { terminal, common, asking, confirm, requireAnswer, plain, call, run, runOnAll }: CommandHelpers,
): void {
  const { cwd } = terminal;
  plain(program.command('locks').description(t('terminal.help-locks')), 'locks.list', () => ({}), showLocks);
  asking(program.command('unlock <file>').description(t('terminal.help-unlock'))).action(
    async (file: string, options: CommonOptions) => {
      await requireAnswer(options);
      const lock = await call(options, 'locks.find', { file, cwd });
      if (options.yes !== true) terminal.stderr.write(`${showLock(lock, Date.now())}\n`);
      await confirm(options, t('terminal.force-clear-it'));
      await runOnAll(
        options,
        [lock.fileId],
        (ids) => call(options, 'locks.forceClear', { ids }),
        (path) => t('terminal.lock-was-cleared', { path }),
      );
    },
  );

  const sessions = program.command('sessions').description(t('terminal.help-sessions'));
  plain(
    sessions.command('list', { isDefault: true }).description(t('terminal.help-sessions-list')),
    'sessions.list',
    () => ({}),
    showSessions,
  );
  common(sessions.command('end <id...>').description(t('terminal.help-sessions-end'))).action(
    (all: string[], options: CommonOptions) =>
      runOnAll(
        options,
        all,
        (ids) => call(options, 'sessions.end', { ids }),
        (path) => t('terminal.session-was-ended', { path }),
      ),
  );

  const tokens = program.command('tokens').description(t('terminal.help-tokens'));
  plain(
    tokens.command('list', { isDefault: true }).description(t('terminal.help-tokens-list')),
    'tokens.list',
    () => ({}),
    showTokens,
  );
  common(tokens.command('create <login>').description(t('terminal.help-tokens-create')))
    .option('--name <name>', t('terminal.help-tokens-create-name'))
    .option('--days <days>', t('terminal.help-tokens-create-days'))
    .action(async (login: string, options: CommonOptions & { name?: string; days?: string }) => {
      const { name = null } = options;
      const days = options.days === undefined ? null : wholeNumber('--days', options.days, maxApiTokenDays);
      await run(options, 'tokens.createApiToken', { login, name, days }, ({ token }) => token);
    });
  common(tokens.command('revoke <id...>').description(t('terminal.help-tokens-revoke'))).action(
    (all: string[], options: CommonOptions) =>
      runOnAll(
        options,
        all,
        (ids) => call(options, 'tokens.revoke', { ids }),
        (_path, id) => t('terminal.token-was-revoked', { id }),
      ),
  );
}

const showLocks: Show<'locks.list'> = (locks, nowMs) =>
  listOr(
    t('terminal.no-document-is-locked'),
    [
      'terminal.column-document',
      'terminal.column-user',
      'terminal.column-since',
      'terminal.column-last-call',
      'terminal.column-expires',
      'terminal.column-state',
    ],
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
  return stale === null
    ? t('terminal.in-use')
    : t('terminal.stale-because', { sentence: staleSentence(stale, nowMs) });
}

const showLock: Show<'locks.find'> = (lock, nowMs) =>
  formatPairs([
    [t('terminal.label-document'), lock.path],
    [t('terminal.label-locked-by'), orNone(lock.user)],
    [t('terminal.label-since'), formatTimestamp(lock.takenAtMs)],
    [t('terminal.label-last-call'), formatRelative(lock.lastCallAtMs, nowMs)],
    [t('terminal.label-state'), lockState(lock.stale, nowMs)],
  ]);

const showSessions: Show<'sessions.list'> = (sessions, nowMs) =>
  listOr(
    t('terminal.no-document-is-open'),
    [
      'terminal.column-document',
      'terminal.column-user',
      'terminal.column-mode',
      'terminal.column-editor',
      'terminal.column-since',
      'terminal.column-last-call',
      'terminal.column-read',
      'terminal.column-written',
      'terminal.column-saves',
      'terminal.column-token-id',
    ],
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
    t('terminal.no-tokens'),
    [
      'terminal.column-id',
      'terminal.column-kind',
      'terminal.column-user',
      'terminal.column-for',
      'terminal.column-created',
      'terminal.column-expires',
      'terminal.column-last-used',
    ],
    [
      ...apiTokens.map((token) => [
        token.id,
        'API',
        token.userLogin,
        token.name ?? t('terminal.a-sign-in-to-the-json-api'),
        formatTimestamp(token.createdAtMs),
        formatUntil(token.expiresAtMs, nowMs),
        lastUse(token.lastUsedAtMs, nowMs),
      ]),
      ...accessTokens.map((token) => [
        token.id,
        t('terminal.kind-access'),
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
