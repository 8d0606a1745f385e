// Checks a name and a password. The client may be guessing: an unknown name costs the same scrypt and gets the same sentence as a
// wrong password, failures are counted before the check, and only a few checks run at once.

import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { AppError } from '../contract/errors.ts';
import type { UsersTable, User } from '../store/users.ts';
import { addressKey } from '../network/addresses.ts';
import { openFailureThrottle, type FailureThrottle } from './failure-throttle.ts';
import { createBoundedQueue, type QueueLimits } from './bounded-queue.ts';
import {
  decoyPasswordHash,
  verifyPassword as verifyScrypt,
  type PasswordCost,
  type RandomBytes,
} from './password.ts';

export const checkLimits: QueueLimits = { running: 2, waiting: 32, waitingPerAddress: 8, waitingLocal: 16 };

export interface SignIn {
  /**
   * @param input.address the client's network address, from the socket
   * @param input.isLocal whether a program on this computer sent it, see `Client.isThisComputer`
   * @throws AppError credentials-wrong | too-many-failures | too-busy, the last two with retryAfterSeconds
   */
  verify(input: { login: string; password: string; address: string; isLocal: boolean }): Promise<User>;
}

export interface SignInDeps {
  users: Pick<UsersTable, 'credentials'>;
  db: Database;
  tokenKey: Buffer;
  randomBytes?: RandomBytes;
  passwordCost?: PasswordCost | undefined;
  /** For tests that count the checks. */
  verifyPassword?: typeof verifyScrypt;
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { users, db, tokenKey, randomBytes = systemRandomBytes, verifyPassword = verifyScrypt } = deps;
  const queue = createBoundedQueue(checkLimits);
  const decoyHash = decoyPasswordHash(randomBytes, deps.passwordCost);
  let opening: Promise<FailureThrottle> | undefined;

  const throttle = (): Promise<FailureThrottle> => {
    opening ??= openFailureThrottle({ db, tokenKey }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    async verify({ login, password, address, isLocal }) {
      const failures = await throttle();
      const attempt = { login, address, isLocal };
      // Before the queue, so that a client over the limit can't fill it.
      await failures.check(attempt);
      return queue.run({ addressKey: addressKey(address), isLocal }, async () => {
        const takeBack = await failures.take(attempt);
        const stored = users.credentials(login);
        const isRight = await verifyPassword(password, stored?.passwordHash ?? decoyHash);
        if (!isRight || !stored) throw new AppError('credentials-wrong');
        await takeBack();
        // The password or the role may have changed while scrypt ran.
        const current = users.credentials(login);
        if (current?.passwordHash !== stored.passwordHash) throw new AppError('credentials-wrong');
        return current.user;
      });
    },
  };
}
