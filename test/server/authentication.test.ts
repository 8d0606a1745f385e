// The authentication call and its tokens. @see docs/protocol.md, “JSON API”

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;
before(async () => {
  host = await startTestHost({ files: { 'a.txt': 'one' } });
  await host.host.services.users.add({
    login: 'vera',
    displayName: 'Vera Vogt',
    role: 'viewer',
    password: 'viewer password',
  });
});
after(() => host.stop());

const addresses = ['/api/2.0/authentication.json', '/api/2.0/authentication'];

interface Envelope {
  count: number;
  response: Record<string, unknown>;
  status: number;
  statusCode: number;
  error?: { message: string; type: string };
}

function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer> | Blob,
  headers: Record<string, string> = {},
) {
  return fetch(host.baseUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body,
  });
}

const credentials = (userName: string = 'owner', password: string = host.owner.password): string =>
  JSON.stringify({ userName, password });

const profile = (authorization?: string, path = '/api/2.0/people/@self.json'): Promise<Response> =>
  fetch(host.baseUrl + path, {
    headers: authorization === undefined ? {} : { Authorization: authorization },
  });

/** Failures use the same envelope and headers as successes. */
async function assertFailure(answer: Response, status: number, type: string): Promise<Envelope> {
  assert.equal(answer.status, status);
  assertHeaders(answer);
  const text = await answer.text();
  assert.equal(answer.headers.get('Content-Length'), String(Buffer.byteLength(text)));
  const body = JSON.parse(text) as Envelope;
  assert.deepEqual(Object.keys(body).toSorted(), ['count', 'error', 'status', 'statusCode']);
  assert.deepEqual(
    [body.count, body.status, body.statusCode, body.error?.type],
    [0, 1, status, type],
    'the envelope of a failure',
  );
  assert.deepEqual(Object.keys(body.error ?? {}).toSorted(), ['message', 'type']);
  return body;
}

function assertHeaders(answer: Response): void {
  assert.equal(answer.headers.get('Cache-Control'), 'private');
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8');
  for (const name of [
    'Set-Cookie',
    'ETag',
    'Location',
    'Access-Control-Allow-Origin',
    'X-Powered-By',
    'Server',
  ]) {
    assert.equal(answer.headers.get(name), null, name);
  }
}

for (const path of addresses) {
  test(`POST ${path} answers 201 with expires and token in the envelope`, async () => {
    const answer = await post(path, credentials());
    assert.equal(answer.status, 201);
    assertHeaders(answer);
    const text = await answer.text();
    assert.equal(answer.headers.get('Content-Length'), String(Buffer.byteLength(text)));
    const body = JSON.parse(text) as Envelope;
    assert.deepEqual(Object.keys(body).toSorted(), ['count', 'response', 'status', 'statusCode']);
    assert.deepEqual([body.count, body.status, body.statusCode], [1, 0, 201]);
    assert.deepEqual(Object.keys(body.response).toSorted(), ['expires', 'token']);
    const { expires, token } = body.response as { expires: string; token: string };
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.match(expires, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}\+00:00$/);
    const days = (Date.parse(expires) - host.clock.now()) / 86_400_000;
    assert.ok(days > 29.9 && days <= 30, `${days} days`);
    assert.equal((await profile(token)).status, 200);
  });
}

test('every sign-in issues a new token', async () => {
  assert.notEqual(await host.signIn(), await host.signIn());
});

test('compares the login case-insensitively, and the password case-sensitively', async () => {
  assert.equal((await post(addresses[0]!, credentials('OWNER'))).status, 201);
  const shouted = credentials('owner', host.owner.password.toUpperCase());
  await assertFailure(await post(addresses[0]!, shouted), 401, 'credentials-wrong');
});

test('answers wrong credentials with the same 401 whether or not the user exists', async () => {
  const wrong = await assertFailure(
    await post(addresses[0]!, credentials('owner', 'wrong one')),
    401,
    'credentials-wrong',
  );
  const unknown = await assertFailure(
    await post(addresses[1]!, credentials('nobody', 'wrong one')),
    401,
    'credentials-wrong',
  );
  assert.deepEqual(unknown, wrong);
});

for (const path of ['/api/2.0/people/@self.json', '/api/2.0/people/@self']) {
  test(`GET ${path} returns the token’s user`, async () => {
    const answer = await profile(await host.signIn(), path);
    assert.equal(answer.status, 200);
    assertHeaders(answer);
    const owner = host.host.services.users.byLogin('owner');
    assert.deepEqual(await answer.json(), {
      count: 1,
      response: { id: owner?.id, userName: 'owner', displayName: 'owner', role: 'owner', isOwner: true },
      status: 0,
      statusCode: 200,
    });
  });
}

test('a viewer’s profile has exactly an id, the names, the role and isOwner', async () => {
  const answer = await profile(await host.signIn('vera', 'viewer password'));
  const { response } = (await answer.json()) as Envelope;
  const { id, ...others } = response;
  assert.match(String(id), /^[A-Za-z0-9]+$/);
  assert.deepEqual(others, { userName: 'vera', displayName: 'Vera Vogt', role: 'viewer', isOwner: false });
});

test('accepts the token in Authorization with or without the Bearer scheme, in any case', async () => {
  const token = await host.signIn();
  for (const value of [token, `Bearer ${token}`, `bearer   ${token}`, `BEARER ${token}`]) {
    assert.equal((await profile(value)).status, 200, value.replace(token, '…'));
  }
});

test('answers any other Authorization value with 401 and WWW-Authenticate: Bearer', async () => {
  const token = await host.signIn();
  const values = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `${token}x`,
    token.slice(1),
    `${token}, ${token}`,
    `Bearer Bearer ${token}`,
    'x'.repeat(8000),
  ];
  for (const value of values) {
    const answer = await profile(value);
    assert.equal(answer.headers.get('WWW-Authenticate'), 'Bearer');
    await assertFailure(answer, 401, 'not-authenticated');
  }
});

test('ignores a token in the query', async () => {
  const token = await host.signIn();
  for (const name of ['access_token', 'token', 'Authorization']) {
    assert.equal((await profile(undefined, `/api/2.0/people/@self?${name}=${token}`)).status, 401);
  }
});

for (const path of addresses) {
  test(`DELETE ${path} revokes only that token`, async () => {
    const [mine, other] = [await host.signIn(), await host.signIn()];
    const answer = await fetch(host.baseUrl + path, { method: 'DELETE', headers: { Authorization: mine } });
    assert.equal(answer.status, 200);
    assertHeaders(answer);
    assert.equal(((await answer.json()) as Envelope).status, 0);
    assert.equal((await profile(mine)).status, 401);
    assert.equal((await profile(other)).status, 200);
    const again = await fetch(host.baseUrl + path, { method: 'DELETE', headers: { Authorization: mine } });
    await assertFailure(again, 401, 'not-authenticated');
  });
}

test('rejects an API token on WOPI calls, and an access token on API calls', async () => {
  const apiToken = await host.signIn();
  const access = await host.access('a.txt', { apiToken });
  const file = await host.wopi({ fileId: access.fileId, token: apiToken });
  assert.equal(file.status, 401);
  assert.equal(file.headers.get('WWW-Authenticate'), 'Bearer');
  await assertFailure(await profile(access.accessToken), 401, 'not-authenticated');
  const listing = await fetch(`${host.baseUrl}/api/2.0/files`, {
    headers: { Authorization: access.accessToken },
  });
  await assertFailure(listing, 401, 'not-authenticated');
});

test('a call with a revoked token is journaled as one of its session, a call with an unknown token isn’t', async () => {
  const { accessTokens, journal } = host.host.services;
  const { fileId, accessToken } = await host.access('a.txt');
  const [{ id, userLogin } = { id: '', userLogin: '' }] = accessTokens.list();
  accessTokens.revoke(id);
  for (const token of [accessToken, 'x'.repeat(43)])
    assert.equal((await host.wopi({ fileId, token })).status, 401);
  const journaled = journal.newest(2).map(({ code, user, sessionId }) => [code, user, sessionId]);
  assert.deepEqual(journaled, [
    ['session-over', userLogin, id],
    [undefined, undefined, undefined],
  ]);
});

test('removing a user revokes their API and access tokens at once', async () => {
  const { users } = host.host.services;
  await users.add({ login: 'gone', role: 'editor', password: 'soon gone away' });
  const token = await host.signIn('gone', 'soon gone away');
  const access = await host.access('a.txt', { apiToken: token });
  users.remove('gone');
  assert.equal((await profile(token)).status, 401);
  assert.equal((await host.wopi({ fileId: access.fileId, token: access.accessToken })).status, 401);
});

// ---- bodies

for (const [what, body, type] of [
  ['no body', '', 'malformed-json'],
  ['text that isn’t JSON', 'userName=owner', 'malformed-json'],
  ['truncated JSON', '{"userName":"owner","password":"x"', 'malformed-json'],
  ['a trailing comma', '{"userName":"owner","password":"x",}', 'malformed-json'],
  ['bytes that aren’t UTF-8', new Uint8Array([0xff, 0xfe, 0x00]), 'malformed-json'],
  ['null', 'null', 'invalid-argument'],
  ['an array', '[]', 'invalid-argument'],
  ['a string', '"owner"', 'invalid-argument'],
  ['a number', '1e999', 'invalid-argument'],
  ['an empty object', '{}', 'invalid-argument'],
  ['no password', '{"userName":"owner"}', 'invalid-argument'],
  ['no userName', '{"password":"x"}', 'invalid-argument'],
  ['a field name in another case', '{"UserName":"owner","password":"x"}', 'invalid-argument'],
  ['an empty userName', '{"userName":"","password":"x"}', 'invalid-argument'],
  ['an empty password', '{"userName":"owner","password":""}', 'invalid-argument'],
  ['a number as userName', '{"userName":1,"password":"x"}', 'invalid-argument'],
  ['an array as password', '{"userName":"owner","password":["x"]}', 'invalid-argument'],
  ['an object as password', '{"userName":"owner","password":{"$ne":null}}', 'invalid-argument'],
  ['the fields only in __proto__', '{"__proto__":{"userName":"owner","password":"x"}}', 'invalid-argument'],
  ['30,000 unclosed nested arrays', '['.repeat(30_000), 'malformed-json'],
  ['30,000 nested arrays', '['.repeat(30_000) + ']'.repeat(30_000), 'invalid-argument'],
  [
    'a password of 5,000 characters',
    JSON.stringify({ userName: 'o', password: 'x'.repeat(5000) }),
    'invalid-argument',
  ],
] as const) {
  test(`answers 400 (${type}) to a body with ${what}`, async () => {
    const failure = await assertFailure(await post(addresses[0]!, body), 400, type);
    assert.doesNotMatch(failure.error?.message ?? '', /position|Unexpected|\n/u, 'the parser is quoted');
  });
}

test('a request body can’t pollute Object.prototype', async () => {
  await post(addresses[0]!, '{"__proto__":{"isOwner":true},"constructor":{"prototype":{"isOwner":true}}}');
  assert.equal(({} as { isOwner?: boolean }).isOwner, undefined);
});

test('answers 413 to a body of more than 64 KiB, with or without a Content-Length, and reads one of 64 KiB', async () => {
  const fill = (bytes: number): string =>
    JSON.stringify({ userName: 'owner', password: 'x', fill: '' }).padEnd(bytes, ' ');
  await assertFailure(await post(addresses[0]!, fill(64 * 1024 + 1)), 413, 'body-too-large');
  await assertFailure(await post(addresses[0]!, fill(64 * 1024)), 401, 'credentials-wrong');
  const streamed = await fetch(host.baseUrl + addresses[0]!, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: new Blob([fill(64 * 1024 + 1)]).stream(),
    duplex: 'half',
  });
  await assertFailure(streamed, 413, 'body-too-large');
});

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/json',
  'application/jsonp',
]) {
  // A web page can send these to any host without a CORS preflight.
  test(`answers 415 to a body of type ${type}`, async () => {
    const answer = await post(addresses[0]!, credentials(), { 'Content-Type': type });
    await assertFailure(answer, 415, 'unsupported-media-type');
  });
}

// A web page can send this without a preflight too, and so exhaust the owner's sign-in attempts.
test('answers 415 to a body without a Content-Type', async () => {
  const answer = await fetch(host.baseUrl + addresses[0]!, {
    method: 'POST',
    body: new Blob([credentials()]),
  });
  await assertFailure(answer, 415, 'unsupported-media-type');
});

test('accepts application/json with parameters, in any case', async () => {
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json ;x=y',
  ]) {
    assert.equal((await post(addresses[0]!, credentials(), { 'Content-Type': type })).status, 201, type);
  }
});

test('never allows a CORS preflight', async () => {
  for (const path of [...addresses, '/api/2.0/files/access', '/wopi/files/x']) {
    const answer = await fetch(host.baseUrl + path, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://evil.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,authorization',
        'Access-Control-Request-Private-Network': 'true',
      },
    });
    assert.equal(answer.status, 501);
    const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
    assert.deepEqual(names, []);
  }
});
