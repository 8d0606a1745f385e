// The users of this host. There is one owner, created on the first run. Whatever takes rights away notifies the listeners first,
// in the same turn: a process killed in between has ended too many tokens, never too few.

import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { t } from '../contract/messages.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { Store } from '../store/open-store.ts';
import type { UsersTable, Role, User } from '../store/users.ts';
import { assertPassword, hashPassword, type PasswordCost, type RandomBytes } from './password.ts';
import { assertLogin, cleanDisplayName } from './user.ts';

export const ownerPasswordSecret = 'owner-password';
/** In the database's `meta`: whether the generated password has been shown. */
const passwordState = 'owner-password';

export interface UserChange {
  userId: string;
  kind: 'password' | 'role' | 'removal';
}

export interface Users {
  /** By login. */
  list(): User[];
  byId(id: string): User | undefined;
  /** Never changes; 'owner' before the first run created one. */
  ownerId(): string;
  /** Case-insensitive. */
  byLogin(login: string): User | undefined;
  /** @throws AppError login-invalid | password-weak | invalid-argument | user-exists */
  add(input: { login: string; displayName?: string; role: Role; password: string }): Promise<User>;
  /** Ends the user's tokens of both kinds. @throws AppError user-unknown | owner-needed */
  remove(login: string): void;
  /** Throws what `add` would throw, so that nobody is asked to confirm what is refused anyway. */
  checkNew(input: { login: string; role: Role; password: string }): void;
  /** Throws what `setPassword` would throw, for the same reason. */
  checkPassword(login: string, password: string): void;
  /** Ends the user's API tokens; documents stay open. @throws AppError user-unknown | password-weak */
  setPassword(login: string, password: string): Promise<void>;
  /** Applies from the next call of each token on. @throws AppError user-unknown | owner-needed | invalid-argument */
  setRole(login: string, role: Role): void;
  /**
   * On the first run, creates the owner. A password already in the SecretStore is reused (the database was rebuilt), else the
   * given one is used, else one is generated, stored and returned. If the first run was killed before it created the owner, the
   * next run continues it. On later runs, returns the existing owner.
   */
  ensureOwner(input: {
    login?: string;
    password?: string;
  }): Promise<{ user: User; generatedPassword?: string }>;
  /** What PutUserInfo stored for this user, up to 1024 bytes as checked by the operation. */
  setUserInfo(userId: string, text: string): void;
  userInfo(userId: string): string | undefined;
  /** Called just before a change is written. Returns a function that removes the listener. */
  beforeChange(listener: (change: UserChange) => void): () => void;
}

export interface UsersDeps {
  table: UsersTable;
  secrets: SecretStore;
  meta: Pick<Store, 'meta' | 'setMeta'>;
  clock: Clock;
  emit?: EmitEvent;
  randomBytes?: RandomBytes;
  passwordCost?: PasswordCost | undefined;
}

export function createUsers(deps: UsersDeps): Users {
  const { table, secrets, meta, clock, randomBytes = systemRandomBytes, emit = () => undefined } = deps;
  const listeners = new Set<(change: UserChange) => void>();
  let ownerId: string | undefined;

  const notify = (change: UserChange): void => {
    for (const listener of listeners) listener(change);
  };

  const known = (login: string): User => {
    const user = table.byLogin(login);
    if (!user) throw new AppError('user-unknown');
    return user;
  };

  const checkNew = ({ login, password }: { login: string; password: string }): void => {
    assertLogin(login);
    assertPassword(password);
    if (table.byLogin(login)) throw new AppError('user-exists');
  };

  const checkPassword = (login: string, password: string): User => {
    assertPassword(password);
    return known(login);
  };

  const create = async (input: {
    login: string;
    displayName?: string | undefined;
    role: Role;
    password: string;
  }): Promise<User> => {
    checkNew(input);
    const displayName = cleanDisplayName(input.displayName, input.login);
    const passwordHash = await hashPassword(input.password, randomBytes, deps.passwordCost);
    const { login, role } = input;
    const user: User = {
      id: randomBytes(12).toString('hex'),
      login,
      displayName,
      role,
      createdAtMs: clock(),
    };
    if (!table.insert({ ...user, passwordHash })) throw new AppError('user-exists');
    emit({ event: 'row-changed', table: 'users' });
    return user;
  };

  const assertNotOwner = (role: Role): void => {
    if (role === 'owner')
      throw new AppError('invalid-argument', {
        detail: () => t('host.only-one-owner'),
      });
  };

  return {
    list: table.all,
    byId: table.byId,
    ownerId: () => (ownerId ??= table.all().find(({ role }) => role === 'owner')?.id) ?? 'owner',
    byLogin: table.byLogin,

    checkNew(input) {
      assertNotOwner(input.role);
      checkNew(input);
    },
    checkPassword,

    async add(input) {
      assertNotOwner(input.role);
      return create(input);
    },

    remove(login) {
      const user = known(login);
      if (user.role === 'owner') throw new AppError('owner-needed');
      notify({ userId: user.id, kind: 'removal' });
      table.remove(user.id);
      emit({ event: 'row-changed', table: 'users' });
    },

    async setPassword(login, password) {
      const user = checkPassword(login, password);
      const passwordHash = await hashPassword(password, randomBytes, deps.passwordCost);
      const isStored = user.role === 'owner' && (await secrets.get(ownerPasswordSecret)) !== undefined;
      // Removed first: whenever this process is killed, the stored password is right or missing.
      if (isStored) await secrets.delete(ownerPasswordSecret);
      notify({ userId: user.id, kind: 'password' });
      if (!table.setPasswordHash(user.id, { passwordHash })) throw new AppError('user-unknown');
      // The password has changed even if the keychain refuses to store it; then it can't be shown.
      if (isStored) await secrets.set(ownerPasswordSecret, password).catch(() => undefined);
    },

    setRole(login, role) {
      assertNotOwner(role);
      const user = known(login);
      if (user.role === 'owner') throw new AppError('owner-needed');
      notify({ userId: user.id, kind: 'role' });
      table.setRole(user.id, { role });
      emit({ event: 'row-changed', table: 'users' });
    },

    async ensureOwner({ login = 'owner', password }) {
      const owner = table.all().find((user) => user.role === 'owner');
      if (owner) return { user: owner };
      assertLogin(login);
      const stored = await secrets.get(ownerPasswordSecret);
      // The first run was killed before it created the owner, so nobody has seen this password.
      const isUnseen = stored !== undefined && meta.meta(passwordState) === 'unseen';
      if (isUnseen && password !== undefined) await secrets.delete(ownerPasswordSecret);
      const known = isUnseen ? password : (stored ?? password);
      if (known !== undefined) return { user: await create({ login, role: 'owner', password: known }) };
      const generatedPassword = stored ?? generatePassword(randomBytes);
      meta.setMeta(passwordState, 'unseen');
      await secrets.set(ownerPasswordSecret, generatedPassword);
      const user = await create({ login, role: 'owner', password: generatedPassword });
      meta.setMeta(passwordState, 'seen');
      return { user, generatedPassword };
    },

    setUserInfo: (userId, text) => void table.setUserInfo(userId, { text }),
    userInfo: table.userInfo,

    beforeChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** 20 letters and digits in four groups, 100 bits, without easily confused characters. */
function generatePassword(randomBytes: RandomBytes): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  const letters = [...randomBytes(20)].map((byte) => alphabet.charAt(byte % alphabet.length));
  return [0, 5, 10, 15].map((start) => letters.slice(start, start + 5).join('')).join('-');
}

/** The names of those who saved a version together. @param savedBy their ids, separated by commas; null if that isn't known */
export function saverNames(
  users: Pick<Users, 'byId'>,
  savedBy: string | null,
  name: 'login' | 'displayName',
): string[] | null {
  return savedBy?.split(',').map((id) => users.byId(id)?.[name] ?? id) ?? null;
}
