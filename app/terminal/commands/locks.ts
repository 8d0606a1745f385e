// The commands `locks`, `unlock`, `sessions` and `tokens`.

import { staleSentence } from '../../contract/attention.ts';
import { formatRelative, formatSize, formatTimestamp } from '../../contract/format.ts';
import { t } from '../../contract/messages.ts';
import type { StaleCause } from '../../contract/state.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { formatPairs, formatUntil, listOf, orNone, type Show } from '../table.ts';

export function addLockCommands(helpers: CommandHelpers): void {
  const { terminal, add, command, confirm, requireAnswer, call, runOnAll } = helpers;
  command('locks', 'locks.list', showLocks);
  add('unlock <file> [--yes]', async (file: string, options: CommonOptions) => {
    await requireAnswer(options);
    const lock = await call(options, 'locks.find', { file, cwd: terminal.cwd });
    if (options.yes !== true) terminal.stderr.write(`${showLock(lock, Date.now())}\n`);
    await confirm(options, t('terminal.force-clear-it'));
    await runOnAll(
      options,
      [lock.fileId],
      (ids) => call(options, 'locks.forceClear', { ids }),
      (path) => t('terminal.lock-was-cleared', { path }),
    );
  });
  command('sessions list', 'sessions.list', showSessions);
  add('sessions end <id...>', (all: string[], options: CommonOptions) =>
    runOnAll(
      options,
      all,
      (ids) => call(options, 'sessions.end', { ids }),
      (path) => t('terminal.session-was-ended', { path }),
    ),
  );
  command('tokens list', 'tokens.list', showTokens);
  const create = 'tokens create <login> [--name <name>] [--days <days>]';
  command(create, 'tokens.createApiToken', ({ token }) => token, {
    args: (login: string, { name = null, days = null }: { name?: string | null; days?: number | null }) => ({
      login,
      name,
      days,
    }),
  });
  add('tokens revoke <id...>', (all: string[], options: CommonOptions) =>
    runOnAll(
      options,
      all,
      (ids) => call(options, 'tokens.revoke', { ids }),
      (_path, id) => t('terminal.token-was-revoked', { id }),
    ),
  );
}

const showLocks: Show<'locks.list'> = (locks, nowMs) =>
  listOf(t('terminal.no-document-is-locked'), locks, {
    'terminal.column-document': ({ path }) => path,
    'terminal.column-user': ({ user }) => user,
    'terminal.column-since': ({ takenAtMs }) => formatTimestamp(takenAtMs),
    'terminal.column-last-call': ({ lastCallAtMs }) => formatRelative(lastCallAtMs, nowMs),
    'terminal.column-expires': ({ expiresAtMs }) => formatRelative(expiresAtMs, nowMs),
    'terminal.column-state': ({ stale }) => lockState(stale, nowMs),
  });

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
  listOf(t('terminal.no-document-is-open'), sessions, {
    'terminal.column-document': ({ path }) => path,
    'terminal.column-user': ({ userLogin }) => userLogin,
    'terminal.column-mode': ({ mode }) => mode,
    'terminal.column-editor': ({ editorName, client }) => editorName ?? client,
    'terminal.column-since': ({ sinceMs }) => formatTimestamp(sinceMs),
    'terminal.column-last-call': ({ lastCallAtMs }) => formatRelative(lastCallAtMs, nowMs),
    'terminal.column-read': ({ bytesRead }) => formatSize(bytesRead),
    'terminal.column-written': ({ bytesWritten }) => formatSize(bytesWritten),
    'terminal.column-saves': ({ saves }) => String(saves),
    'terminal.column-token-id': ({ id }) => id,
  });

const showTokens: Show<'tokens.list'> = ({ apiTokens, accessTokens }, nowMs) => {
  const tokens = [
    ...apiTokens.map((token) => ({
      ...token,
      kind: 'API',
      purpose: token.name ?? t('terminal.a-sign-in-to-the-json-api'),
    })),
    ...accessTokens.map((token) => ({
      ...token,
      kind: t('terminal.kind-access'),
      purpose: `${token.path ?? token.fileId} (${token.mode})`,
    })),
  ];
  return listOf(t('terminal.no-tokens'), tokens, {
    'terminal.column-id': ({ id }) => id,
    'terminal.column-kind': ({ kind }) => kind,
    'terminal.column-user': ({ userLogin }) => userLogin,
    'terminal.column-for': ({ purpose }) => purpose,
    'terminal.column-created': ({ createdAtMs }) => formatTimestamp(createdAtMs),
    'terminal.column-expires': ({ expiresAtMs }) => formatUntil(expiresAtMs, nowMs),
    'terminal.column-last-used': ({ lastUsedAtMs }) =>
      lastUsedAtMs === null ? null : formatRelative(lastUsedAtMs, nowMs),
  });
};
