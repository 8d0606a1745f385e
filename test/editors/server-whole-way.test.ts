// End to end with three document servers that the host knows only from their discovery: connecting, opening a document, the host
// page, its form, the editor's signed calls, and the file on disk. First the tests for all three servers, then those for one.

import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dialectKinds } from './dialects/dialects.ts';
import { withRemark } from './office-zip.ts';
import { openConnectedSetup, type ConnectedSetup, type Setup } from './setup.ts';
import type { Signing } from './servers/proof-keys.ts';
import { ask, postForm, visit, type Visit } from './servers/visitor.ts';
import { jsonOf, lastOf, operations, sentValue, type FileInfo } from './wire.ts';

const kindOf = { onlyoffice: 'onlyoffice', collabora: 'collabora', office: 'office-online' } as const;
const minutes = 60_000;
const hours = 60 * minutes;

/** Types in the editor's page and saves; returns the status of the host's answer. */
async function save(editor: Visit, text: string): Promise<number> {
  await editor.do('type', { text });
  return (await editor.do('save')).status;
}

/** The letter has this text, and what another program wrote is its only conflict copy; undefined: there is none. */
async function assertLetter({ names, assertText }: Setup, text: string, ofOther?: string): Promise<void> {
  await assertText('letter.docx', text);
  const copies = (await names()).filter((name) => name.startsWith('letter (conflict'));
  assert.equal(copies.length, ofOther === undefined ? 0 : 1);
  if (ofOther !== undefined) await assertText(copies[0] ?? '', ofOther, 'letter.docx');
}

for (const kind of dialectKinds) {
  test(`${kind}: connects, opens, saves, copies and renames, no URL, page, event or journal entry contains a secret, and the connection test passes`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server, browser } = connected;
    const { services } = setup.host.host;
    const known = services.editors.byId(connected.editorId);
    assert.equal(known?.kind, kindOf[kind]);
    assert.ok(known.discovery.proofKeys !== null);
    services.editors.change(connected.editorId, { proofMode: 'required' });

    const ticketAddress = await connected.click('letter.docx');
    const hostPage = await browser.go(ticketAddress);
    const opened = await hostPage.open();
    const editor = await visit(hostPage.form(opened));
    assert.deepEqual([opened.mode, opened.kind], ['edit', kindOf[kind]]);
    assert.deepEqual(opened.editorOrigins, [server.url]);
    const forcesave = { docs_api_config: '{"editorConfig":{"customization":{"forcesave":true}}}' };
    assert.deepEqual(opened.formFields, kind === 'onlyoffice' ? forcesave : {});
    const { failure, mode, name, origin } = await editor.state();
    assert.deepEqual([failure, mode, name], ['', 'edit', 'letter.docx']);
    assert.equal(origin, new URL(hostPage.url).origin);
    assert.equal(services.accessTokens.list().length, 1, 'one token per open');
    assert.notEqual((await hostPage.state()).holder, null);

    assert.equal(await save(editor, 'typed'), 200);
    await setup.assertText('letter.docx', 'typed');
    const copied = await editor.do('save-as', { name: 'copy.docx' });
    assert.deepEqual(copied, { status: 200, name: 'copy.docx' });
    const [copy] = (await hostPage.state()).copies;
    assert.equal(copy?.name, 'copy.docx');
    const copyPage = await browser.go(await hostPage.ticket({ fileId: copy.fileId, mode: 'edit' }));
    assert.equal((await copyPage.open()).name, 'copy.docx');
    assert.deepEqual(await editor.do('rename', { name: 'renamed' }), { status: 200, name: 'renamed' });
    assert.equal((await hostPage.state()).name, 'renamed.docx');
    assert.equal((await editor.do('keep-alive')).status, 200);
    await editor.do('type', { text: 'at last' });
    await connected.leave(editor);
    await setup.assertText('renamed.docx', 'at last', 'letter.docx');
    assert.equal((await hostPage.state()).holder, null);
    for (const exchange of server.exchanges) assert.equal(exchange.status, 200, exchange.operation);

    const cookie = browser.cookiesFor(hostPage.url).split('=').at(-1) ?? '';
    assert.ok(cookie.length > 20);
    const { text: html, headers } = hostPage.page;
    const events = JSON.stringify(setup.host.events);
    const journal = JSON.stringify(services.journal.newest(Infinity));
    const seen = [ticketAddress, hostPage.url, html, opened.action, ...server.requests, events, journal];
    for (const secret of [opened.accessToken, cookie]) {
      for (const line of seen) assert.ok(!line.includes(secret), line);
    }
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(headers['cache-control'] ?? '', /no-store/);
    const policy = String(headers['content-security-policy']);
    for (const directive of ['frame-src', 'form-action']) {
      assert.match(policy, new RegExp(`${directive} ${server.url.replaceAll('.', '\\.')}(;|$)`));
    }
    assert.doesNotMatch(policy, /unsafe|data:|\*/);

    const names = await setup.names();
    const { steps } = await setup.host.host.testEditor(connected.editorId);
    const passed = steps.filter(({ state }) => state === 'passed').map(({ name }) => name);
    // Collabora calls the host only when a browser runs its page, so its other steps can't pass.
    const expected = ['discovery', 'page', ...(kind === 'collabora' ? [] : ['callback', 'proof', 'clock'])];
    for (const name of expected)
      assert.ok(
        passed.some((one) => one === name),
        name,
      );
    assert.deepEqual(await setup.names(), names, 'the connection test leaves no document');
  });

  test(`${kind}: with signatures required, answers 500 to calls with a wrong or missing one, but none fails when keys are rotated`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    const { editors } = setup.host.host.services;
    editors.change(connected.editorId, { proofMode: 'required' });
    const { editor } = await connected.open('letter.docx');
    const known = (): unknown => editors.byId(connected.editorId)?.discovery.proofKeys?.current;
    for (const signing of ['stranger', 'stale', 'damaged', 'none'] as Signing[]) {
      server.keys.use(signing);
      // After a failure the host refreshes the discovery at most once a minute.
      setup.host.clock.advance(2 * minutes);
      assert.equal(await save(editor, `signed, ${signing}`), 500, signing);
      const { received } = lastOf(server.exchanges, 'PutFile');
      assert.match(String(received['x-wopi-servererror']), /\w/, signing);
      assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx'], signing);
    }
    // The host's clock was advanced by eight minutes, so the server's must be too.
    server.keys.use('right');
    server.keys.skew(8 * minutes);
    assert.equal(await save(editor, 'signed again'), 200);

    const before = known();
    await server.keys.rotate();
    // The host still has the old discovery, but knows the key of ProofOld.
    assert.equal(await save(editor, 'once rotated'), 200);
    assert.equal(known(), before);
    // After two rotations the host knows neither key, and refreshes the discovery.
    await server.keys.rotate();
    assert.equal(await save(editor, 'twice rotated'), 200);
    assert.notEqual(known(), before);
    server.keys.use('previous');
    assert.equal(await save(editor, 'signed by the key before'), 200);
    await connected.leave(editor);
  });

  test(`${kind}: saves after a restart of the host, after an hour of sleep, and with a token that was renewed before it expired`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    setup.host.listenOn({ port: Number(new URL(setup.address()).port) });
    const { hostPage, opened, editor } = await connected.open('letter.docx');
    const saves = async (page: Visit, text: string): Promise<void> => {
      assert.equal(await save(page, text), 200);
      await setup.assertText('letter.docx', text);
    };
    let aheadMs = 0;
    const pass = (ms: number): void => {
      aheadMs += ms;
      setup.host.clock.advance(ms);
      server.keys.skew(aheadMs);
    };
    await setup.host.restart();
    await saves(editor, 'restarted');
    pass(hours);
    await setup.host.host.noteWake();
    await saves(editor, 'asleep');
    // The page session survives the restart too.
    assert.equal((await hostPage.state()).name, 'letter.docx');

    pass(8 * hours + 50 * minutes);
    const renewed = await hostPage.token(opened);
    assert.notEqual(renewed.accessToken, opened.accessToken);
    assert.ok(renewed.accessTokenTtl > opened.accessTokenTtl);
    let page = editor;
    if (kind === 'onlyoffice') {
      // ONLYOFFICE accepts a new token only with a new page.
      const left = editor.do('leave');
      page = await visit({ ...hostPage.form(opened), ...renewed });
      await left;
    } else await editor.do('token', { token: renewed.accessToken });
    pass(hours);
    await saves(page, 'by the new token');
    assert.ok(server.exchanges.every(({ address }) => address.includes('<token>')));
    await connected.leave(page);
  });
}

for (const kind of ['onlyoffice', 'office'] as const) {
  test(`${kind} converts an old document and redirects to the copy’s page, with a ticket that works once`, async (context) => {
    const connected = await openConnectedSetup(context, kind, { 'old.doc': 'an old binary document' });
    const { setup } = connected;
    const hostPage = await connected.browser.go(await connected.click('old.doc'));
    const opened = await hostPage.open();
    assert.deepEqual([opened.canEdit, opened.canConvert], [false, true]);
    const answer = await postForm({ ...hostPage.form(opened), action: opened.convertAction ?? '' });
    assert.equal(answer.status, 302);
    const copyPage = await connected.browser.go(answer.headers.location ?? '');
    assert.equal(copyPage.page.status, 200);
    const { name, mode } = await copyPage.open();
    assert.deepEqual([name, mode], ['old.docx', 'edit']);
    assert.equal((await setup.onDisk('old.doc')).toString(), 'an old binary document');
    await setup.assertText('old.docx', 'converted', 'letter.docx');
    assert.equal((await ask(answer.headers.location ?? '')).status, 403);
  });
}

test('an empty document is filled with the template when it opens', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice', { 'new.xlsx': '' });
  const { setup, server } = connected;
  const { editor } = await connected.open('new.xlsx');
  assert.equal((await editor.state()).mode, 'edit');
  assert.deepEqual(operations(server.exchanges), ['CheckFileInfo', 'PutFile', 'Lock', 'GetFile']);
  assert.deepEqual(await setup.onDisk('new.xlsx'), setup.fixtures['sums.xlsx']);
  await editor.do('type', { text: 'the first words' });
  await connected.leave(editor);
  await setup.assertText('new.xlsx', 'the first words', 'sums.xlsx');
});

test('ONLYOFFICE opens an unchanged document again from its cache: a save overwrites only what it has read', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup, server } = connected;
  const original = setup.fixtures['letter.docx'];
  const path = join(setup.host.folder, 'letter.docx');
  /** The editor of the document, and whether ONLYOFFICE has read the file for it. */
  const open = async () => {
    const before = server.exchanges.length;
    const { editor } = await connected.open('letter.docx');
    return { editor, isRead: operations(server.exchanges.slice(before)).includes('GetFile') };
  };
  await connected.leave((await open()).editor);
  const unchanged = await open();
  assert.equal(unchanged.isRead, false);
  assert.equal(await save(unchanged.editor, 'typed'), 200);
  await assertLetter(setup, 'typed');
  await connected.leave(unchanged.editor);

  await writeFile(path, withRemark(original, 'of another program'));
  const changed = await open();
  assert.deepEqual([changed.isRead, (await changed.editor.state()).text], [true, 'of another program']);
  await connected.leave(changed.editor);

  const again = await open();
  assert.deepEqual([again.isRead, (await again.editor.state()).text], [false, 'of another program']);
  await writeFile(path, withRemark(original, 'of another program again'));
  assert.equal(await save(again.editor, 'typed again'), 200);
  await assertLetter(setup, 'typed again', 'of another program again');
  await connected.leave(again.editor);
});

test('ONLYOFFICE replays a rejected save when it opens the document again, and the newer content becomes a conflict copy', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup, server } = connected;
  const { locks, recoveredSaves } = setup.host.host.services;
  const refused = await connected.open('letter.docx');
  await locks.forceClear(refused.fileId, 'owner');
  assert.equal(await save(refused.editor, 'refused'), 409);
  await refused.editor.do('leave');
  assert.equal(recoveredSaves.list().length, 1);
  await writeFile(join(setup.host.folder, 'letter.docx'), withRemark(setup.fixtures['letter.docx'], 'newer'));

  const replay = await connected.open('letter.docx');
  assert.equal((await replay.editor.state()).text, 'refused');
  await connected.leave(replay.editor);
  const calls = operations(server.exchanges);
  const ofReplay = calls.slice(calls.lastIndexOf('CheckFileInfo')).slice(0, 4);
  assert.deepEqual(ofReplay, ['CheckFileInfo', 'Lock', 'RefreshLock', 'PutFile']);
  await assertLetter(setup, 'refused', 'newer');
});

test('ONLYOFFICE’s save button saves to the host only if the host requested forced saves', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup, server } = connected;
  const hostPage = await connected.browser.go(await connected.click('letter.docx'));
  const plain = await visit({ ...hostPage.form(await hostPage.open()), formFields: {} });
  await plain.do('type', { text: 'not forced' });
  assert.deepEqual(await plain.do('save'), { status: 200, isUnmodified: true });
  assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);
  await plain.do('leave');
  const { editor: forcing } = await connected.open('letter.docx');
  await setup.assertText('letter.docx', 'not forced');
  assert.equal(await save(forcing, 'forced'), 200);
  await setup.assertText('letter.docx', 'forced');
  const saves = server.exchanges.filter(({ operation }) => operation === 'PutFile');
  const exits = saves.map((exchange) => sentValue(exchange, 'X-LOOL-WOPI-IsExitSave'));
  assert.deepEqual(exits, ['true', undefined]);
});

test('LibreOffice Online doesn’t retry a failed save, renames without its lock id, and shows the copy after Save As', async (context) => {
  const connected = await openConnectedSetup(context, { kind: 'collabora', isLegacy: true });
  const { setup, server } = connected;
  const { editor, fileId } = await connected.open('letter.docx');
  assert.deepEqual(await editor.do('rename', { name: 'the letter' }), { status: 200, name: 'the letter' });
  assert.equal(sentValue(lastOf(server.exchanges, 'RenameFile'), 'X-WOPI-Lock'), undefined);
  assert.deepEqual(await editor.do('save-as', { name: 'copy.docx' }), { status: 200 });
  assert.equal((await editor.state()).name, 'copy.docx', 'the frame shows the copy');
  assert.equal(await save(editor, 'into the copy'), 200);
  await setup.assertText('copy.docx', 'into the copy', 'letter.docx');
  assert.deepEqual(await setup.onDisk('the letter.docx'), setup.fixtures['letter.docx']);

  const { locks, recoveredSaves } = setup.host.host.services;
  const [lock] = locks.list();
  assert.notEqual(lock?.fileId, fileId);
  await locks.forceClear(lock?.fileId ?? '', 'owner');
  assert.equal(await save(editor, 'refused'), 409);
  assert.equal((await editor.state()).isModified, false, 'it counts as saved');
  assert.deepEqual(await editor.do('save'), { status: 200, isUnmodified: true });
  assert.equal(recoveredSaves.list().length, 1, 'the recovered save is the only copy');
  await setup.assertText('copy.docx', 'into the copy', 'letter.docx');
  const agents = new Set(server.exchanges.map((exchange) => sentValue(exchange, 'User-Agent')));
  assert.deepEqual([...agents], ['LOOLWSD WOPI Agent 6.4.10']);
});

test('ONLYOFFICE shows no false warning in view mode, although its token can’t write, and Collabora is told so', async (context) => {
  /** UserCanWrite, ReadOnly, UserCanRename and UserCanNotWriteRelative. */
  const rights = ({ exchanges }: ConnectedSetup['server']): (boolean | undefined)[] => {
    const info = jsonOf(lastOf(exchanges, 'CheckFileInfo')) as FileInfo;
    return [info.UserCanWrite, info.ReadOnly, info.UserCanRename, info.UserCanNotWriteRelative];
  };
  // It shows no warning, and opens in view mode only then.
  const collabora = await openConnectedSetup(context, 'collabora');
  await collabora.open('letter.docx', { mode: 'view' });
  assert.deepEqual(rights(collabora.server), [false, true, false, true]);

  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup, server } = connected;
  await setup.addUser('vera', 'viewer');
  const { fileId, editor, opened } = await connected.open('letter.docx', { mode: 'view' });
  const { mode, warning } = await editor.state();
  assert.deepEqual([mode, warning], ['view', '']);
  assert.deepEqual(rights(server), [true, false, false, true]);
  assert.deepEqual(operations(server.exchanges), ['CheckFileInfo', 'GetFile']);
  const headers = { 'X-WOPI-Lock': 'L', 'X-WOPI-RequestedName': 'other' };
  const call = { fileId, token: opened.accessToken, headers };
  assert.equal((await setup.host.wopi({ ...call, override: 'LOCK' })).status, 200);
  assert.deepEqual(setup.host.host.services.locks.list(), []);
  for (const change of [
    { contents: true, override: 'PUT' },
    { override: 'RENAME_FILE' },
    { override: 'DELETE' },
  ])
    assert.equal((await setup.host.wopi({ ...call, ...change, body: 'x' })).status, 401, change.override);
  assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);

  const viewer = await connected.open('letter.docx', { mode: 'view', login: 'vera' });
  assert.notEqual((await viewer.editor.state()).warning, '', 'a viewer gets the warning');
  await chmod(join(setup.host.folder, 'letter.docx'), 0o444);
  const protectedPage = await connected.open('letter.docx', { mode: 'view' });
  assert.notEqual((await protectedPage.editor.state()).warning, '');
});

test('accepts a rename without a lock id only from the page session that took the lock, even with a renewed token', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup } = connected;
  const { hostPage, opened, fileId } = await connected.open('letter.docx');
  const rename = async (token: string, name: string, lock = {}): Promise<number> => {
    const headers = { 'X-WOPI-RequestedName': name, ...lock };
    return (await setup.host.wopi({ fileId, token, override: 'RENAME_FILE', headers })).status;
  };
  const renewed = await hostPage.token(opened);
  const stranger = await setup.access('letter.docx');
  assert.equal(await rename(opened.accessToken, 'wrong', { 'X-WOPI-Lock': 'wrong' }), 409);
  assert.equal(await rename(stranger.accessToken, 'of a stranger'), 409);
  assert.equal(await rename(opened.accessToken, 'one'), 200);
  assert.equal(await rename(renewed.accessToken, 'two'), 200);
  assert.ok((await setup.names()).includes('two.docx'));
});

test('the links from files/access use the host name at which the editor may be framed', async (context) => {
  const { setup, server, editorId, click } = await openConnectedSetup(context, 'collabora');
  const { editors } = setup.host.host.services;
  await editors.remove(editorId);
  await editors.add({ url: server.url.replace('127.0.0.1', 'localhost') });
  const { hostEditUrl, hostViewUrl } = await setup.host.access('letter.docx');
  const { origin, hostname } = new URL(await click('letter.docx'));
  assert.equal(hostname, 'localhost');
  for (const url of [hostEditUrl, hostViewUrl]) assert.equal(new URL(url).origin, origin);
});
