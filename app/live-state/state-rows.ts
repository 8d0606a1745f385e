// The rows of the window's tables, read from their services. They contain no token and no lock id.

import type { SessionSummary } from '../accounts/sessions.ts';
import { accessTokenGraceMs } from '../contract/age.ts';
import { shownEditorName } from '../contract/editors.ts';
import type { LockItem, RecoveredItem, SessionItem, TokenItem, UserItem } from '../contract/state.ts';
import { safeText } from '../contract/names.ts';
import type { Services } from '../host/services.ts';
import { lastSeenPath } from '../store/files.ts';
import { silentAfterMs } from '../wopi/lock-rules.ts';

/** Called with the moments at which a row changes without an event; some may be over. */
export type NoteDue = (...momentsMs: number[]) => void;

/** @param sessions name the editor of a lock, if it hasn't done so itself */
export function lockItems(
  { locks, missedSaves }: Pick<Services, 'locks' | 'missedSaves'>,
  sessions: readonly SessionItem[],
  noteDue: NoteDue = () => undefined,
): LockItem[] {
  const latest = new Map(
    sessions
      .toSorted((one, other) => one.lastCallAtMs - other.lastCallAtMs)
      .map(({ fileId, editor }) => [fileId, editor]),
  );
  return locks.list().map((lock) => {
    const { fileId: id, path, user, userName, takenAtMs, refreshedAtMs, expiresAtMs, lastCallAtMs } = lock;
    noteDue(lock.quietSinceMs + silentAfterMs, expiresAtMs);
    return {
      id,
      path,
      user,
      userName: safeName(userName),
      editor: editorNameOf(lock) ?? latest.get(id) ?? editorName(lock.client),
      takenAtMs,
      refreshedAtMs,
      expiresAtMs,
      lastCallAtMs,
      state: lock.state,
      stale: lock.stale,
      isSaved: missedSaves.get(id) === undefined,
    };
  });
}

export function sessionItems(
  { sessions }: Pick<Services, 'sessions'>,
  numberTabs: ReturnType<typeof createTabNumbers>,
  noteDue: NoteDue,
): SessionItem[] {
  const all = sessions.list();
  const tabs = numberTabs(all);
  return all.map((session) => {
    const { id, fileId, path, userLogin, userName, mode, client, address, expiresAtMs } = session;
    const { sinceMs, lastCallAtMs, calls, saves, bytesRead, bytesWritten, lockState } = session;
    noteDue(expiresAtMs, expiresAtMs + accessTokenGraceMs);
    return {
      id,
      fileId,
      path,
      user: userLogin,
      userName: safeText(userName),
      tab: tabs.get(id) ?? 1,
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
    };
  });
}

export function tokenItems(services: Services, noteDue: NoteDue): TokenItem[] {
  const { apiTokens, accessTokens, users, filesTable } = services;
  const pathOf = new Map(filesTable.pathsWithTokens().map(({ id, path }) => [id, path]));
  const nameOf = new Map(users.list().map(({ id, displayName }) => [id, displayName]));
  const ofApi = apiTokens.list().map((token): TokenItem => {
    const { id, name, userId, userLogin: user, createdAtMs, expiresAtMs, lastUsedAtMs } = token;
    noteDue(expiresAtMs);
    return {
      id,
      kind: 'api',
      name: safeName(name),
      user,
      userName: safeText(nameOf.get(userId) ?? user),
      fileId: null,
      path: null,
      mode: null,
      createdAtMs,
      expiresAtMs,
      lastUsedAtMs,
    };
  });
  const ofEditors = accessTokens.list().map((token): TokenItem => {
    const { id, fileId, userLogin, userName, mode, createdAtMs, expiresAtMs, lastUsedAtMs } = token;
    noteDue(expiresAtMs + accessTokenGraceMs);
    const path = pathOf.get(fileId);
    return {
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
    };
  });
  return [...ofApi, ...ofEditors];
}

export function recoveredItems({ recoveredSaves }: Pick<Services, 'recoveredSaves'>): RecoveredItem[] {
  return recoveredSaves.list().map(({ fileId: _fileId, ...item }) => item);
}

export function userItems({ users }: Pick<Services, 'users'>): UserItem[] {
  return users.list().map(({ id, login, displayName, role, createdAtMs }) => ({
    id,
    login,
    displayName: safeText(displayName),
    role,
    createdAtMs,
  }));
}

/**
 * Numbers a user's sessions of one document in the order in which they began. A session keeps its number until it ends.
 * @returns a function from all sessions to their numbers, by id
 */
export function createTabNumbers() {
  let known = new Map<string, number>();
  return (sessions: readonly SessionSummary[]): ReadonlyMap<string, number> => {
    const last = new Map<string, number>();
    const numbers = new Map<string, number>();
    const order = ({ id }: SessionSummary): number => known.get(id) ?? Number.MAX_SAFE_INTEGER;
    // Those with a number come first, so that the others continue after it.
    for (const session of sessions.toSorted((a, b) => order(a) - order(b) || a.sinceMs - b.sinceMs)) {
      const { id, userId, fileId } = session;
      const place = `${userId} ${fileId}`;
      const number = known.get(id) ?? (last.get(place) ?? 0) + 1;
      last.set(place, number);
      numbers.set(id, number);
    }
    known = numbers;
    return numbers;
  };
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
