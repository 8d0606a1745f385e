// End to end with three document servers that the host knows only from their discovery: connecting, opening a document, the host
// page, its form, the editor's signed calls, and the file on disk.

import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { testOutcome } from '../../app/contract/editors.ts';
import { openSetup } from './setup.ts';
import { withRemark } from './office-zip.ts';
import { startDocumentServer } from './servers/document-server.ts';
import type { DialectKind } from './servers/dialect.ts';
import type { Signing } from './servers/proof-keys.ts';
import { ask, postForm, visit, type Visit } from './servers/visitor.ts';
import { lastOf, operations, type FileInfo } from './wire.ts';
import { openConnectedSetup } from './connected-setup.ts';

const kinds: DialectKind[] = ['onlyoffice', 'collabora', 'office'];
const kindOf = { onlyoffice: 'onlyoffice', collabora: 'collabora', office: 'office-online' } as const;
const minutes = 60_000;
const hours = 60 * minutes;

for (const kind of kinds) {
  test(`${kind}: connects, opens, saves, copies and renames, and the replaced content is a version`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    const known = setup.host.host.services.editors.byId(connected.editorId);
    assert.equal(known?.kind, kindOf[kind]);
    assert.ok(known.discovery.proofKeys !== null);
    setup.host.host.services.editors.change(connected.editorId, { proofMode: 'required' });

    const { hostPage, opened, editor } = await connected.open('letter.docx');
    assert.equal(opened.mode, 'edit');
    assert.equal(opened.kind, kindOf[kind]);
    assert.deepEqual(opened.editorOrigins, [server.url]);
    assert.equal(editor.state().failure, '');
    assert.equal(editor.state().mode, 'edit');
    assert.equal(setup.host.host.services.accessTokens.list().length, 1, 'one token per open');
    assert.equal(editor.state().origin, new URL(hostPage.url).origin);
    assert.notEqual((await hostPage.state()).holder, null);

    await editor.do('type', { text: 'typed' });
    assert.equal((await editor.do('save')).status, 200);
    const typed = withRemark(setup.fixtures['letter.docx'], 'typed');
    assert.deepEqual(await setup.onDisk('letter.docx'), typed);
    const [version] = setup.host.host.services.versions.list(
      new URL(hostPage.url).pathname.split('/').at(-1) ?? '',
    );
    assert.equal(version?.size, setup.fixtures['letter.docx'].length);

    await editor.do('save-as', { name: 'copy.docx' });
    const { copies } = await hostPage.state();
    assert.deepEqual(
      copies.map(({ name }) => name),
      ['copy.docx'],
    );
    const copyPage = await connected.browser.go(
      await hostPage.ticket({ fileId: copies[0]?.fileId ?? '', mode: 'edit' }),
    );
    assert.equal((await copyPage.open()).name, 'copy.docx');

    await editor.do('rename', { name: 'renamed' });
    assert.equal((await hostPage.state()).name, 'renamed.docx');
    await editor.do('type', { text: 'at last' });
    editor.goAway();
    await connected.unlocked();
    assert.deepEqual(
      await setup.onDisk('renamed.docx'),
      withRemark(setup.fixtures['letter.docx'], 'at last'),
    );
    assert.equal((await hostPage.state()).holder, null);
    for (const exchange of server.exchanges) assert.equal(exchange.status, 200, exchange.operation);
    setup.assertRules(server);
  });

  test(`${kind}: passes the connection test`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const result = await connected.setup.host.host.testEditor(connected.editorId);
    const states = Object.fromEntries(result.steps.map(({ name, state }) => [name, state]));
    if (kind === 'collabora') {
      // Collabora calls the host only when a browser runs its page, so the other steps can't pass.
      assert.equal(states['discovery'], 'passed');
      assert.equal(states['page'], 'passed');
      return;
    }
    const allPassed = {
      discovery: 'passed',
      page: 'passed',
      callback: 'passed',
      proof: 'passed',
      clock: 'passed',
    };
    assert.deepEqual(states, allPassed);
    assert.equal(result.isGood, true);
    // The test leaves no document in the folder.
    assert.deepEqual(await connected.setup.names(), ['letter.docx', 'letter.odt', 'sums.xlsx', 'talk.pptx']);
  });

  test(`${kind}: with signatures required, answers 500 to calls with a wrong or missing signature`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    const { editors } = setup.host.host.services;
    editors.change(connected.editorId, { proofMode: 'required' });
    const { editor } = await connected.open('letter.docx');
    await editor.do('type', { text: 'signed' });
    for (const signing of ['stranger', 'stale', 'damaged', 'none'] as Signing[]) {
      server.keys.use(signing);
      // After a failure the host refreshes the discovery at most once a minute.
      setup.host.clock.advance(2 * minutes);
      await editor.do('type', { text: `signed, ${signing}` });
      assert.equal((await editor.do('save')).status, 500, signing);
      const { received } = lastOf(server.exchanges, 'PutFile');
      assert.match(String(received['x-wopi-servererror']), /\w/, signing);
      assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx'], signing);
    }
    // The host's clock was advanced by eight minutes, so the server's must be too.
    server.keys.use('right');
    server.keys.skew(8 * minutes);
    await editor.do('type', { text: 'signed again' });
    assert.equal((await editor.do('save')).status, 200);
    editor.goAway();
    await connected.unlocked();
    setup.assertRules(server);
  });

  test(`${kind}: no save fails when keys are rotated during an edit, or when the previous key is still used`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    const { editors } = setup.host.host.services;
    editors.change(connected.editorId, { proofMode: 'required' });
    const { editor } = await connected.open('letter.docx');
    const save = async (text: string): Promise<void> => {
      await editor.do('type', { text });
      assert.equal((await editor.do('save')).status, 200, text);
    };
    const before = editors.byId(connected.editorId)?.discovery.proofKeys?.current;
    await server.keys.rotate();
    // The host still has the old discovery, but knows the key of ProofOld.
    await save('once rotated');
    assert.equal(editors.byId(connected.editorId)?.discovery.proofKeys?.current, before);
    // After two rotations the host knows neither key, and refreshes the discovery.
    await server.keys.rotate();
    await save('twice rotated');
    assert.notEqual(editors.byId(connected.editorId)?.discovery.proofKeys?.current, before);
    server.keys.use('previous');
    await save('signed by the key before');
    editor.goAway();
    await connected.unlocked();
    setup.assertRules(server);
  });

  test(`${kind}: two users edit a document together, each from their own host page`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    await setup.addUser('bjorn', 'editor');
    const ana = await connected.open('sums.xlsx');
    const bjorn = await connected.open('sums.xlsx', { login: 'bjorn' });
    await ana.editor.until(({ people }) => people.length === 2, 'both are there');
    await ana.editor.do('type', { text: 'by Ana' });
    await ana.editor.do('save');
    await bjorn.editor.do('type', { text: 'by Bjorn' });
    ana.editor.goAway();
    bjorn.editor.goAway();
    await connected.unlocked();
    assert.deepEqual(await setup.onDisk('sums.xlsx'), withRemark(setup.fixtures['sums.xlsx'], 'by Bjorn'));
    setup.assertRules(server);
  });

  test(`${kind}: opens a viewer’s document in view mode, without a lock`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    await connected.setup.addUser('vera', 'viewer');
    const { opened, editor } = await connected.open('talk.pptx', { login: 'vera' });
    assert.equal(opened.mode, 'view');
    assert.equal(opened.canEdit, false);
    assert.equal(editor.state().mode, 'view');
    assert.deepEqual(connected.setup.host.host.services.locks.list(), []);
    editor.goAway();
  });

  test(`${kind}: saves after a restart of the host, and after an hour of sleep`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    const port = Number(new URL(setup.address()).port);
    setup.host.listenOn({ port });
    const { hostPage, editor } = await connected.open('letter.docx');
    await editor.do('type', { text: 'before' });
    await setup.host.restart();
    assert.equal((await editor.do('save')).status, 200);
    await editor.do('type', { text: 'asleep' });
    setup.host.clock.advance(hours);
    server.keys.skew(hours);
    await setup.host.host.noteWake();
    assert.equal((await editor.do('save')).status, 200);
    assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(setup.fixtures['letter.docx'], 'asleep'));
    // The page session survives the restart too.
    assert.equal((await hostPage.state()).name, 'letter.docx');
    editor.goAway();
    await connected.unlocked();
    setup.assertRules(server);
  });

  test(`${kind}: after a crash the lock becomes stale, and after a force-clear the document opens again`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    const { editor } = await connected.open('letter.docx');
    await editor.do('type', { text: 'saved' });
    await editor.do('save');
    await server.crash();
    setup.host.clock.advance(16 * minutes);
    const { locks } = setup.host.host.services;
    const [lock] = locks.list();
    assert.equal(lock?.state, 'stale');
    await locks.forceClear(lock?.fileId ?? '', 'owner');
    await server.start();
    const again = await connected.open('letter.docx');
    assert.equal(again.editor.state().mode, 'edit');
    assert.equal(again.editor.state().text, 'saved');
    again.editor.goAway();
    await connected.unlocked();
    setup.assertRules(server);
  });

  test(`${kind}: renews the token before it expires, and saves with the new one`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    const { hostPage, opened, editor } = await connected.open('letter.docx');
    setup.host.clock.advance(9 * hours + 50 * minutes);
    server.keys.skew(9 * hours + 50 * minutes);
    const renewed = await hostPage.token(opened);
    assert.notEqual(renewed.accessToken, opened.accessToken);
    assert.ok(renewed.accessTokenTtl > opened.accessTokenTtl);
    if (kind === 'onlyoffice') {
      // ONLYOFFICE accepts a new token only with a new page.
      editor.goAway();
      const reloaded = await visit({ ...hostPage.form(opened), ...renewed });
      await reloaded.do('type', { text: 'by the new token' });
      setup.host.clock.advance(hours);
      server.keys.skew(10 * hours + 50 * minutes);
      assert.equal((await reloaded.do('save')).status, 200);
      reloaded.goAway();
    } else {
      await editor.do('token', { token: renewed.accessToken });
      await editor.do('type', { text: 'by the new token' });
      setup.host.clock.advance(hours);
      server.keys.skew(10 * hours + 50 * minutes);
      assert.equal((await editor.do('save')).status, 200);
      editor.goAway();
    }
    await connected.unlocked();
    setup.assertRules(server);
  });

  test(`${kind}: no URL, page, event or journal entry contains the access token or the cookie`, async (context) => {
    const connected = await openConnectedSetup(context, kind);
    const { setup, server } = connected;
    const ticketAddress = await connected.click('letter.docx');
    const hostPage = await connected.browser.go(ticketAddress);
    const opened = await hostPage.open();
    const editor = await visit(hostPage.form(opened));
    editor.goAway();
    await connected.unlocked();
    const cookie = connected.browser.cookiesFor(hostPage.url).split('=').at(-1) ?? '';
    assert.ok(cookie.length > 20);
    for (const secret of [opened.accessToken, cookie]) {
      assert.ok(!ticketAddress.includes(secret));
      assert.ok(!hostPage.url.includes(secret));
      assert.ok(!hostPage.page.text.includes(secret));
      assert.ok(!opened.action.includes(secret));
      for (const line of server.requests) assert.ok(!line.includes(secret), line);
      assert.ok(!JSON.stringify(setup.host.events).includes(secret));
      assert.ok(!JSON.stringify(setup.host.host.services.journal.newest(Infinity)).includes(secret));
    }
    assert.ok(!hostPage.page.text.includes(cookie));
    assert.equal(hostPage.page.headers['referrer-policy'], 'no-referrer');
    assert.match(hostPage.page.headers['cache-control'] ?? '', /no-store/);
    const policy = String(hostPage.page.headers['content-security-policy']);
    assert.match(policy, new RegExp(`frame-src ${server.url.replaceAll('.', '\\.')}(;|$)`));
    assert.match(policy, new RegExp(`form-action ${server.url.replaceAll('.', '\\.')}(;|$)`));
    assert.doesNotMatch(policy, /unsafe|data:|\*/);
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
    assert.equal((await copyPage.open()).name, 'old.docx');
    assert.equal((await copyPage.open()).mode, 'edit');
    assert.equal((await setup.onDisk('old.doc')).toString(), 'an old binary document');
    assert.deepEqual(await setup.onDisk('old.docx'), withRemark(setup.fixtures['letter.docx'], 'converted'));
    const again = await ask(answer.headers.location ?? '');
    assert.equal(again.status, 403);
  });
}

test('an empty document is filled with the template when it opens', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice', { 'new.xlsx': '' });
  const { editor } = await connected.open('new.xlsx');
  assert.equal(editor.state().mode, 'edit');
  assert.deepEqual(await connected.setup.onDisk('new.xlsx'), connected.setup.fixtures['sums.xlsx']);
  editor.goAway();
  await connected.unlocked();
});

test('ONLYOFFICE opens an unchanged document again from its cache: a save overwrites only what it has read', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup, server } = connected;
  const original = setup.fixtures['letter.docx'];
  const path = join(setup.host.folder, 'letter.docx');
  const copies = async () => (await setup.names()).filter((name) => name.startsWith('letter (conflict'));
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
  assert.deepEqual(await copies(), []);
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
  const [copy = '', ...others] = await copies();
  assert.deepEqual(others, []);
  assert.deepEqual(await setup.onDisk(copy), withRemark(original, 'of another program again'));
  await close(again.editor);
  setup.assertRules(server);
});

test('accepts calls only from the editor’s allowed addresses', async (context) => {
  const connected = await openConnectedSetup(context, 'collabora');
  const { setup, server } = connected;
  const { editors } = setup.host.host.services;
  editors.change(connected.editorId, { allowedAddresses: ['10.1.2.0/24'] });
  const { hostPage, editor } = await connected.open('letter.docx');
  assert.notEqual(editor.state().failure, '');
  assert.equal(lastOf(server.exchanges, 'CheckFileInfo').status, 403);
  editors.change(connected.editorId, { allowedAddresses: ['127.0.0.0/8'] });
  editor.goAway();
  const second = await visit(hostPage.form(await hostPage.open()));
  assert.equal(second.state().failure, '');
  second.goAway();
  await connected.unlocked();
});

test('ONLYOFFICE shows no false warning in view mode, although its token can’t write', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup, server } = connected;
  await setup.addUser('vera', 'viewer');
  const { hostPage, editor, opened } = await connected.open('letter.docx', { mode: 'view' });
  assert.deepEqual([editor.state().mode, editor.state().warning], ['view', '']);
  const info = JSON.parse(lastOf(server.exchanges, 'CheckFileInfo').body.toString()) as FileInfo;
  const { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative } = info;
  assert.deepEqual(
    { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative },
    { UserCanWrite: true, ReadOnly: false, UserCanRename: false, UserCanNotWriteRelative: true },
  );
  assert.deepEqual(operations(server.exchanges), ['CheckFileInfo', 'GetFile']);
  const fileId = new URL(hostPage.url).pathname.split('/').at(-1) ?? '';
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

test('requests forced saves only from ONLYOFFICE', async (context) => {
  for (const kind of kinds) {
    const { opened } = await (await openConnectedSetup(context, kind)).open('letter.docx');
    const config = { docs_api_config: '{"editorConfig":{"customization":{"forcesave":true}}}' };
    assert.deepEqual(opened.formFields, kind === 'onlyoffice' ? config : {}, kind);
  }
});

test('accepts a rename without a lock id only from the page session that took the lock, even with a renewed token', async (context) => {
  const connected = await openConnectedSetup(context, 'onlyoffice');
  const { setup } = connected;
  const { hostPage, opened } = await connected.open('letter.docx');
  const fileId = new URL(hostPage.url).pathname.split('/').at(-1) ?? '';
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
  const setup = await openSetup(context);
  const server = await startDocumentServer({ kind: 'collabora' });
  context.after(() => server.stop());
  const { port } = new URL(server.url);
  await setup.host.host.services.editors.add({ url: `http://localhost:${port}` });
  const { hostEditUrl, hostViewUrl } = await setup.host.access('letter.docx');
  const user = setup.host.host.services.users.byLogin('owner')!;
  const opened = await setup.host.host.openInEditor({
    user,
    path: 'letter.docx',
    mode: 'edit',
    editorId: null,
  });
  assert.equal(new URL(opened.url).hostname, 'localhost');
  assert.equal(new URL(hostEditUrl).origin, new URL(opened.url).origin);
  assert.equal(new URL(hostViewUrl).origin, new URL(opened.url).origin);
});

test('a connection test with skipped steps but no failures is partial', async (context) => {
  const setup = await openSetup(context);
  const server = await startDocumentServer({ kind: 'collabora', isLegacy: true });
  context.after(() => server.stop());
  const { id } = await setup.host.host.services.editors.add({ url: server.url });
  const result = await setup.host.host.testEditor(id);
  assert.deepEqual(
    result.steps.filter(({ state }) => state === 'failed'),
    [],
  );
  assert.equal(testOutcome(result), 'partial');
});
