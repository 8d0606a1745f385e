// View-only access to earlier versions, and attempts to use it for anything else.

import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { OpenedPage, PageVersions } from '../../app/contract/page-calls.ts';
import { enterPage, type TestPage } from './test-page.ts';
import { postForm, startTextEditorHost, type TextEditorHost } from './text-editor-host.ts';

const minute = 60_000;

let host: TextEditorHost;
let fileId: string;
let stop: () => Promise<void>;
before(async () => {
  host = await startTextEditorHost(
    { after: (end) => void (stop = end) },
    { files: { 'notes.md': 'first', 'other.md': 'other', 'long.md': 'x'.repeat(1_000_001) } },
  );
  // The calls of these tests aren't signed; the last test is about that.
  Object.assign(host.editor(), { proofMode: 'off' });
  await save('notes.md', 'second', 'third');
});

after(() => stop());

async function save(path: string, ...bodies: string[]): Promise<void> {
  const document = await host.document(path);
  if (path === 'notes.md') ({ fileId } = document);
  assert.equal((await document.lock()).status, 200);
  for (const body of bodies) assert.equal((await document.save(body)).status, 200);
  assert.equal((await document.unlock()).status, 200);
}

/** A page of the document in a browser, as `mode`. */
async function openPage(mode: 'edit' | 'view' = 'edit', path = 'notes.md'): Promise<TestPage> {
  const { hostEditUrl, hostViewUrl } = await host.access(path, { mode });
  return enterPage(mode === 'edit' ? hostEditUrl : hostViewUrl);
}

const versionsOf = async (page: TestPage) => (await (await page.get('/versions')).json()) as PageVersions;

const versionIds = async (page: TestPage): Promise<string[]> =>
  (await versionsOf(page)).versions.map(({ id }) => id);

async function openVersion(page: TestPage, versionId: string) {
  const { status, body } = await page.post('open', { versionId });
  assert.equal(status, 200);
  const { action, accessToken, mode, name } = body as unknown as OpenedPage;
  const source = new URL(action).searchParams.get('WOPISrc') ?? '';
  return { action, accessToken, mode, name, id: source.slice(source.lastIndexOf('/') + 1) };
}

const statusOf = async (call: Parameters<TextEditorHost['wopi']>[0]): Promise<number> =>
  (await host.wopi(call)).status;

test('a version opens read-only, with its own bytes under its own id', async () => {
  const page = await openPage('view');
  const [second = '', first = ''] = await versionIds(page);
  for (const [versionId, content] of [
    [second, 'second'],
    [first, 'first'],
  ] as const) {
    const { id, accessToken: token, mode, name } = await openVersion(page, versionId);
    assert.notEqual(id, fileId);
    assert.equal(mode, 'view');
    assert.match(name, /^notes \(\d{4}-\d\d-\d\d \d\d\.\d\d\)\.md$/u);
    const info = JSON.parse((await host.wopi({ fileId: id, token })).body.toString());
    const { BaseFileName, Size, ReadOnly, UserCanWrite, UserCanNotWriteRelative } = info;
    assert.deepEqual([BaseFileName, Size], [name, content.length]);
    assert.deepEqual([ReadOnly, UserCanWrite, UserCanNotWriteRelative], [true, false, true]);
    assert.ok(!(info.SupportsUpdate || info.SupportsLocks || info.SupportsRename || info.UserCanRename));
    const file = await host.wopi({ fileId: id, token, contents: true });
    assert.deepEqual([file.status, file.body.toString()], [200, content]);
    assert.equal(file.headers.get('Cache-Control'), 'no-store');
    for (const [expected, status] of [
      ['1', 412],
      ['x', 400],
    ] as const) {
      const headers = { 'X-WOPI-MaxExpectedSize': expected };
      assert.equal(await statusOf({ fileId: id, token, contents: true, headers }), status);
    }
  }
  assert.equal(await readFile(join(host.folder, 'notes.md'), 'utf8'), 'third');
});

test('the access to a version changes nothing, and opens nothing else', async () => {
  const page = await openPage();
  const [versionId = ''] = await versionIds(page);
  const { id, accessToken: token } = await openVersion(page, versionId);
  const namesBefore = (await readdir(host.folder)).toSorted();
  const headers = { 'X-WOPI-Lock': 'lock', 'X-WOPI-SuggestedTarget': 'x.md', 'X-WOPI-RequestedName': 'x' };
  for (const override of 'LOCK UNLOCK REFRESH_LOCK GET_LOCK PUT_RELATIVE RENAME_FILE DELETE PUT_USER_INFO PUT'.split(
    ' ',
  )) {
    const contents = override === 'PUT';
    assert.equal(
      await statusOf({ fileId: id, token, override, contents, headers, body: 'x' }),
      501,
      override,
    );
  }
  assert.equal(await readFile(join(host.folder, 'notes.md'), 'utf8'), 'third');
  assert.deepEqual((await readdir(host.folder)).toSorted(), namesBefore);

  const other = (await host.access('other.md')).fileId;
  for (const target of [fileId, other]) {
    for (const contents of [false, true])
      assert.equal(await statusOf({ fileId: target, token, contents }), 401);
    const lock = { method: 'POST', fileId: target, token, override: 'LOCK', headers: { 'X-WOPI-Lock': 'l' } };
    assert.equal(await statusOf(lock), 401);
  }
  for (const address of [`/api/2.0/files/${id}`, `/edit/${id}`, `/view/${id}`]) {
    const response = await fetch(host.baseUrl + address, { headers: { Authorization: `Bearer ${token}` } });
    assert.notEqual(response.status, 200, address);
  }
});

test('a version needs its own token, which expires, and works for no other version', async () => {
  const page = await openPage();
  const [second = '', first = ''] = await versionIds(page);
  const [one, two] = [await openVersion(page, second), await openVersion(page, first)];
  const documentToken = (await host.access('notes.md')).accessToken;
  for (const token of ['', 'x', two.accessToken, documentToken, `${one.accessToken}x`]) {
    for (const contents of [false, true])
      assert.equal(await statusOf({ fileId: one.id, token, contents }), 401, token);
  }
  assert.equal(await statusOf({ fileId: one.id, token: one.accessToken }), 200);
  host.clock.advance(15 * minute);
  assert.ok([401, 404].includes(await statusOf({ fileId: one.id, token: one.accessToken, contents: true })));
});

test('a version that isn’t one, or of another document, doesn’t open', async () => {
  const page = await openPage();
  const other = await openPage('edit', 'other.md');
  const [versionId = ''] = await versionIds(page);
  for (const [from, id] of [
    [other, versionId],
    [page, '../../other.md'],
    [page, ''],
    [page, 'nothing'],
  ] as const) {
    const { status, body } = await from.post('open', { versionId: id });
    assert.equal(status, 404, id);
    assert.equal(body['accessToken'], undefined);
  }
  const stranger = await fetch(`${host.baseUrl}/view/${fileId}/versions`);
  assert.equal(stranger.status, 401);
});

test('a version whose bytes were changed in the data folder isn’t opened or compared', async () => {
  const page = await openPage();
  const [versionId = ''] = await versionIds(page);
  const path = join(host.dataDir, 'versions', fileId, versionId);
  const bytes = await readFile(path);
  await writeFile(path, 'SECOND');
  const responses = [
    await page.post('open', { versionId }),
    await page.post('compare-version', { versionId }),
  ];
  await writeFile(path, bytes);
  for (const { status, body: shown } of responses) {
    assert.equal(status, 409);
    assert.doesNotMatch(JSON.stringify(shown), /SECOND/u);
  }
});

test('a page that may only view compares a version, and nothing caches the texts', async () => {
  const page = await openPage('view');
  const [, first = ''] = await versionIds(page);
  const response = await page.post('compare-version', { versionId: first });
  assert.equal(response.status, 200);
  assert.deepEqual(response.body, { old: 'first', now: 'third' });
  assert.equal(response.headers.get('Cache-Control'), 'no-store');
  assert.equal(response.headers.get('X-Content-Type-Options'), 'nosniff');
  assert.match(response.headers.get('Content-Type') ?? '', /^application\/json/u);
});

test('a version is compared only with the document’s own cookie, from the host’s own page', async () => {
  const page = await openPage();
  const other = await openPage('edit', 'other.md');
  const [versionId = ''] = await versionIds(page);
  const post = (address: string, headers: Record<string, string>) =>
    fetch(`${address}/compare-version`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ versionId }),
    });
  const { Cookie, ...withoutCookie } = page.headers;
  const answers = [
    await post(page.url, withoutCookie),
    await post(page.url, other.headers),
    await post(other.url, other.headers),
    await post(page.url, { ...page.headers, Origin: 'http://localhost:1' }),
    await fetch(`${page.url}/compare-version?versionId=${versionId}`, { headers: page.headers }),
  ];
  assert.ok(Cookie !== '');
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 404, 403, 404],
  );
  for (const body of [{}, { versionId: '../../other.md' }])
    assert.equal((await page.post('compare-version', body)).status, 404);
  for (const answer of answers) assert.doesNotMatch(await answer.text(), /first|second|third/u);
});

test('refuses to compare versions while paused', async () => {
  const page = await openPage();
  const [versionId = ''] = await versionIds(page);
  host.host.pause(null);
  const response = await page.post('compare-version', { versionId });
  host.host.resume();
  assert.equal(response.status, 503);
});

test('only texts of up to 1 MB are compared', async () => {
  await save('long.md', 'short', 'a\0b', 'text');
  const page = await openPage('edit', 'long.md');
  const [binary = '', short = '', long = ''] = await versionIds(page);
  const compare = (versionId: string) => page.post('compare-version', { versionId });
  assert.equal((await compare(short)).status, 200);
  for (const id of [binary, long]) {
    const { status, body } = await compare(id);
    assert.deepEqual([status, body['code']], [409, 'not-text']);
  }
  await writeFile(join(host.folder, 'long.md'), 'x'.repeat(1_000_001));
  assert.equal((await compare(short)).status, 409);
});

test('a page that may only view neither copies nor restores a version', async () => {
  const viewer = await openPage('view');
  const [versionId = ''] = await versionIds(viewer);
  for (const call of ['copy-version', 'restore-version'])
    assert.equal((await viewer.post(call, { versionId })).status, 403);
});

test('a page saves a copy of a version, but not of a damaged one, and restores a version', async () => {
  const page = await openPage();
  const [second = '', first = ''] = await versionIds(page);
  const listed = await versionsOf(page);
  const name = String((await page.post('copy-version', { versionId: first })).body['name']);
  const at = new Date(listed.versions[1]!.writtenAtMs);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  assert.equal(name, `notes (${day} ${two(at.getHours())}.${two(at.getMinutes())}).md`);
  assert.equal(await readFile(join(host.folder, name), 'utf8'), 'first');
  assert.equal((await page.post('restore-version', { versionId: first })).status, 204);
  assert.equal(await readFile(join(host.folder, 'notes.md'), 'utf8'), 'first');
  const { current, versions } = await versionsOf(page);
  assert.equal(versions.length, 3, 'what was replaced is kept');
  assert.equal(current.savedHow, 'restored');
  assert.deepEqual(current.savedBy, ['owner']);
  await writeFile(join(host.dataDir, 'versions', fileId, second), 'SECOND');
  const { body } = await page.post('copy-version', { versionId: second });
  assert.equal(body['code'], 'version-damaged');
});

test('restoring ends the session of the tab that it was restored in, which gets a new token, and no other', async () => {
  const page = await openPage();
  const [versionId = ''] = await versionIds(page);
  const { services } = host.host;
  const open = async () => {
    const { accessToken: token, tokenId } = (await page.post('open')).body as unknown as OpenedPage;
    assert.equal(await statusOf({ fileId, token }), 200);
    return { token, tokenId };
  };
  const [tab, otherTab] = [await open(), await open()];
  const ended = (passedMs: number): boolean[] => {
    host.clock.advance(passedMs);
    services.closedPages.revokeTokens();
    return [tab, otherTab].map(({ tokenId }) => services.sessions.find(tokenId) === undefined);
  };
  const restore = (id: string) => page.post('restore-version', { versionId: id, accessTokens: [tab.token] });
  assert.equal((await restore('unknown')).status, 404);
  assert.deepEqual(ended(11_000), [false, false]);
  assert.equal((await restore(versionId)).status, 204);
  assert.deepEqual(ended(11_000), [true, false]);
});

test('a version is only for the editor that it was opened in: unsigned calls are refused, and all are journaled as the document’s', async () => {
  const page = await openPage();
  const [versionId = ''] = await versionIds(page);
  const { journal } = host.host.services;
  const { id, accessToken: token, action } = await openVersion(page, versionId);
  const before = journal.lastSequence();
  assert.equal((await postForm(action, { access_token: token })).status, 200);
  Object.assign(host.editor(), { proofMode: 'required' });
  const { status, body } = await host.wopi({ fileId: id, token, contents: true });
  assert.equal(status, 500);
  assert.doesNotMatch(body.toString(), /first|second|third/u);
  assert.deepEqual(
    journal
      .newest(journal.lastSequence() - before)
      .map((entry) => [entry.operation, entry.fileId, entry.isVersion]),
    [
      ['TextEditorPage', fileId, true],
      ['Request', fileId, true],
    ],
  );
});
