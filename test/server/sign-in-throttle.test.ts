// Failed sign-ins are limited, even across a restart.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, networkAddress } from './network-host.ts';
import { startTestHost, type TestHost } from './test-host.ts';

const failuresAllowed = 10;

async function start(t: TestContext): Promise<TestHost> {
  const host = await startTestHost();
  t.after(() => host.stop());
  return host;
}

function signIn(host: TestHost, userName: string, password: string): Promise<Response> {
  return fetch(`${host.baseUrl}/api/2.0/authentication.json`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ userName, password }),
  });
}

async function assertThrottled(answer: Response): Promise<void> {
  assert.equal(answer.status, 429);
  const wait = answer.headers.get('Retry-After') ?? '';
  assert.match(wait, /^[1-9]\d*$/);
  assert.ok(Number(wait) <= 15 * 60, `${wait} s`);
  assert.equal(answer.headers.get('Cache-Control'), 'private');
  const body = (await answer.json()) as { statusCode: number; status: number; error: { type: string } };
  assert.deepEqual([body.statusCode, body.status, body.error.type], [429, 1, 'too-many-failures']);
}

for (const userName of ['owner', 'nobody']) {
  test(`after ten failures as ${userName}, answers 429 to the right password too, and after a restart`, async (t) => {
    const host = await start(t);
    for (let count = 0; count < failuresAllowed; count += 1) {
      assert.equal((await signIn(host, userName, `wrong ${count}`)).status, 401);
    }
    await assertThrottled(await signIn(host, userName, 'wrong'));
    await assertThrottled(await signIn(host, userName.toUpperCase(), host.owner.password));
    await host.restart();
    await assertThrottled(await signIn(host, userName, host.owner.password));
  });
}

test('successful sign-ins aren’t limited', async (t) => {
  const host = await start(t);
  for (let count = 0; count < failuresAllowed + 2; count += 1) {
    assert.equal((await signIn(host, 'owner', host.owner.password)).status, 201);
  }
});

test('blocks an address after 30 failures with different names', async (t) => {
  const host = await start(t);
  let status = 401;
  let tries = 0;
  while (status === 401 && tries < 40) {
    status = (await signIn(host, `guess-${tries}`, 'wrong')).status;
    tries += 1;
  }
  assert.equal(status, 429);
  assert.equal(tries, 31);
});

// People sometimes type their password into the name field.
test('stores no user name of a failed sign-in', async (t) => {
  const host = await start(t);
  await signIn(host, 'my secret pass phrase', 'x');
  const { db } = host.host.services.store;
  const rows = JSON.stringify(db.prepare('SELECT * FROM sign_in_failures').all());
  assert.ok(rows.length > 2);
  assert.ok(!rows.includes('my secret'));
  assert.ok(!JSON.stringify(host.host.services.journal.newest(Infinity)).includes('my secret'));
});

test('failures from another address don’t block a user on this computer', async (t) => {
  const host = await startTestHost({ settings: { networkApi: true } });
  t.after(() => host.stop());
  const port = Number(new URL(host.baseUrl).port);
  const signInFrom = async (from: string, password: string): Promise<number> => {
    const body = JSON.stringify({ userName: 'owner', password });
    const headers = { 'Content-Type': 'application/json' };
    const path = '/api/2.0/authentication.json';
    return (await ask({ port, path, method: 'POST', from, headers, body })).status;
  };
  const otherAddress = networkAddress();
  for (let count = 0; count < failuresAllowed; count += 1) {
    assert.equal(await signInFrom(otherAddress, `wrong ${count}`), 401);
  }
  assert.equal(await signInFrom(otherAddress, host.owner.password), 429);
  assert.equal(await signInFrom('127.0.0.1', host.owner.password), 201);
});

test('a flood of sign-ins from the network doesn’t block sign-ins on this computer', async (t) => {
  const host = await startTestHost({ hasRealPasswords: true, settings: { networkApi: true } });
  t.after(() => host.stop());
  const port = Number(new URL(host.baseUrl).port);
  const flood = Array.from({ length: 60 }, (_, index) =>
    ask({
      port,
      path: '/api/2.0/authentication.json',
      method: 'POST',
      from: networkAddress(),
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ userName: `guess-${index}`, password: 'wrong' }),
    }),
  );
  await pause(50);
  assert.equal((await signIn(host, 'owner', host.owner.password)).status, 201);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  assert.ok(statuses.includes(401) && statuses.includes(503), statuses.join());
});
