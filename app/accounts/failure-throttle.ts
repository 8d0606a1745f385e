// Counts failed sign-ins per user and address, per address and, with a higher limit, per user, in the host's own database, so
// that a restart resets nothing. All input is untrusted: names are hashed before they become keys, because people type their
// password into the wrong field, and unknown names count like known ones.
//
// A user must not be locked out by failures from elsewhere: the limit per user applies neither to this computer nor to an address
// from which that user recently signed in.
//
// rate-limiter-flexible reads Date.now() and takes no clock: a test that moves the host's clock doesn't move these windows (use
// mock.timers of node:test). It creates its table itself, on the first sign-in.

import { createHmac } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { RateLimiterSQLite } from 'rate-limiter-flexible';
import { AppError } from '../contract/errors.ts';
import { addressKey } from '../network/addresses.ts';

export const failureWindowSeconds = 15 * 60;
/** Per user and address. */
export const maxFailuresPerPair = 10;
export const maxFailuresPerAddress = 30;
/** From all addresses together. */
export const maxFailuresPerUser = 100;
/** How long an address from which a user signed in is remembered. */
const knownSeconds = 30 * 24 * 60 * 60;

const tableName = 'sign_in_failures';

export interface Attempt {
  login: string;
  address: string;
  /** Sent by a program on this computer, and not forwarded by a proxy or a tunnel running here. */
  isLocal: boolean;
}

/** A method of the library's SQLite limiter that is missing from its type declarations. */
interface CanClearExpired {
  clearExpired(nowMs: number): Promise<void>;
}
type Limiter = RateLimiterSQLite & CanClearExpired;

export interface FailureThrottle {
  /** Refuses a user or address over the limit, without a write. @throws AppError too-many-failures */
  check(attempt: Attempt): Promise<void>;
  /**
   * Counts a failure before the password is checked. Call the returned function to take it back if the password was right.
   * @throws AppError too-many-failures
   */
  take(attempt: Attempt): Promise<() => Promise<void>>;
}

/** Imports the library and creates the table: on the first sign-in, not at startup. */
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
        // Its timer would outlive the database; expired rows are removed below.
        clearExpiredByTimeout: false,
      };
      // The callback may come before the constructor returns, so the limiter is resolved a turn later.
      const limiter = new RateLimiterSQLite(options, (error?: Error) => {
        if (error) reject(error);
        else queueMicrotask(() => resolve(limiter));
      }) as Limiter;
    });

  const perPair = await open('pair', maxFailuresPerPair);
  const perAddress = await open('address', maxFailuresPerAddress);
  const perUser = await open('user', maxFailuresPerUser);
  /** Not a counter: records addresses from which a user signed in. */
  const known = await open('known', 1);
  let nextCleaningAtMs = 0;

  const hashed = (text: string): string =>
    createHmac('sha256', deps.tokenKey).update(text).digest('base64url');

  /** The keys an attempt is counted under. */
  const countersOf = async ({ login, address, isLocal }: Attempt) => {
    const user = login.toLowerCase();
    const from = isLocal ? 'this computer' : addressKey(address);
    const pair = hashed(`${from} ${user}`);
    const counters = [
      { limiter: perPair, key: pair },
      { limiter: perAddress, key: from },
    ];
    const isKnown = isLocal || (await known.get(pair)) !== null;
    return { pair, counters: isKnown ? counters : [...counters, { limiter: perUser, key: hashed(user) }] };
  };

  const tooMany = (msBeforeNext: number): AppError =>
    new AppError('too-many-failures', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) });

  return {
    async check(attempt) {
      const { counters } = await countersOf(attempt);
      const states = await Promise.all(counters.map(({ limiter, key }) => limiter.get(key)));
      const waits = states.map((state) => (state && state.remainingPoints <= 0 ? state.msBeforeNext : 0));
      const wait = Math.max(...waits);
      if (wait > 0) throw tooMany(wait);
    },

    async take(attempt) {
      const nowMs = Date.now();
      if (nowMs >= nextCleaningAtMs) {
        nextCleaningAtMs = nowMs + failureWindowSeconds * 1000;
        await perPair.clearExpired(nowMs);
      }
      const { pair, counters } = await countersOf(attempt);
      const giveBack = (): Promise<unknown> =>
        Promise.all(counters.map(({ limiter, key }) => limiter.reward(key)));
      const results = await Promise.allSettled(counters.map(({ limiter, key }) => limiter.consume(key)));
      let wait = 0;
      for (const result of results) {
        if (result.status === 'fulfilled') continue;
        const reason: unknown = result.reason;
        if (!(reason instanceof RateLimiterRes)) throw reason;
        wait = Math.max(wait, reason.msBeforeNext, 1);
      }
      if (wait > 0) {
        // The attempt was refused, so nothing stays counted; the limits are reached anyway.
        await giveBack();
        throw tooMany(wait);
      }
      return async () => {
        await giveBack();
        await known.set(pair, 1, knownSeconds);
      };
    },
  };
}
