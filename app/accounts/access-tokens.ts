// The tokens an editor sends with every WOPI call: one file, one mode, one user. They don't open the API. `find` is in the path
// of every call, so the tokens in use are kept in memory by their HMAC; revoking a token, removing a user and changing a role
// drop them from there in the same turn.

import { hash } from 'node:crypto';
import { accessTokenGraceMs } from '../contract/age.ts';
import type { Clock } from '../contract/clock.ts';
import type { EmitEvent } from '../contract/events.ts';
import type { AccessTokenRow, AccessTokensTable, AccessMode } from '../store/access-tokens.ts';
import { effectiveMode } from './access-mode.ts';
import type { User } from '../store/users.ts';
import type { RandomBytes } from './password.ts';
import { createTokenMint, isSameHmac } from './token.ts';
import type { Users } from './users.ts';

const hourMs = 60 * 60 * 1000;
const defaultMaxHotTokens = 10_000;
const noPlace = { editorId: null, pageUrl: null, pageSessionId: null };

export interface AccessGrant {
  /** The token's id, not the token. */
  id: string;
  fileId: string;
  userId: string;
  userLogin: string;
  userName: string;
  /** The mode it was issued for, whatever its user's role is now. */
  issuedMode: AccessMode;
  /** The mode that its user's current role allows. */
  mode: AccessMode;
  canWrite: boolean;
  /** The user's role allows editing, whatever this token's mode. */
  userCanEdit: boolean;
  /** The owner can force-clear locks. */
  isOwner: boolean;
  createdAtMs: number;
  expiresAtMs: number;
  /** The editor it was issued for, whose signature counts. Null: none in particular. */
  editorId: string | null;
  /** Base address of the host page the document is shown in; null: the host's own. */
  pageUrl: string | null;
  /** The browser that has that page open; null if there is none. */
  pageSessionId: string | null;
}

/** What a token is issued for besides a user and a document; a copy's token inherits it. */
export type AccessPlace = Pick<AccessGrant, 'editorId' | 'pageUrl' | 'pageSessionId'>;

export interface AccessTokenSummary {
  id: string;
  fileId: string;
  userId: string;
  userLogin: string;
  userName: string;
  mode: AccessMode;
  createdAtMs: number;
  expiresAtMs: number;
  /** Its latest call. */
  lastUsedAtMs: number | null;
}

export interface AccessTokens {
  /** `expiresAtMs` defaults to now and the setting `accessTokenHours`; PutRelativeFile passes its parent's. */
  mint(input: { user: User; fileId: string; mode: AccessMode; expiresAtMs?: number; place?: AccessPlace }): {
    id: string;
    token: string;
    expiresAtMs: number;
    mode: AccessMode;
  };
  /**
   * Known and unrevoked; may be expired, which the caller must check. Undefined if malformed, unknown, revoked or expired for 24
   * hours.
   */
  find(token: string): AccessGrant | undefined;
  /** Who and what the token was issued for, even if it was revoked or has expired. */
  issued(token: string): ReturnType<AccessTokensTable['issued']>;
  /** False if there is no such unrevoked token. */
  revoke(id: string): boolean;
  /** Revokes the token of a page that is gone. Its page session stays valid for other tabs. */
  revokeUnused(id: string): void;
  /** Revokes it once that page gets a token of its own, unless a call has used it. */
  replaceUnused(id: string, pageSessionId: string): void;
  /** How many were revoked. */
  revokeOfUser(userId: string): number;
  /** How many were revoked. */
  revokeOfPageSession(pageSessionId: string): number;
  /** Those `find` returns, including ones that expired in the last 24 hours; newest first. */
  list(): AccessTokenSummary[];
  /** The one with this id, as in `list`. */
  byId(id: string): AccessTokenSummary | undefined;
  /** Whether that user has, or had, the document open in that editor; revoked tokens don't count. */
  isOpenIn(place: { userId: string; fileId: string; editorId: string }): boolean;
  /** The token created this document as a copy, and may replace it. */
  noteCopy(id: string, fileId: string): void;
  hasCreated(id: string, fileId: string): boolean;
  /** What a token was issued for, including revoked and expired ones. Undefined if unknown. */
  placeOf(id: string): Pick<AccessPlace, 'editorId' | 'pageSessionId'> | undefined;
  /** Forgets tokens that have been expired for 24 hours. */
  sweep(): void;
  /** Reads every token from the database again. */
  forgetCached(): void;
}

export interface AccessTokensDeps {
  table: AccessTokensTable;
  users: Users;
  clock: Clock;
  tokenKey: Buffer;
  /** Lifetime in hours, read at each mint. */
  accessTokenHours: () => number;
  emit: EmitEvent;
  /** A token's calls that aren't in the database yet; none when left out. */
  unwritten?: (tokenId: string) => { lastCallAtMs: number } | undefined;
  randomBytes?: RandomBytes;
  /** How many tokens are kept in memory; the others cost a read. */
  maxHotTokens?: number;
}

export function createAccessTokens(deps: AccessTokensDeps): AccessTokens {
  const { table, users, clock, accessTokenHours, emit, maxHotTokens = defaultMaxHotTokens } = deps;
  const tokenMint = createTokenMint(deps);
  const summaryOf = (row: AccessTokenRow): AccessTokenSummary => {
    const { id, fileId, userId, userLogin, userName, createdAtMs, expiresAtMs } = row;
    return {
      id,
      fileId,
      userId,
      userLogin,
      userName,
      mode: effectiveMode(row.role, row.mode),
      createdAtMs,
      expiresAtMs,
      lastUsedAtMs: deps.unwritten?.(id)?.lastCallAtMs ?? row.lastCallAtMs,
    };
  };
  /** The grants in use, by the hash of their token. */
  const hot = new Map<string, AccessGrant>();

  /** What `replaceUnused` noted: a token's id, by page session. */
  const replaced = new Map<string, string>();

  const drop = (isDropped: (grant: AccessGrant) => boolean): void => {
    for (const [key, grant] of hot) if (isDropped(grant)) hot.delete(key);
  };

  const load = (key: string, token: string): AccessGrant | undefined => {
    const hmac = tokenMint.hmacOf(token);
    const row = hmac && table.byHmac(hmac);
    if (hmac === undefined || row === undefined || !isSameHmac(row.hmac, hmac)) return undefined;
    const grant = grantOf(row);
    if (hot.size >= maxHotTokens) {
      const oldest = hot.keys().next();
      if (!oldest.done) hot.delete(oldest.value);
    }
    hot.set(key, grant);
    return grant;
  };

  const markRevoked = (id: string): boolean => {
    const isRevoked = table.revoke(id, { atMs: clock() });
    drop((grant) => grant.id === id);
    return isRevoked;
  };

  const end = (tokenId: string): void => emit({ event: 'token-revoked', tokenId });

  const revokeUnused = (id: string): void => {
    if (markRevoked(id)) emit({ event: 'row-changed', table: 'tokens' });
  };

  const byId = (id: string): AccessTokenSummary | undefined => {
    const row = table.unrevokedById(id, clock() - accessTokenGraceMs);
    return row === undefined ? undefined : summaryOf(row);
  };

  const revokeOfUser = (userId: string): number => {
    const ids = table.revokeByUser(userId, { atMs: clock() });
    drop((grant) => grant.userId === userId);
    for (const tokenId of ids) end(tokenId);
    return ids.length;
  };

  users.beforeChange(({ userId, kind }) => {
    if (kind === 'removal') revokeOfUser(userId);
    if (kind === 'role') drop((grant) => grant.userId === userId);
  });

  return {
    mint({ user, fileId, mode: wantedMode, expiresAtMs: wantedExpiry, place = noPlace }) {
      const { token, hmac } = tokenMint.create();
      const id = tokenMint.createId();
      const mode = effectiveMode(user.role, wantedMode);
      const createdAtMs = clock();
      const expiresAtMs = wantedExpiry ?? createdAtMs + accessTokenHours() * hourMs;
      const { editorId, pageUrl, pageSessionId } = place;
      table.insert({
        id,
        hmac,
        userId: user.id,
        fileId,
        mode,
        createdAtMs,
        expiresAtMs,
        editorId,
        pageUrl,
        pageSessionId,
      });
      emit({ event: 'row-changed', table: 'tokens' });
      const replacedId = replaced.get(pageSessionId ?? '');
      if (replacedId !== undefined && byId(replacedId)?.lastUsedAtMs === null) revokeUnused(replacedId);
      replaced.delete(pageSessionId ?? '');
      return { id, token, expiresAtMs, mode };
    },

    find(token) {
      // Half the time of the HMAC, which only the database needs. The token itself isn't stored.
      const key = hash('sha256', token, 'base64');
      const grant = hot.get(key) ?? load(key, token);
      if (grant === undefined) return undefined;
      return clock() < grant.expiresAtMs + accessTokenGraceMs ? grant : undefined;
    },

    issued(token) {
      const hmac = tokenMint.hmacOf(token);
      return hmac && table.issued(hmac);
    },

    revoke(id) {
      const isRevoked = markRevoked(id);
      if (isRevoked) end(id);
      return isRevoked;
    },

    revokeUnused,
    replaceUnused: (id, pageSessionId) => void replaced.set(pageSessionId, id),
    revokeOfUser,

    revokeOfPageSession(pageSessionId) {
      const ids = table.revokeByPageSession(pageSessionId, { atMs: clock() });
      drop((grant) => grant.pageSessionId === pageSessionId);
      for (const tokenId of ids) end(tokenId);
      return ids.length;
    },

    list: () => table.unrevoked(clock() - accessTokenGraceMs).map(summaryOf),

    byId,
    isOpenIn: table.isOpenIn,
    noteCopy: (id, fileId) => void table.noteCopy(id, { fileId }),
    hasCreated: table.hasCreated,
    placeOf: table.placeOf,

    sweep() {
      const oldestExpiryMs = clock() - accessTokenGraceMs;
      table.removeExpired(oldestExpiryMs);
      for (const [pageSessionId, id] of replaced) if (byId(id) === undefined) replaced.delete(pageSessionId);
      drop((grant) => grant.expiresAtMs <= oldestExpiryMs);
    },

    forgetCached: () => hot.clear(),
  };
}

function grantOf(row: AccessTokenRow): AccessGrant {
  const { hmac: _hmac, lastCallAtMs: _lastCallAtMs, role, mode: issuedMode, ...rest } = row;
  const mode = effectiveMode(role, issuedMode);
  return Object.freeze({
    ...rest,
    issuedMode,
    mode,
    canWrite: mode === 'edit',
    userCanEdit: effectiveMode(role, 'edit') === 'edit',
    isOwner: role === 'owner',
  });
}
