// View-only access to earlier versions, and attempts to use it for anything else.

import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { OpenedPage, PageVersions } from '../../app/contract/page-calls.ts';
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
  const access = await host.access('notes.md');
  ({ fileId } = access);
  await save(access.accessToken, 'second');
  await save(access.accessToken, 'third');
});

after(() => stop());

async function save(token: string, body: string, id = fileId): Promise<void> {
  const lock = { 'X-WOPI-Lock': 'lock' };
  const call = { method: 'POST', fileId: id, token };
  assert.equal((await host.wopi({ ...call, override: 'LOCK', headers: lock })).status, 200);
  assert.equal(
    (await host.wopi({ ...call, override: 'PUT', contents: true, headers: lock, body })).status,
    200,
  );
  assert.equal((await host.wopi({ ...call, override: 'UNLOCK', headers: lock })).status, 200);
}

/** A page of the document in a browser, as `mode`. */
async function openPage(mode: 'edit' | 'view' = 'edit', path = 'notes.md') {
  const { hostEditUrl, hostViewUrl } = await host.access(path, { mode });
  const url = new URL(mode === 'edit' ? hostEditUrl : hostViewUrl);
  const entered = await fetch(new URL(url.pathname + url.search, host.baseUrl), { redirect: 'manual' });
  const cookie = (entered.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const address = `${host.baseUrl}${url.pathname}`;
  const headers = { Cookie: cookie, Origin: host.baseUrl, 'Content-Type': 'application/json' };
  return {
    address,
    headers,
    get: async (call: string) => fetch(`${address}/${call}`, { headers }),
    post: async (call: string, body: object) =>
      fetch(`${address}/${call}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  };
}

type Page = Awaited<ReturnType<typeof openPage>>;

async function versionIds(page: Page): Promise<string[]> {
  const { versions } = (await (await page.get('versions')).json()) as { versions: { id: string }[] };
  return versions.map(({ id }) => id);
}

async function openVersion(page: Page, versionId: string) {
  const response = await page.post('open', { versionId });
  assert.equal(response.status, 200);
  const opened = (await response.json()) as {
    action: string;
    accessToken: string;
    mode: string;
    name: string;
  };
  const source = new URL(opened.action).searchParams.get('WOPISrc') ?? '';
  return { ...opened, id: source.slice(source.lastIndexOf('/') + 1) };
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
    assert.match(name, /^notes \(.+\)\.md$/u);
    const info = JSON.parse((await host.wopi({ fileId: id, token })).body.toString()) as Record<
      string,
      unknown
    >;
    assert.deepEqual(
      [
        info['BaseFileName'],
        info['Size'],
        info['ReadOnly'],
        info['UserCanWrite'],
        info['SupportsUpdate'],
        info['SupportsLocks'],
        info['UserCanNotWriteRelative'],
      ],
      [name, content.length, true, false, false, false, true],
    );
    const file = await host.wopi({ fileId: id, token, contents: true });
    assert.deepEqual([file.status, file.body.toString()], [200, content]);
    assert.equal(file.headers.get('Cache-Control'), 'no-store');
  }
  assert.equal(await readFile(join(host.folder, 'notes.md'), 'utf8'), 'third');
});

test('the access to a version changes nothing, and opens nothing else', async () => {
  const page = await openPage();
  const [versionId = ''] = await versionIds(page);
  const { id, accessToken: token } = await openVersion(page, versionId);
  const namesBefore = (await readdir(host.folder)).toSorted();
  const overrides = [
    'LOCK',
    'UNLOCK',
    'REFRESH_LOCK',
    'GET_LOCK',
    'PUT_RELATIVE',
    'RENAME_FILE',
    'DELETE',
    'PUT_USER_INFO',
  ];
  for (const override of overrides) {
    const headers = { 'X-WOPI-Lock': 'lock', 'X-WOPI-SuggestedTarget': 'x.md', 'X-WOPI-RequestedName': 'x' };
    assert.equal(
      await statusOf({ method: 'POST', fileId: id, token, override, headers, body: 'x' }),
      501,
      override,
    );
  }
  const put = { method: 'POST', fileId: id, token, override: 'PUT', contents: true, body: 'evil' };
  assert.equal(await statusOf(put), 501);
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
    const response = await from.post('open', { versionId: id });
    assert.equal(response.status, 404, id);
    assert.doesNotMatch(await response.text(), /accessToken/u);
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
  for (const response of responses) {
    assert.equal(response.status, 409);
    assert.doesNotMatch(await response.text(), /SECOND/u);
  }
});

test('a page that may only view compares a version, and nothing caches the texts', async () => {
  const page = await openPage('view');
  const [, first = ''] = await versionIds(page);
  const response = await page.post('compare-version', { versionId: first });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { old: 'first', now: 'third' });
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
    await post(page.address, withoutCookie),
    await post(page.address, other.headers),
    await post(other.address, other.headers),
    await post(page.address, { ...page.headers, Origin: 'http://localhost:1' }),
    await fetch(`${page.address}/compare-version?versionId=${versionId}`, { headers: page.headers }),
    await page.post('compare-version', {}),
    await page.post('compare-version', { versionId: '../../other.md' }),
  ];
  assert.ok(Cookie !== '');
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 404, 403, 404, 404, 404],
  );
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
  const { fileId: longId, accessToken } = await host.access('long.md');
  await save(accessToken, 'short', longId);
  await save(accessToken, 'a\0b', longId);
  await save(accessToken, 'text', longId);
  const page = await openPage('edit', 'long.md');
  const [binary = '', short = '', long = ''] = await versionIds(page);
  const compare = (versionId: string) => page.post('compare-version', { versionId });
  assert.equal((await compare(short)).status, 200);
  for (const id of [binary, long]) {
    const response = await compare(id);
    assert.equal(response.status, 409);
    assert.equal(((await response.json()) as { code: string }).code, 'not-text');
  }
  await writeFile(join(host.folder, 'long.md'), 'x'.repeat(1_000_001));
  assert.equal((await compare(short)).status, 409);
});

test('a page saves a copy of a version and restores one, unless it may only view', async () => {
  const viewer = await openPage('view');
  const [, first = ''] = await versionIds(viewer);
  const page = await openPage();
  const listed = (await (await page.get('versions')).json()) as PageVersions;
  const copied = await page.post('copy-version', { versionId: first });
  const { name } = (await copied.json()) as { name: string };
  const at = new Date(listed.versions[1]!.writtenAtMs);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  assert.equal(name, `notes (${day} ${two(at.getHours())}.${two(at.getMinutes())}).md`);
  assert.equal(await readFile(join(host.folder, name), 'utf8'), 'first');
  assert.equal((await page.post('restore-version', { versionId: first })).status, 204);
  assert.equal(await readFile(join(host.folder, 'notes.md'), 'utf8'), 'first');
  const { current, versions } = (await (await page.get('versions')).json()) as PageVersions;
  assert.equal(versions.length, 3, 'what was replaced is kept');
  assert.equal(current.savedHow, 'restored');
  assert.deepEqual(current.savedBy, ['owner']);
});

test('restoring ends the session of the tab that it was restored in, which gets a new token, and no other', async () => {
  const page = await openPage();
  const [versionId = ''] = await versionIds(page);
  const { services } = host.host;
  const open = async () => {
    const { accessToken: token, tokenId } = (await (await page.post('open', {})).json()) as OpenedPage;
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
