// The rows of the window's tables, read from their services. They contain no token and no lock id.

import { type AccessTokenSummary } from '../accounts/access-tokens.ts';
import type { SessionSummary } from '../accounts/sessions.ts';
import { accessTokenGraceMs } from '../contract/age.ts';
import { shownEditorName } from '../contract/editors.ts';
import type {
  LockItem,
  RecoveredItem,
  SessionItem,
  StateTables,
  TableName,
  TokenItem,
  UserItem,
} from '../contract/state.ts';
import { safeText } from '../contract/names.ts';
import type { Services } from '../host/services.ts';
import type { ApiTokenSummary } from '../store/api-tokens.ts';
import { lastSeenPath } from '../store/files.ts';
import type { LockSummary } from '../wopi/locks.ts';
import { silentAfterMs } from '../wopi/lock-rules.ts';
import type { Row, RowSource } from './live-table.ts';

export type RowSources = { [Name in TableName]: RowSource<StateTables[Name]> };

export interface RowSourceDeps {
  services: Services;
  /** The session that last called for a document. */
  latestSession: (fileId: string) => SessionItem | undefined;
}

export function createRowSources(deps: RowSourceDeps): RowSources {
  const { services, latestSession } = deps;
  const {
    clock,
    locks,
    sessions,
    apiTokens,
    accessTokens,
    recoveredSaves,
    users,
    filesTable: files,
  } = services;

  const lockRow = (lock: LockSummary): Row<LockItem> => {
    const { fileId: id, path, user, userName, takenAtMs, refreshedAtMs, expiresAtMs, lastCallAtMs } = lock;
    return {
      item: {
        id,
        path,
        user,
        userName: safeName(userName),
        editor: editorNameOf(lock) ?? latestSession(id)?.editor ?? editorName(lock.client),
        takenAtMs,
        refreshedAtMs,
        expiresAtMs,
        lastCallAtMs,
        state: lock.state,
        stale: lock.stale,
        isSaved: services.missedSaves.get(id) === undefined,
      },
      dueAtMs: nextMoment(clock(), lock.quietSinceMs + silentAfterMs, expiresAtMs),
    };
  };

  const tabs = createTabs();
  const sessionRow = (session: SessionSummary): Row<SessionItem> => {
    const { id, fileId, path, userLogin, userName, mode, client, address, expiresAtMs } = session;
    const { sinceMs, lastCallAtMs, calls, saves, bytesRead, bytesWritten, lockState } = session;
    return {
      item: {
        id,
        fileId,
        path,
        user: userLogin,
        userName: safeText(userName),
        tab: tabs.of(session),
        mode,
        editor: editorNameOf(session) ?? editorName(client),
        address: address === '' ? null : address,
        sinceMs,
        lastCallAtMs,
        expiresAtMs,
        calls,
        saves,
        bytesRead,
        bytesWritten,
        lockState,
      },
      dueAtMs: nextMoment(clock(), expiresAtMs, expiresAtMs + accessTokenGraceMs),
    };
  };

  const apiTokenRow = (token: ApiTokenSummary, userName: string): Row<TokenItem> => ({
    item: {
      id: token.id,
      kind: 'api',
      name: safeName(token.name),
      user: token.userLogin,
      userName: safeText(userName),
      fileId: null,
      path: null,
      mode: null,
      createdAtMs: token.createdAtMs,
      expiresAtMs: token.expiresAtMs,
      lastUsedAtMs: token.lastUsedAtMs,
    },
    dueAtMs: nextMoment(clock(), token.expiresAtMs),
  });

  const accessTokenRow = (token: AccessTokenSummary, path: string | undefined): Row<TokenItem> => {
    const { id, fileId, userLogin, userName, mode, createdAtMs, expiresAtMs, lastUsedAtMs } = token;
    return {
      item: {
        id,
        kind: 'access',
        name: null,
        user: userLogin,
        userName: safeText(userName),
        fileId,
        path: path === undefined ? null : lastSeenPath(path),
        mode,
        createdAtMs,
        expiresAtMs,
        lastUsedAtMs,
      },
      dueAtMs: nextMoment(clock(), expiresAtMs + accessTokenGraceMs),
    };
  };

  return {
    locks: {
      all: () => locks.list().map(lockRow),
      one: (id) => mapped(locks.find(id), lockRow),
    },
    sessions: {
      all() {
        const all = sessions.list();
        tabs.keepOnly(all);
        return all.map(sessionRow);
      },
      one(id) {
        const session = sessions.find(id);
        if (session === undefined) tabs.end(id);
        return mapped(session, sessionRow);
      },
    },
    tokens: {
      all() {
        const pathOf = new Map(files.pathsWithTokens().map(({ id, path }) => [id, path]));
        const names = new Map(users.list().map(({ id, displayName }) => [id, displayName]));
        return [
          ...apiTokens.list().map((token) => apiTokenRow(token, names.get(token.userId) ?? token.userLogin)),
          ...accessTokens.list().map((token) => accessTokenRow(token, pathOf.get(token.fileId))),
        ];
      },
      one(id) {
        const token = apiTokens.byId(id);
        if (token === undefined) {
          return mapped(accessTokens.byId(id), (access) =>
            accessTokenRow(access, files.byId(access.fileId)?.path),
          );
        }
        return apiTokenRow(token, users.byId(token.userId)?.displayName ?? token.userLogin);
      },
    },
    recovered: unchangedByTime(() =>
      recoveredSaves.list().map(({ id, path, size, reason, receivedAtMs, isUnreadable }): RecoveredItem => ({
        id,
        path,
        size,
        reason,
        receivedAtMs,
        isUnreadable,
      })),
    ),
    conflicts: unchangedByTime(services.conflictCopies.list),
    jobs: unchangedByTime(() => services.jobs.items('window')),
  };
}

/** Numbers a user's sessions of one document in the order in which they began. A session keeps its number until it ends. */
function createTabs() {
  /** By user and document; then by session. */
  const groups = new Map<string, Map<string, number>>();
  const of = ({ id, fileId, userId }: SessionSummary): number => {
    const key = `${userId} ${fileId}`;
    const own = groups.get(key) ?? new Map<string, number>();
    groups.set(key, own);
    const tab = own.get(id) ?? Math.max(0, ...own.values()) + 1;
    own.set(id, tab);
    return tab;
  };
  const end = (id: string): void => {
    for (const [key, own] of groups) if (own.delete(id) && own.size === 0) groups.delete(key);
  };
  return {
    of,
    end,
    keepOnly(sessions: readonly SessionSummary[]) {
      const present = new Set(sessions.map(({ id }) => id));
      const known = [...groups.values()].flatMap((own) => [...own.keys()]);
      for (const id of known) if (!present.has(id)) end(id);
      for (const session of sessions.toSorted((a, b) => a.sinceMs - b.sinceMs)) of(session);
    },
  };
}

/** For short lists that are read as a whole and change only by events. */
function unchangedByTime<Item extends { id: string }>(list: () => readonly Item[]): RowSource<Item> {
  const row = (item: Item): Row<Item> => ({ item, dueAtMs: Number.POSITIVE_INFINITY });
  return {
    all: () => list().map(row),
    one: (id) =>
      mapped(
        list().find((item) => item.id === id),
        row,
      ),
  };
}

export function userItems(services: Services): UserItem[] {
  return services.users.list().map(({ id, login, displayName, role, createdAtMs }) => ({
    id,
    login,
    displayName: safeText(displayName),
    role,
    createdAtMs,
  }));
}

/** The earliest of these times that is in the future. */
function nextMoment(nowMs: number, ...momentsMs: number[]): number {
  return Math.min(...momentsMs.filter((atMs) => atMs > nowMs));
}

function mapped<From, To>(value: From | undefined, map: (value: From) => To): To | undefined {
  return value === undefined ? undefined : map(value);
}

/** Editors name themselves in User-Agent, each in its own format. */
const products: readonly [pattern: RegExp, name: string][] = [
  [/^DocTray text editor$/, 'Text editor'],
  [/\b[CL]OOLWSD\b/i, 'Collabora Online'],
  [/\bonlyoffice\b/i, 'ONLYOFFICE Docs'],
  // The name of its HTTP library, which no other editor sends.
  [/^Node\.js\/6\.13$/, 'ONLYOFFICE Docs'],
  [/\b(?:MSWAC|Office Online|OfficeOnline)\b/i, 'Office Online'],
];

/** Given before names with unsafe characters were refused. */
const safeName = (name: string | null): string | null => name && safeText(name);

/** Of the connected editor, if that is known. */
function editorNameOf({ editorName: name }: { editorName: string | null }): string | null {
  return name === null ? null : shownEditorName(safeText(name));
}

/** The product if known, else what the editor sends; null if it sends nothing. */
export function editorName(userAgent: string | null): string | null {
  const text = (userAgent ?? '').trim();
  if (text === '') return null;
  return shownEditorName(products.find(([pattern]) => pattern.test(text))?.[1] ?? safeText(text));
}
