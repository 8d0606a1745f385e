import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../app/contract/errors.ts';
import {
  failureWindowSeconds,
  maxFailuresPerAddress,
  maxFailuresPerPair,
  maxFailuresPerUser,
} from '../../../app/accounts/failure-throttle.ts';
import { verifyPassword } from '../../../app/accounts/password.ts';
import { checkLimits, createSignIn } from '../../../app/accounts/sign-in.ts';
import { cheapPasswords } from '../../server/test-host.ts';
import { openAccounts, password, type Accounts } from './accounts-fixture.ts';

const address = '192.0.2.7';
let accounts: Accounts;
let checkedHashes: string[];
beforeEach(async () => {
  accounts = await openAccounts();
  checkedHashes = [];
  await accounts.users.add({ login: 'ada', role: 'editor', password });
});
afterEach(async () => {
  mock.timers.reset();
  await accounts.close();
});

const quickCheck = async (text: string) => text === password;

/** Records each hash that is checked. */
function openSignIn(check: typeof verifyPassword = verifyPassword) {
  const signIn = createSignIn({
    users: accounts.usersTable,
    db: accounts.db,
    tokenKey: accounts.tokenKey,
    passwordCost: cheapPasswords,
    verifyPassword: (text, hash) => {
      checkedHashes.push(hash);
      return check(text, hash);
    },
  });
  type Attempt = Parameters<typeof signIn.verify>[0];
  return {
    verify: (attempt: Omit<Attempt, 'isLocal'> & Partial<Attempt>) =>
      signIn.verify({ isLocal: false, ...attempt }),
  };
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return 'ok';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

async function fail(signIn: ReturnType<typeof openSignIn>, times: number, from: (index: number) => object) {
  for (let index = 0; index < times; index += 1) {
    const attempt = { login: 'ada', password: 'wrong guess', address, ...from(index) };
    assert.equal(await codeOf(signIn.verify(attempt)), 'credentials-wrong');
  }
}

test('responds alike to an unknown user and a wrong password, at the same cost', async () => {
  const signIn = openSignIn();
  const failures: unknown[] = [];
  for (const login of ['ada', 'nobody', '', 'x'.repeat(5000)]) {
    await assert.rejects(signIn.verify({ login, password: 'wrong guess', address }), (error) => {
      assert.ok(error instanceof AppError);
      failures.push([error.code, error.message, error.retryAfterSeconds]);
      return true;
    });
  }
  assert.deepEqual(failures, Array(4).fill(failures[0]));
  const costs = checkedHashes.map((hash) => hash.split('$')[2]);
  assert.deepEqual(costs, Array(4).fill('ln=4,r=8,p=1'));
});

test('after ten failures, blocks the user at that address without checking the password, also after a restart', async () => {
  await fail(openSignIn(quickCheck), maxFailuresPerPair, () => ({}));
  const checks = checkedHashes.length;
  accounts.restart();
  await assert.rejects(openSignIn(quickCheck).verify({ login: 'ADA', password, address }), (error) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, 'too-many-failures');
    assert.ok(Number.isInteger(error.retryAfterSeconds));
    assert.ok(error.retryAfterSeconds! > failureWindowSeconds - 60);
    assert.ok(error.retryAfterSeconds! <= failureWindowSeconds);
    return true;
  });
  assert.equal(checkedHashes.length, checks);
});

test('a user who is blocked at one address can sign in from another and from this computer', async () => {
  const signIn = openSignIn(quickCheck);
  await fail(signIn, maxFailuresPerPair, () => ({}));
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address })), 'too-many-failures');
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address: '192.0.2.8' })), 'ok');
  assert.equal(
    await codeOf(signIn.verify({ login: 'ada', password, address: '127.0.0.1', isLocal: true })),
    'ok',
  );
});

test('limits failures per user across addresses, except where that user signed in recently', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const signIn = openSignIn(quickCheck);
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address: '192.0.2.200' })), 'ok');
  await fail(signIn, maxFailuresPerUser, (index) => ({ address: `192.0.2.${index % 50}` }));
  const from = (address: string, isLocal = false) =>
    codeOf(signIn.verify({ login: 'ada', password, address, isLocal }));
  assert.equal(await from('192.0.2.99'), 'too-many-failures');
  assert.equal(await from('192.0.2.200'), 'ok');
  assert.equal(await from('127.0.0.1', true), 'ok');
  // A known address gets no more guesses than any other.
  await fail(signIn, maxFailuresPerPair, () => ({ address: '192.0.2.200' }));
  assert.equal(await from('192.0.2.200'), 'too-many-failures');
  mock.timers.tick(failureWindowSeconds * 1000);
  assert.equal(await from('192.0.2.99'), 'ok');
});

test('blocks an unknown user after as many failures as a known one', async () => {
  const signIn = openSignIn(quickCheck);
  await fail(signIn, maxFailuresPerPair, () => ({ login: 'nobody' }));
  assert.equal(await codeOf(signIn.verify({ login: 'nobody', password, address })), 'too-many-failures');
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address })), 'ok');
});

test('after thirty failures, blocks the address, also in its IPv4-mapped form, and no other', async () => {
  const signIn = openSignIn(quickCheck);
  await fail(signIn, maxFailuresPerAddress, (index) => ({ login: `user-${index}` }));
  for (const same of [address, `::ffff:${address}`]) {
    assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address: same })), 'too-many-failures');
  }
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address: '192.0.2.8' })), 'ok');
});

test('unblocks a user after fifteen minutes', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const signIn = openSignIn(quickCheck);
  await fail(signIn, maxFailuresPerPair, () => ({}));
  mock.timers.tick(failureWindowSeconds * 1000 - 1);
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address })), 'too-many-failures');
  mock.timers.tick(1);
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address })), 'ok');
});

test('a successful sign-in neither counts as a failure nor clears earlier ones', async () => {
  const signIn = openSignIn(quickCheck);
  await fail(signIn, maxFailuresPerPair - 1, () => ({}));
  for (let index = 0; index < 40; index += 1) {
    assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address })), 'ok');
  }
  await fail(signIn, 1, () => ({}));
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address })), 'too-many-failures');
});

test('checks no more parallel guesses than sequential ones', async () => {
  const signIn = openSignIn(quickCheck);
  const codes: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const guesses = Array.from({ length: 10 }, (_, index) =>
      codeOf(signIn.verify({ login: 'ada', password: `guess ${round} ${index}`, address })),
    );
    codes.push(...(await Promise.all(guesses)));
  }
  assert.equal(checkedHashes.length, maxFailuresPerPair);
  assert.equal(codes.filter((code) => code === 'credentials-wrong').length, maxFailuresPerPair);
  assert.equal(
    codes.filter((code) => code === 'too-many-failures').length,
    codes.length - maxFailuresPerPair,
  );
});

test('a blocked client can’t fill the queue for others', async () => {
  const signIn = openSignIn(quickCheck);
  await fail(signIn, maxFailuresPerPair, () => ({}));
  await accounts.users.add({ login: 'ben', role: 'editor', password });
  const refused = Array.from({ length: 40 }, () =>
    codeOf(signIn.verify({ login: 'ada', password, address })),
  );
  assert.equal(await codeOf(signIn.verify({ login: 'ben', password, address: '192.0.2.8' })), 'ok');
  assert.deepEqual(await Promise.all(refused), Array(40).fill('too-many-failures'));
});

test('counts no failure for an attempt that was rejected while another succeeded', async () => {
  const signIn = openSignIn(quickCheck);
  await fail(signIn, maxFailuresPerPair - 1, () => ({}));
  const attempts = [1, 2].map(() => codeOf(signIn.verify({ login: 'ada', password, address })));
  assert.deepEqual(await Promise.all(attempts), ['ok', 'too-many-failures']);
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address })), 'ok');
});

test('accepts parallel attempts with the right password, and counts no failure', async () => {
  const signIn = openSignIn(quickCheck);
  const attempts = Array.from({ length: 10 }, () =>
    codeOf(signIn.verify({ login: 'ada', password, address })),
  );
  assert.deepEqual(await Promise.all(attempts), Array(10).fill('ok'));
  const points = accounts.db
    .prepare("SELECT points FROM sign_in_failures WHERE key NOT LIKE 'known:%'")
    .pluck()
    .all();
  assert.deepEqual(points, [0, 0, 0]);
});

test('limits concurrent checks and waiting ones per address, and checks local attempts first', async () => {
  let running = 0;
  let most = 0;
  const signIn = openSignIn(async (text, hash) => {
    running += 1;
    most = Math.max(most, running);
    const isRight = await verifyPassword(text, hash);
    running -= 1;
    return isRight;
  });
  const from = (count: number, client: { address: string; isLocal?: boolean }) =>
    Array.from({ length: count }, () => codeOf(signIn.verify({ login: 'ada', password, ...client })));
  const one = from(24, { address });
  const { running: atOnce, waiting, waitingPerAddress } = checkLimits;
  while (running < atOnce) await pause(1);
  const many = Array.from({ length: 60 }, (_, index) => from(1, { address: `198.51.100.${index}` })).flat();
  const local = from(3, { address: '127.0.0.1', isLocal: true });
  // Local attempts are checked before all that wait.
  let isRestDone = false;
  void Promise.all([...one, ...many]).then(() => (isRestDone = true));
  assert.deepEqual(await Promise.all(local), ['ok', 'ok', 'ok']);
  assert.ok(!isRestDone);
  const count = (codes: string[], code: string): number => codes.filter((one) => one === code).length;
  const codesOfOne = await Promise.all(one);
  assert.equal(count(codesOfOne, 'ok'), atOnce + waitingPerAddress);
  assert.equal(count(codesOfOne, 'too-busy'), 24 - atOnce - waitingPerAddress);
  assert.equal(count(await Promise.all(many), 'ok'), waiting - waitingPerAddress);
  assert.equal(most, atOnce);
});

test('rejects the old password if it changes during the check', async () => {
  const signIn = openSignIn(async (text, hash) => {
    const isRight = await verifyPassword(text, hash);
    await accounts.users.setPassword('ada', 'a new password');
    return isRight;
  });
  assert.equal(await codeOf(signIn.verify({ login: 'ada', password, address })), 'credentials-wrong');
});

test('doesn’t write attempted logins and passwords to the database', async () => {
  await fail(openSignIn(quickCheck), 1, () => ({ login: 'my-secret-as-login' }));
  accounts.restart();
  const database = await readFile(join(accounts.dataDir, 'doctray.db'));
  assert.ok(!database.includes('my-secret-as-login'));
  assert.ok(!database.includes('wrong guess'));
});

test('deletes failure counts whose window has passed', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const signIn = openSignIn(quickCheck);
  await fail(signIn, 5, (index) => ({ address: `192.0.2.${index}`, login: `user-${index}` }));
  mock.timers.tick(failureWindowSeconds * 1000 + 1);
  await fail(signIn, 1, () => ({}));
  assert.equal(accounts.db.prepare('SELECT count(*) FROM sign_in_failures').pluck().get(), 3);
});
