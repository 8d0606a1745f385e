// The calls of a host page's script. They return tokens and state only for the page's own document.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, chmod, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../app/contract/errors.ts';
import { receiveBody } from '../../app/files/received-body.ts';
import { editorUrl, openPages, password, type Pages } from './pages-fixture.ts';

const word = await readFile(new URL('../fixtures/letter.docx', import.meta.url));
let pages: Pages;
let id: string;
let editorId: string;
before(async () => {
  pages = await openPages({
    'letter.docx': 'x',
    'fixed.docx': 'x',
    'a <b>"c" & d.docx': 'x',
    'old.doc': 'x',
    'paper.pdf': 'x',
    'drawing.odg': 'x',
    'strange.xyz': 'x',
    'gone.docx': 'x',
    'moved.docx': 'x',
    'copy.docx': 'x',
    'protected later.docx': 'x',
    'one editor.docx': 'x',
    'saved.docx': 'x',
    'held.docx': 'x',
    'named.docx': 'x',
    'read.docx': 'x',
    'recovered.docx': 'x',
    'moved apart.docx': 'x',
    'left.docx': 'x',
    'shared.docx': 'x',
    'growing.bin': '',
    'text.docx': 'x',
    'damaged.docx': word,
    'cut.docx': word.subarray(0, word.length - 30),
  });
  editorId = (await pages.connect()).id;
  id = await pages.fileId('letter.docx');
});
after(() => pages.close());

function get(path: string, cookie: string): Promise<Response> {
  return fetch(pages.origin + path, { headers: { Cookie: cookie }, redirect: 'manual' });
}

async function state(path: string, cookie: string): Promise<Record<string, unknown>> {
  return (await (await get(path, cookie)).json()) as Record<string, unknown>;
}

async function enterFile(path: string, mode: 'edit' | 'view' = 'edit'): Promise<[string, string]> {
  const fileId = await pages.fileId(path);
  return [fileId, await pages.enter(pages.owner, fileId, { mode })];
}

test('serves a page that frames and posts only to the editor, without a token', async () => {
  const [fileId, cookie] = await enterFile('letter.docx');
  const answer = await get(`/edit/${fileId}`, cookie);
  assert.equal(answer.status, 200);
  assert.equal(
    answer.headers.get('Content-Security-Policy'),
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
      'frame-src http://docs.example:9980; form-action http://docs.example:9980; ' +
      "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('Referrer-Policy'), 'no-referrer');
  assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
  const html = await answer.text();
  assert.match(html, /<title>letter\.docx – DocTray<\/title>/);
  assert.match(html, new RegExp(`data-name="letter.docx" data-mode="edit" data-file-id="${fileId}"`, 'u'));
  assert.match(html, /<p role="status">.+<\/main>\s*<iframe name="editor"/);
  assert.match(html, /<script type="module" src="\.\.\/host-page\/host-page\.js"><\/script>/);
  assert.doesNotMatch(html.replaceAll(/<script[^>]*><\/script>/g, ''), /<script|style=|\son\w+=/i);
  assert.doesNotMatch(html, /[\w-]{43}/);
});

test('escapes the document’s name in the page', async () => {
  const [fileId, cookie] = await enterFile('a <b>"c" & d.docx');
  const html = await (await get(`/edit/${fileId}`, cookie)).text();
  assert.ok(!html.includes('<b>'));
  assert.match(html, /data-name="a &lt;b&gt;&quot;c&quot; &amp; d\.docx"/);
});

test('open returns the editor’s action and a token that is bound to the document, the editor and the page', async () => {
  const cookie = await pages.enter(pages.owner, id, { editorId });
  const { status, body, headers } = await pages.post(`/edit/${id}/open`, {
    cookie,
    headers: { 'Accept-Language': 'de-AT, en;q=0.5' },
  });
  assert.equal(status, 200);
  assert.equal(headers.get('Cache-Control'), 'no-store');
  const { accessToken, accessTokenTtl, tokenId, ...rest } = body;
  const source = encodeURIComponent(`http://host.docker.internal:8790/wopi/files/${id}`);
  assert.deepEqual(rest, {
    name: 'letter.docx',
    path: 'letter.docx',
    mode: 'edit',
    canEdit: true,
    isOwner: true,
    editorId,
    kind: 'collabora',
    editorName: 'Editor',
    action: `http://docs.example:9980/hosting/edit?ui=de-AT&WOPISrc=${source}&lang=de-AT&closebutton=1&revisionhistory=1`,
    formFields: {},
    editorOrigins: ['http://docs.example:9980'],
    canConvert: false,
    convertAction: null,
    closeUrl: `${pages.origin}/closed`,
    damaged: null,
  });
  const grant = pages.services.accessTokens.find(String(accessToken));
  assert.deepEqual(
    [grant?.id, grant?.fileId, grant?.mode, grant?.editorId, grant?.pageUrl, grant?.expiresAtMs],
    [tokenId, id, 'edit', editorId, pages.origin, accessTokenTtl],
  );
  assert.ok(grant?.pageSessionId);
});

test('open says that a document is damaged and which version can be read, but not that its extension is wrong', async () => {
  const path = join(pages.folder, 'damaged.docx');
  const [fileId, cookie] = await enterFile('damaged.docx');
  const damagedIn = async (document: string, by: string): Promise<unknown> =>
    (await pages.post(`/edit/${document}/open`, { cookie: by })).body['damaged'];
  assert.equal(await damagedIn(fileId, cookie), null);
  const { folders, clock } = pages.services;
  const { folder, content } = folders.require(fileId);
  const found = await folder.find(fileId);
  assert.ok(found !== undefined);
  const incoming = await receiveBody({
    source: Readable.from([Buffer.from('PK\x03\x04'), Buffer.alloc(1000, 'x')]),
    folder: await folder.jail.openFolder(''),
    fallbackDirectory: pages.folder,
    name: '.~new.tmp',
    maxBytes: 10_000,
  });
  const origin = { savedAtMs: clock(), savedBy: null, savedHow: null };
  await content.replace({ found, incoming, origin, record: () => undefined });
  const { versionId } = (await damagedIn(fileId, cookie)) as { versionId: string };
  assert.equal(versionId, folders.require(fileId).versions.list(fileId)[0]?.id);
  await writeFile(path, 'conversion failed: error -86');
  assert.deepEqual(await damagedIn(fileId, cookie), {
    versionId,
    writtenAtMs: folders.require(fileId).versions.list(fileId)[0]?.writtenAtMs,
  });
  assert.deepEqual(await damagedIn(...(await enterFile('cut.docx'))), { versionId: null, writtenAtMs: null });
  assert.equal(await damagedIn(...(await enterFile('text.docx'))), null);
});

test('opens in view mode on a view page and on request, and rejects an unknown mode', async () => {
  const cookie = await pages.enter(pages.owner, id);
  const viewing = (await pages.post(`/view/${id}/open`, { cookie })).body;
  assert.deepEqual([viewing['mode'], viewing['canEdit']], ['view', true]);
  assert.match(String(viewing['action']), /\/hosting\/view\?/);
  assert.equal(
    (await pages.post(`/edit/${id}/open`, { cookie, body: { mode: 'view' } })).body['mode'],
    'view',
  );
  assert.equal((await pages.post(`/edit/${id}/open`, { cookie, body: { mode: 'own' } })).status, 400);
});

test('a view session gets no token that can write and no ticket for editing', async () => {
  const cookie = await pages.enter(pages.owner, id, { mode: 'view' });
  for (const [path, body] of [
    [`/edit/${id}/open`, { mode: 'edit' }],
    [`/edit/${id}/token`, { mode: 'edit' }],
  ] as const) {
    const token = String((await pages.post(path, { cookie, body })).body['accessToken']);
    assert.equal(pages.services.accessTokens.find(token)?.canWrite, false, path);
  }
  const ticket = await pages.post(`/view/${id}/ticket`, { cookie, body: { mode: 'edit' } });
  assert.deepEqual([ticket.status, ticket.body['code']], [403, 'permission-denied']);
});

test('opens a read-only file in view mode', async () => {
  const [fileId, cookie] = await enterFile('fixed.docx');
  await chmod(join(pages.folder, 'fixed.docx'), 0o444);
  const { mode, canEdit } = (await pages.post(`/edit/${fileId}/open`, { cookie })).body;
  assert.deepEqual({ mode, canEdit }, { mode: 'view', canEdit: false });
});

test('opens a type that editors can only view in view mode', async () => {
  const [fileId, cookie] = await enterFile('paper.pdf');
  const { mode, canEdit, canConvert } = (await pages.post(`/edit/${fileId}/open`, { cookie })).body;
  assert.deepEqual({ mode, canEdit, canConvert }, { mode: 'view', canEdit: false, canConvert: false });
});

test('offers to convert an old format, with a token that can create the copy and a policy that allows the redirect', async () => {
  const [fileId, cookie] = await enterFile('old.doc');
  const { body } = await pages.post(`/edit/${fileId}/open`, { cookie });
  assert.deepEqual([body['mode'], body['canEdit'], body['canConvert']], ['edit', false, true]);
  assert.match(String(body['action']), /\/hosting\/view\?/);
  assert.match(String(body['convertAction']), /\/hosting\/convert\?/);
  assert.equal(pages.services.accessTokens.find(String(body['accessToken']))?.canWrite, true);
  const policy = (await get(`/edit/${fileId}`, cookie)).headers.get('Content-Security-Policy') ?? '';
  assert.match(policy, /form-action http:\/\/docs\.example:9980 'self';/);
  const viewing = (await pages.post(`/view/${fileId}/open`, { cookie })).body;
  assert.deepEqual([viewing['mode'], viewing['convertAction']], ['view', null]);
  const [drawing, other] = await enterFile('drawing.odg');
  const only = await pages.post(`/view/${drawing}/open`, { cookie: other });
  assert.deepEqual([only.status, only.body['code']], [409, 'no-editor']);
});

test('the page says what to do when no editor opens the type', async () => {
  const [fileId, cookie] = await enterFile('strange.xyz');
  const answer = await get(`/edit/${fileId}`, cookie);
  assert.equal(answer.status, 409);
  const html = await answer.text();
  assert.match(html, /No editor can open this document.*\.xyz.*Settings, then Editors/s);
  assert.ok(html.includes(`<form method="post" action="${fileId}/download">`));
  const opened = await pages.post(`/edit/${fileId}/open`, { cookie });
  assert.deepEqual([opened.status, opened.body['code']], [409, 'no-editor']);
});

test('downloads the document for its own page only, as an attachment, and not while opening is refused', async () => {
  const [fileId, cookie] = await enterFile('strange.xyz', 'view');
  const [, otherCookie] = await enterFile('read.docx');
  const download = (headers: Record<string, string>) =>
    fetch(`${pages.origin}/view/${fileId}/download`, { method: 'POST', headers });
  const own = { Cookie: cookie, Origin: pages.origin };
  const answer = await download(own);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Content-Type'), 'application/octet-stream');
  assert.equal(answer.headers.get('Content-Disposition'), 'attachment; filename="strange.xyz"');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
  assert.equal(await answer.text(), 'x');
  const refused = [
    await download({ ...own, Origin: 'http://localhost:1' }),
    await download({ ...own, 'Sec-Fetch-Site': 'same-site' }),
    await download({ Origin: pages.origin }),
    await download({ ...own, Cookie: otherCookie }),
    await get(`/view/${fileId}/download`, cookie),
  ];
  pages.state.refusal = new AppError('paused');
  refused.push(await download(own));
  pages.state.refusal = undefined;
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 401, 401, 404, 503],
  );
});

test('downloads an empty document, and only the announced bytes of one that grows', async () => {
  const [fileId, cookie] = await enterFile('growing.bin', 'view');
  const path = join(pages.folder, 'growing.bin');
  const url = new URL(`${pages.origin}/view/${fileId}/download`);
  const headers = { Cookie: cookie, Origin: pages.origin };
  const empty = await fetch(url, { method: 'POST', headers });
  assert.deepEqual([empty.status, await empty.text()], [200, '']);
  // More than the sockets' buffers take while nobody reads.
  const size = 32_000_000;
  await truncate(path, size);
  const socket = connect(Number(url.port), url.hostname);
  const head = `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nCookie: ${cookie}\r\nOrigin: ${pages.origin}\r\n`;
  socket.write(
    `${head}Content-Length: 0\r\n\r\nGET / HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`,
  );
  await once(socket, 'readable');
  await appendFile(path, 'more');
  const answers = await buffer(socket);
  const start = answers.indexOf('\r\n\r\n') + 4;
  assert.match(answers.toString('latin1', 0, start), /\r\nContent-Length: 32000000\r\n/);
  // The next answer on the connection.
  assert.equal(answers.toString('latin1', start + size, start + size + 9), 'HTTP/1.1 ');
});

test('falls back to the type’s editor if the requested editor was removed', async () => {
  const cookie = await pages.enter(pages.owner, id, { editorId: 'deadbeef' });
  assert.equal((await pages.post(`/edit/${id}/open`, { cookie })).body['editorId'], editorId);
});

// CSP source expressions can't contain IPv6 addresses.
test('allows an editor at an IPv6 address by its scheme in the page’s policy', async () => {
  pages.known.url = 'http://[fd00::7]:9980';
  const { id: sixth } = await pages.connect();
  const cookie = await pages.enter(pages.owner, id, { editorId: sixth });
  const policy = (await get(`/edit/${id}`, cookie)).headers.get('Content-Security-Policy') ?? '';
  assert.match(policy, /frame-src http:; form-action http:;/);
  await pages.editors.remove(sixth);
});

test('a renewed token has the mode, session and editor of the previous one, which stays valid', async () => {
  const cookie = await pages.enter(pages.owner, id);
  const first = String((await pages.post(`/edit/${id}/open`, { cookie })).body['accessToken']);
  pages.clock.advance(9 * 60 * 60 * 1000);
  const { status, body } = await pages.post(`/edit/${id}/token`, { cookie, body: { editorId } });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).toSorted(), ['accessToken', 'accessTokenTtl', 'tokenId']);
  assert.ok(Number(body['accessTokenTtl']) > pages.clock.now() + 9 * 60 * 60 * 1000);
  const [before, renewed] = [first, String(body['accessToken'])].map((token) =>
    pages.services.accessTokens.find(token),
  );
  assert.equal(renewed?.mode, 'edit');
  assert.equal(renewed?.pageSessionId, before?.pageSessionId);
  assert.equal(renewed?.editorId, before?.editorId);
});

test('refuses to renew a token for a removed editor', async (t) => {
  pages.known.url = 'http://other.example';
  const { id: other } = await pages.connect();
  t.after(() => {
    pages.known.url = editorUrl;
  });
  const cookie = await pages.enter(pages.owner, id, { editorId: other });
  assert.equal((await pages.post(`/edit/${id}/open`, { cookie })).body['editorId'], other);
  await pages.editors.remove(other);
  const { status, body } = await pages.post(`/edit/${id}/token`, { cookie, body: { editorId: other } });
  assert.deepEqual([status, body['code'], body['accessToken']], [404, 'editor-unknown', undefined]);
  assert.equal((await pages.post(`/edit/${id}/token`, { cookie })).status, 404);
});

test('refuses to renew a token for an editor that doesn’t have the document open', async (t) => {
  const [fileId, cookie] = await enterFile('one editor.docx');
  assert.equal((await pages.post(`/edit/${fileId}/open`, { cookie })).body['editorId'], editorId);
  pages.known.url = 'http://lenient.example';
  const { id: lenient } = await pages.connect();
  t.after(async () => {
    pages.known.url = editorUrl;
    await pages.editors.remove(lenient);
  });
  const renew = (editorId: string) => pages.post(`/edit/${fileId}/token`, { cookie, body: { editorId } });
  assert.deepEqual([(await renew(lenient)).status, (await renew(editorId)).status], [404, 200]);
});

test('renews an edit token for a document that became read-only while it was open', async () => {
  const [fileId, cookie] = await enterFile('protected later.docx');
  const opened = (await pages.post(`/edit/${fileId}/open`, { cookie })).body;
  assert.equal(opened['mode'], 'edit');
  await chmod(join(pages.folder, 'protected later.docx'), 0o444);
  const { body } = await pages.post(`/edit/${fileId}/token`, { cookie, body: { mode: 'edit', editorId } });
  assert.equal(pages.services.accessTokens.find(String(body['accessToken']))?.mode, 'edit');
  assert.equal((await pages.post(`/edit/${fileId}/open`, { cookie })).body['mode'], 'view');
});

test('rejects calls without the cookie, from another origin, or with an invalid body', async () => {
  const cookie = await pages.enter(pages.owner, id);
  for (const call of ['open', 'token', 'ticket', 'close', 'left']) {
    const path = `/edit/${id}/${call}`;
    const without = await pages.post(path);
    // A page whose session has ended still leaves its tokens.
    const expected = call === 'left' ? [204, undefined] : [401, 'not-authenticated'];
    assert.deepEqual([without.status, without.body['code']], expected, path);
    // An editor on another port of this host is same-site, so only its origin differs.
    for (const headers of [
      { Origin: 'http://127.0.0.1:9980' },
      { Origin: 'null' },
      { Origin: pages.origin, 'Sec-Fetch-Site': 'same-site' },
      { Origin: pages.origin, 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const { status, body } = await pages.post(path, { cookie, headers });
      assert.deepEqual([status, body['code']], [403, 'origin-not-allowed'], path);
    }
    const plain = await pages.post(path, { cookie, headers: { 'Content-Type': 'text/plain' } });
    assert.equal(plain.status, 415);
    assert.equal((await pages.post(path, { cookie, body: '[' })).status, 400);
    assert.equal((await pages.post(path, { cookie, body: '[]' })).status, 400);
    assert.equal((await pages.post(path, { cookie, body: ' '.repeat(70_000) })).status, 413);
  }
  assert.equal((await get(`/edit/${id}`, cookie)).status, 200);
});

test('behind a TLS-terminating proxy, the token’s page URL is the browser’s, but never a foreign origin', async () => {
  const cookie = await pages.enter(pages.owner, id);
  const secure = pages.origin.replace('http:', 'https:');
  const { body } = await pages.post(`/edit/${id}/open`, {
    cookie,
    headers: { Origin: secure, 'Sec-Fetch-Site': 'same-origin' },
  });
  assert.equal(pages.services.accessTokens.find(String(body['accessToken']))?.pageUrl, secure);
  const foreign = await pages.post(`/edit/${id}/open`, {
    cookie,
    headers: { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
  });
  const grant = pages.services.accessTokens.find(String(foreign.body['accessToken']));
  assert.equal(grant?.pageUrl, pages.origin);
});

test('reports name, content and lock, and distinguishes an expired page from a deleted document', async () => {
  const [fileId, cookie] = await enterFile('moved.docx');
  const before = await state(`/edit/${fileId}/state`, cookie);
  assert.deepEqual([before['name'], before['holder'], before['hasEnded']], ['moved.docx', null, false]);
  await rename(join(pages.folder, 'moved.docx'), join(pages.folder, 'new name.docx'));
  await writeFile(join(pages.folder, 'new name.docx'), 'more');
  const next = await state(`/view/${fileId}/state`, cookie);
  assert.equal(next['name'], 'new name.docx');
  assert.deepEqual(next['saves'], before['saves'], 'a change by another program isn’t a save');
  await rm(join(pages.folder, 'new name.docx'));
  pages.services.missedSaves.set(fileId, { kind: 'nowhere', keptId: null, atMs: 1 });
  const deleted = await state(`/edit/${fileId}/state`, cookie);
  assert.deepEqual([(deleted['gone'] as { code: string }).code, deleted['name']], ['file-missing', '']);
  assert.deepEqual(deleted['missed'], { kind: 'nowhere', keptId: null, atMs: 1 }, 'what was saved is known');
  const expired = await state(`/edit/${fileId}/state`, '');
  assert.deepEqual(expired, {
    gone: null,
    name: '',
    path: '',
    saves: null,
    missed: null,
    holder: null,
    clearedBy: null,
    others: [],
    isRead: false,
    isKnown: false,
    copies: [],
    conflicts: [],
    recovered: [],
    canRestore: false,
    hasEnded: true,
  });
});

test('the state numbers the saves of the page’s editor in the order they began', async () => {
  const [fileId, cookie] = await enterFile('saved.docx');
  const saves = async (): Promise<Record<string, number>> =>
    (await state(`/edit/${fileId}/state?editor=${editorId}`, cookie))['saves'] as Record<string, number>;
  const { run, ...before } = await saves();
  assert.deepEqual([typeof run, before], ['string', { begun: 0, written: 0 }]);
  const slow = pages.runningSaves.begin({ fileId, editorId });
  const refused = pages.runningSaves.begin({ fileId, editorId });
  const quick = pages.runningSaves.begin({ fileId, editorId });
  pages.runningSaves.begin({ fileId, editorId: 'another' })('file');
  refused({ kind: 'recovered', keptId: 'r1' });
  quick('file');
  assert.deepEqual(await saves(), { run, begun: 3, written: 3 });
  slow('file');
  assert.deepEqual(
    await saves(),
    { run, begun: 3, written: 3 },
    'an earlier save that finishes later doesn’t count as newer',
  );
});

test('the state names the lock’s user and editor, whether the lock has lapsed, and who force-cleared it', async () => {
  const [fileId, cookie] = await enterFile('held.docx');
  const { services } = pages;
  const row = services.folder()?.rowOf(fileId);
  assert.ok(row !== undefined);
  const grantOf = async (ownCookie: string) => {
    const { body } = await pages.post(`/edit/${fileId}/open`, { cookie: ownCookie });
    const grant = services.accessTokens.find(String(body['accessToken']));
    assert.ok(grant !== undefined);
    return grant;
  };
  const holder = async (editor: string) =>
    (await state(`/edit/${fileId}/state?editor=${editor}`, cookie))['holder'];
  await services.locks.take(row, 'lock-1', await grantOf(cookie));
  const held = {
    userName: pages.owner.displayName,
    editorName: 'Editor',
    hasLapsed: false,
    otherUsers: [],
    isOpenElsewhere: false,
  };
  assert.deepEqual(await holder(editorId), { ...held, isThisEditor: true });
  assert.deepEqual(await holder('another'), { ...held, isThisEditor: false });
  pages.clock.advance(31 * 60_000);
  assert.deepEqual(await holder(editorId), { ...held, isThisEditor: true, hasLapsed: true });

  const clearedBy = async () => (await state(`/edit/${fileId}/state`, cookie))['clearedBy'];
  await services.locks.take(row, 'lock-2', await grantOf(cookie));
  await services.locks.forceClear(fileId, 'window');
  assert.equal(await clearedBy(), pages.owner.displayName);
  await services.locks.undoForceClear(fileId, 'window');
  assert.equal(await clearedBy(), null);
  await services.locks.forceClear(fileId, 'window');
  await services.locks.take(row, 'lock-3', await grantOf(cookie));
  assert.equal(await clearedBy(), null);
});

test('the state names whose other pages edit the document under the same lock, until they leave', async () => {
  const { services, clock } = pages;
  const [fileId, cookie] = await enterFile('shared.docx');
  const row = services.folder()?.rowOf(fileId);
  assert.ok(row !== undefined);
  const ben = await services.users.add({ login: 'ben', displayName: 'Ben', role: 'editor', password });
  const eva = await services.users.add({ login: 'eva', displayName: 'Eva', role: 'viewer', password });
  const openAs = async (ownCookie: string): Promise<string> => {
    const { body } = await pages.post(`/edit/${fileId}/open`, { cookie: ownCookie });
    const grant = services.accessTokens.find(String(body['accessToken']));
    assert.ok(grant !== undefined);
    if (!services.locks.isHeld(fileId)) await services.locks.take(row, 'shared', grant);
    services.sessions.note(grant, { bytesRead: 1 });
    return ownCookie;
  };
  const sharers = async (ownCookie: string) => {
    const { holder } = await state(`/edit/${fileId}/state?editor=${editorId}`, ownCookie);
    const { otherUsers, isOpenElsewhere } = holder as Record<string, unknown>;
    return { otherUsers, isOpenElsewhere };
  };
  const alone = { otherUsers: [], isOpenElsewhere: false };
  await openAs(cookie);
  await openAs(await pages.enter(eva, fileId));
  assert.deepEqual(await sharers(cookie), alone, 'a viewer has no lock');
  clock.advance(5 * 60_000);
  const bens = await openAs(await pages.enter(ben, fileId));
  // An editor on its own calls only every 15 min, for all of its users.
  clock.advance(17 * 60_000);
  assert.deepEqual(await sharers(cookie), { otherUsers: ['Ben'], isOpenElsewhere: false });
  assert.deepEqual(await sharers(bens), { otherUsers: [pages.owner.displayName], isOpenElsewhere: false });
  const refusal = async (ownCookie: string) => {
    const call = { cookie: ownCookie, body: { versionId: 'v1' } };
    return (await pages.post(`/edit/${fileId}/restore-version`, call)).body['message'];
  };
  assert.match(String(await refusal(cookie)), /in the editor, or force-clear its lock\.$/u);
  assert.match(String(await refusal(bens)), /ask the owner of this DocTray to force-clear its lock\.$/u);
  const secondBrowser = await openAs(await pages.enter(pages.owner, fileId));
  assert.deepEqual(await sharers(cookie), { otherUsers: ['Ben'], isOpenElsewhere: true });
  await pages.post(`/edit/${fileId}/left`, { cookie: bens });
  await pages.post(`/edit/${fileId}/close`, { cookie: secondBrowser });
  clock.advance(6 * 60_000);
  await services.closedPages.lapseLocks();
  assert.deepEqual(await sharers(cookie), alone);
});

test('a document is renamed from its page while its own editor or nobody has the lock, and only if it can be edited', async () => {
  const [fileId, cookie] = await enterFile('named.docx');
  const { services } = pages;
  const row = services.folder()?.rowOf(fileId);
  assert.ok(row !== undefined);
  const { body } = await pages.post(`/edit/${fileId}/open`, { cookie });
  const grant = services.accessTokens.find(String(body['accessToken']));
  assert.ok(grant !== undefined);
  await services.locks.take(row, 'lock-1', grant);
  const rename = (name: unknown, ownCookie = cookie) =>
    pages.post(`/edit/${fileId}/rename`, { cookie: ownCookie, body: { name, editorId } });
  const dan = await services.users.add({ login: 'dan', displayName: 'Dan', role: 'editor', password });
  const dans = await pages.enter(dan, fileId, { mode: 'edit' });
  await pages.post(`/edit/${fileId}/open`, { cookie: dans });
  assert.equal((await rename('stolen', dans)).status, 409);
  const viewing = await pages.enter(pages.owner, fileId, { mode: 'view' });
  assert.equal((await rename('stolen', viewing)).status, 403);
  assert.equal((await rename('held.docx')).status, 409);
  assert.equal((await rename(undefined)).status, 400);
  const path = join(pages.folder, 'named.docx');
  await chmod(path, 0o444);
  const { status, body: refusal } = await rename('stolen');
  assert.equal(status, 403);
  assert.equal(refusal['message'], 'The document is write-protected.');
  await chmod(path, 0o644);
  assert.deepEqual((await rename('../renamed')).body, { name: '_renamed.docx' });
  assert.equal(services.locks.isHeld(fileId), true);

  let late: ReturnType<typeof rename> | undefined;
  await services.mutex.run(fileId, async () => {
    late = rename('late');
    await sleep(200);
    await pages.post(`/edit/${fileId}/close`, { cookie });
  });
  assert.equal((await late)?.status, 401);
  assert.equal(services.folder()?.rowOf(fileId)?.path, '_renamed.docx');
});

test('the state names other users whose editor called in the last minutes, and not the user of the page', async () => {
  const [fileId, cookie] = await enterFile('left.docx');
  const ana = await pages.services.users.add({
    login: 'ana.others',
    displayName: 'Ana Others',
    role: 'viewer',
    password,
  });
  const note = async (ownCookie: string): Promise<void> => {
    const { body } = await pages.post(`/edit/${fileId}/open`, { cookie: ownCookie });
    const grant = pages.services.accessTokens.find(String(body['accessToken']));
    assert.ok(grant !== undefined);
    pages.services.sessions.note(grant, { bytesRead: 1 });
  };
  const others = async () => (await state(`/edit/${fileId}/state`, cookie))['others'];
  await note(cookie);
  assert.deepEqual(await others(), []);
  await note(await pages.enter(ana, fileId, { mode: 'view' }));
  assert.deepEqual(await others(), ['Ana Others']);
  pages.clock.advance(17 * 60_000);
  assert.deepEqual(await others(), []);
});

test('the state says whether the editor has read the content in this session', async () => {
  const [fileId, cookie] = await enterFile('read.docx');
  const { body } = await pages.post(`/edit/${fileId}/open`, { cookie });
  const grant = pages.services.accessTokens.find(String(body['accessToken']));
  assert.ok(grant !== undefined);
  const isRead = async (editor = editorId) =>
    (await state(`/edit/${fileId}/state?editor=${editor}`, cookie))['isRead'];
  pages.services.sessions.note(grant, {});
  assert.equal(await isRead(), false, 'CheckFileInfo and Lock');
  pages.services.sessions.note(grant, { bytesRead: 100 });
  assert.equal(await isRead(), true);
  pages.services.sessions.flush();
  assert.equal(await isRead(), true);
  assert.equal(await isRead('another'), false);
  pages.clock.advance(17 * 60_000);
  assert.equal(await isRead(), false, 'of an earlier session');
});

test('reports a recovered save of the document, and restores it for users who may edit', async () => {
  const [fileId, cookie] = await enterFile('recovered.docx');
  const other = await pages.fileId('letter.docx');
  const keep = async (savedId: string, id: string, content: string): Promise<void> => {
    const incoming = await receiveBody({
      source: Readable.from([Buffer.from(content)]),
      folder: undefined,
      fallbackDirectory: join(pages.folder, '..'),
      name: `body-${id}`,
      maxBytes: 1000,
    });
    const about = {
      fileId: savedId,
      path: 'recovered.docx',
      userId: pages.owner.id,
      tokenId: null,
      savedBy: null,
      reason: 'recovered.locked' as const,
    };
    await pages.services.recoveredSaves.keep(incoming, about);
    await incoming.discard();
  };
  await keep(fileId, 'a', 'refused');
  await keep(other, 'b', 'of another document');
  const { recovered, canRestore } = await state(`/edit/${fileId}/state`, cookie);
  const [save, ...more] = recovered as { id: string; receivedAtMs: number }[];
  assert.deepEqual([more, canRestore, typeof save?.receivedAtMs], [[], true, 'number']);

  const viewing = await pages.enter(pages.owner, fileId, { mode: 'view' });
  assert.equal((await state(`/view/${fileId}/state`, viewing))['canRestore'], false);
  const forbidden = await pages.post(`/view/${fileId}/restore`, { cookie: viewing, body: { id: save?.id } });
  assert.deepEqual([forbidden.status, forbidden.body['code']], [403, 'permission-denied']);
  const foreign = pages.services.recoveredSaves.list().find((one) => one.fileId === other);
  const refused = await pages.post(`/edit/${fileId}/restore`, { cookie, body: { id: foreign?.id } });
  assert.deepEqual([refused.status, refused.body['code']], [404, 'recovered-save-unknown']);

  const { status, body } = await pages.post(`/edit/${fileId}/restore`, { cookie, body: { id: save?.id } });
  assert.equal(status, 200);
  assert.equal(await readFile(join(pages.folder, String(body['name'])), 'utf8'), 'refused');
  assert.equal(await readFile(join(pages.folder, 'recovered.docx'), 'utf8'), 'x');
  assert.deepEqual((await state(`/edit/${fileId}/state`, cookie))['recovered'], []);
  const ticket = await pages.post(`/edit/${fileId}/ticket`, { cookie, body: { fileId: body['fileId'] } });
  assert.equal(ticket.status, 200);
});

test('reports a conflict copy with a link while it exists', async () => {
  const [fileId, cookie] = await enterFile('moved apart.docx');
  pages.services.conflicts.insert({ copy: 'copy.docx', fileId, madeAtMs: 5 });
  pages.services.conflicts.insert({ copy: 'no more.docx', fileId, madeAtMs: 6 });
  const copyId = await pages.fileId('copy.docx');
  const { conflicts } = await state(`/edit/${fileId}/state`, cookie);
  assert.deepEqual(conflicts, [{ fileId: copyId, name: 'copy.docx', path: 'copy.docx', madeAtMs: 5 }]);
  const ticket = await pages.post(`/edit/${fileId}/ticket`, { cookie, body: { fileId: copyId } });
  assert.equal(ticket.status, 200);
});

test('lapses the lock of a page that left without closing, unless the page or its editor is still in use', async () => {
  const { services, clock } = pages;
  const open = async () => {
    const [fileId, cookie] = await enterFile('left.docx');
    const { body } = await pages.post(`/edit/${fileId}/open`, { cookie });
    const grant = services.accessTokens.find(String(body['accessToken']));
    const row = services.folder()?.rowOf(fileId);
    assert.ok(grant !== undefined && row !== undefined);
    clock.advance(1000);
    const lock = async (): Promise<void> => {
      await services.locks.take(row, 'ONLYOFFICE', grant);
      services.sessions.note(grant, { lock: 'granted' });
    };
    const leave = async (): Promise<void> => {
      assert.equal((await pages.post(`/edit/${fileId}/left`, { cookie })).status, 204);
    };
    const isHeld = async (): Promise<boolean> => {
      clock.advance(11_000);
      await services.closedPages.lapseLocks();
      return services.locks.isHeld(fileId);
    };
    return { fileId, cookie, grant, lock, leave, isHeld };
  };
  const quick = await open();
  await quick.leave();
  // The lock arrives after the page was left.
  await quick.lock();
  assert.equal(await quick.isHeld(), false);
  assert.equal(services.locks.state(quick.fileId).kind, 'lapsed', 'an editor that reconnects can continue');
  assert.equal(services.sessions.find(quick.grant.id)?.lockState, 'released');

  const reloaded = await open();
  await reloaded.lock();
  await reloaded.leave();
  await state(`/edit/${reloaded.fileId}/state`, reloaded.cookie);
  assert.equal(await reloaded.isHeld(), true);

  const reader = await open();
  services.sessions.note(reader.grant, { bytesRead: 5 });
  await reader.leave();
  assert.equal(await reader.isHeld(), true, 'an editor uses the lock of the previous session');
});

test('revokes the text editor’s tokens of a closed page once it has released its lock, and no others', async () => {
  const { services, clock, editors } = pages;
  const { id: textEditorId } = editors.registerBuiltIn({
    url: 'http://localhost:8791',
    discovery: { actions: [], proofKeys: null },
    problem: null,
    readDiscovery: async () => ({ actions: [], proofKeys: null }),
  });
  const [fileId, cookie] = await enterFile('text.docx');
  const row = services.folder()?.rowOf(fileId);
  const open = (openIn = textEditorId) => {
    const place = { editorId: openIn, pageUrl: null, pageSessionId: null };
    const { token } = services.accessTokens.mint({ user: pages.owner, fileId, mode: 'edit', place });
    return { token, grant: () => services.accessTokens.find(token) };
  };
  const [holder, reader, otherTab, office] = [open(), open(), open(), open(editorId)];
  const grant = holder.grant();
  assert.ok(grant !== undefined && row !== undefined);
  await services.locks.take(row, 'text', grant);
  const leave = async (accessTokens: unknown[]): Promise<void> => {
    const { status } = await pages.post(`/edit/${fileId}/left`, { cookie, body: { accessTokens } });
    assert.equal(status, 204);
  };
  await leave([holder.token, reader.token, office.token, 'unknown', 7]);
  const valid = (passedMs: number): boolean[] => {
    clock.advance(passedMs);
    services.closedPages.revokeTokens();
    return [holder, reader, otherTab, office].map((one) => one.grant() !== undefined);
  };
  assert.deepEqual(valid(9000), [true, true, true, true], 'a last save may be on its way');
  assert.deepEqual(valid(2000), [true, false, true, true], 'a session that holds the lock stays valid');
  await services.locks.release(row);
  assert.deepEqual(valid(0), [false, false, true, true]);
  await pages.post(`/edit/${fileId}/close`, { cookie });
  await leave([otherTab.token]);
  assert.deepEqual(valid(11_000), [false, false, false, true]);
  editors.unregisterBuiltIn();
});

test('the page says that the document doesn’t exist', async () => {
  const [fileId, cookie] = await enterFile('gone.docx');
  await rm(join(pages.folder, 'gone.docx'));
  const answer = await get(`/edit/${fileId}`, cookie);
  assert.equal(answer.status, 404);
  assert.match(await answer.text(), /<h1>This document doesn’t exist<\/h1>/);
  assert.equal((await pages.post(`/edit/${fileId}/open`, { cookie })).status, 404);
});

test('reports copies that the editor of the tab created with a link, and no other documents', async () => {
  const cookie = await pages.enter(pages.owner, id);
  const opened = await pages.post(`/edit/${id}/open`, { cookie });
  const { body: otherTab } = await pages.post(`/edit/${id}/open`, { cookie });
  const grant = pages.services.accessTokens.find(String(opened.body['accessToken']));
  const copy = await pages.fileId('copy.docx');
  const refused = await pages.post(`/edit/${id}/ticket`, { cookie, body: { fileId: copy, mode: 'edit' } });
  assert.deepEqual([refused.status, refused.body['code']], [404, 'file-missing']);
  pages.copies.note(grant?.pageSessionId ?? '', copy, grant?.id);
  const copiesOf = async (...tokenIds: unknown[]) => {
    const query = tokenIds.map((tokenId) => `token=${String(tokenId)}`).join('&');
    return (await state(`/edit/${id}/state?${query}`, cookie))['copies'] as Record<string, unknown>[];
  };
  assert.deepEqual(await copiesOf(), []);
  assert.deepEqual(await copiesOf(otherTab['tokenId']), []);
  const [reported] = await copiesOf('renewed', opened.body['tokenId']);
  assert.deepEqual(
    [reported?.['fileId'], reported?.['name'], reported?.['path']],
    [copy, 'copy.docx', 'copy.docx'],
  );
  const { body } = await pages.post(`/edit/${id}/ticket`, { cookie, body: { fileId: copy, mode: 'edit' } });
  assert.match(String(body['url']), new RegExp(`^${pages.origin}/edit/${copy}\\?ticket=[\\w-]{43}$`, 'u'));
  const entered = await fetch(String(body['url']), { redirect: 'manual' });
  assert.equal(entered.status, 303);
});

test('closing ends the page session and clears the cookie, but keeps the access token for a last save', async () => {
  const cookie = await pages.enter(pages.owner, id);
  const token = String((await pages.post(`/edit/${id}/open`, { cookie })).body['accessToken']);
  const closed = await pages.post(`/edit/${id}/close`, { cookie });
  assert.equal(closed.status, 204);
  for (const taken of closed.headers.getSetCookie()) assert.match(taken, /^doctray-page=; .*Max-Age=0/);
  assert.equal((await get(`/edit/${id}`, cookie)).status, 401);
  assert.ok(pages.services.accessTokens.find(token));
});

test('serves the page’s files with their types, and no other files', async () => {
  const script = await get('/host-page/host-page.js', '');
  assert.equal(script.status, 200);
  assert.equal(script.headers.get('Content-Type'), 'text/javascript; charset=utf-8');
  assert.equal(script.headers.get('X-Content-Type-Options'), 'nosniff');
  assert.equal(script.headers.get('Cache-Control'), 'no-cache');
  assert.equal(
    (await get('/host-page/host-page.css', '')).headers.get('Content-Type'),
    'text/css; charset=utf-8',
  );
  assert.equal((await get('/host-page/icon.svg', '')).headers.get('Content-Type'), 'image/svg+xml');
  for (const name of [
    'main.ts',
    '..%2ftext-editor%2ftext-editor.js',
    '%2e%2e/text-editor.js',
    'nothing.js',
    '.hidden.js',
    '',
  ]) {
    assert.equal((await get(`/host-page/${name}`, '')).status, 404, name);
  }
});

test('the page says that it couldn’t be built', async () => {
  const unbuilt = await openPages(
    { 'letter.docx': 'x' },
    { folder: join('/', 'nowhere'), build: async () => 'Expected a semicolon' },
  );
  try {
    const fileId = await unbuilt.fileId('letter.docx');
    await unbuilt.connect();
    const cookie = await unbuilt.enter(unbuilt.owner, fileId);
    const answer = await fetch(`${unbuilt.origin}/edit/${fileId}`, { headers: { Cookie: cookie } });
    assert.equal(answer.status, 503);
    assert.match(await answer.text(), /The page couldn’t be built.*See the log/s);
  } finally {
    await unbuilt.close();
  }
});

test('openDocument returns both page links with tickets for the requested mode', async () => {
  const access = await pages.openDocument({ user: pages.owner, path: 'letter.docx', mode: 'view' });
  const edit = await fetch(access.hostEditUrl, { redirect: 'manual' });
  assert.equal(edit.status, 303);
  const [cookie = ''] = edit.headers.getSetCookie().map((one) => one.split(';')[0]);
  assert.equal((await pages.post(`/edit/${id}/open`, { cookie })).body['canEdit'], false);
  assert.equal((await fetch(access.hostViewUrl, { redirect: 'manual' })).status, 303);
  assert.equal(access.wopiSrc, `http://host.docker.internal:8790/wopi/files/${id}`);
});

test('opens a document in an editor with its name and page, where a viewer link may switch to editing', async () => {
  const opening = await pages.openInEditor({
    user: pages.owner,
    path: 'letter.docx',
    mode: 'view',
    editorId: null,
  });
  const { url, ...rest } = opening;
  assert.deepEqual(rest, { fileId: id, path: 'letter.docx', editorId, editorName: 'Editor' });
  assert.ok(url.startsWith(`${pages.origin}/view/${id}?ticket=`));
  const [cookie = ''] = (await fetch(url, { redirect: 'manual' })).headers
    .getSetCookie()
    .map((one) => one.split(';')[0]);
  assert.equal((await pages.post(`/view/${id}/open`, { cookie })).body['mode'], 'view');
  assert.equal((await pages.post(`/edit/${id}/open`, { cookie })).body['mode'], 'edit');
});

test('openInEditor rejects a type without an editor and a missing document, and gives a viewer the view page', async () => {
  const { users } = pages.services;
  const input = { user: pages.owner, mode: 'edit', editorId: null } as const;
  const code = (wanted: string) => (error: unknown) => error instanceof AppError && error.code === wanted;
  await assert.rejects(pages.openInEditor({ ...input, path: 'strange.xyz' }), code('no-editor'));
  await assert.rejects(pages.openInEditor({ ...input, path: 'nothing.docx' }), code('file-missing'));
  const user = await users.add({ login: 'looker', role: 'viewer', password });
  const { url } = await pages.openInEditor({ ...input, user, path: 'letter.docx' });
  assert.match(url, /\/view\//);
});

test('passes Collabora its close and version buttons and the language', async (t) => {
  const before = { ...pages.known };
  pages.known.url = editorUrl;
  await pages.editors.refresh(editorId);
  t.after(() => void Object.assign(pages.known, before));
  const cookie = await pages.enter(pages.owner, id);
  const open = async (language: string): Promise<URLSearchParams> => {
    const headers = { 'Accept-Language': language };
    const { body } = await pages.post(`/edit/${id}/open`, { cookie, headers });
    return new URL(String(body['action'])).searchParams;
  };
  assert.equal((await open('pt-br,pt;q=0.9')).get('lang'), 'pt-BR');
  // Collabora's page passes it to Intl.Locale, which throws if it isn't a language tag.
  assert.equal((await open('de-12')).get('lang'), null);
  for (const kind of ['onlyoffice', 'office-online', 'other'] as const) {
    pages.known.kind = kind;
    // oxlint-disable-next-line no-await-in-loop
    await pages.editors.refresh(editorId);
    // oxlint-disable-next-line no-await-in-loop
    const query = await open('de');
    assert.deepEqual(
      [query.has('closebutton'), query.has('revisionhistory'), query.has('lang')],
      [false, false, false],
      kind,
    );
  }
});
