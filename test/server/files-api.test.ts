// Listing the folder and opening documents over the JSON API.

import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { exchange } from '../fuzz/raw-exchange.ts';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;
let token: string;
before(async () => {
  host = await startTestHost({
    files: {
      'b.docx': 'bee',
      'A.txt': 'ay',
      'empty.odt': '',
      '.hidden': 'x',
      '~$b.docx': 'x',
      '.git/config': 'token = secret',
      'reports/2026/q1.xlsx': 'one',
    },
  });
  const outside = join(dirname(host.folder), 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await symlink(join(outside, 'secret.txt'), join(host.folder, 'link-out.txt'));
  await symlink(outside, join(host.folder, 'way-out'));
  await symlink('b.docx', join(host.folder, 'link-in.docx'));
  token = await host.signIn();
  await host.host.services.users.add({ login: 'vera', role: 'viewer', password: 'viewer password' });
});
after(() => host.stop());

interface Listing {
  count: number;
  response: {
    path: string;
    items: { kind: string; id?: string; path: string; name: string }[];
    startIndex: number;
    count: number;
    total: number;
  };
}

const get = (path: string): Promise<Response> =>
  fetch(host.baseUrl + path, { headers: { Authorization: token } });

async function list(query: string, path = '/api/2.0/files'): Promise<Listing> {
  const answer = await get(path + query);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Cache-Control'), 'private');
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8');
  return (await answer.json()) as Listing;
}

const names = (listing: Listing): string[] => listing.response.items.map(({ name }) => name);

const open = (body: unknown, Authorization = token): Promise<Response> =>
  fetch(`${host.baseUrl}/api/2.0/files/access`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization },
    body: JSON.stringify(body),
  });

async function assertFailure(answer: Response, status: number, type: string, what?: string): Promise<void> {
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8');
  const { statusCode, error } = (await answer.json()) as { statusCode: number; error?: { type: string } };
  assert.deepEqual([answer.status, statusCode, error?.type], [status, status, type], what);
}

test('lists folders first, then documents by name, without hidden entries and links to outside', async () => {
  const listing = await list('');
  // A link to a document in the folder is listed under the link's name.
  assert.deepEqual(names(listing), ['reports', 'A.txt', 'b.docx', 'empty.odt', 'link-in.docx']);
  const { count, startIndex, items } = listing.response;
  assert.deepEqual([listing.count, count, startIndex], [5, 5, 0]);
  assert.deepEqual(await list('', '/api/2.0/files.json'), listing);

  const { id, ...others } = items.find(({ name }) => name === 'b.docx') ?? {};
  assert.match(id ?? '', /^[A-Za-z0-9_-]{22}$/);
  const keys = ['itemVersion', 'kind', 'lastModifiedMs', 'name', 'path', 'size'];
  assert.deepEqual(Object.keys(others).toSorted(), keys);
  assert.deepEqual([items[0]?.kind, items[0]?.id], ['folder', undefined]);
});

test('pages through a listing without gaps, and returns nothing past the total', async () => {
  const all = names(await list(''));
  const pages: string[] = [];
  for (let startIndex = 0; startIndex < all.length; startIndex += 2) {
    const page = await list(`?startIndex=${startIndex}&count=2`);
    assert.deepEqual([page.response.total, page.response.startIndex], [all.length, startIndex]);
    pages.push(...names(page));
  }
  assert.deepEqual(pages, all);
  for (const start of [all.length, Number.MAX_SAFE_INTEGER])
    assert.deepEqual(names(await list(`?startIndex=${start}`)), []);
});

test('lists a subfolder by its path', async () => {
  const { items } = (await list('?path=reports/2026')).response;
  assert.deepEqual(
    items.map(({ path }) => path),
    ['reports/2026/q1.xlsx'],
  );
  assert.deepEqual(names(await list('?path=reports//2026/')), ['q1.xlsx']);
});

// test/fuzz has other queries and bodies.
test('answers 400 to an invalid query or body', async () => {
  for (const query of [
    'startIndex=-1',
    'startIndex=1.5',
    'startIndex=x',
    'startIndex=9007199254740993',
    'startIndex=1&startIndex=2',
    'count=0',
    'count=1001',
    'path=a&path=b',
    `path=${'x'.repeat(5000)}`,
  ])
    await assertFailure(await get(`/api/2.0/files?${query}`), 400, 'invalid-argument', query);
  for (const body of [{}, { path: 1 }, { path: 'b.docx', mode: 'EDIT' }, { path: 'x'.repeat(5000) }])
    await assertFailure(await open(body), 400, 'invalid-argument', JSON.stringify(body));
});

test('opens and lists nothing outside the folder, and the error reveals no absolute path', async () => {
  for (const path of [
    '..',
    '../outside/secret.txt',
    './../outside/secret.txt',
    '/etc/passwd',
    'link-out.txt',
    'way-out/secret.txt',
    'way-out',
    'b.docx\0.txt',
    'b.docx/../b.docx',
  ])
    for (const answer of [
      await open({ path }),
      await get(`/api/2.0/files?path=${encodeURIComponent(path)}`),
    ]) {
      assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`);
      const text = await answer.text();
      assert.ok(!text.includes(dirname(host.folder)) && !text.includes('secret'), text);
    }
});

test('answers 404 to what is hidden, missing or no document', async () => {
  for (const path of [
    '.hidden',
    '~$b.docx',
    '.git/config',
    '.git',
    'reports/nothing',
    'b.docx/x',
    'x'.repeat(300),
  ])
    await assertFailure(await open({ path }), 404, 'file-missing', path);
  for (const path of ['reports', '.']) await assertFailure(await open({ path }), 404, 'not-a-document', path);
  await assertFailure(await get('/api/2.0/files?path=.git'), 404, 'folder-unknown');
});

test('opening a document answers 201 with its id, its addresses and a token that is valid for 10 hours', async () => {
  const answer = await open({ path: 'b.docx' });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('Cache-Control'), 'private');
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8');
  const { response, ...rest } = (await answer.json()) as { response: Record<string, string | number> };
  assert.deepEqual(rest, { count: 1, status: 0, statusCode: 201 });
  const { fileId, accessToken, accessTokenTtl, hostEditUrl, hostViewUrl, ...addresses } = response;
  assert.deepEqual(addresses, { wopiSrc: `${host.baseUrl}/wopi/files/${fileId}` });
  assert.match(String(fileId), /^[A-Za-z0-9_-]{22}$/);
  assert.match(String(accessToken), /^[A-Za-z0-9_-]{43}$/);
  assert.ok(Number.isInteger(accessTokenTtl));
  const hours = (Number(accessTokenTtl) - host.clock.now()) / 3_600_000;
  assert.ok(hours > 9.9 && hours <= 10, `${hours} hours`);
  for (const [way, url] of Object.entries({ edit: hostEditUrl, view: hostViewUrl }))
    assert.match(String(url), new RegExp(`^${host.baseUrl}/${way}/${fileId}\\?ticket=[\\w-]{43}$`, 'u'));
  assert.equal((await host.wopi({ fileId: String(fileId), token: String(accessToken) })).status, 200);
});

test('a document has the same id when listed, opened, and opened through a link', async () => {
  const item = (await list('')).response.items.find(({ name }) => name === 'b.docx');
  for (const path of ['b.docx', 'link-in.docx', './b.docx'])
    assert.equal((await host.access(path)).fileId, item?.id, path);
});

test('lists and opens nothing without a valid token', async () => {
  assert.equal((await fetch(`${host.baseUrl}/api/2.0/files`)).status, 401);
  assert.equal((await open({ path: 'b.docx' }, 'x'.repeat(43))).status, 401);
  assert.equal((await open({ path: '../..' }, '')).status, 401, 'the token is checked before the path');
});

test('a viewer gets a read-only token in either mode', async () => {
  const apiToken = await host.signIn('vera', 'viewer password');
  for (const mode of ['edit', 'view'] as const) {
    const { info, save } = await host.document('b.docx', { apiToken, mode });
    const { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative } = await info();
    assert.deepEqual(
      [UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative],
      [false, true, false, true],
    );
    assert.equal((await save('x')).status, 401, mode);
  }
});

test('existing tokens of an editor become read-only when the editor becomes a viewer', async () => {
  const { users } = host.host.services;
  await users.add({ login: 'eddi', role: 'editor', password: 'editor password' });
  const apiToken = await host.signIn('eddi', 'editor password');
  const { call } = await host.document('empty.odt', { apiToken });
  users.setRole('eddi', 'viewer');
  assert.equal((await call('PUT', {}, 'x')).status, 401);
  users.setRole('eddi', 'editor');
  assert.equal((await call('PUT', {}, 'x')).status, 200);
});

test('answers any other path with 404 in the failure envelope', async () => {
  for (const path of [
    '/',
    '/api/2.0',
    '/api/2.0/people/@other.json',
    '/api/2.0/files/nothing',
    '/api/2.0/tariff',
    '/api/2.0/settings',
    '/api/3.0/authentication.json',
    '/favicon.ico',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/wopi',
  ])
    await assertFailure(await get(path), 404, 'not-found', path);
});

test('answers any other method with 501 on every path, so allows no CORS preflight', async () => {
  const preflight =
    'Origin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n' +
    'Access-Control-Request-Headers: content-type,authorization\r\nAccess-Control-Request-Private-Network: true\r\n';
  const paths = ['/api/2.0/authentication.json', '/api/2.0/files/access', '/wopi/files/x', '/nothing'];
  for (const method of ['PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'LOCK', 'TRACE'])
    for (const path of paths) {
      const text = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${preflight}\r\n`;
      const [answer] = (await exchange({ port: host.port, parts: [text] })).answers;
      assert.equal(answer?.status, 501, `${method} ${path}`);
      const allowing = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(allowing, [], `${method} ${path}`);
    }
});
