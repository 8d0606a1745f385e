// A session is one access token being used by an editor. Calls are counted in memory and added to the token's row in one
// transaction by `flush`, which the host calls periodically and at stop: no request waits for a write. The client's name and
// address are what the editor claims; they are shown, never trusted.

import { accessTokenGraceMs } from '../contract/age.ts';
import type { Clock } from '../contract/clock.ts';
import type { EmitEvent } from '../contract/events.ts';
import type { SessionLockState } from '../contract/state.ts';
import type { AccessTokensTable, CallCounts, UsedTokenRow, AccessMode } from '../store/access-tokens.ts';
import { lastSeenPath } from '../store/files.ts';
import { effectiveMode } from './access-mode.ts';
import { type AccessGrant } from './access-tokens.ts';

const maxClientCharacters = 200;
const maxLockStates = 10_000;
const noCalls = { calls: 0, bytesRead: 0, bytesWritten: 0, saves: 0, client: null, address: null };

export interface SessionSummary {
  /** The access token's id, for revoking. */
  id: string;
  fileId: string;
  /** Inside the hosted folder, with '/'. */
  path: string;
  userId: string;
  userLogin: string;
  userName: string;
  mode: AccessMode;
  /** The connected editor that its token was issued for; null if there is none. */
  editorName: string | null;
  /** The User-Agent of its calls. */
  client: string | null;
  address: string | null;
  sinceMs: number;
  lastCallAtMs: number;
  expiresAtMs: number;
  calls: number;
  bytesRead: number;
  bytesWritten: number;
  saves: number;
  /** Null if it hasn't asked for the lock, or not since the host started. */
  lockState: SessionLockState | null;
}

/** A token's use of one document, as a host page asks for it. */
export interface DocumentUse {
  userId: string;
  editorId: string | null;
  pageSessionId: string | null;
  mode: AccessMode;
  lastCallAtMs: number;
  /** Bytes of content read and written. */
  bytes: number;
}

export interface SessionCall {
  bytesRead?: number;
  bytesWritten?: number;
  isSave?: boolean;
  /** The result of an operation on the lock; left out for others. */
  lock?: 'granted' | 'refused' | 'released';
  /** Whether the lock that a save named is still held; left out for a save without one. */
  lockOfSave?: 'held' | 'lost';
  client?: string;
  address?: string;
}

export interface Sessions {
  note(grant: AccessGrant, call: SessionCall): void;
  /** The document's lock was released, for all sessions that share it. */
  noteRelease(fileId: string): void;
  /** Unexpired, unrevoked tokens with at least one call, latest call first. A save after the expiry keeps a session. */
  list(): SessionSummary[];
  /** The one for this token, as in `list`. */
  find(id: string): SessionSummary | undefined;
  /** Whether this token was ever used, or another one for the same document on the same host page: a page renews its token. */
  hasCalled(grant: Pick<AccessGrant, 'id' | 'fileId' | 'pageSessionId'>): boolean;
  /** Tokens of this document with at least one call. */
  usesOf(fileId: string): DocumentUse[];
  /** The calls of this token since the last flush. */
  unwritten(tokenId: string): Pick<CallCounts, 'lastCallAtMs' | 'client'> | undefined;
  /** Throws if the database fails; then nothing is lost. */
  flush(): void;
}

export interface SessionsDeps {
  table: AccessTokensTable;
  clock: Clock;
  emit?: EmitEvent;
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { table, clock, emit = () => undefined } = deps;
  const pending = new Map<string, CallCounts>();
  /** By token id. */
  const lockStates = new Map<string, { fileId: string; state: SessionLockState }>();

  const setLockState = (id: string, fileId: string, state: SessionLockState): void => {
    lockStates.set(id, { fileId, state });
    const [oldest] = lockStates.keys();
    if (lockStates.size > maxLockStates && oldest !== undefined) lockStates.delete(oldest);
  };
  const noteRelease = (released: string): void => {
    for (const [id, { fileId, state }] of lockStates) {
      if (fileId !== released || state !== 'held') continue;
      setLockState(id, fileId, 'released');
      emit({ event: 'row-changed', table: 'sessions' });
    }
  };
  const noteLock = ({ id, fileId }: AccessGrant, result: SessionCall['lock']): void => {
    if (result === 'granted') setLockState(id, fileId, 'held');
    else if (result === 'released') noteRelease(fileId);
    else if (result === 'refused') {
      const before = lockStates.get(id)?.state ?? 'refused';
      setLockState(id, fileId, before === 'held' ? 'lost' : before);
    }
  };
  /** A session that never asked for the lock isn't read-only because its save was refused. */
  const noteLockOfSave = ({ id, fileId }: AccessGrant, seen: SessionCall['lockOfSave']): void => {
    const before = lockStates.get(id)?.state;
    if (seen !== undefined && (before === 'held' || before === 'lost')) setLockState(id, fileId, seen);
  };

  const summary = (row: UsedTokenRow): SessionSummary | undefined => {
    const added = pending.get(row.id);
    const sinceMs = row.firstCallAtMs ?? added?.firstCallAtMs;
    const lastCallAtMs = added?.lastCallAtMs ?? row.lastCallAtMs;
    if (sinceMs === undefined || lastCallAtMs === null || lastCallAtMs === undefined) return undefined;
    if (clock() >= row.expiresAtMs && lastCallAtMs < row.expiresAtMs) return undefined;
    const { id, fileId, path, userId, userLogin, userName, editorName, expiresAtMs } = row;
    return {
      id,
      fileId,
      path: lastSeenPath(path),
      userId,
      userLogin,
      userName,
      mode: effectiveMode(row.role, row.mode),
      editorName,
      client: added?.client ?? row.client,
      address: added?.address ?? row.address,
      sinceMs,
      lastCallAtMs,
      expiresAtMs,
      calls: row.calls + (added?.calls ?? 0),
      bytesRead: row.bytesRead + (added?.bytesRead ?? 0),
      bytesWritten: row.bytesWritten + (added?.bytesWritten ?? 0),
      saves: row.saves + (added?.saves ?? 0),
      lockState: lockStates.get(id)?.state ?? null,
    };
  };

  const hasCalled = (id: string): boolean => pending.has(id) || table.hasCalled(id);

  return {
    note(grant, call) {
      const nowMs = clock();
      const counts: CallCounts = pending.get(grant.id) ?? {
        ...noCalls,
        tokenId: grant.id,
        firstCallAtMs: nowMs,
        lastCallAtMs: nowMs,
      };
      pending.set(grant.id, counts);
      counts.lastCallAtMs = nowMs;
      counts.calls += 1;
      counts.bytesRead += call.bytesRead ?? 0;
      counts.bytesWritten += call.bytesWritten ?? 0;
      if (call.isSave === true) counts.saves += 1;
      noteLock(grant, call.lock);
      noteLockOfSave(grant, call.lockOfSave);
      if (call.client !== undefined) counts.client = call.client.slice(0, maxClientCharacters);
      if (call.address !== undefined) counts.address = call.address;
      emit({ event: 'row-changed', table: 'sessions' });
    },

    noteRelease,

    list() {
      const rows = table.used(clock() - accessTokenGraceMs);
      const sessions = rows.map(summary).filter((session) => session !== undefined);
      return sessions.toSorted((left, right) => right.lastCallAtMs - left.lastCallAtMs);
    },

    find(id) {
      const row = table.usedById(id, clock() - accessTokenGraceMs);
      return row === undefined ? undefined : summary(row);
    },

    hasCalled: ({ id, fileId, pageSessionId }) =>
      hasCalled(id) || (pageSessionId !== null && table.idsByPage(pageSessionId, fileId).some(hasCalled)),

    usesOf(fileId) {
      const rows = table.usedByFile(fileId, clock() - accessTokenGraceMs);
      return rows.flatMap((row) => {
        const used = summary(row);
        if (used === undefined) return [];
        const { userId, editorId, pageSessionId } = row;
        const bytes = used.bytesRead + used.bytesWritten;
        const { mode, lastCallAtMs } = used;
        return [{ userId, editorId, pageSessionId, mode, lastCallAtMs, bytes }];
      });
    },

    unwritten: (tokenId) => pending.get(tokenId),

    flush() {
      if (pending.size === 0) return;
      table.addCalls([...pending.values()]);
      pending.clear();
    },
  };
}
