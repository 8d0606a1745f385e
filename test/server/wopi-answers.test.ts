// Headers of every answer under /wopi, and the order in which a request is checked.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { exchange, type RawAnswer } from '../fuzz/raw-exchange.ts';
import { startTestHost, type TestAccess, type TestHost } from './test-host.ts';

let host: TestHost;
let edit: TestAccess;
let view: TestAccess;
before(async () => {
  host = await startTestHost({ files: { 'a.docx': 'one', 'b.docx': 'two', 'sub/c.docx': 'three' } });
  edit = await host.access('a.docx');
  view = await host.access('a.docx', { mode: 'view' });
});
after(() => host.stop());

interface Call {
  method?: string;
  path?: string;
  token?: string;
  override?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends the bytes without an HTTP library, which could correct or hide errors. */
async function send(call: Call): Promise<RawAnswer> {
  const { method = call.override === undefined ? 'GET' : 'POST', body = '', token = edit.accessToken } = call;
  const path = call.path ?? `/wopi/files/${edit.fileId}`;
  const headers = {
    Host: new URL(host.baseUrl).host,
    ...(call.override !== undefined && { 'X-WOPI-Override': call.override }),
    ...(method === 'POST' && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...call.headers,
  };
  const head = [
    `${method} ${path}${token === '' ? '' : `?access_token=${token}`} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n');
  const { answers, rest, end } = await exchange({
    port: host.port,
    parts: [`${head}\r\n\r\n${body}`],
    isHead: method === 'HEAD',
  });
  assert.equal(end, 'answered');
  assert.equal(rest, '', 'bytes after the answer');
  const [answer] = answers;
  assert.ok(answer !== undefined);
  return answer;
}

const contents = (id: string): string => `/wopi/files/${id}/contents`;

const mine = { 'X-WOPI-Lock': 'mine' };
const onContents =
  (call: Call = {}) =>
  (): Call => ({ path: contents(edit.fileId), ...call });
const post =
  (override: string, headers: Record<string, string> = {}, body = '') =>
  (): Call => ({ override, headers, body });

const calls: [what: string, call: () => Call, status: number][] = [
  ['CheckFileInfo', () => ({}), 200],
  ['CheckFileInfo by HEAD', () => ({ method: 'HEAD' }), 200],
  ['GetFile', onContents(), 200],
  ['GetFile by HEAD', onContents({ method: 'HEAD' }), 200],
  ['GetFile, a range', onContents({ headers: { Range: 'bytes=1-1' } }), 206],
  ['GetFile, no such range', onContents({ headers: { Range: 'bytes=9-' } }), 416],
  ['GetFile, larger than expected', onContents({ headers: { 'X-WOPI-MaxExpectedSize': '1' } }), 412],
  ['Unlock while unlocked', post('UNLOCK', { 'X-WOPI-Lock': 'x' }), 409],
  ['PutFile while unlocked', onContents({ override: 'PUT', body: 'new' }), 409],
  ['Lock', post('LOCK', mine), 200],
  ['GetLock', post('GET_LOCK', mine), 200],
  ['Lock with another id', post('LOCK', { 'X-WOPI-Lock': 'other' }), 409],
  ['PutFile', onContents({ override: 'PUT', headers: mine, body: 'new' }), 200],
  ['PutRelativeFile', post('PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': '.pdf' }, 'p'), 200],
  ['PutRelativeFile without a target', post('PUT_RELATIVE', {}, 'p'), 400],
  ['RenameFile', post('RENAME_FILE', { ...mine, 'X-WOPI-RequestedName': 'z' }), 200],
  ['RenameFile to an invalid name', post('RENAME_FILE', { ...mine, 'X-WOPI-RequestedName': '...' }), 400],
  ['DeleteFile while locked', post('DELETE'), 409],
  ['RefreshLock', post('REFRESH_LOCK', mine), 200],
  ['UnlockAndRelock', post('LOCK', { 'X-WOPI-Lock': 'next', 'X-WOPI-OldLock': 'mine' }), 200],
  ['Unlock', post('UNLOCK', { 'X-WOPI-Lock': 'next' }), 200],
  ['PutUserInfo', post('PUT_USER_INFO', {}, 'likes tabs'), 200],
  ['PutUserInfo over 1024 bytes', post('PUT_USER_INFO', {}, 'x'.repeat(1025)), 400],
  ['an unknown operation', post('COBALT'), 501],
  ['a POST without an operation', () => ({ method: 'POST' }), 400],
  ['no token', () => ({ token: '' }), 401],
  ['an unknown token', () => ({ token: 'x'.repeat(43) }), 401],
  ['an unknown file id', () => ({ path: `/wopi/files/${'A'.repeat(22)}` }), 404],
  ['a malformed file id', () => ({ path: '/wopi/files/..%2f..%2fetc' }), 404],
  ['a path below the contents', () => ({ path: `${contents(edit.fileId)}/x` }), 404],
  ['containers', () => ({ path: '/wopi/containers/x' }), 404],
  ['another Host', () => ({ headers: { Host: 'evil.example' } }), 421],
  ['an unsupported method', () => ({ method: 'PUT' }), 501],
];

test('every answer has a Content-Length, no-store, no redirect, and X-WOPI-Lock only where required', async (t) => {
  for (const [what, call, status] of calls) {
    await t.test(`${what}: ${status}`, async () => {
      const input = call();
      const { headers, body, ...answer } = await send(input);
      assert.equal(answer.status, status, body);
      if (input.method !== 'HEAD') assert.equal(headers['content-length'], String(body.length));
      else assert.match(headers['content-length'] ?? '', /^[1-9]\d*$/);
      assert.equal(headers['transfer-encoding'], undefined);
      assert.equal(headers['cache-control'], 'no-store');
      assert.match(headers['x-wopi-correlationid'] ?? '', /^[\w-]{36}$/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      for (const name of 'location etag last-modified set-cookie vary x-powered-by server'.split(' '))
        assert.equal(headers[name], undefined, name);
      const hasLock = status === 409 || input.override === 'GET_LOCK';
      assert.equal('x-wopi-lock' in headers, hasLock, 'X-WOPI-Lock');
      assert.equal('x-wopi-lockfailurereason' in headers, status === 409, 'X-WOPI-LockFailureReason');
      assert.equal(headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
      assert.notEqual(body, 'OK');
      assert.ok(!body.includes(host.folder) && !JSON.stringify(headers).includes(host.folder));
    });
  }
});

test('answers a save with its version and time, and an unlock with the version', async () => {
  const { lock, save, unlock } = await host.document('b.docx');
  const [locked, saved, again, released] = [
    await lock(),
    await save('three'),
    await save('three'),
    await unlock(),
  ];
  const versions = [locked, saved, again, released].map(({ headers }) => headers.get('X-WOPI-ItemVersion'));
  assert.equal(new Set(versions.slice(0, 3)).size, 3, 'every save has a new version');
  assert.equal(versions[3], versions[2]);
  assert.ok(!versions.includes(null));
  const { LastModifiedTime, ...others } = JSON.parse(saved.body.toString()) as Record<string, string>;
  assert.match(LastModifiedTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
  assert.deepEqual(others, {});
});

test('answers 404 for another existing file than the token’s', async () => {
  const other = await host.access('sub/c.docx');
  for (const call of [{}, { override: 'LOCK', headers: { 'X-WOPI-Lock': 'x' } }, { override: 'DELETE' }]) {
    assert.equal((await send({ ...call, path: `/wopi/files/${other.fileId}` })).status, 404);
  }
  assert.equal((await send({ path: contents(other.fileId) })).status, 404);
});

test('answers 404 for a malformed file id before it checks the token', async () => {
  for (const id of [
    '',
    'x',
    ...['', 'AA', '.', '%00', '%0a', '/'].map((end) => 'A'.repeat(21) + end),
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..%5c..%5cwindows',
    '__proto__',
    'é'.repeat(11),
  ])
    for (const token of [edit.accessToken, 'none'])
      for (const end of ['', '/contents']) {
        const path = `/wopi/files/${encodeURI(decodeURI(id))}${end}`;
        assert.equal((await send({ path, token })).status, 404, path);
      }
});

test('checks the Host header, client address, path, token, permission, headers and lock in this order', async () => {
  const evil = { Host: 'evil.example' };
  const wrongLock = { 'X-WOPI-Lock': 'é'.repeat(3) };
  const { settings } = host.host.services;
  await settings.update({ allowedAddresses: ['192.0.2.1'] });
  try {
    assert.equal((await send({ path: '/wopi/files/x', headers: evil })).status, 421, 'Host before address');
    assert.equal((await send({ path: '/wopi/files/x', token: '' })).status, 403, 'address before id');
  } finally {
    await settings.update({ allowedAddresses: [] });
  }
  assert.equal((await send({ path: '/wopi/files/x', token: '' })).status, 404, 'id before token');
  assert.equal((await send({ override: 'NOTHING', token: '' })).status, 401, 'token before override');
  assert.equal((await send({ method: 'POST', token: view.accessToken })).status, 400);
  const put = { path: contents(edit.fileId), override: 'PUT', body: 'x', headers: wrongLock };
  assert.equal((await send({ ...put, token: view.accessToken })).status, 401, 'permission before header');
  await send({ override: 'LOCK', headers: { 'X-WOPI-Lock': 'holder' } });
  assert.equal((await send(put)).status, 400, 'header before lock');
  assert.equal((await send({ ...put, headers: {} })).status, 409);
  await send({ override: 'UNLOCK', headers: { 'X-WOPI-Lock': 'holder' } });
});

test('answers 404 for a deleted file before it checks the permission', async () => {
  await writeFile(join(host.folder, 'gone.docx'), 'x');
  const { call, path } = await host.document('gone.docx', { mode: 'view' });
  await rm(path);
  for (const override of ['DELETE', 'PUT_RELATIVE', 'RENAME_FILE', 'PUT'])
    assert.equal((await call(override, { 'X-WOPI-RequestedName': 'y' }, 'x')).status, 404, override);
});

test('uses the first token in the query, and prefers the query to the Authorization header', async () => {
  const path = `/wopi/files/${edit.fileId}?access_token=${edit.accessToken}&access_token=none`;
  assert.equal((await send({ path, token: '' })).status, 200);
  const bearer = { Authorization: `Bearer ${edit.accessToken}` };
  assert.equal((await send({ token: '', headers: bearer })).status, 200);
  assert.equal((await send({ token: 'x'.repeat(43), headers: bearer })).status, 401);
});

test('stores lock ids of up to 1024 printable bytes unchanged, compares all of them, and answers 400 to others', async () => {
  const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index));
  const longest = `{"S":"x", ${printable}}`.padEnd(1024, 'x');
  for (const [lock, other] of [
    [longest, `${longest.slice(0, -1)}y`],
    ['two words', 'two  words'],
    ['Mine', 'mine'],
    // Office's lock ids, which another host might compare by S only
    ['{"S":"1","F":4}', '{"S":"1","F":5}'],
  ] as const) {
    assert.equal((await send({ override: 'LOCK', headers: { 'X-WOPI-Lock': lock } })).status, 200);
    assert.equal((await send({ override: 'GET_LOCK' })).headers['x-wopi-lock'], lock);
    const conflict = await send({ override: 'UNLOCK', headers: { 'X-WOPI-Lock': other } });
    assert.deepEqual([conflict.status, conflict.headers['x-wopi-lock']], [409, lock]);
    assert.equal((await send({ override: 'UNLOCK', headers: { 'X-WOPI-Lock': lock } })).status, 200);
  }
  for (const lock of [`${longest}x`, 'tab\tinside', 'Gr\xf6\xdfe', '']) {
    const { status, headers } = await send({ override: 'LOCK', headers: { 'X-WOPI-Lock': lock } });
    assert.equal(status, 400);
    assert.equal(headers['x-wopi-lock'], undefined);
  }
  const rename = { 'X-WOPI-Lock': 'tab\tinside', 'X-WOPI-RequestedName': 'renamed' };
  assert.equal((await send({ override: 'RENAME_FILE', headers: rename })).status, 400);
  const free = (await send({ override: 'GET_LOCK' })).headers;
  assert.equal(free['x-wopi-lock'], '', 'present and empty');
});

test('answers an invalid request target with 4xx', async () => {
  for (const target of ['http://[', 'http://[/wopi/files/x', 'http://[::1', '//[', 'http://[::1]:x/']) {
    const text = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    const status = (await exchange({ port: host.port, parts: [text] })).answers[0]?.status ?? 0;
    assert.ok(status >= 400 && status < 500, `${target}: ${status}`);
  }
});

test('answers or closes after a JSON body that was too large, with or without a Content-Length', async () => {
  const body = 'x'.repeat(300_000);
  const head =
    'POST /api/2.0/authentication HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
  const next = 'GET /closed HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const size = body.length.toString(16);
  for (const [how, request] of [
    ['declared', `Content-Length: ${body.length}\r\n\r\n${body}`],
    ['in chunks', `Transfer-Encoding: chunked\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`],
  ] as const) {
    const { answers, end } = await exchange({ port: host.port, parts: [head + request + next], answers: 2 });
    assert.equal(answers[0]?.status, 413, how);
    assert.notEqual(end, 'hang', `${how}: the next request is left without an answer`);
    if (end !== 'closed') assert.equal(answers[1]?.status, 200, how);
  }
});
