import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyPassword } from '../../../app/accounts/password.ts';
import { createUsers, ownerPasswordSecret, type Users } from '../../../app/accounts/users.ts';
import { openAccounts, password, type Accounts } from './accounts-fixture.ts';

async function withAccounts(body: (accounts: Accounts) => Promise<void>): Promise<void> {
  const accounts = await openAccounts();
  try {
    await body(accounts);
  } finally {
    await accounts.close();
  }
}

test('finds a user by id, and by login ignoring case, also after a restart', () =>
  withAccounts(async (accounts) => {
    const user = await accounts.users.add({
      login: 'Ada',
      displayName: ' Ada L. ',
      role: 'editor',
      password,
    });
    assert.match(user.id, /^[a-z0-9]{24}$/);
    assert.equal(user.displayName, 'Ada L.');
    accounts.restart();
    assert.deepEqual(accounts.users.byId(user.id), user);
    assert.deepEqual(accounts.users.byLogin('aDA'), user);
    assert.deepEqual(accounts.users.list(), [user]);
    assert.deepEqual(Object.keys(user).toSorted(), ['createdAtMs', 'displayName', 'id', 'login', 'role']);
  }));

test('uses the login as the default display name', () =>
  withAccounts(async ({ users }) => {
    assert.equal((await users.add({ login: 'ada', role: 'viewer', password })).displayName, 'ada');
  }));

test('rejects a second user with the same login, also when both are added concurrently', () =>
  withAccounts(async ({ users }) => {
    const results = await Promise.allSettled([
      users.add({ login: 'ada', role: 'editor', password }),
      users.add({ login: 'ADA', role: 'editor', password }),
    ]);
    assert.deepEqual(results.map((result) => result.status).toSorted(), ['fulfilled', 'rejected']);
    await assert.rejects(users.add({ login: 'Ada', role: 'editor', password }), { code: 'user-exists' });
    assert.equal(users.list().length, 1);
  }));

test('rejects invalid logins, passwords, display names and roles', () =>
  withAccounts(async ({ users }) => {
    for (const login of ['', '.ada', 'a b', 'ä', 'a/b', 'a'.repeat(65), 'ada\n']) {
      await assert.rejects(users.add({ login, role: 'editor', password }), { code: 'login-invalid' });
    }
    const ada = { login: 'ada', role: 'editor', password } as const;
    await assert.rejects(users.add({ ...ada, password: 'short' }), { code: 'password-weak' });
    await assert.rejects(users.add({ ...ada, displayName: 'two\nlines' }), { code: 'invalid-argument' });
    await assert.rejects(users.add({ ...ada, displayName: 'x'.repeat(129) }), { code: 'invalid-argument' });
    await assert.rejects(users.add({ ...ada, role: 'owner' }), { code: 'invalid-argument' });
    assert.deepEqual(users.list(), []);
    await users.add({ ...ada, login: `ada@example.org_-.${'a'.repeat(46)}`, displayName: 'x'.repeat(128) });
  }));

test('creates the owner with a generated password on the first run, and returns it once', () =>
  withAccounts(async (accounts) => {
    const { user, generatedPassword } = await accounts.users.ensureOwner({});
    assert.equal(user.login, 'owner');
    assert.equal(user.role, 'owner');
    assert.match(generatedPassword!, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    assert.equal(await accounts.secrets.get(ownerPasswordSecret), generatedPassword);
    const stored = accounts.usersTable.credentials('owner')!;
    assert.equal(await verifyPassword(generatedPassword!, stored.passwordHash), true);
    assert.deepEqual(await accounts.users.ensureOwner({ login: 'other', password }), { user });
    assert.equal(accounts.users.list().length, 1);
  }));

test('uses a given owner password without storing it in plain text', () =>
  withAccounts(async (accounts) => {
    const { user, generatedPassword } = await accounts.users.ensureOwner({ login: 'ada', password });
    assert.equal(user.login, 'ada');
    assert.equal(generatedPassword, undefined);
    assert.equal(await accounts.secrets.get(ownerPasswordSecret), undefined);
    accounts.restart();
    for (const name of ['doctray.db', 'secrets.json']) {
      assert.ok(!(await readFile(join(accounts.dataDir, name))).includes(password));
    }
  }));

test('rejects a weak owner password on the first run, and creates no user', () =>
  withAccounts(async ({ users }) => {
    await assert.rejects(users.ensureOwner({ password: 'short' }), { code: 'password-weak' });
    assert.deepEqual(users.list(), []);
  }));

test('restores the last stored owner password to a rebuilt database', () =>
  withAccounts(async (accounts) => {
    await accounts.users.ensureOwner({});
    await accounts.users.setPassword('owner', 'a new password');
    accounts.db.exec('DELETE FROM users');
    assert.deepEqual(Object.keys(await accounts.users.ensureOwner({ password })), ['user']);
    const stored = accounts.usersTable.credentials('owner')!;
    assert.equal(await verifyPassword('a new password', stored.passwordHash), true);
  }));

/** The users service of a host that is killed instead of running that step. */
function killedBefore(accounts: Accounts, step: 'insert' | 'setPasswordHash' | 'set'): Users {
  const killed = (): never => {
    throw new Error('killed');
  };
  const set = (): Promise<never> => Promise.reject(new Error('killed'));
  const { usersTable: table, secrets, meta, time } = accounts;
  return createUsers({
    table: step === 'set' ? table : { ...table, [step]: killed },
    secrets: step === 'set' ? { ...secrets, set } : secrets,
    meta,
    clock: () => time.nowMs,
  });
}

test('returns the generated password of a first run that was killed before it created the owner', () =>
  withAccounts(async (accounts) => {
    await assert.rejects(killedBefore(accounts, 'insert').ensureOwner({}), /killed/);
    const generated = await accounts.secrets.get(ownerPasswordSecret);
    accounts.restart();
    const { generatedPassword } = await accounts.users.ensureOwner({});
    assert.ok(generated !== undefined);
    assert.equal(generatedPassword, generated);
    const { passwordHash } = accounts.usersTable.credentials('owner')!;
    assert.equal(await verifyPassword(generated, passwordHash), true);
    accounts.db.exec('DELETE FROM users');
    const restored = await accounts.users.ensureOwner({});
    assert.deepEqual(Object.keys(restored), ['user'], 'only once');
  }));

test('a given password replaces the one of a first run that was killed', () =>
  withAccounts(async (accounts) => {
    await assert.rejects(killedBefore(accounts, 'insert').ensureOwner({}), /killed/);
    accounts.restart();
    assert.deepEqual(Object.keys(await accounts.users.ensureOwner({ password })), ['user']);
    const { passwordHash } = accounts.usersTable.credentials('owner')!;
    assert.equal(await verifyPassword(password, passwordHash), true);
    assert.equal(await accounts.secrets.get(ownerPasswordSecret), undefined);
  }));

for (const [step, valid] of [
  ['setPasswordHash', 'old'],
  ['set', 'new'],
] as const) {
  test(`stores no wrong owner password if DocTray is killed before ${step}`, () =>
    withAccounts(async (accounts) => {
      const { generatedPassword } = await accounts.users.ensureOwner({});
      const passwords = { old: generatedPassword!, new: 'a new password' };
      await killedBefore(accounts, step)
        .setPassword('owner', passwords.new)
        .catch(() => undefined);
      accounts.restart();
      const { passwordHash } = accounts.usersTable.credentials('owner')!;
      assert.equal(await verifyPassword(passwords[valid], passwordHash), true);
      assert.equal(await accounts.secrets.get(ownerPasswordSecret), undefined);
    }));
}

test('keeps exactly one owner', () =>
  withAccounts(async (accounts) => {
    await accounts.users.ensureOwner({ password });
    accounts.addUser('ada');
    assert.throws(() => accounts.users.remove('Owner'), { code: 'owner-needed' });
    assert.throws(() => accounts.users.setRole('owner', 'viewer'), { code: 'owner-needed' });
    assert.throws(() => accounts.users.setRole('ada', 'owner'), { code: 'invalid-argument' });
    assert.equal(accounts.users.byLogin('owner')?.role, 'owner');
    assert.equal(accounts.users.byLogin('ada')?.role, 'editor');
  }));

test('rejects an unknown login', () =>
  withAccounts(async ({ users }) => {
    assert.throws(() => users.remove('nobody'), { code: 'user-unknown' });
    assert.throws(() => users.setRole('nobody', 'viewer'), { code: 'user-unknown' });
    await assert.rejects(users.setPassword('nobody', password), { code: 'user-unknown' });
  }));

test('a new password replaces the old one', () =>
  withAccounts(async (accounts) => {
    await accounts.users.add({ login: 'ada', role: 'editor', password });
    await accounts.users.setPassword('ADA', 'a new password');
    const { passwordHash } = accounts.usersTable.credentials('ada')!;
    assert.equal(await verifyPassword('a new password', passwordHash), true);
    assert.equal(await verifyPassword(password, passwordHash), false);
    await assert.rejects(accounts.users.setPassword('ada', 'short'), { code: 'password-weak' });
  }));

test('stores user info separately for each user', () =>
  withAccounts(async (accounts) => {
    const ada = accounts.addUser('ada');
    const ben = accounts.addUser('ben');
    assert.equal(accounts.users.userInfo(ada.id), undefined);
    accounts.users.setUserInfo(ada.id, '{"zoom":120}');
    accounts.restart();
    assert.equal(accounts.users.userInfo(ada.id), '{"zoom":120}');
    assert.equal(accounts.users.userInfo(ben.id), undefined);
    assert.equal(accounts.users.userInfo('nobody'), undefined);
  }));

test('notifies listeners before a role, a password or a removal is written, until they stop', () =>
  withAccounts(async (accounts) => {
    const { id } = accounts.addUser('ada');
    const changes: string[] = [];
    const stop = accounts.users.beforeChange((change) => {
      assert.equal(change.userId, id);
      changes.push(`${change.kind} ${accounts.users.byId(id)?.role ?? 'gone'}`);
    });
    accounts.users.setRole('ada', 'viewer');
    await accounts.users.setPassword('ada', password);
    accounts.users.remove('ada');
    assert.deepEqual(changes, ['role editor', 'password viewer', 'removal viewer']);
    stop();
    accounts.addUser('ben');
    accounts.users.remove('ben');
    assert.equal(changes.length, 3);
  }));
