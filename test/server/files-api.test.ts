// Listing the folder and opening documents over the JSON API.

import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
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

interface Item {
  kind: string;
  id?: string;
  path: string;
  name: string;
}

interface Listing {
  count: number;
  response: { path: string; items: Item[]; startIndex: number; count: number; total: number };
  statusCode: number;
  error?: { message: string; type: string };
}

async function list(query: string, expected = 200, path = '/api/2.0/files'): Promise<Listing> {
  const answer = await fetch(`${host.baseUrl}${path}${query}`, { headers: { Authorization: token } });
  const text = await answer.text();
  assert.equal(answer.status, expected, text);
  assert.equal(answer.headers.get('Cache-Control'), 'private');
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8');
  return JSON.parse(text) as Listing;
}

const names = (listing: Listing): string[] => listing.response.items.map(({ name }) => name);

function open(body: unknown, authorization: string = token): Promise<Response> {
  return fetch(`${host.baseUrl}/api/2.0/files/access`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: authorization },
    body: JSON.stringify(body),
  });
}

async function failure(answer: Response): Promise<[number, string, string]> {
  const { statusCode, error } = (await answer.json()) as Listing;
  assert.equal(statusCode, answer.status);
  return [answer.status, error?.type ?? '', error?.message ?? ''];
}

test('lists folders first, then documents by name, without hidden entries and links to outside', async () => {
  const listing = await list('');
  // A link to a document in the folder is listed under the link's name.
  assert.deepEqual(names(listing), ['reports', 'A.txt', 'b.docx', 'empty.odt', 'link-in.docx']);
  assert.equal(listing.count, listing.response.items.length);
  assert.equal(listing.response.count, listing.response.items.length);
  assert.equal(listing.response.startIndex, 0);
});

test('/api/2.0/files.json returns the same listing', async () => {
  assert.deepEqual(names(await list('', 200, '/api/2.0/files.json')), names(await list('')));
});

test('a listed document has an id, a size and a version; a folder has no id', async () => {
  const { items } = (await list('')).response;
  const document = items.find(({ name }) => name === 'b.docx');
  assert.deepEqual(Object.keys(document ?? {}).toSorted(), [
    'id',
    'itemVersion',
    'kind',
    'lastModifiedMs',
    'name',
    'path',
    'size',
  ]);
  assert.match(document?.id ?? '', /^[A-Za-z0-9_-]{22}$/);
  const folder = items.find(({ name }) => name === 'reports');
  assert.deepEqual([folder?.kind, folder?.id], ['folder', undefined]);
});

test('pages through a listing without gaps, and returns nothing past the total', async () => {
  const all = names(await list(''));
  const pages: string[] = [];
  for (let startIndex = 0; startIndex < all.length; startIndex += 2) {
    const page = await list(`?startIndex=${startIndex}&count=2`);
    assert.equal(page.response.total, all.length);
    assert.equal(page.response.startIndex, startIndex);
    pages.push(...names(page));
  }
  assert.deepEqual(pages, all);
  assert.deepEqual(names(await list(`?startIndex=${all.length}`)), []);
  assert.deepEqual(names(await list('?startIndex=9007199254740991')), []);
});

test('lists a subfolder by its path', async () => {
  const listing = await list('?path=reports/2026');
  assert.deepEqual(
    listing.response.items.map(({ path }) => path),
    ['reports/2026/q1.xlsx'],
  );
  assert.deepEqual(names(await list('?path=reports//2026/')), ['q1.xlsx']);
});

for (const query of [
  '?startIndex=-1',
  '?startIndex=1.5',
  '?startIndex=x',
  '?startIndex=NaN',
  '?startIndex=Infinity',
  '?startIndex=1e400',
  '?startIndex=9007199254740993',
  '?startIndex=1&startIndex=2',
  '?count=0',
  '?count=1001',
  '?count=-5',
  '?count=',
  '?path=a&path=b',
  `?path=${'x'.repeat(5000)}`,
]) {
  test(`answers 400 to the query ${query.slice(0, 40)}`, async () => {
    assert.equal((await list(query, 400)).error?.type, 'invalid-argument');
  });
}

const outsidePaths = [
  '..',
  '../outside/secret.txt',
  'reports/../../outside/secret.txt',
  './../outside/secret.txt',
  '/etc/passwd',
  'link-out.txt',
  'way-out/secret.txt',
  'way-out',
  'b.docx\0.txt',
  'b.docx/../b.docx',
];
for (const path of outsidePaths) {
  test(`opens and lists nothing at ${JSON.stringify(path)}, and the error reveals no absolute path`, async () => {
    for (const answer of [
      await open({ path }),
      await fetch(`${host.baseUrl}/api/2.0/files?path=${encodeURIComponent(path)}`, {
        headers: { Authorization: token },
      }),
    ]) {
      const [status, , message] = await failure(answer);
      assert.ok(status === 400 || status === 404, `${status}`);
      assert.ok(!message.includes(dirname(host.folder)), message);
      assert.ok(!message.includes('secret'));
    }
  });
}

for (const path of ['.hidden', '~$b.docx', '.git/config', '.git']) {
  test(`answers 404 when the hidden path ${path} is opened`, async () => {
    assert.deepEqual((await failure(await open({ path }))).slice(0, 2), [404, 'file-missing']);
  });
}

test('answers 404 when a hidden folder is listed', async () => {
  assert.equal((await list('?path=.git', 404)).error?.type, 'folder-unknown');
});

test('answers 404 when an unknown document or a folder is opened', async () => {
  for (const path of ['nothing.docx', 'reports/nothing', 'b.docx/x', 'x'.repeat(300)]) {
    assert.deepEqual((await failure(await open({ path }))).slice(0, 2), [404, 'file-missing'], path);
  }
  for (const path of ['reports', '.']) {
    assert.deepEqual((await failure(await open({ path }))).slice(0, 2), [404, 'not-a-document'], path);
  }
});

test('opening a document answers 201 with its id, its addresses and a token that is valid for 10 hours', async () => {
  const answer = await open({ path: 'b.docx' });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('Cache-Control'), 'private');
  assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8');
  const body = (await answer.json()) as { response: Record<string, string | number> };
  const { fileId, accessToken, accessTokenTtl, ...addresses } = body.response;
  assert.deepEqual({ ...body, response: {} }, { count: 1, response: {}, status: 0, statusCode: 201 });
  assert.match(String(fileId), /^[A-Za-z0-9_-]{22}$/);
  assert.match(String(accessToken), /^[A-Za-z0-9_-]{43}$/);
  assert.ok(Number.isInteger(accessTokenTtl));
  const hours = (Number(accessTokenTtl) - host.clock.now()) / 3_600_000;
  assert.ok(hours > 9.9 && hours <= 10, `${hours} hours`);
  const withoutTicket = (url: unknown): string => String(url).replace(/\?ticket=[A-Za-z0-9_-]{43}$/u, '');
  assert.deepEqual(
    {
      ...addresses,
      hostEditUrl: withoutTicket(addresses['hostEditUrl']),
      hostViewUrl: withoutTicket(addresses['hostViewUrl']),
    },
    {
      wopiSrc: `${host.baseUrl}/wopi/files/${fileId}`,
      hostEditUrl: `${host.baseUrl}/edit/${fileId}`,
      hostViewUrl: `${host.baseUrl}/view/${fileId}`,
    },
  );
  assert.notEqual(addresses['hostEditUrl'], withoutTicket(addresses['hostEditUrl']), 'it has a ticket');
  assert.equal((await host.wopi({ fileId: String(fileId), token: String(accessToken) })).status, 200);
});

test('a document has the same id when listed, opened, and opened through a link', async () => {
  const opened = await host.access('b.docx');
  const item = (await list('')).response.items.find(({ name }) => name === 'b.docx');
  assert.equal(item?.id, opened.fileId);
  assert.equal((await host.access('link-in.docx')).fileId, opened.fileId);
  assert.equal((await host.access('./b.docx')).fileId, opened.fileId);
});

for (const body of [
  {},
  { path: 1 },
  { path: null },
  { path: ['b.docx'] },
  { path: 'b.docx', mode: 'EDIT' },
  { path: 'b.docx', mode: 'owner' },
  { path: 'b.docx', mode: null },
  { path: 'x'.repeat(5000) },
]) {
  test(`answers 400 when a document is opened with ${JSON.stringify(body).slice(0, 40)}`, async () => {
    assert.deepEqual((await failure(await open(body))).slice(0, 2), [400, 'invalid-argument']);
  });
}

test('lists and opens nothing without a valid token', async () => {
  assert.equal((await fetch(`${host.baseUrl}/api/2.0/files`)).status, 401);
  assert.equal((await open({ path: 'b.docx' }, 'x'.repeat(43))).status, 401);
  assert.equal((await open({ path: '../..' }, '')).status, 401, 'the token is checked before the path');
});

test('a viewer gets a read-only token in either mode', async () => {
  const apiToken = await host.signIn('vera', 'viewer password');
  for (const mode of ['edit', 'view'] as const) {
    const access = await host.access('b.docx', { apiToken, mode });
    const { fileId, accessToken } = access;
    const info = JSON.parse((await host.wopi({ fileId, token: accessToken })).body.toString());
    assert.deepEqual(
      [info.UserCanWrite, info.ReadOnly, info.UserCanRename, info.UserCanNotWriteRelative],
      [false, true, false, true],
      mode,
    );
    const put = { fileId, token: accessToken, contents: true, override: 'PUT', body: 'x' };
    assert.equal((await host.wopi(put)).status, 401);
  }
});

test('existing tokens of an editor become read-only when the editor becomes a viewer', async () => {
  const { users } = host.host.services;
  await users.add({ login: 'eddi', role: 'editor', password: 'editor password' });
  const apiToken = await host.signIn('eddi', 'editor password');
  const { fileId, accessToken } = await host.access('empty.odt', { apiToken });
  const put = { fileId, token: accessToken, contents: true, override: 'PUT', body: 'x' };
  users.setRole('eddi', 'viewer');
  assert.equal((await host.wopi(put)).status, 401);
  users.setRole('eddi', 'editor');
  assert.equal((await host.wopi(put)).status, 200);
});

for (const path of [
  '/',
  '/api',
  '/api/2.0',
  '/api/2.0/people',
  '/api/2.0/people/@other.json',
  '/api/2.0/files/nothing',
  '/api/3.0/authentication.json',
  '/favicon.ico',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/wopi',
  '/metrics',
]) {
  test(`answers GET ${path} with 404 in the failure envelope`, async () => {
    const answer = await fetch(host.baseUrl + path);
    assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=utf-8');
    assert.deepEqual((await failure(answer)).slice(0, 2), [404, 'not-found']);
  });
}

for (const method of ['PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'LOCK', 'MOVE', 'SEARCH', 'TRACE']) {
  test(`answers ${method} with 501 on every path`, async () => {
    const { exchange } = await import('../fuzz/raw-exchange.ts');
    for (const path of ['/api/2.0/authentication.json', '/wopi/files/x', '/nothing']) {
      const text = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
      const { answers } = await exchange({ port: Number(new URL(host.baseUrl).port), parts: [text] });
      assert.equal(answers[0]?.status, 501, path);
    }
  });
}

test('has no tariff, tenant or settings endpoints', async () => {
  for (const path of ['tariff', 'tariffs', 'tenant', 'tenants', 'settings', 'portal/tariff']) {
    assert.equal(
      (await fetch(`${host.baseUrl}/api/2.0/${path}`, { headers: { Authorization: token } })).status,
      404,
    );
  }
});
