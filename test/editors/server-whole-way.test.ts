// End to end with three document servers that the host knows only from their discovery: connecting, opening a document, the host
// page, its form, the editor's signed calls, and the file on disk. First the tests for all three servers, then those for one.

import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dialectKinds } from './dialects/dialects.ts';
import { withRemark } from './office-zip.ts';
import { failedConversion } from './scripted-editor.ts';
import { openConnectedSetup, type Setup } from './setup.ts';
import type { Signing } from './servers/proof-keys.ts';
import { ask, postForm, visit, type Visit } from './servers/visitor.ts';
import { lastOf, operations, sentValue, type FileInfo } from './wire.ts';

const kindOf = { onlyoffice: 'onlyoffice', collabora: 'collabora', office: 'office-online' } as const;
const minutes = 60_000;
const hours = 60 * minutes;

const conflictCopies = async (setup: Setup): Promise<string[]> =>
  (await setup.names()).filter((name) => name.startsWith('letter (conflict'));

for (const kind of dialectKinds) {
  test(`${kind}: connects, opens, saves, copies and renames, and no URL, page, event or journal entry contains a secret`, async (context) => {
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
    const { failure, mode, name, origin } = editor.state();
    assert.deepEqual([failure, mode, name], ['', 'edit', 'letter.docx']);
    assert.equal(origin, new URL(hostPage.url).origin);
    assert.equal(services.accessTokens.list().length, 1, 'one token per open');
    assert.notEqual((await hostPage.state()).holder, null);

    await editor.do('type', { text: 'typed' });
    assert.deepEqual(await editor.do('save'), { status: 200 });
    const typed = withRemark(setup.fixtures['letter.docx'], 'typed');
    assert.deepEqual(await setup.onDisk('letter.docx'), typed);
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
    editor.goAway();
    await connected.unlocked();
    const last = withRemark(setup.fixtures['letter.docx'], 'at last');
    assert.deepEqual(await setup.onDisk('renamed.docx'), last);
    assert.equal((await hostPage.state()).holder, null);
    for (const exchange of server.exchanges) assert.equal(exchange.status, 200, exchange.operation);
    setup.assertRules(server);

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
  });

  test(`${kind}: passes the connection test, which leaves no document`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const before = await connected.setup.names();
    const { steps } = await connected.setup.host.host.testEditor(connected.editorId);
    const passed = steps.filter(({ state }) => state === 'passed').map(({ name }) => name);
    // Collabora calls the host only when a browser runs its page, so its other steps can't pass.
    const expected = ['discovery', 'page', ...(kind === 'collabora' ? [] : ['callback', 'proof', 'clock'])];
    assert.deepEqual(
      expected.filter((name) => !passed.some((one) => one === name)),
      [],
    );
    assert.deepEqual(await connected.setup.names(), before);
  });

  test(`${kind}: with signatures required, answers 500 to calls with a wrong or missing one, but none fails when keys are rotated`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    const { editors } = setup.host.host.services;
    editors.change(connected.editorId, { proofMode: 'required' });
    const { editor } = await connected.open('letter.docx');
    const save = async (text: string): Promise<number> => {
      await editor.do('type', { text });
      return (await editor.do('save')).status;
    };
    const known = (): unknown => editors.byId(connected.editorId)?.discovery.proofKeys?.current;
    for (const signing of ['stranger', 'stale', 'damaged', 'none'] as Signing[]) {
      server.keys.use(signing);
      // After a failure the host refreshes the discovery at most once a minute.
      setup.host.clock.advance(2 * minutes);
      assert.equal(await save(`signed, ${signing}`), 500, signing);
      const { received } = lastOf(server.exchanges, 'PutFile');
      assert.match(String(received['x-wopi-servererror']), /\w/, signing);
      assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx'], signing);
    }
    // The host's clock was advanced by eight minutes, so the server's must be too.
    server.keys.use('right');
    server.keys.skew(8 * minutes);
    assert.equal(await save('signed again'), 200);

    const before = known();
    await server.keys.rotate();
    // The host still has the old discovery, but knows the key of ProofOld.
    assert.equal(await save('once rotated'), 200);
    assert.equal(known(), before);
    // After two rotations the host knows neither key, and refreshes the discovery.
    await server.keys.rotate();
    assert.equal(await save('twice rotated'), 200);
    assert.notEqual(known(), before);
    server.keys.use('previous');
    assert.equal(await save('signed by the key before'), 200);
    editor.goAway();
    await connected.unlocked();
    setup.assertRules(server);
  });

  test(`${kind}: saves after a restart of the host, after an hour of sleep, and with a token that was renewed before it expired`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    setup.host.listenOn({ port: Number(new URL(setup.address()).port) });
    const { hostPage, opened, editor } = await connected.open('letter.docx');
    const save = async (page: Visit, text: string): Promise<void> => {
      await page.do('type', { text });
      assert.equal((await page.do('save')).status, 200);
      assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(setup.fixtures['letter.docx'], text));
    };
    let aheadMs = 0;
    const pass = (ms: number): void => {
      aheadMs += ms;
      setup.host.clock.advance(ms);
      server.keys.skew(aheadMs);
    };
    await setup.host.restart();
    await save(editor, 'restarted');
    pass(hours);
    await setup.host.host.noteWake();
    await save(editor, 'asleep');
    // The page session survives the restart too.
    assert.equal((await hostPage.state()).name, 'letter.docx');

    pass(8 * hours + 50 * minutes);
    const renewed = await hostPage.token(opened);
    assert.notEqual(renewed.accessToken, opened.accessToken);
    assert.ok(renewed.accessTokenTtl > opened.accessTokenTtl);
    let page = editor;
    if (kind === 'onlyoffice') {
      // ONLYOFFICE accepts a new token only with a new page.
      editor.goAway();
      page = await visit({ ...hostPage.form(opened), ...renewed });
    } else await editor.do('token', { token: renewed.accessToken });
    pass(hours);
    await save(page, 'by the new token');
    assert.ok(server.exchanges.every(({ address }) => address.includes('<token>')));
    page.goAway();
    await connected.unlocked();
    setup.assertRules(server);
  });
}

for (const kind of ['onlyoffice', 'office'] as const) {
  test(`${kind} converts an old document and redirects to the copy’s page, with a ticket that works once`, async (context) => {
    const connected = await openConnectedSetup(context, kind, { 'old.doc': 'an old binary document' });
    const { setup } = connected;
    const hostPage = await connected.browser.go(await connected.click('old.doc'));
    const opened = await hostPage.open();
    assert.equal(opened.canEdit, false);
    assert.equal(opened.canConvert, true);
    assert.ok(opened.convertAction !== null);
    const answer = await postForm({ ...hostPage.form(opened), action: opened.convertAction });
    assert.equal(answer.status, 302);
    const copyPage = await connected.browser.go(answer.headers.location ?? '');
    assert.equal(copyPage.page.status, 200);
    const { name, mode } = await copyPage.open();
    assert.deepEqual([name, mode], ['old.docx', 'edit']);
    assert.equal((await setup.onDisk('old.doc')).toString(), 'an old binary document');
    assert.deepEqual(await setup.onDisk('old.docx'), withRemark(setup.fixtures['letter.docx'], 'converted'));
    assert.equal((await ask(answer.headers.location ?? '')).status, 403);
  });
}

test('an empty document is filled with the template when it opens', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice', { 'new.xlsx': '' });
  const { setup, server } = connected;
  const { editor } = await connected.open('new.xlsx');
  assert.equal(editor.state().mode, 'edit');
  assert.deepEqual(operations(server.exchanges), ['CheckFileInfo', 'PutFile', 'Lock', 'GetFile']);
  assert.deepEqual(await setup.onDisk('new.xlsx'), setup.fixtures['sums.xlsx']);
  await editor.do('type', { text: 'the first words' });
  editor.goAway();
  await connected.unlocked();
  const written = withRemark(setup.fixtures['sums.xlsx'], 'the first words');
  assert.deepEqual(await setup.onDisk('new.xlsx'), written);
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
  const close = async (editor: Visit): Promise<void> => {
    editor.goAway();
    await connected.unlocked();
  };
  await close((await open()).editor);
  const unchanged = await open();
  assert.equal(unchanged.isRead, false);
  await unchanged.editor.do('type', { text: 'typed' });
  assert.equal((await unchanged.editor.do('save')).status, 200);
  assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(original, 'typed'));
  assert.deepEqual(await conflictCopies(setup), []);
  await close(unchanged.editor);

  await writeFile(path, withRemark(original, 'of another program'));
  const changed = await open();
  assert.deepEqual([changed.isRead, changed.editor.state().text], [true, 'of another program']);
  await close(changed.editor);

  const again = await open();
  assert.deepEqual([again.isRead, again.editor.state().text], [false, 'of another program']);
  await writeFile(path, withRemark(original, 'of another program again'));
  await again.editor.do('type', { text: 'typed again' });
  assert.equal((await again.editor.do('save')).status, 200);
  assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(original, 'typed again'));
  const [copy = '', ...others] = await conflictCopies(setup);
  assert.deepEqual(others, []);
  assert.deepEqual(await setup.onDisk(copy), withRemark(original, 'of another program again'));
  await close(again.editor);
  setup.assertRules(server);
});

test('ONLYOFFICE replays a rejected save when it opens the document again, and the newer content becomes a conflict copy', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup, server } = connected;
  const { locks, recoveredSaves } = setup.host.host.services;
  const original = setup.fixtures['letter.docx'];
  const refused = await connected.open('letter.docx');
  await refused.editor.do('type', { text: 'refused' });
  await locks.forceClear(refused.fileId, 'owner');
  assert.equal((await refused.editor.do('save')).status, 409);
  await refused.editor.do('leave');
  assert.equal(recoveredSaves.list().length, 1);
  await writeFile(join(setup.host.folder, 'letter.docx'), withRemark(original, 'newer'));

  const replay = await connected.open('letter.docx');
  assert.equal(replay.editor.state().text, 'refused');
  replay.editor.goAway();
  await connected.unlocked();
  const calls = operations(server.exchanges);
  assert.deepEqual(calls.slice(calls.lastIndexOf('CheckFileInfo')).slice(0, 4), [
    'CheckFileInfo',
    'Lock',
    'RefreshLock',
    'PutFile',
  ]);
  assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(original, 'refused'));
  const [copy = ''] = await conflictCopies(setup);
  assert.deepEqual(await setup.onDisk(copy), withRemark(original, 'newer'));
});

test('ONLYOFFICE’s save button saves to the host only if the host requested forced saves, as it does from no other editor', async (context) => {
  for (const kind of dialectKinds) {
    const connected = await openConnectedSetup(context, kind);
    const { opened } = await connected.open('sums.xlsx');
    const config = { docs_api_config: '{"editorConfig":{"customization":{"forcesave":true}}}' };
    assert.deepEqual(opened.formFields, kind === 'onlyoffice' ? config : {}, kind);
    if (kind !== 'onlyoffice') continue;

    const { setup, server } = connected;
    const original = setup.fixtures['letter.docx'];
    const hostPage = await connected.browser.go(await connected.click('letter.docx'));
    const plain = await visit({ ...hostPage.form(await hostPage.open()), formFields: {} });
    await plain.do('type', { text: 'not forced' });
    assert.deepEqual(await plain.do('save'), { status: 200, isUnmodified: true });
    assert.deepEqual(await setup.onDisk('letter.docx'), original);
    await plain.do('leave');
    const { editor: forcing } = await connected.open('letter.docx');
    assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(original, 'not forced'));
    await forcing.do('type', { text: 'forced' });
    assert.deepEqual(await forcing.do('save'), { status: 200 });
    assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(original, 'forced'));
    const saves = server.exchanges.filter(({ operation }) => operation === 'PutFile');
    const exits = saves.map((save) => sentValue(save, 'X-LOOL-WOPI-IsExitSave'));
    assert.deepEqual(exits, ['true', undefined]);
  }
});

test('ONLYOFFICE saves the error of a failed conversion: the document stays as it is, and the next save is written', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup, server } = connected;
  const { editor, hostPage } = await connected.open('letter.docx');
  const { recoveredSaves } = setup.host.host.services;
  await editor.do('type', { text: 'typed' });
  server.failConversions(true);
  assert.deepEqual(await editor.do('save'), { status: 500 });
  assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);
  const [save, ...others] = recoveredSaves.list();
  assert.deepEqual([save?.isUnreadable, save?.size, others], [true, failedConversion.length, []]);
  const { missed } = await hostPage.state();
  assert.deepEqual([missed?.kind, missed?.keptId], ['unreadable', save?.id]);

  server.failConversions(false);
  assert.deepEqual(await editor.do('save'), { status: 200 });
  const written = withRemark(setup.fixtures['letter.docx'], 'typed');
  assert.deepEqual(await setup.onDisk('letter.docx'), written);
  assert.equal((await hostPage.state()).missed, null);
  editor.goAway();
  await connected.unlocked();
  assert.deepEqual(await setup.onDisk('letter.docx'), written);
  setup.assertRules(server);
});

test('LibreOffice Online doesn’t retry a failed save, renames without its lock id, and shows the copy after Save As', async (context) => {
  const connected = await openConnectedSetup(context, { kind: 'collabora', isLegacy: true });
  const { setup, server } = connected;
  const { 'letter.docx': original } = setup.fixtures;
  const { editor, fileId } = await connected.open('letter.docx');
  assert.deepEqual(await editor.do('rename', { name: 'the letter' }), { status: 200, name: 'the letter' });
  assert.equal(sentValue(lastOf(server.exchanges, 'RenameFile'), 'X-WOPI-Lock'), undefined);
  assert.deepEqual(await editor.do('save-as', { name: 'copy.docx' }), { status: 200 });
  await editor.until(({ name }) => name === 'copy.docx', 'the frame shows the copy');
  await editor.do('type', { text: 'into the copy' });
  assert.deepEqual(await editor.do('save'), { status: 200 });
  assert.deepEqual(await setup.onDisk('copy.docx'), withRemark(original, 'into the copy'));
  assert.deepEqual(await setup.onDisk('the letter.docx'), original);

  const { locks, recoveredSaves } = setup.host.host.services;
  const [lock] = locks.list();
  assert.notEqual(lock?.fileId, fileId);
  await locks.forceClear(lock?.fileId ?? '', 'owner');
  await editor.do('type', { text: 'refused' });
  assert.deepEqual(await editor.do('save'), { status: 409 });
  await editor.until(({ isModified }) => !isModified, 'it counts as saved');
  assert.deepEqual(await editor.do('save'), { status: 200, isUnmodified: true });
  assert.equal(recoveredSaves.list().length, 1, 'the recovered save is the only copy');
  assert.deepEqual(await setup.onDisk('copy.docx'), withRemark(original, 'into the copy'));
  const agents = new Set(server.exchanges.map((exchange) => sentValue(exchange, 'User-Agent')));
  assert.deepEqual([...agents], ['LOOLWSD WOPI Agent 6.4.10']);
  setup.assertRules(server);
});

test('LibreOffice Online saves what was typed within a second as not modified, and it isn’t lost: over what another program wrote, it becomes a version', async (context) => {
  const connected = await openConnectedSetup(context, { kind: 'collabora', isLegacy: true });
  const { setup, server } = connected;
  const { editor, hostPage, fileId } = await connected.open('letter.odt');
  const original = setup.fixtures['letter.odt'];
  const flag = () => sentValue(lastOf(server.exchanges, 'PutFile'), 'X-LOOL-WOPI-IsModifiedByUser');
  assert.deepEqual(await editor.do('type-and-save', { text: 'first' }), { status: 200 });
  assert.deepEqual([flag(), editor.state().isModified], ['false', false]);
  assert.deepEqual(await setup.onDisk('letter.odt'), withRemark(original, 'first'));
  assert.equal((await hostPage.state()).missed, null);

  const ofOther = withRemark(original, 'of another program');
  await writeFile(join(setup.host.folder, 'letter.odt'), ofOther);
  assert.deepEqual(await editor.do('type-and-save', { text: 'typed' }), { status: 200 });
  assert.equal(flag(), 'false');
  assert.deepEqual(await setup.onDisk('letter.odt'), ofOther);
  const { versions, recoveredSaves } = setup.host.host.services;
  const unwritten = versions.list(fileId).filter(({ savedHow }) => savedHow === 'unwritten');
  assert.deepEqual(
    await Promise.all(unwritten.map(({ id }) => readFile(join(setup.host.dataDir, 'versions', fileId, id)))),
    [withRemark(original, 'typed')],
  );
  assert.deepEqual(recoveredSaves.list(), []);
  const { missed } = await hostPage.state();
  assert.deepEqual([missed?.kind, missed?.keptId], ['version', unwritten[0]?.id]);

  // Once the flag has caught up, the save is written as any other.
  await editor.do('type', { text: 'typed more' });
  assert.deepEqual(await editor.do('save'), { status: 200 });
  assert.equal(flag(), 'true');
  assert.equal((await hostPage.state()).missed, null);
  assert.deepEqual(await setup.onDisk('letter.odt'), withRemark(original, 'typed more'));
  const [copy = ''] = await conflictCopies(setup);
  assert.deepEqual(await setup.onDisk(copy), ofOther);
  setup.assertRules(server);
});

test('ONLYOFFICE shows no false warning in view mode, although its token can’t write', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup, server } = connected;
  await setup.addUser('vera', 'viewer');
  const { fileId, editor, opened } = await connected.open('letter.docx', { mode: 'view' });
  assert.deepEqual([editor.state().mode, editor.state().warning], ['view', '']);
  const info = JSON.parse(lastOf(server.exchanges, 'CheckFileInfo').body.toString()) as FileInfo;
  const { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative } = info;
  assert.deepEqual(
    { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative },
    { UserCanWrite: true, ReadOnly: false, UserCanRename: false, UserCanNotWriteRelative: true },
  );
  assert.deepEqual(operations(server.exchanges), ['CheckFileInfo', 'GetFile']);
  const headers = { 'X-WOPI-Lock': 'L', 'X-WOPI-RequestedName': 'other' };
  const call = { fileId, token: opened.accessToken, headers };
  assert.equal((await setup.host.wopi({ ...call, override: 'LOCK' })).status, 200);
  assert.deepEqual(setup.host.host.services.locks.list(), []);
  assert.equal((await setup.host.wopi({ ...call, contents: true, override: 'PUT', body: 'x' })).status, 401);
  assert.equal((await setup.host.wopi({ ...call, override: 'RENAME_FILE' })).status, 401);
  assert.equal((await setup.host.wopi({ ...call, override: 'DELETE' })).status, 401);
  assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);

  const viewer = await connected.open('letter.docx', { mode: 'view', login: 'vera' });
  assert.notEqual(viewer.editor.state().warning, '', 'a viewer gets the warning');
  await chmod(join(setup.host.folder, 'letter.docx'), 0o444);
  const protectedPage = await connected.open('letter.docx', { mode: 'view' });
  assert.notEqual(protectedPage.editor.state().warning, '');
});

// Unlike ONLYOFFICE, Collabora shows no warning, and needs this to open in view mode.
test('CheckFileInfo tells Collabora in view mode that the document is read-only', async (context) => {
  const connected = await openConnectedSetup(context, 'collabora');
  await connected.open('letter.docx', { mode: 'view' });
  const { UserCanWrite, ReadOnly } = JSON.parse(
    lastOf(connected.server.exchanges, 'CheckFileInfo').body.toString(),
  ) as FileInfo;
  assert.deepEqual([UserCanWrite, ReadOnly], [false, true]);
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

test('a lock conflict names the user, the editor and what to do', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup } = connected;
  const { users, locks, sessions } = setup.host.host.services;
  await users.add({ login: 'ana', displayName: 'Ana', role: 'editor', password: 'a long enough password' });
  const { name: editorName } = setup.host.host.services.editors.byId(connected.editorId)!;
  const ana = await connected.open('letter.docx', { login: 'ana' });
  const { fileId, accessToken: token } = await setup.access('letter.docx');
  const headers = { 'X-WOPI-Lock': 'another', 'X-WOPI-RequestedName': 'other' };
  const sentence = `Ana is editing this document in ${editorName}. Ask them to close it, or force-clear the lock in DocTray.`;
  for (const override of ['LOCK', 'REFRESH_LOCK', 'UNLOCK', 'RENAME_FILE', 'DELETE']) {
    const refused = await setup.host.wopi({ fileId, token, override, headers });
    assert.equal(refused.status, 409, override);
    assert.equal(refused.headers.get('X-WOPI-LockFailureReason'), sentence, override);
  }
  const waiting = await connected.open('letter.docx', { mode: 'view' });
  for (const page of [waiting.hostPage, ana.hostPage]) {
    const holder = {
      userName: 'Ana',
      editorName,
      isThisEditor: true,
      hasLapsed: false,
      otherUsers: page === waiting.hostPage ? ['Ana'] : [],
      isOpenElsewhere: false,
    };
    assert.deepEqual((await page.state()).holder, holder);
  }
  const [session] = sessions.list().filter(({ userLogin }) => userLogin === 'ana');
  assert.deepEqual([session?.editorName, session?.client], [editorName, 'Node.js/6.13']);

  // Other sessions have the document open too, but none of them has this lock.
  setup.host.host.services.accessTokens.revoke(session?.id ?? '');
  const [lock] = locks.list();
  assert.deepEqual([lock?.state, lock?.stale], ['stale', { kind: 'revoked' }]);
  const own = { 'X-WOPI-Lock': fileId };
  const unlock = { fileId, token: ana.opened.accessToken, override: 'UNLOCK', headers: own };
  assert.equal((await setup.host.wopi(unlock)).status, 401);
  const { headers: refusal } = await setup.host.wopi({ fileId, token, override: 'LOCK', headers });
  assert.equal(
    refusal.get('X-WOPI-LockFailureReason'),
    `Ana locked this document in ${editorName}, and that editor has gone away. Force-clear the lock in DocTray.`,
  );
});

test('a shared lock becomes stale only when the tokens of all its users are revoked', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup } = connected;
  await setup.addUser('bjorn', 'editor');
  const ana = await connected.open('letter.docx');
  const bjorn = await connected.open('letter.docx', { login: 'bjorn' });
  const { locks, sessions, accessTokens } = setup.host.host.services;
  const tokenOf = (login: string): string =>
    sessions.list().find(({ userLogin }) => userLogin === login)?.id ?? '';
  accessTokens.revoke(tokenOf('owner'));
  assert.equal(locks.list()[0]?.state, 'held');
  accessTokens.revoke(tokenOf('bjorn'));
  assert.equal(locks.list()[0]?.state, 'stale');
  ana.editor.goAway();
  bjorn.editor.goAway();
});

test('the links from files/access use the host name at which the editor may be framed', async (context) => {
  const { setup, server, editorId, click } = await openConnectedSetup(context, 'collabora');
  const { editors } = setup.host.host.services;
  await editors.remove(editorId);
  await editors.add({ url: server.url.replace('127.0.0.1', 'localhost') });
  const { hostEditUrl, hostViewUrl } = await setup.host.access('letter.docx');
  const { origin, hostname } = new URL(await click('letter.docx'));
  assert.equal(hostname, 'localhost');
  assert.deepEqual(
    [hostEditUrl, hostViewUrl].map((url) => new URL(url).origin),
    [origin, origin],
  );
});
