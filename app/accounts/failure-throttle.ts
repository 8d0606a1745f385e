// Counts failed sign-ins per user and per address in the host's own database, so that a restart forgives nothing.
// Everything here comes from whoever tries to sign in: names are hashed before they become keys, because people type
// their password into the wrong field, and unknown names count like known ones.
//
// rate-limiter-flexible reads Date.now() and takes no clock: a test that moves the host's clock does not move these
// windows (use mock.timers of node:test). It makes its table itself, on the first sign-in.

import { createHmac } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { RateLimiterSQLite } from 'rate-limiter-flexible';
import { AppError } from '../contract/errors.ts';
import { addressKey } from '../network/addresses.ts';

export const failureWindowSeconds = 15 * 60;
export const maxFailuresPerUser = 10;
export const maxFailuresPerAddress = 30;

const tableName = 'sign_in_failures';

export interface Attempt {
  login: string;
  address: string;
}

/** A method of the library's SQLite limiter that its type declarations leave out. */
interface CanClearExpired {
  clearExpired(nowMs: number): Promise<void>;
}
type Limiter = RateLimiterSQLite & CanClearExpired;

export interface FailureThrottle {
  /** Turns an exhausted user or address away without a write. @throws AppError too-many-failures */
  check(attempt: Attempt): Promise<void>;
  /** Takes a point of the user and of the address, before the password is looked at. @throws AppError too-many-failures */
  take(attempt: Attempt): Promise<void>;
  giveBack(attempt: Attempt): Promise<void>;
}

/** Loads the library and makes the table; meant for the first sign-in, not for the start. */
export async function openFailureThrottle(deps: {
  db: Database;
  tokenKey: Buffer;
}): Promise<FailureThrottle> {
  const { RateLimiterSQLite, RateLimiterRes } = await import('rate-limiter-flexible');

  const open = (keyPrefix: string, points: number): Promise<Limiter> =>
    new Promise((resolve, reject) => {
      const options = {
        storeClient: deps.db,
        storeType: 'better-sqlite3',
        tableName,
        keyPrefix,
        points,
        duration: failureWindowSeconds,
        // Its timer would outlive the database; leftovers are removed below.
        clearExpiredByTimeout: false,
      };
      // The callback may come before the constructor returns, so the limiter is resolved a turn later.
      const limiter = new RateLimiterSQLite(options, (error?: Error) => {
        if (error) reject(error);
        else queueMicrotask(() => resolve(limiter));
      }) as Limiter;
    });

  const perUser = await open('user', maxFailuresPerUser);
  const perAddress = await open('address', maxFailuresPerAddress);
  let nextCleaningAtMs = 0;

  const userKey = (login: string): string =>
    createHmac('sha256', deps.tokenKey).update(login.toLowerCase()).digest('base64url');

  const tooMany = (msBeforeNext: number): AppError =>
    new AppError('too-many-failures', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) });

  const giveBack = async ({ login, address }: Attempt): Promise<void> => {
    await Promise.all([perUser.reward(userKey(login)), perAddress.reward(addressKey(address))]);
  };

  return {
    async check({ login, address }) {
      const states = await Promise.all([perUser.get(userKey(login)), perAddress.get(addressKey(address))]);
      const waits = states.map((state) => (state && state.remainingPoints <= 0 ? state.msBeforeNext : 0));
      const wait = Math.max(...waits);
      if (wait > 0) throw tooMany(wait);
    },

    async take(attempt) {
      const nowMs = Date.now();
      if (nowMs >= nextCleaningAtMs) {
        nextCleaningAtMs = nowMs + failureWindowSeconds * 1000;
        await perUser.clearExpired(nowMs);
      }
      const results = await Promise.allSettled([
        perUser.consume(userKey(attempt.login)),
        perAddress.consume(addressKey(attempt.address)),
      ]);
      let wait = 0;
      for (const result of results) {
        if (result.status === 'fulfilled') continue;
        const reason: unknown = result.reason;
        if (!(reason instanceof RateLimiterRes)) throw reason;
        wait = Math.max(wait, reason.msBeforeNext, 1);
      }
      if (wait === 0) return;
      // Nothing was guessed, so nothing stays counted; the windows are full as they are.
      await giveBack(attempt);
      throw tooMany(wait);
    },

    giveBack,
  };
}
