// The tokens that authentication.json returns. They open the JSON API and no file.

import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { t } from '../contract/messages.ts';
import type { ApiTokensTable, ApiTokenSummary } from '../store/api-tokens.ts';
import type { RandomBytes } from './password.ts';
import { createTokenMint, isSameHmac } from './token.ts';
import type { User } from '../store/users.ts';
import type { Users } from './users.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Precision of `lastUsedAtMs`, so that most uses write nothing. */
const lastUsedStepMs = 10 * 60 * 1000;

export interface ApiTokens {
  /**
   * @param options.name what it is for, unique among the user's valid tokens; left out for a sign-in
   * @param options.days lifetime; the setting's if left out
   * @throws AppError name-taken
   */
  issue(
    user: User,
    options?: { name?: string; days?: number },
  ): { id: string; token: string; expiresAtMs: number };
  /** Undefined if expired, revoked, malformed or unknown. */
  authenticate(token: string): { tokenId: string; user: User } | undefined;
  /** False if there is no such live token. */
  revoke(tokenId: string): boolean;
  /** Valid tokens, newest first. */
  list(): ApiTokenSummary[];
  /** The one with this id, as in `list`. */
  byId(id: string): ApiTokenSummary | undefined;
  /** Forgets revoked and expired ones. */
  sweep(): void;
}

export interface ApiTokensDeps {
  table: ApiTokensTable;
  users: Users;
  clock: Clock;
  tokenKey: Buffer;
  /** Lifetime in days, read at each issue. */
  apiTokenDays: () => number;
  emit: EmitEvent;
  randomBytes?: RandomBytes;
}

export function createApiTokens(deps: ApiTokensDeps): ApiTokens {
  const { table, users, clock, apiTokenDays, emit } = deps;
  const mint = createTokenMint(deps);

  const end = (tokenId: string): void => emit({ event: 'token-revoked', tokenId });

  users.beforeChange(({ userId, kind }) => {
    if (kind === 'role') return;
    for (const tokenId of table.revokeByUser(userId, { atMs: clock() })) end(tokenId);
  });

  return {
    issue(user, { name = null, days = apiTokenDays() }: { name?: string | null; days?: number } = {}) {
      const { token, hmac } = mint.create();
      const id = mint.createId();
      const createdAtMs = clock();
      const isTaken =
        name !== null &&
        table
          .live(createdAtMs)
          .some((other) => other.userId === user.id && other.name?.toLowerCase() === name.toLowerCase());
      if (isTaken) throw new AppError('name-taken', { detail: () => t('host.token-name-taken') });
      const expiresAtMs = createdAtMs + days * dayMs;
      table.insert({ id, hmac, userId: user.id, name, createdAtMs, expiresAtMs });
      emit({ event: 'row-changed', table: 'tokens' });
      return { id, token, expiresAtMs };
    },

    authenticate(token) {
      const hmac = mint.hmacOf(token);
      const found = hmac && table.byHmac(hmac);
      if (!found || !isSameHmac(found.hmac, hmac)) return undefined;
      const nowMs = clock();
      if (nowMs >= found.expiresAtMs) return undefined;
      const user = users.byId(found.userId);
      if (!user) return undefined;
      if (nowMs - (found.lastUsedAtMs ?? 0) >= lastUsedStepMs) {
        table.setLastUsed(found.id, { atMs: nowMs });
        emit({ event: 'row-changed', table: 'tokens' });
      }
      return { tokenId: found.id, user };
    },

    revoke(tokenId) {
      const isRevoked = table.revoke(tokenId, { atMs: clock() });
      if (isRevoked) end(tokenId);
      return isRevoked;
    },

    list: () => table.live(clock()),
    byId: (id) => table.liveById(id, clock()),
    sweep: () => void table.removeRevokedAndExpired(clock()),
  };
}
