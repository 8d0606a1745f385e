// The rows of the window's tables, read from their services. They contain no token and no lock id.

import { effectiveMode } from '../accounts/access-mode.ts';
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
  return locks.list().map(({ fileId: id, editorName: name, client, quietSinceMs, ...lock }) => {
    noteDue(quietSinceMs + silentAfterMs, lock.expiresAtMs);
    return {
      ...lock,
      id,
      userName: safeName(lock.userName),
      editor: connectedName(name) ?? latest.get(id) ?? editorName(client),
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
  return all.map(({ userId: _userId, userLogin: user, editorName: name, client, ...session }) => {
    noteDue(session.expiresAtMs, session.expiresAtMs + accessTokenGraceMs);
    return {
      ...session,
      user,
      userName: safeText(session.userName),
      tab: tabs.get(session.id) ?? 1,
      editor: connectedName(name) ?? editorName(client),
      address: session.address === '' ? null : session.address,
    };
  });
}

export function tokenItems(services: Services, noteDue: NoteDue): TokenItem[] {
  const { apiTokens, accessTokens, filesTable, users } = services;
  const pathOf = new Map(filesTable.pathsWithTokens().map(({ id, path }) => [id, lastSeenPath(path)]));
  const ofApi = apiTokens.list().map(({ userId, userLogin: user, ...token }): TokenItem => {
    noteDue(token.expiresAtMs);
    const userName = safeText(token.userName);
    const name = safeName(token.name);
    const mode = effectiveMode(users.byId(userId)?.role ?? 'viewer', 'edit');
    return { ...token, kind: 'api', name, user, userName, fileId: null, path: null, mode };
  });
  const ofEditors = accessTokens.list().map(({ userId: _userId, userLogin: user, ...token }): TokenItem => {
    noteDue(token.expiresAtMs + accessTokenGraceMs);
    const userName = safeText(token.userName);
    const path = pathOf.get(token.fileId) ?? null;
    return { ...token, kind: 'access', name: null, user, userName, path };
  });
  return [...ofApi, ...ofEditors];
}

export function recoveredItems({ recoveredSaves }: Pick<Services, 'recoveredSaves'>): RecoveredItem[] {
  return recoveredSaves.list().map(({ fileId: _fileId, ...item }) => item);
}

export function userItems({ users }: Pick<Services, 'users'>): UserItem[] {
  return users.list().map((user) => ({ ...user, displayName: safeText(user.displayName) }));
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
function connectedName(name: string | null): string | null {
  return name === null ? null : shownEditorName(safeText(name));
}

/** The product if known, else what the editor sends; null if it sends nothing. */
export function editorName(userAgent: string | null): string | null {
  const text = (userAgent ?? '').trim();
  if (text === '') return null;
  return shownEditorName(products.find(([pattern]) => pattern.test(text))?.[1] ?? safeText(text));
}
