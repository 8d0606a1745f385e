// The authentication call and the tokens it gives: seed sections 2.1, 2.2, 4.1, 4.2 and 5; behaviour page section 9.

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

/** A failure is told in the same envelope, with the same headers. */
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

test('Two sign-ins give two tokens', async () => {
  assert.notEqual(await host.signIn(), await host.signIn());
});

test('The login is compared without case, the password with it', async () => {
  assert.equal((await post(addresses[0]!, credentials('OWNER'))).status, 201);
  const shouted = credentials('owner', host.owner.password.toUpperCase());
  await assertFailure(await post(addresses[0]!, shouted), 401, 'credentials-wrong');
});

test('Wrong credentials are 401 with one text, whether or not there is such a user', async () => {
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
  test(`GET ${path} tells who the token belongs to`, async () => {
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

test('The profile of a viewer tells its role and its name, and no more', async () => {
  const answer = await profile(await host.signIn('vera', 'viewer password'));
  const { response } = (await answer.json()) as Envelope;
  const { id, ...others } = response;
  assert.match(String(id), /^[A-Za-z0-9]+$/);
  assert.deepEqual(others, { userName: 'vera', displayName: 'Vera Vogt', role: 'viewer', isOwner: false });
});

test('The token goes raw in Authorization, or after the word Bearer in any case', async () => {
  const token = await host.signIn();
  for (const value of [token, `Bearer ${token}`, `bearer   ${token}`, `BEARER ${token}`]) {
    assert.equal((await profile(value)).status, 200, value.replace(token, '…'));
  }
});

test('Whatever else stands in Authorization is 401 and asks for a bearer', async () => {
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

test('The token is not taken from the query', async () => {
  const token = await host.signIn();
  for (const name of ['access_token', 'token', 'Authorization']) {
    assert.equal((await profile(undefined, `/api/2.0/people/@self?${name}=${token}`)).status, 401);
  }
});

for (const path of addresses) {
  test(`DELETE ${path} ends that token and no other`, async () => {
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

test('An API token opens no document and an access token opens no API', async () => {
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

test('A removed user is signed out at once, everywhere', async () => {
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
  ['text that is no JSON', 'userName=owner', 'malformed-json'],
  ['JSON cut short', '{"userName":"owner","password":"x"', 'malformed-json'],
  ['JSON with a comma too many', '{"userName":"owner","password":"x",}', 'malformed-json'],
  ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00]), 'malformed-json'],
  ['null', 'null', 'invalid-argument'],
  ['a list', '[]', 'invalid-argument'],
  ['a text', '"owner"', 'invalid-argument'],
  ['a number', '1e999', 'invalid-argument'],
  ['nothing in it', '{}', 'invalid-argument'],
  ['no password', '{"userName":"owner"}', 'invalid-argument'],
  ['no userName', '{"password":"x"}', 'invalid-argument'],
  ['another case of the field', '{"UserName":"owner","password":"x"}', 'invalid-argument'],
  ['an empty userName', '{"userName":"","password":"x"}', 'invalid-argument'],
  ['an empty password', '{"userName":"owner","password":""}', 'invalid-argument'],
  ['a number for a name', '{"userName":1,"password":"x"}', 'invalid-argument'],
  ['a list for a password', '{"userName":"owner","password":["x"]}', 'invalid-argument'],
  ['an object for a password', '{"userName":"owner","password":{"$ne":null}}', 'invalid-argument'],
  ['the fields only in __proto__', '{"__proto__":{"userName":"owner","password":"x"}}', 'invalid-argument'],
  ['lists 30,000 deep', '['.repeat(30_000), 'malformed-json'],
  ['whole lists 30,000 deep', '['.repeat(30_000) + ']'.repeat(30_000), 'invalid-argument'],
  [
    'a password of 5,000 characters',
    JSON.stringify({ userName: 'o', password: 'x'.repeat(5000) }),
    'invalid-argument',
  ],
] as const) {
  test(`A body with ${what} is 400 (${type})`, async () => {
    const failure = await assertFailure(await post(addresses[0]!, body), 400, type);
    assert.doesNotMatch(failure.error?.message ?? '', /position|Unexpected|\n/u, 'the parser is quoted');
  });
}

test('Sent fields do not change what objects are', async () => {
  await post(addresses[0]!, '{"__proto__":{"isOwner":true},"constructor":{"prototype":{"isOwner":true}}}');
  assert.equal(({} as { isOwner?: boolean }).isOwner, undefined);
});

test('More than 64 KiB is 413, declared or streamed; just below is read', async () => {
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
  test(`A body called ${type} is 415: a web page can send that to any host without being asked`, async () => {
    const answer = await post(addresses[0]!, credentials(), { 'Content-Type': type });
    await assertFailure(answer, 415, 'unsupported-media-type');
  });
}

test('A body without a Content-Type is 415: a web page can send that too, and use up the sign-ins of the owner', async () => {
  const answer = await fetch(host.baseUrl + addresses[0]!, {
    method: 'POST',
    body: new Blob([credentials()]),
  });
  await assertFailure(answer, 415, 'unsupported-media-type');
});

test('The type may carry a charset, in any case', async () => {
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json ;x=y',
  ]) {
    assert.equal((await post(addresses[0]!, credentials(), { 'Content-Type': type })).status, 201, type);
  }
});

test('A browser that asks whether a page of another origin may call gets no yes', async () => {
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
