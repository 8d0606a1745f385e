// The authentication call and its tokens. @see docs/protocol.md, “JSON API”

import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { ask, networkAddress } from './network-host.ts';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;
before(async () => {
  host = await startTestHost({ files: { 'a.txt': 'one' } });
  const vera = {
    login: 'vera',
    displayName: 'Vera Vogt',
    role: 'viewer',
    password: 'viewer password',
  } as const;
  await host.host.services.users.add(vera);
});
after(() => host.stop());

const address = '/api/2.0/authentication';
const jsonType = { 'Content-Type': 'application/json' };

interface Envelope {
  count: number;
  response: Record<string, unknown>;
  status: number;
  statusCode: number;
  error?: { message: string; type: string };
}

const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer> | Blob,
  headers: Record<string, string> = jsonType,
  from = host,
) => fetch(from.baseUrl + path, { method: 'POST', headers, body });

const credentials = (userName: string = 'owner', password: string = host.owner.password): string =>
  JSON.stringify({ userName, password });

const profile = (authorization?: string, path = '/api/2.0/people/@self.json'): Promise<Response> =>
  fetch(host.baseUrl + path, {
    headers: authorization === undefined ? {} : { Authorization: authorization },
  });

function assertHeaders(answer: Response, text: string): void {
  assert.equal(answer.headers.get('Cache-Control'), 'private');
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('Content-Length'), String(Buffer.byteLength(text)));
  for (const name of 'Set-Cookie ETag Location Access-Control-Allow-Origin X-Powered-By Server'.split(' '))
    assert.equal(answer.headers.get(name), null, name);
}

async function assertSuccess(answer: Response, statusCode: number): Promise<Record<string, unknown>> {
  const text = await answer.text();
  assert.equal(answer.status, statusCode, text);
  assertHeaders(answer, text);
  const { response, ...rest } = JSON.parse(text) as Envelope;
  assert.deepEqual(rest, { count: 1, status: 0, statusCode });
  return response;
}

/** Failures use the same envelope and headers as successes. */
async function assertFailure(answer: Response, statusCode: number, type: string): Promise<string> {
  const text = await answer.text();
  assert.equal(answer.status, statusCode, text);
  assertHeaders(answer, text);
  const { error, ...rest } = JSON.parse(text) as Envelope;
  assert.deepEqual(rest, { count: 0, status: 1, statusCode });
  assert.deepEqual({ ...error, message: '' }, { message: '', type });
  return error?.message ?? '';
}

for (const path of [`${address}.json`, address]) {
  test(`POST ${path} answers 201 with expires and a new token in the envelope, which DELETE revokes`, async () => {
    const { expires, token, ...rest } = await assertSuccess(await post(path, credentials()), 201);
    assert.deepEqual(rest, {});
    assert.match(String(token), /^[A-Za-z0-9_-]{43}$/);
    assert.match(String(expires), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}\+00:00$/);
    const days = (Date.parse(String(expires)) - host.clock.now()) / 86_400_000;
    assert.ok(days > 29.9 && days <= 30, `${days} days`);
    const other = await host.signIn();
    assert.notEqual(token, other);
    const signOut = () =>
      fetch(host.baseUrl + path, { method: 'DELETE', headers: { Authorization: String(token) } });
    assert.equal((await profile(String(token))).status, 200);
    await assertSuccess(await signOut(), 200);
    assert.equal((await profile(String(token))).status, 401);
    assert.equal((await profile(other)).status, 200);
    await assertFailure(await signOut(), 401, 'not-authenticated');
  });
}

test('compares the login case-insensitively and the password case-sensitively, and doesn’t tell whether the user exists', async () => {
  assert.equal((await post(address, credentials('OWNER'))).status, 201);
  const messages = [
    credentials('owner', host.owner.password.toUpperCase()),
    credentials('owner', 'wrong one'),
    credentials('nobody', 'wrong one'),
  ].map(async (body) => assertFailure(await post(address, body), 401, 'credentials-wrong'));
  assert.equal(new Set(await Promise.all(messages)).size, 1);
});

for (const path of ['/api/2.0/people/@self.json', '/api/2.0/people/@self']) {
  test(`GET ${path} returns exactly an id, the names, the role and isOwner of the token’s user`, async () => {
    for (const [token, expected] of [
      [await host.signIn(), { userName: 'owner', displayName: 'owner', role: 'owner', isOwner: true }],
      [
        await host.signIn('vera', 'viewer password'),
        { userName: 'vera', displayName: 'Vera Vogt', role: 'viewer', isOwner: false },
      ],
    ] as const) {
      const { id } = host.host.services.users.byLogin(expected.userName) ?? {};
      assert.match(id ?? '', /^[A-Za-z0-9]+$/);
      assert.deepEqual(await assertSuccess(await profile(token, path), 200), { id, ...expected });
    }
  });
}

test('accepts the token only in Authorization, with or without the Bearer scheme, in any case', async () => {
  const token = await host.signIn();
  for (const value of [token, `Bearer ${token}`, `bearer   ${token}`])
    assert.equal((await profile(value)).status, 200, value.replace(token, '…'));
  for (const value of [
    undefined,
    '',
    'Bearer ',
    `Basic ${token}`,
    `${token}x`,
    token.slice(1),
    `${token}, ${token}`,
    `Bearer Bearer ${token}`,
    'x'.repeat(8000),
  ]) {
    const answer = await profile(value);
    assert.equal(answer.headers.get('WWW-Authenticate'), 'Bearer');
    await assertFailure(answer, 401, 'not-authenticated');
  }
  for (const name of ['access_token', 'token', 'Authorization'])
    assert.equal((await profile(undefined, `/api/2.0/people/@self?${name}=${token}`)).status, 401);
});

test('rejects an API token on WOPI calls, and an access token on API calls', async () => {
  const apiToken = await host.signIn();
  const { fileId, token } = await host.document('a.txt', { apiToken });
  const file = await host.wopi({ fileId, token: apiToken });
  assert.equal(file.status, 401);
  assert.equal(file.headers.get('WWW-Authenticate'), 'Bearer');
  for (const path of ['people/@self.json', 'files'])
    await assertFailure(await profile(token, `/api/2.0/${path}`), 401, 'not-authenticated');
});

test('a call with a revoked token is journaled as one of its session, a call with an unknown token isn’t', async () => {
  const { accessTokens, journal } = host.host.services;
  const { fileId, token } = await host.document('a.txt');
  const { id = '', userLogin } = accessTokens.find(token) ?? {};
  accessTokens.revoke(id);
  for (const one of [token, 'x'.repeat(43)])
    assert.equal((await host.wopi({ fileId, token: one })).status, 401);
  const journaled = journal.newest(2).map(({ code, user, sessionId }) => [code, user, sessionId]);
  assert.deepEqual(journaled, [
    ['session-over', userLogin, id],
    [undefined, undefined, undefined],
  ]);
});

test('removing a user revokes their API and access tokens at once', async () => {
  const { users } = host.host.services;
  await users.add({ login: 'gone', role: 'editor', password: 'soon gone away' });
  const apiToken = await host.signIn('gone', 'soon gone away');
  const { call } = await host.document('a.txt', { apiToken });
  host.events.length = 0;
  users.remove('gone');
  assert.equal(host.events.filter(({ event }) => event === 'token-revoked').length, 2);
  assert.equal((await profile(apiToken)).status, 401);
  assert.equal((await call()).status, 401);
});

// test/fuzz has other bodies.
test('answers 400 to a body that isn’t a JSON object with two texts, without quoting the parser', async () => {
  for (const [body, type] of [
    ['', 'malformed-json'],
    ['userName=owner', 'malformed-json'],
    ['{"userName":"owner","password":"x",}', 'malformed-json'],
    [new Uint8Array([0xff, 0xfe, 0x00]), 'malformed-json'],
    ['['.repeat(30_000), 'malformed-json'],
    ['['.repeat(30_000) + ']'.repeat(30_000), 'invalid-argument'],
    ['null', 'invalid-argument'],
    ['[]', 'invalid-argument'],
    ['{"userName":"owner"}', 'invalid-argument'],
    ['{"UserName":"owner","password":"x"}', 'invalid-argument'],
    ['{"userName":"","password":"x"}', 'invalid-argument'],
    ['{"userName":"owner","password":""}', 'invalid-argument'],
    ['{"userName":1,"password":"x"}', 'invalid-argument'],
    [JSON.stringify({ userName: 'o', password: 'x'.repeat(5000) }), 'invalid-argument'],
  ] as const) {
    const message = await assertFailure(await post(address, body), 400, type);
    assert.doesNotMatch(message, /position|Unexpected|\n/u);
  }
  await post(address, '{"__proto__":{"isOwner":true},"constructor":{"prototype":{"isOwner":true}}}');
  assert.equal(({} as { isOwner?: boolean }).isOwner, undefined);
});

test('reads a body of up to 64 KiB', async () => {
  const fill = (bytes: number): string => credentials('owner', 'x').padEnd(bytes, ' ');
  await assertFailure(await post(address, fill(64 * 1024)), 401, 'credentials-wrong');
  await assertFailure(await post(address, fill(64 * 1024 + 1)), 413, 'body-too-large');
});

// A web page can send other types, and a body without one, to any host without a CORS preflight, and so exhaust the owner's attempts.
test('answers 415 to a body whose type isn’t application/json, which may have parameters, in any case', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
  ])
    await assertFailure(
      await post(address, credentials(), { 'Content-Type': type }),
      415,
      'unsupported-media-type',
    );
  await assertFailure(await post(address, new Blob([credentials()]), {}), 415, 'unsupported-media-type');
  for (const type of ['Application/JSON;charset=UTF-8', 'application/json ;x=y'])
    assert.equal((await post(address, credentials(), { 'Content-Type': type })).status, 201, type);
});

// test/unit/accounts/sign-in has the other rules.
describe('failed sign-ins', () => {
  const failuresAllowed = 10;

  async function start(t: TestContext) {
    const own = await startTestHost({ settings: { networkApi: true } }, t);
    const signIn = (userName: string, password: string = own.owner.password, headers = jsonType) =>
      post(address, credentials(userName, password), headers, own);
    return { own, signIn };
  }

  test('ten of a user are followed by 429, to the right password too, and after a restart', async (t) => {
    const { own, signIn } = await start(t);
    const assertThrottled = async (answer: Response): Promise<void> => {
      const wait = answer.headers.get('Retry-After') ?? '';
      assert.match(wait, /^[1-9]\d*$/);
      assert.ok(Number(wait) <= 15 * 60, `${wait} s`);
      await assertFailure(answer, 429, 'too-many-failures');
    };
    for (let count = 0; count < failuresAllowed; count += 1)
      assert.equal((await signIn('owner', `wrong ${count}`)).status, 401);
    await assertThrottled(await signIn('owner', 'wrong'));
    await assertThrottled(await signIn('OWNER'));
    await own.restart();
    await assertThrottled(await signIn('owner'));
  });

  // People sometimes type their password into the name field.
  test('leave no user name', async (t) => {
    const { own, signIn } = await start(t);
    await signIn('my secret pass phrase', 'x');
    const { store, journal } = own.host.services;
    const rows = store.db.prepare('SELECT * FROM sign_in_failures').all();
    assert.equal(rows.length > 0, true);
    assert.ok(!JSON.stringify([rows, journal.newest(Infinity)]).includes('my secret'));
  });

  test('through a tunnel on this computer don’t block a user at it', async (t) => {
    const { own, signIn } = await start(t);
    const tunnel = { ...jsonType, 'X-Forwarded-For': '192.0.2.1' };
    for (let count = 0; count < failuresAllowed; count += 1)
      assert.equal((await signIn('owner', `wrong ${count}`, tunnel)).status, 401);
    assert.equal((await signIn('owner', own.owner.password, tunnel)).status, 429);
    assert.equal((await signIn('owner')).status, 201);
  });

  test('that flood the host from the network don’t block sign-ins on this computer', async (t) => {
    const own = await startTestHost({ hasRealPasswords: true, settings: { networkApi: true } }, t);
    const flood = Array.from({ length: 60 }, (_, index) => {
      const body = credentials(`guess-${index}`, 'wrong');
      const from = networkAddress();
      return ask({ port: own.port, path: address, method: 'POST', from, headers: jsonType, body });
    });
    await Promise.race(flood);
    assert.equal((await post(address, credentials(), jsonType, own)).status, 201);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    assert.ok(statuses.includes(401) && statuses.includes(503), statuses.join());
  });
});
