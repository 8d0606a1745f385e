// Results of commands as text for people; with --json the result itself is printed instead.

import { formatSize } from '../contract/format-size.ts';
import type { CommandName } from '../commands/commands.ts';
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

const showers = {
  ...showEditors,
  ...showDocumentServers,
  ...showTls,

  'locks.list': (locks, nowMs) =>
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
  'locks.find': (lock, nowMs) =>
    formatPairs([
      ['document', lock.path],
      ['locked by', orNone(lock.user)],
      ['since', formatTime(lock.takenAtMs)],
      ['last call', formatDistance(lock.lastCallAtMs, nowMs)],
      ['state', lock.state === 'stale' ? `stale: ${lock.reason ?? 'unused'}` : 'in use'],
    ]),

  'sessions.list': (sessions, nowMs) =>
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

  'tokens.list': ({ apiTokens, accessTokens }, nowMs) =>
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
  'tokens.revokeOfUser': ({ count }) => `${count} ${count === 1 ? 'token was' : 'tokens were'} revoked.`,

  'users.list': (users) =>
    listOr(
      'There are no users.',
      ['LOGIN', 'NAME', 'ROLE', 'SINCE'],
      users.map((user) => [user.login, user.displayName, user.role, formatTime(user.createdAtMs)]),
    ),
  'users.add': (user) => `${user.login} was added as ${user.role}.`,
  'users.remove': ({ login }) => `${login} was removed, and their tokens were revoked.`,
  'users.setPassword': ({ login }) => `${login} has a new password, and their API tokens were revoked.`,
  'users.setRole': ({ login, role }) => `${login} is now ${role === 'editor' ? 'an editor' : 'a viewer'}.`,

  'documents.versions': ({ path, versions }) =>
    listOr(
      safeText(`No earlier version of ${path} is kept.`),
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
  'documents.restoreVersion': ({ path, size }) =>
    safeText(`${path} was restored (${formatSize(size)}). The previous content is kept as a version.`),

  'rescued.list': (saves) =>
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
  'rescued.restore': ({ path }) => safeText(`Restored as ${path}.`),
  'rescued.discard': ({ id }) => `Recovered save ${id} was deleted.`,

  'host.pause': ({ pausedUntilMs }) =>
    `DocTray is paused${pausedUntilMs === null ? '' : ` until ${formatTime(pausedUntilMs)}`}. Open documents can still be saved. Run \`resume\` to end the pause.`,
  'host.resume': () => 'DocTray opens documents again.',

  'settings.list': (settings) => formatPairs(settingPairs(settings)),
  'settings.get': ({ value }) => formatSetting(value),
  'settings.set': (set) =>
    [
      `${set.key} is ${formatSetting(set.value)}${set.needsRestart ? ' after the next start' : ''}.`,
      ...('problem' in set ? [safeText(set.problem)] : []),
    ].join('\n'),

  'host.serving': ({ folder, link, baseUrl, folderProblem }) =>
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
} satisfies { [Name in CommandName]?: Shower<Name> };

export type ShownCommand = keyof typeof showers;
export const show = showers as { [Name in ShownCommand]: Shower<Name> };

export function servingRow(label: string, text: string): string {
  return `  ${label.padEnd(18)}${text}`;
}

function settingPairs(settings: Settings): [string, string][] {
  return Object.entries(settings).map(([key, value]: [string, Settings[keyof Settings]]) => [
    key,
    formatSetting(value),
  ]);
}
