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
import { receiveBody } from '../../app/files/received-body.ts';
import { openPages, type Pages } from './pages-fixture.ts';
import { enterPage, pageAt, type PageAnswer } from './test-page.ts';

const word = await readFile(new URL('../fixtures/letter.docx', import.meta.url));
const minute = 60_000;
const hour = 60 * minute;
const names = [
  'letter.docx',
  'fixed.docx',
  'a <b>"c" & d.docx',
  'old.doc',
  'paper.pdf',
  'drawing.odg',
  'gone.docx',
  'moved.docx',
  'copy.docx',
  'protected later.docx',
  'one editor.docx',
  'held.docx',
  'named.docx',
  'read.docx',
  'recovered.docx',
  'moved apart.docx',
  'left.docx',
  'shared.docx',
  'text.docx',
];

let pages: Pages;
let id: string;
let editorId: string;
before(async () => {
  pages = await openPages({
    ...Object.fromEntries(names.map((name) => [name, 'x'])),
    'growing.bin': '',
    'strange.xyz': '\0',
    'damaged.docx': word,
    'cut.docx': word.subarray(0, word.length - 30),
  });
  ({ editorId } = pages);
  id = await pages.fileIdOf('letter.docx');
});
after(() => pages.close());

const codeOf = ({ status, body }: PageAnswer): [number, unknown] => [status, body['code']];
const grantOf = (token: unknown) => pages.services.accessTokens.find(String(token));
const rowOf = (fileId: string) => {
  const row = pages.services.folder()?.rowOf(fileId);
  assert.ok(row !== undefined);
  return row;
};

test('serves a page that frames and posts only to the editor, without a token', async () => {
  const { fileId, get } = await pages.enter('letter.docx');
  const answer = await get();
  const editor = pages.server.url;
  assert.equal(answer.status, 200);
  assert.equal(
    answer.headers.get('Content-Security-Policy'),
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
      `frame-src ${editor}; form-action ${editor}; ` +
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
  const html = await (await (await pages.enter('a <b>"c" & d.docx')).get()).text();
  assert.ok(!html.includes('<b>'));
  assert.match(html, /data-name="a &lt;b&gt;&quot;c&quot; &amp; d\.docx"/);
});

test('open returns the editor’s action and a token that is bound to the document, the editor and the page', async () => {
  const { post } = await pages.enter('letter.docx', { editorId });
  const { status, body, headers } = await post('open', {}, { 'Accept-Language': 'de-AT, en;q=0.5' });
  assert.equal(status, 200);
  assert.equal(headers.get('Cache-Control'), 'no-store');
  const { accessToken, accessTokenTtl, tokenId, ...rest } = body;
  const source = encodeURIComponent(`${pages.origin}/wopi/files/${id}`);
  assert.deepEqual(rest, {
    name: 'letter.docx',
    path: 'letter.docx',
    mode: 'edit',
    canEdit: true,
    isOwner: true,
    editorId,
    kind: 'collabora',
    editorName: 'Collabora Online',
    action: `${pages.server.pages}/edit?ui=de-AT&WOPISrc=${source}&lang=de-AT&closebutton=1&revisionhistory=1`,
    formFields: {},
    editorOrigins: [pages.server.url],
    canConvert: false,
    convertAction: null,
    closeUrl: `${pages.origin}/closed`,
    damaged: null,
  });
  const grant = grantOf(accessToken);
  assert.deepEqual(
    [grant?.id, grant?.fileId, grant?.mode, grant?.editorId, grant?.pageUrl, grant?.expiresAtMs],
    [tokenId, id, 'edit', editorId, pages.origin, accessTokenTtl],
  );
  assert.ok(grant?.pageSessionId);
  const info = await pages.host.wopi({ fileId: id, token: String(accessToken) });
  const { HostEditUrl, PostMessageOrigin, UserCanWrite } = JSON.parse(info.body.toString());
  assert.deepEqual(
    [HostEditUrl, PostMessageOrigin, UserCanWrite],
    [`${pages.origin}/edit/${id}`, pages.origin, true],
  );
});

test('open says that a document is damaged and which version can be read, but not that its extension is wrong', async () => {
  const page = await pages.enter('damaged.docx');
  const { fileId } = page;
  const damagedIn = async ({ post } = page): Promise<unknown> => (await post('open')).body['damaged'];
  assert.equal(await damagedIn(), null);
  const { folders, clock } = pages.services;
  const { folder, content, versions } = folders.require(fileId);
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
  const [kept] = versions.list(fileId);
  const damage = { versionId: kept?.id, writtenAtMs: kept?.writtenAtMs };
  assert.deepEqual(await damagedIn(), damage);
  await writeFile(join(pages.folder, 'damaged.docx'), 'conversion failed: error -86');
  assert.deepEqual(await damagedIn(), damage);
  assert.deepEqual(await damagedIn(await pages.enter('cut.docx')), { versionId: null, writtenAtMs: null });
  assert.equal(await damagedIn(await pages.enter('text.docx')), null);
});

test('opens in view mode on a view page and on request, and rejects an unknown mode', async () => {
  const page = await pages.enter('letter.docx');
  const viewing = (await page.at('view').post('open')).body;
  assert.deepEqual([viewing['mode'], viewing['canEdit']], ['view', true]);
  assert.match(String(viewing['action']), /\/hosting\/view\?/);
  assert.equal((await page.post('open', { mode: 'view' })).body['mode'], 'view');
  assert.equal((await page.post('open', { mode: 'own' })).status, 400);
});

test('a view session gets no token that can write and no ticket for editing', async () => {
  const { at } = await pages.enter('letter.docx', { mode: 'view' });
  const editing = at('edit');
  for (const call of ['open', 'token']) {
    const { accessToken } = (await editing.post(call, { mode: 'edit' })).body;
    assert.equal(grantOf(accessToken)?.canWrite, false, call);
  }
  assert.deepEqual(codeOf(await editing.post('ticket', { mode: 'edit' })), [403, 'permission-denied']);
});

test('opens a read-only file, and a type that editors can only view, in view mode', async () => {
  await chmod(join(pages.folder, 'fixed.docx'), 0o444);
  for (const name of ['fixed.docx', 'paper.pdf']) {
    const { mode, canEdit, canConvert } = (await (await pages.enter(name)).post('open')).body;
    assert.deepEqual(
      { mode, canEdit, canConvert },
      { mode: 'view', canEdit: false, canConvert: false },
      name,
    );
  }
});

test('offers to convert an old format, and links to the copy that the conversion and its tab created', async () => {
  const page = await pages.enter('old.doc');
  const { body, grant } = await pages.open(page);
  assert.deepEqual([body['mode'], body['canEdit'], body['canConvert']], ['edit', false, true]);
  assert.match(String(body['action']), /\/hosting\/view\?/);
  assert.match(String(body['convertAction']), /\/hosting\/convert\?/);
  assert.equal(grant.canWrite, true);
  const policy = (await page.get()).headers.get('Content-Security-Policy') ?? '';
  assert.match(policy, /form-action http:\S+ 'self';/, 'the result may redirect to the host');
  const viewing = (await page.at('view').post('open')).body;
  assert.deepEqual([viewing['mode'], viewing['convertAction']], ['view', null]);
  const { body: otherTab } = await page.post('open');

  const converted = await pages.host.wopi({
    fileId: page.fileId,
    token: String(body['accessToken']),
    override: 'PUT_RELATIVE',
    headers: { 'X-WOPI-SuggestedTarget': '.docx', 'X-WOPI-FileConversion': 'true' },
    body: 'converted',
  });
  assert.equal(converted.status, 200);
  const copiesOf = async (...tokenIds: unknown[]) =>
    (await page.state(`?${tokenIds.map((tokenId) => `token=${String(tokenId)}`).join('&')}`))[
      'copies'
    ] as Record<string, string>[];
  for (const tokenIds of [[], [otherTab['tokenId']]]) assert.deepEqual(await copiesOf(...tokenIds), []);
  const [copy] = await copiesOf('renewed', body['tokenId']);
  assert.deepEqual([copy?.['name'], copy?.['path']], ['old.docx', 'old.docx']);
  // ONLYOFFICE opens this link when its user presses a button, which can be after the minute for which a ticket is valid.
  pages.clock.advance(5 * minute);
  const { HostEditUrl } = JSON.parse(converted.body.toString()) as { HostEditUrl: string };
  const result = await enterPage(HostEditUrl);
  assert.equal(result.url, `${pages.origin}/edit/${copy?.['fileId']}`);
  assert.equal((await result.post('open')).body['canEdit'], true);
  const { url } = (await page.post('ticket', { fileId: copy?.['fileId'], mode: 'view' })).body;
  assert.equal((await enterPage(String(url))).url, `${pages.origin}/view/${copy?.['fileId']}`);
  assert.deepEqual(
    codeOf(await page.post('ticket', { fileId: id })),
    [404, 'file-missing'],
    'no other document',
  );
});

test('the page says what to do when no editor opens the type', async () => {
  const { get, post, fileId } = await pages.enter('strange.xyz');
  const answer = await get();
  assert.equal(answer.status, 409);
  const html = await answer.text();
  assert.match(html, /No editor can open this document.*\.xyz.*Settings, then Editors/s);
  assert.ok(html.includes(`<form method="post" action="${fileId}/download">`));
  assert.deepEqual(codeOf(await post('open')), [409, 'no-editor']);
  const drawing = await pages.enter('drawing.odg');
  assert.deepEqual(
    codeOf(await drawing.at('view').post('open')),
    [409, 'no-editor'],
    'one can only convert it',
  );
});

test('downloads the document for its own page only, as an attachment, and not while opening is refused', async () => {
  const page = await pages.enter('strange.xyz', { mode: 'view' });
  const other = await pages.enter('read.docx');
  const download = (headers: Record<string, string>) =>
    fetch(`${page.url}/download`, { method: 'POST', headers });
  const own = { Cookie: page.cookie, Origin: pages.origin };
  const answer = await download(own);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Content-Type'), 'application/octet-stream');
  assert.equal(answer.headers.get('Content-Disposition'), 'attachment; filename="strange.xyz"');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
  assert.equal(await answer.text(), '\0');
  const refused = [
    await download({ ...own, Origin: 'http://localhost:1' }),
    await download({ ...own, 'Sec-Fetch-Site': 'same-site' }),
    await download({ Origin: pages.origin }),
    await download({ ...own, Cookie: other.cookie }),
    await page.get('/download'),
  ];
  pages.host.host.pause(null);
  refused.push(await download(own));
  pages.host.host.resume();
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403, 401, 401, 404, 503],
  );
});

test('while the host is paused, the page says so and opens nothing, but renews tokens', async () => {
  const { get, post } = await pages.enter('letter.docx');
  pages.host.host.pause(null);
  const answer = await get();
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /<h1>DocTray is paused<\/h1>/);
  assert.deepEqual(codeOf(await post('open')), [503, 'paused']);
  // Open documents can still be saved.
  assert.equal((await post('token')).status, 200);
  pages.host.host.resume();
});

test('downloads an empty document, and only the announced bytes of one that grows', async () => {
  const { url, headers, cookie } = await pages.enter('growing.bin', { mode: 'view' });
  const empty = await fetch(`${url}/download`, { method: 'POST', headers });
  assert.deepEqual([empty.status, await empty.text()], [200, '']);
  // More than the sockets' buffers take while nobody reads.
  const size = 32_000_000;
  const path = join(pages.folder, 'growing.bin');
  await truncate(path, size);
  const { hostname, host, pathname } = new URL(url);
  const socket = connect(pages.host.port, hostname);
  socket.write(
    `POST ${pathname}/download HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nOrigin: ${pages.origin}\r\n` +
      `Content-Length: 0\r\n\r\nGET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
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
  const { post } = await pages.enter('letter.docx', { editorId: 'deadbeef' });
  assert.equal((await post('open')).body['editorId'], editorId);
});

// CSP source expressions can't contain IPv6 addresses.
test('allows an editor at an IPv6 address by its scheme in the page’s policy', async (t) => {
  const sixth = await pages.connect(t, 'http://[fd00::7]:9980');
  const { get } = await pages.enter('letter.docx', { editorId: sixth });
  const policy = (await get()).headers.get('Content-Security-Policy') ?? '';
  assert.match(policy, /frame-src http:; form-action http:;/);
});

test('a renewed token has the mode, session and editor of the previous one, which stays valid', async () => {
  const page = await pages.enter('letter.docx');
  const { grant: before } = await pages.open(page);
  pages.clock.advance(9 * hour);
  const { status, body } = await page.post('token', { editorId });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).toSorted(), ['accessToken', 'accessTokenTtl', 'tokenId']);
  assert.ok(Number(body['accessTokenTtl']) > pages.clock.now() + 9 * hour);
  const renewed = grantOf(body['accessToken']);
  assert.equal(renewed?.mode, 'edit');
  assert.equal(renewed?.pageSessionId, before.pageSessionId);
  assert.equal(renewed?.editorId, before.editorId);
  assert.notEqual(pages.services.accessTokens.placeOf(before.id), undefined, 'it is valid');
});

test('refuses to renew a token for an editor that was removed, or doesn’t have the document open', async (t) => {
  const other = await pages.connect(t);
  const page = await pages.enter('letter.docx', { editorId: other });
  assert.equal((await page.post('open')).body['editorId'], other);
  const elsewhere = await pages.enter('one editor.docx');
  assert.equal((await elsewhere.post('open')).body['editorId'], editorId);
  assert.equal((await elsewhere.post('token', { editorId: other })).status, 404);
  assert.equal((await elsewhere.post('token', { editorId })).status, 200);

  await pages.services.editors.remove(other);
  for (const body of [{ editorId: other }, {}]) {
    const refused = await page.post('token', body);
    assert.deepEqual(codeOf(refused), [404, 'editor-unknown']);
    assert.equal(refused.body['accessToken'], undefined);
  }
});

test('renews an edit token for a document that became read-only while it was open', async () => {
  const { post } = await pages.enter('protected later.docx');
  assert.equal((await post('open')).body['mode'], 'edit');
  await chmod(join(pages.folder, 'protected later.docx'), 0o444);
  const { body } = await post('token', { mode: 'edit', editorId });
  assert.equal(grantOf(body['accessToken'])?.mode, 'edit');
  assert.equal((await post('open')).body['mode'], 'view');
});

test('rejects calls without the cookie, from another origin, or with an invalid body', async () => {
  const page = await pages.enter('letter.docx');
  for (const call of ['open', 'token', 'ticket', 'close', 'left']) {
    // A page whose session has ended still leaves its tokens.
    const expected = call === 'left' ? [204, undefined] : [401, 'not-authenticated'];
    assert.deepEqual(codeOf(await pageAt(page.url, '').post(call)), expected, call);
    // An editor on another port of this host is same-site, so only its origin differs.
    for (const headers of [
      { Origin: 'http://127.0.0.1:9980' },
      { Origin: pages.origin.replace('http:', 'https:') },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ] as Record<string, string>[])
      assert.deepEqual(codeOf(await page.post(call, {}, headers)), [403, 'origin-not-allowed'], call);
    assert.equal((await page.post(call, {}, { 'Content-Type': 'text/plain' })).status, 415);
    for (const [body, status] of [
      ['[', 400],
      ['[]', 400],
      [' '.repeat(70_000), 413],
    ] as const)
      assert.equal((await page.post(call, body)).status, status);
  }
  assert.equal((await page.get()).status, 200);
});

test('behind a TLS-terminating proxy, the token’s page URL is the browser’s, but never a foreign origin', async () => {
  const { post } = await pages.enter('letter.docx');
  const secure = pages.origin.replace('http:', 'https:');
  for (const [Origin, pageUrl] of [
    [secure, secure],
    ['https://evil.example', pages.origin],
  ] as const) {
    const { body } = await post('open', {}, { Origin, 'Sec-Fetch-Site': 'same-origin' });
    assert.equal(grantOf(body['accessToken'])?.pageUrl, pageUrl);
  }
});

test('reports name, content and lock, and distinguishes an expired page from a deleted document', async () => {
  const page = await pages.enter('moved.docx');
  const before = await page.state();
  assert.deepEqual([before['name'], before['holder'], before['hasEnded']], ['moved.docx', null, false]);
  await rename(join(pages.folder, 'moved.docx'), join(pages.folder, 'new name.docx'));
  await writeFile(join(pages.folder, 'new name.docx'), 'more');
  const next = await page.at('view').state();
  assert.equal(next['name'], 'new name.docx');
  assert.deepEqual(next['saves'], before['saves'], 'a change by another program isn’t a save');
  await rm(join(pages.folder, 'new name.docx'));
  pages.services.missedSaves.set(page.fileId, { kind: 'nowhere', keptId: null, atMs: 1 });
  const deleted = await page.state();
  assert.deepEqual([(deleted['gone'] as { code: string }).code, deleted['name']], ['file-missing', '']);
  assert.deepEqual(deleted['missed'], { kind: 'nowhere', keptId: null, atMs: 1 }, 'what was saved is known');
  assert.deepEqual(await pageAt(page.url, '').state(), { hasEnded: true });
});

test('the state names the lock’s user and editor, whether the lock has lapsed, and who force-cleared it', async () => {
  const page = await pages.enter('held.docx');
  const { locks } = pages.services;
  const { fileId } = page;
  const take = async (lockId: string) => locks.take(rowOf(fileId), lockId, (await pages.open(page)).grant);
  const holder = async (editor: string) => (await page.state(`?editor=${editor}`))['holder'];
  await take('lock-1');
  const held = {
    userName: pages.owner.displayName,
    editorName: 'Collabora Online',
    hasLapsed: false,
    otherUsers: [],
    isOpenElsewhere: false,
  };
  assert.deepEqual(await holder(editorId), { ...held, isThisEditor: true });
  assert.deepEqual(await holder('another'), { ...held, isThisEditor: false });
  pages.clock.advance(31 * minute);
  assert.deepEqual(await holder(editorId), { ...held, isThisEditor: true, hasLapsed: true });

  const clearedBy = async () => (await page.state())['clearedBy'];
  await take('lock-2');
  await locks.forceClear(fileId, 'window');
  assert.equal(await clearedBy(), pages.owner.displayName);
  await locks.undoForceClear(fileId, 'window');
  assert.equal(await clearedBy(), null);
  await locks.forceClear(fileId, 'window');
  await take('lock-3');
  assert.equal(await clearedBy(), null);
});

test('the state names whose other pages edit the document under the same lock, until they leave', async () => {
  const { services, clock, owner } = pages;
  const enter = async (user = owner) => {
    const page = await pages.enter('shared.docx', { user });
    const { grant } = await pages.open(page);
    if (!services.locks.isHeld(page.fileId)) await services.locks.take(rowOf(page.fileId), 'shared', grant);
    services.sessions.note(grant, { bytesRead: 1 });
    const sharers = async () => {
      const { holder } = await page.state(`?editor=${editorId}`);
      const { otherUsers, isOpenElsewhere } = holder as Record<string, unknown>;
      return { otherUsers, isOpenElsewhere };
    };
    const refusal = async () => (await page.post('restore-version', { versionId: 'v1' })).body['message'];
    return { ...page, sharers, refusal };
  };
  const alone = { otherUsers: [], isOpenElsewhere: false };
  const own = await enter();
  await enter(await pages.addUser('eva', 'viewer', 'Eva'));
  assert.deepEqual(await own.sharers(), alone, 'a viewer has no lock');
  clock.advance(5 * minute);
  const bens = await enter(await pages.addUser('ben', 'editor', 'Ben'));
  // An editor on its own calls only every 15 min, for all of its users.
  clock.advance(17 * minute);
  assert.deepEqual(await own.sharers(), { otherUsers: ['Ben'], isOpenElsewhere: false });
  assert.deepEqual(await bens.sharers(), { otherUsers: [owner.displayName], isOpenElsewhere: false });
  assert.match(
    String(await own.refusal()),
    /in its editor\. If the editor is gone, force-clear the lock\.$/u,
  );
  assert.match(String(await bens.refusal()), /ask the owner of this DocTray to force-clear its lock\.$/u);
  const secondBrowser = await enter();
  assert.deepEqual(await own.sharers(), { otherUsers: ['Ben'], isOpenElsewhere: true });
  await bens.post('left');
  await secondBrowser.post('close');
  clock.advance(6 * minute);
  await services.closedPages.lapseLocks();
  assert.deepEqual(await own.sharers(), alone);
});

test('a document is renamed from its page while its own editor or nobody has the lock, and only if it can be edited', async () => {
  const { services, folder } = pages;
  const page = await pages.enter('named.docx');
  const { fileId } = page;
  await services.locks.take(rowOf(fileId), 'lock-1', (await pages.open(page)).grant);
  const rename = (name: unknown, by = page) => by.at('edit').post('rename', { name, editorId });
  const dans = await pages.enter('named.docx', { user: await pages.addUser('dan', 'editor') });
  await dans.post('open');
  const viewing = await pages.enter('named.docx', { mode: 'view' });
  const refused = [
    await rename('stolen', dans),
    await rename('stolen', viewing),
    await rename('held.docx'),
    await rename(undefined),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    [409, 403, 409, 400],
  );
  await chmod(join(folder, 'named.docx'), 0o444);
  const { status, body } = await rename('stolen');
  assert.deepEqual([status, body['message']], [403, 'The document is write-protected.']);
  await chmod(join(folder, 'named.docx'), 0o644);
  assert.deepEqual((await rename('../renamed')).body, { name: '_renamed.docx' });
  assert.equal(services.locks.isHeld(fileId), true);

  let late: ReturnType<typeof rename> | undefined;
  await services.mutex.run(fileId, async () => {
    late = rename('late');
    await sleep(200);
    await page.post('close');
  });
  assert.equal((await late)?.status, 401);
  assert.equal(rowOf(fileId).path, '_renamed.docx');
});

test('the state names other users whose editor called in the last minutes, and not the user of the page', async () => {
  const page = await pages.enter('left.docx');
  const note = async (by = page): Promise<void> =>
    pages.services.sessions.note((await pages.open(by)).grant, { bytesRead: 1 });
  const others = async () => (await page.state())['others'];
  await note();
  assert.deepEqual(await others(), []);
  const user = await pages.addUser('ana.others', 'viewer', 'Ana Others');
  await note(await pages.enter('left.docx', { user, mode: 'view' }));
  assert.deepEqual(await others(), ['Ana Others']);
  pages.clock.advance(17 * minute);
  assert.deepEqual(await others(), []);
});

test('the state says whether the editor has read the content in this session', async () => {
  const page = await pages.enter('read.docx');
  const { grant } = await pages.open(page);
  const { sessions } = pages.services;
  const isRead = async (editor = editorId) => (await page.state(`?editor=${editor}`))['isRead'];
  sessions.note(grant, {});
  assert.equal(await isRead(), false, 'CheckFileInfo and Lock');
  sessions.note(grant, { bytesRead: 100 });
  assert.equal(await isRead(), true);
  sessions.flush();
  assert.equal(await isRead(), true);
  assert.equal(await isRead('another'), false);
  pages.clock.advance(17 * minute);
  assert.equal(await isRead(), false, 'of an earlier session');
});

test('reports a recovered save of the document, and restores it for users who may edit', async () => {
  const page = await pages.enter('recovered.docx');
  const { recoveredSaves } = pages.services;
  for (const name of ['recovered.docx', 'letter.docx'])
    assert.equal((await (await pages.host.document(name)).save(`refused ${name}`)).status, 409);
  const { recovered, canRestore } = await page.state();
  const [save, ...more] = recovered as { id: string; receivedAtMs: number }[];
  assert.deepEqual([more, canRestore, typeof save?.receivedAtMs], [[], true, 'number']);

  const viewing = await pages.enter('recovered.docx', { mode: 'view' });
  assert.equal((await viewing.state())['canRestore'], false);
  assert.deepEqual(codeOf(await viewing.post('restore', { id: save?.id })), [403, 'permission-denied']);
  const foreign = recoveredSaves.list().find((one) => one.fileId === id);
  assert.deepEqual(codeOf(await page.post('restore', { id: foreign?.id })), [404, 'recovered-save-unknown']);

  const { status, body } = await page.post('restore', { id: save?.id });
  assert.equal(status, 200);
  assert.equal(await readFile(join(pages.folder, String(body['name'])), 'utf8'), 'refused recovered.docx');
  assert.equal(await readFile(join(pages.folder, 'recovered.docx'), 'utf8'), 'x');
  assert.deepEqual((await page.state())['recovered'], []);
  assert.equal((await page.post('ticket', { fileId: body['fileId'] })).status, 200);
});

test('reports a conflict copy with a link while it exists', async () => {
  const { fileId, state, post } = await pages.enter('moved apart.docx');
  pages.services.conflicts.insert({ copy: 'copy.docx', fileId, madeAtMs: 5 });
  pages.services.conflicts.insert({ copy: 'no more.docx', fileId, madeAtMs: 6 });
  const copyId = await pages.fileIdOf('copy.docx');
  const { conflicts } = await state();
  assert.deepEqual(conflicts, [{ fileId: copyId, name: 'copy.docx', path: 'copy.docx', madeAtMs: 5 }]);
  assert.equal((await post('ticket', { fileId: copyId })).status, 200);
});

test('lapses the lock of a page that left without closing, unless the page or its editor is still in use', async (t) => {
  const { services, clock } = pages;
  const open = async () => {
    const page = await pages.enter('left.docx');
    const { grant } = await pages.open(page);
    clock.advance(1000);
    return {
      ...page,
      grant,
      async lock(): Promise<void> {
        await services.locks.take(rowOf(page.fileId), 'ONLYOFFICE', grant);
        services.sessions.note(grant, { lock: 'granted' });
      },
      leave: async () => assert.equal((await page.post('left')).status, 204),
      async isHeld(): Promise<boolean> {
        clock.advance(11_000);
        await services.closedPages.lapseLocks();
        return services.locks.isHeld(page.fileId);
      },
    };
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
  await reloaded.state();
  assert.equal(await reloaded.isHeld(), true);

  const reader = await open();
  services.sessions.note(reader.grant, { bytesRead: 5 });
  await reader.leave();
  assert.equal(await reader.isHeld(), true, 'an editor uses the lock of the previous session');

  await services.locks.release(rowOf(reader.fileId));
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const started = await open();
  await started.lock();
  services.sessions.note(started.grant, { bytesRead: 5 });
  t.mock.timers.reset();
  await started.leave();
  assert.equal(await started.isHeld(), true, 'its editor read the document in the same millisecond');
});

test('revokes the text editor’s tokens of a closed page once it has released its lock, and no others', async (t) => {
  const { services, clock } = pages;
  const { accessTokens, closedPages, editors, events, locks } = services;
  const { id: textEditorId } = editors.registerBuiltIn({
    url: 'http://localhost:8791',
    discovery: { actions: [], proofKeys: null },
    problem: null,
    readDiscovery: async () => ({ actions: [], proofKeys: null }),
  });
  const page = await pages.enter('text.docx');
  const { fileId } = page;
  const open = (openIn = textEditorId) => {
    const place = { editorId: openIn, pageUrl: null, pageSessionId: null };
    return accessTokens.mint({ user: pages.owner, fileId, mode: 'edit', place }).token;
  };
  const [holder, reader, otherTab, office] = [open(), open(), open(), open(editorId)];
  await locks.take(rowOf(fileId), 'text', grantOf(holder)!);
  const leave = async (tokens: unknown[]): Promise<void> =>
    assert.equal((await page.post('left', { accessTokens: tokens })).status, 204);
  await leave([holder, reader, office, 'unknown', 7]);
  const valid = (passedMs: number): boolean[] => {
    clock.advance(passedMs);
    closedPages.revokeTokens();
    return [holder, reader, otherTab, office].map((token) => grantOf(token) !== undefined);
  };
  assert.deepEqual(valid(9000), [true, true, true, true], 'a last save may be on its way');
  const changed = new Set<string>();
  t.after(events.on('row-changed', ({ table }) => changed.add(table)));
  assert.deepEqual(valid(2000), [true, false, true, true], 'a session that holds the lock stays valid');
  assert.ok(changed.has('tokens'), 'the window shows it');
  await locks.release(rowOf(fileId));
  assert.deepEqual(valid(0), [false, false, true, true]);
  await page.post('close');
  await leave([otherTab]);
  assert.deepEqual(valid(11_000), [false, false, false, true]);
  editors.unregisterBuiltIn();
});

test('the page says that the document doesn’t exist', async () => {
  const { get, post } = await pages.enter('gone.docx');
  await rm(join(pages.folder, 'gone.docx'));
  const answer = await get();
  assert.equal(answer.status, 404);
  assert.match(await answer.text(), /<h1>This document doesn’t exist<\/h1>/);
  assert.equal((await post('open')).status, 404);
});

test('closing ends the page session and clears the cookie, but keeps the access token for a last save', async () => {
  const page = await pages.enter('letter.docx');
  const { body } = await pages.open(page);
  const closed = await page.post('close');
  assert.equal(closed.status, 204);
  for (const taken of closed.headers.getSetCookie()) assert.match(taken, /^doctray-page=; .*Max-Age=0/);
  assert.equal((await page.get()).status, 401);
  assert.ok(grantOf(body['accessToken']));
});

test('serves the page’s files with their types, and no other files', async () => {
  const get = (name: string): Promise<Response> => fetch(`${pages.origin}/host-page/${name}`);
  for (const [name, type] of [
    ['host-page.js', 'text/javascript; charset=utf-8'],
    ['host-page.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ] as const) {
    const { status, headers } = await get(name);
    assert.deepEqual([status, headers.get('Content-Type')], [200, type]);
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
    assert.equal(headers.get('Cache-Control'), 'no-cache');
  }
  for (const name of ['main.ts', '..%2ftext-editor%2ftext-editor.js', 'nothing.js', '.hidden.js', ''])
    assert.equal((await get(name)).status, 404, name);
});

test('the page says that it couldn’t be built', async () => {
  const build = async () => 'Expected a semicolon';
  const unbuilt = await openPages({ 'letter.docx': 'x' }, { folder: join('/', 'nowhere'), build });
  try {
    const answer = await (await unbuilt.enter('letter.docx')).get();
    assert.equal(answer.status, 503);
    assert.match(await answer.text(), /The page couldn’t be built.*See the log/s);
  } finally {
    await unbuilt.close();
  }
});

test('files/access returns both page links with tickets for the requested mode', async () => {
  const access = await pages.host.access('letter.docx', { mode: 'view' });
  assert.equal(access.wopiSrc, `${pages.origin}/wopi/files/${id}`);
  const page = await enterPage(access.hostEditUrl);
  assert.equal((await page.post('open')).body['canEdit'], false);
  await enterPage(access.hostViewUrl);
});

test('opens a document in an editor with its name and page, where a viewer link may switch to editing', async () => {
  const { openInEditor } = pages.host.host;
  const input = { user: pages.owner, path: 'letter.docx', mode: 'view', editorId: null } as const;
  const { url, ...rest } = await openInEditor(input);
  assert.deepEqual(rest, { fileId: id, path: 'letter.docx', editorId, editorName: 'Collabora Online' });
  const page = await enterPage(url);
  assert.equal(page.url, `${pages.origin}/view/${id}`);
  assert.equal((await page.post('open')).body['mode'], 'view');
  assert.equal((await page.at('edit').post('open')).body['mode'], 'edit');

  const user = await pages.addUser('looker', 'viewer');
  assert.match((await openInEditor({ ...input, user, mode: 'edit' })).url, /\/view\//);
  for (const [path, code] of [
    ['strange.xyz', 'no-editor'],
    ['nothing.docx', 'file-missing'],
  ] as const)
    await assert.rejects(openInEditor({ ...input, path }), { code });
});

test('passes Collabora its close and version buttons and the language', async (t) => {
  const { server, services } = pages;
  const { pages: before, url } = server;
  t.after(async () => {
    server.pages = before;
    await services.editors.refresh(editorId);
  });
  const { post } = await pages.enter('letter.docx');
  const open = async (language: string): Promise<URLSearchParams> =>
    new URL(String((await post('open', {}, { 'Accept-Language': language })).body['action'])).searchParams;
  assert.equal((await open('pt-br,pt;q=0.9')).get('lang'), 'pt-BR');
  // Collabora's page passes it to Intl.Locale, which throws if it isn't a language tag.
  assert.equal((await open('de-12')).get('lang'), null);
  for (const [kind, place] of [
    ['onlyoffice', '/hosting/wopi/word'],
    ['office-online', '/we/wordeditorframe.aspx'],
    ['other', ''],
  ] as const) {
    server.pages = url + place;
    await services.editors.refresh(editorId);
    assert.equal(services.editors.byId(editorId)?.kind, kind);
    const query = await open('de');
    const parameters = ['closebutton', 'revisionhistory', 'lang'].map((name) => query.has(name));
    assert.deepEqual(parameters, [false, false, false], kind);
  }
});

test('the journal has no ticket, cookie or token', async () => {
  const { hostEditUrl } = await pages.host.access('letter.docx');
  const page = await enterPage(hostEditUrl);
  const { body } = await pages.open(page);
  const journal = JSON.stringify(pages.services.journal.newest(Infinity));
  const ticket = new URL(hostEditUrl).searchParams.get('ticket') ?? '';
  for (const secret of [ticket, page.cookie.split('=')[1] ?? '', String(body['accessToken'])]) {
    assert.equal(secret.length, 43);
    assert.ok(!journal.includes(secret));
  }
  assert.match(journal, /"operation":"HostPageOpen".*"user":"owner"/);
});
