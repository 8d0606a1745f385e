// Results of commands as text for people; with --json the result itself is printed instead.

import { formatSize } from '../contract/format-size.ts';
import type { CommandName } from '../control/commands.ts';
import { formatSetting } from '../settings/setting-text.ts';
import type { Settings } from '../settings/settings.ts';
import { showDocumentServers } from './show-document-servers.ts';
import { showEditors } from './show-editors.ts';
import { showTls } from './show-tls.ts';
import { listOr, orNone, untilText, type Shower } from './shower.ts';
import { formatDistance, formatPairs, formatTime, safeText } from './table.ts';

const timeOrNone = (atMs: number | null): string => (atMs === null ? '-' : formatTime(atMs));
const agoOrNone = (atMs: number | null, nowMs: number): string =>
  atMs === null ? '-' : formatDistance(atMs, nowMs);

export const show = {
  ...showEditors,
  ...showDocumentServers,
  ...showTls,

  locks: (locks, nowMs) =>
    listOr(
      'No document is locked.',
      ['DOCUMENT', 'USER', 'SINCE', 'LAST CALL', 'EXPIRES', 'STATE'],
      locks.map((lock) => [
        lock.path,
        orNone(lock.user),
        formatTime(lock.takenAtMs),
        formatDistance(lock.lastCallAtMs, nowMs),
        formatDistance(lock.expiresAtMs, nowMs),
        lock.state === 'stale' ? `stale: ${lock.reason ?? 'unused'}` : 'in use',
      ]),
    ),
  lock: (lock, nowMs) =>
    formatPairs([
      ['document', lock.path],
      ['locked by', orNone(lock.user)],
      ['since', formatTime(lock.takenAtMs)],
      ['last call', formatDistance(lock.lastCallAtMs, nowMs)],
      ['state', lock.state === 'stale' ? `stale: ${lock.reason ?? 'unused'}` : 'in use'],
    ]),
  unlock: (lock) => `The lock on ${lock.path} was cleared.`,

  sessions: (sessions, nowMs) =>
    listOr(
      'No document is open.',
      ['DOCUMENT', 'USER', 'MODE', 'EDITOR', 'SINCE', 'LAST CALL', 'READ', 'WRITTEN', 'SAVES', 'TOKEN ID'],
      sessions.map((session) => [
        session.path,
        session.userLogin,
        session.mode,
        orNone(session.editorName ?? session.client),
        formatTime(session.sinceMs),
        formatDistance(session.lastCallAtMs, nowMs),
        formatSize(session.bytesRead),
        formatSize(session.bytesWritten),
        String(session.saves),
        session.id,
      ]),
    ),

  tokens: ({ apiTokens, accessTokens }, nowMs) =>
    listOr(
      'There are no tokens.',
      ['ID', 'KIND', 'USER', 'OPENS', 'CREATED', 'EXPIRES', 'LAST USED'],
      [
        ...apiTokens.map((token) => [
          token.id,
          'API',
          token.userLogin,
          'the JSON API',
          formatTime(token.createdAtMs),
          untilText(token.expiresAtMs, nowMs),
          agoOrNone(token.lastUsedAtMs, nowMs),
        ]),
        ...accessTokens.map((token) => [
          token.id,
          'access',
          token.userLogin,
          `${token.path ?? token.fileId} (${token.mode})`,
          formatTime(token.createdAtMs),
          untilText(token.expiresAtMs, nowMs),
          '-',
        ]),
      ],
    ),
  'revoke-token': ({ id }) => `Token ${id} was revoked.`,

  users: (users) =>
    listOr(
      'There are no users.',
      ['LOGIN', 'NAME', 'ROLE', 'SINCE'],
      users.map((user) => [user.login, user.displayName, user.role, formatTime(user.createdAtMs)]),
    ),
  'add-user': (user) => `${user.login} was added as ${user.role}.`,
  'remove-user': ({ login }) => `${login} was removed, and their tokens were revoked.`,
  'set-password': ({ login }) => `${login} has a new password, and their API tokens were revoked.`,
  'find-user': (user) => user.login,

  versions: ({ path, versions }) =>
    listOr(
      `No earlier version of ${path} is kept.`,
      ['ID', 'VERSION', 'SAVED', 'BY', 'HOW', 'SIZE', 'REPLACED'],
      versions.map((version) => [
        version.id,
        version.itemVersion,
        timeOrNone(version.savedAtMs),
        orNone(version.savedBy),
        orNone(version.savedHow),
        formatSize(version.size),
        formatTime(version.keptAtMs),
      ]),
    ),
  restore: ({ path, size }) =>
    `${path} was restored (${formatSize(size)}). The previous content is kept as a version.`,

  rescued: (saves) =>
    listOr(
      'There are no recovered saves.',
      ['ID', 'DOCUMENT', 'SIZE', 'RECEIVED', 'WHY'],
      saves.map((save) => [
        save.id,
        save.path,
        formatSize(save.size),
        formatTime(save.receivedAtMs),
        save.reason,
      ]),
    ),
  'restore-rescued': ({ path }) => `Restored as ${path}.`,
  'discard-rescued': ({ id }) => `Recovered save ${id} was deleted.`,

  settings: (settings) => formatPairs(settingPairs(settings)),
  setting: ({ value }) => formatSetting(value),
  'set-setting': (set) =>
    [
      `${set.key} is ${formatSetting(set.value)}${set.needsRestart ? ' after the next start' : ''}.`,
      ...('problem' in set ? [safeText(set.problem)] : []),
    ].join('\n'),

  serving: ({ folder, link, baseUrl, folderProblem }) =>
    [
      folder === null ? 'DocTray isn’t serving a folder yet.' : `DocTray is serving ${safeText(folder)}`,
      ...(folderProblem === null ? [] : [servingRow('Warning', folderProblem)]),
      ...(link === null
        ? []
        : [servingRow('Open a document', `${link.url}  (${safeText(link.name)}, valid once)`)]),
      servingRow('Address', baseUrl),
    ].join('\n'),

  doctor: (findings) =>
    formatPairs(
      findings.map(({ check, verdict, text }) => [
        { ok: 'ok', note: '--', failed: 'FAILED' }[verdict],
        `${check}: ${text}`,
      ]),
    ),
} satisfies { [Name in CommandName]: Shower<Name> } as { [Name in CommandName]: Shower<Name> };

export function servingRow(label: string, text: string): string {
  return `  ${label.padEnd(18)}${text}`;
}

function settingPairs(settings: Settings): [string, string][] {
  return Object.entries(settings).map(([key, value]: [string, Settings[keyof Settings]]) => [
    key,
    formatSetting(value),
  ]);
}
