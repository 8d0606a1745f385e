// The WOPI host with scripted document servers. Each test posts a form as a host page does; the server then makes signed calls.
// First the tests for all three servers, then those for one.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failedConversion } from './onlyoffice.ts';
import { openSetup, type Setup } from './setup.ts';
import { withRemark } from './office-zip.ts';
import { startDocumentServer, type DocumentServer } from './servers/document-server.ts';
import type { DialectKind } from './servers/dialect.ts';
import { formFor } from './servers/own-action.ts';
import { createBrowser, type HostPage } from './servers/host-page-visitor.ts';
import { ask, postForm, visit, type Visit } from './servers/visitor.ts';
import { lastOf, operations, sentValue } from './wire.ts';

const kinds: DialectKind[] = ['onlyoffice', 'collabora', 'office'];

async function serverOf(context: TestContext, kind: DialectKind): Promise<DocumentServer> {
  const server = await startDocumentServer({ kind });
  context.after(() => server.stop());
  return server;
}

async function open(
  setup: Setup,
  server: DocumentServer,
  name: string,
  options: { login?: string; mode?: 'edit' | 'view' } = {},
): Promise<Visit> {
  const access = await setup.access(name, options);
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const isViewer = options.mode === 'view' && server.kind !== 'collabora';
  return visit(await formFor(server, { name: isViewer ? 'view' : 'edit', extension }, access));
}

/** Waits until the server has saved and unlocked after the last page was closed. */
async function unlocked(setup: Setup): Promise<void> {
  const endsAtMs = performance.now() + 30_000;
  while (setup.host.host.services.locks.list().length > 0) {
    assert.ok(performance.now() < endsAtMs, 'the document is unlocked');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until the server received the answer to its Unlock, which comes after the lock is released. */
async function unlockAnswered(server: DocumentServer): Promise<void> {
  const endsAtMs = performance.now() + 30_000;
  while (server.exchanges.at(-1)?.operation !== 'Unlock') {
    assert.ok(performance.now() < endsAtMs, 'the last call was an Unlock');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The page around the document's editor. */
async function hostPageOf(setup: Setup, path: string): Promise<HostPage> {
  return createBrowser().go((await setup.host.access(path)).hostEditUrl);
}

for (const kind of kinds) {
  test(`${kind}: opens, saves, copies and renames a document, and saves the rest when the page is closed`, async (context) => {
    const setup = await openSetup(context);
    const server = await serverOf(context, kind);
    const page = await open(setup, server, 'letter.docx');
    assert.equal(page.state().failure, '');
    assert.equal(page.state().mode, 'edit');
    assert.equal(page.state().name, 'letter.docx');

    await page.do('type', { text: 'typed in the page' });
    assert.deepEqual(await page.do('save'), { status: 200 });
    const saved = withRemark(setup.fixtures['letter.docx'], 'typed in the page');
    assert.deepEqual(await setup.onDisk('letter.docx'), saved);

    const copy = await page.do('save-as', { name: 'copy of it.docx' });
    assert.deepEqual(copy, { status: 200, name: 'copy of it.docx' });
    assert.deepEqual(await setup.onDisk('copy of it.docx'), saved);
    const renamed = await page.do('rename', { name: 'the letter' });
    assert.deepEqual(renamed, { status: 200, name: 'the letter' });
    assert.equal((await page.do('keep-alive')).status, 200);

    await page.do('type', { text: 'typed at last' });
    page.goAway();
    await unlocked(setup);
    assert.deepEqual(
      await setup.onDisk('the letter.docx'),
      withRemark(setup.fixtures['letter.docx'], 'typed at last'),
    );
    for (const exchange of server.exchanges) assert.equal(exchange.status, 200, exchange.operation);
    setup.assertRules(server);
  });

  test(`${kind}: two users edit a document together, and closing the last page saves`, async (context) => {
    const setup = await openSetup(context);
    await setup.addUser('bjorn', 'editor');
    const server = await serverOf(context, kind);
    const ana = await open(setup, server, 'sums.xlsx');
    const bjorn = await open(setup, server, 'sums.xlsx', { login: 'bjorn' });
    await ana.until(({ people }) => people.length === 2, 'Ana sees Bjorn');
    await ana.do('type', { text: 'by Ana' });
    await bjorn.until(({ text }) => text === 'by Ana', 'Bjorn sees what Ana typed');
    ana.goAway();
    await bjorn.until(({ people }) => people.length === 1, 'Bjorn sees Ana go');
    await bjorn.do('type', { text: 'by Bjorn' });
    bjorn.goAway();
    await unlocked(setup);
    assert.deepEqual(await setup.onDisk('sums.xlsx'), withRemark(setup.fixtures['sums.xlsx'], 'by Bjorn'));
    setup.assertRules(server);
  });

  test(`${kind}: a page in view mode takes no lock and can’t edit`, async (context) => {
    const setup = await openSetup(context);
    const server = await serverOf(context, kind);
    const page = await open(setup, server, 'talk.pptx', { mode: 'view' });
    assert.equal(page.state().mode, 'view');
    assert.deepEqual(setup.host.host.services.locks.list(), []);
    await assert.rejects(page.do('type', { text: 'no' }), /open for reading only/);
    page.goAway();
    setup.assertRules(server);
  });

  test(`${kind}: after a crash the lock is still held, and after a force-clear the document opens with the last save`, async (context) => {
    const setup = await openSetup(context);
    const server = await serverOf(context, kind);
    const page = await open(setup, server, 'letter.docx');
    await page.do('type', { text: 'saved before' });
    await page.do('save');
    await page.do('type', { text: 'lost' });
    await server.crash();
    await assert.rejects(page.do('save'));
    const { locks } = setup.host.host.services;
    const [lock] = locks.list();
    assert.equal(lock?.path, 'letter.docx');
    await locks.forceClear(lock?.fileId ?? '', 'owner');
    await server.start();
    const again = await open(setup, server, 'letter.docx');
    assert.equal(again.state().mode, 'edit');
    assert.equal(again.state().text, 'saved before');
    again.goAway();
    await unlocked(setup);
    setup.assertRules(server);
  });

  test(`${kind}: opens and saves complete documents over a slow connection`, async (context) => {
    const setup = await openSetup(context);
    const server = await serverOf(context, kind);
    server.beSlow({ latencyMs: 60, pieceBytes: 2048, pieceMs: 5 });
    const page = await open(setup, server, 'letter.docx');
    await page.do('type', { text: 'slowly' });
    const first = page.do('save');
    await page.do('type', { text: 'and on while it saves' });
    assert.equal((await first).status, 200);
    page.goAway();
    await unlocked(setup);
    assert.deepEqual(
      await setup.onDisk('letter.docx'),
      withRemark(setup.fixtures['letter.docx'], 'and on while it saves'),
    );
    setup.assertRules(server);
  });

  test(`${kind}: an expired token opens nothing, but still saves an open document`, async (context) => {
    const setup = await openSetup(context);
    const server = await serverOf(context, kind);
    const access = await setup.access('letter.docx');
    const form = await formFor(server, { name: 'edit', extension: 'docx' }, access);
    const page = await visit(form);
    await page.do('type', { text: 'a long day' });
    setup.host.clock.advance(11 * 60 * 60_000);
    const late = await visit(form);
    assert.notEqual(late.state().failure, '');
    assert.equal((await page.do('save')).status, 200);
    assert.deepEqual(
      await setup.onDisk('letter.docx'),
      withRemark(setup.fixtures['letter.docx'], 'a long day'),
    );
    page.goAway();
    late.goAway();
    setup.assertRules(server);
  });

  test(`${kind}: no request to the server has the token in its URL`, async (context) => {
    const setup = await openSetup(context);
    const server = await serverOf(context, kind);
    const access = await setup.access('letter.docx');
    const page = await visit(await formFor(server, { name: 'edit', extension: 'docx' }, access));
    await page.do('save');
    page.goAway();
    await unlocked(setup);
    for (const line of server.requests) assert.ok(!line.includes(access.accessToken), line);
  });

  test(`${kind}: signs every call, and its discovery shows a key rotation`, async (context) => {
    const setup = await openSetup(context);
    const server = await serverOf(context, kind);
    const keysOf = async (): Promise<string[]> => {
      const { text } = await ask(`${server.url}/hosting/discovery`);
      const element = /<proof-key [^>]*>/u.exec(text)?.[0] ?? '';
      return ['modulus', 'oldmodulus'].map(
        (name) => new RegExp(` ${name}="([^"]+)"`, 'u').exec(element)?.[1] ?? '',
      );
    };
    const [before] = await keysOf();
    await server.keys.rotate();
    const [current, old] = await keysOf();
    assert.equal(old, before);
    assert.notEqual(current, before);
    const page = await open(setup, server, 'letter.docx');
    page.goAway();
    await unlocked(setup);
    for (const exchange of server.exchanges) {
      assert.match(sentValue(exchange, 'X-WOPI-Proof') ?? '', /^[A-Za-z0-9+/]{342}==$/, exchange.operation);
      assert.match(sentValue(exchange, 'X-WOPI-TimeStamp') ?? '', /^\d{18}$/, exchange.operation);
    }
  });
}

test('ONLYOFFICE and Office call the host when the form is posted, Collabora only when its page runs', async (context) => {
  const setup = await openSetup(context);
  const access = await setup.access('letter.docx');
  for (const kind of kinds) {
    const server = await serverOf(context, kind);
    const action = { name: kind === 'collabora' ? 'edit' : 'view', extension: 'docx' };
    await postForm(await formFor(server, action, access));
    const expected = kind === 'collabora' ? [] : ['CheckFileInfo', 'GetFile'];
    assert.deepEqual(operations(server.exchanges), expected, kind);
  }
});

for (const kind of ['onlyoffice', 'office'] as const) {
  test(`${kind} converts an old document into a copy, redirects to it, and leaves the original`, async (context) => {
    const setup = await openSetup(context, { 'old.doc': 'an old binary document' });
    const server = await serverOf(context, kind);
    const form = await formFor(server, { name: 'convert', extension: 'doc' }, await setup.access('old.doc'));
    const answer = await postForm(form);
    assert.equal(answer.status, 302);
    assert.match(answer.headers.location ?? '', /\/edit\/[\w-]{22}/);
    assert.equal(sentValue(lastOf(server.exchanges, 'PutRelativeFile'), 'X-WOPI-FileConversion'), 'true');
    assert.deepEqual(await setup.onDisk('old.docx'), withRemark(setup.fixtures['letter.docx'], 'converted'));
    assert.equal((await setup.onDisk('old.doc')).toString(), 'an old binary document');
    setup.assertRules(server);
  });
}

test('ONLYOFFICE saves its template into an empty document when it opens', async (context) => {
  const setup = await openSetup(context, { 'new.xlsx': '' });
  const server = await serverOf(context, 'onlyoffice');
  const form = await formFor(server, { name: 'editnew', extension: 'xlsx' }, await setup.access('new.xlsx'));
  const page = await visit(form);
  assert.equal(page.state().mode, 'edit');
  assert.deepEqual(await setup.onDisk('new.xlsx'), setup.fixtures['sums.xlsx']);
  page.goAway();
  await unlocked(setup);
});

test('Collabora uses a token that was renewed during the edit', async (context) => {
  const setup = await openSetup(context);
  const server = await serverOf(context, 'collabora');
  const page = await open(setup, server, 'letter.docx');
  const renewed = await setup.access('letter.docx');
  await page.do('token', { token: renewed.accessToken });
  await page.do('type', { text: 'by the new token' });
  assert.equal((await page.do('save')).status, 200);
  const { sent } = lastOf(server.exchanges, 'PutFile');
  assert.deepEqual(
    sent.find(([name]) => name === 'Authorization'),
    ['Authorization', `Bearer ${renewed.accessToken}`],
  );
  page.goAway();
  await unlocked(setup);
});

test('Collabora’s access check reports why a host can’t be reached, and it opens nothing from a host that isn’t allowed', async (context) => {
  const setup = await openSetup(context);
  const server = await startDocumentServer({
    kind: 'collabora',
    wopiHosts: ['127.0.0.1', 'no-such-name.invalid'],
  });
  context.after(() => server.stop());
  const statusOf = async (callbackUrl: string): Promise<unknown> => {
    const answer = await ask(`${server.url}/hosting/wopiAccessCheck`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ callbackUrl }),
    });
    return (JSON.parse(answer.text) as { status: string }).status;
  };
  assert.equal(await statusOf(`${setup.address()}/closed`), 'Ok');
  assert.equal(await statusOf(`${setup.address()}/nothing`), 'NotHttpSuccess');
  assert.equal(await statusOf('http://127.0.0.1:1/'), 'ConnectionAborted');
  assert.equal(await statusOf('http://no-such-name.invalid/'), 'HostNotFound');
  assert.equal(await statusOf('http://10.0.0.1/'), 'WopiHostNotAllowed');

  const access = await setup.access('letter.docx');
  const notAllowed = { ...access, wopiSrc: access.wopiSrc.replace('127.0.0.1', 'localhost') };
  const page = await visit(await formFor(server, { name: 'edit', extension: 'docx' }, notAllowed));
  assert.equal(page.state().failure, 'Unauthorized WOPI host');
  assert.deepEqual(server.exchanges, []);
  page.goAway();
});

test('ONLYOFFICE’s save button saves to the host only if the host requested forced saves', async (context) => {
  const setup = await openSetup(context);
  const server = await serverOf(context, 'onlyoffice');
  const form = await formFor(server, { name: 'edit', extension: 'docx' }, await setup.access('letter.docx'));
  const plain = await visit({ ...form, formFields: {} });
  await plain.do('type', { text: 'not forced' });
  assert.deepEqual(await plain.do('save'), { status: 200, isUnmodified: true });
  assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);
  plain.goAway();
  await unlocked(setup);
  const written = withRemark(setup.fixtures['letter.docx'], 'not forced');
  assert.deepEqual(await setup.onDisk('letter.docx'), written);

  const forcing = await open(setup, server, 'letter.docx');
  await forcing.do('type', { text: 'forced' });
  assert.deepEqual(await forcing.do('save'), { status: 200 });
  assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(written, 'forced'));
  forcing.goAway();
  await unlocked(setup);
  const exit = lastOf(server.exchanges, 'PutFile');
  assert.equal(sentValue(exit, 'X-LOOL-WOPI-IsExitSave'), 'true');
  assert.equal(sentValue(exit, 'X-LOOL-WOPI-IsModifiedByUser'), 'false');
  assert.equal(sentValue(exit, 'User-Agent'), 'Node.js/6.13');
  setup.assertRules(server);
});

test('ONLYOFFICE replays a rejected save when it opens the document again, and the newer content becomes a conflict copy', async (context) => {
  const setup = await openSetup(context);
  const server = await serverOf(context, 'onlyoffice');
  const { locks, recoveredSaves } = setup.host.host.services;
  const refused = await open(setup, server, 'letter.docx');
  await refused.do('type', { text: 'refused' });
  const [lock] = locks.list();
  await locks.forceClear(lock?.fileId ?? '', 'owner');
  assert.equal((await refused.do('save')).status, 409);
  refused.goAway();
  const other = await serverOf(context, 'office');
  const newer = await open(setup, other, 'letter.docx');
  await newer.do('type', { text: 'newer' });
  newer.goAway();
  await unlocked(setup);
  assert.equal(recoveredSaves.list().length, 1);

  const before = server.exchanges.length;
  const replay = await open(setup, server, 'letter.docx');
  assert.equal(replay.state().text, 'refused');
  replay.goAway();
  await unlocked(setup);
  await unlockAnswered(server);
  assert.deepEqual(operations(server.exchanges.slice(before)), [
    'CheckFileInfo',
    'Lock',
    'RefreshLock',
    'PutFile',
    'Unlock',
  ]);
  const original = setup.fixtures['letter.docx'];
  assert.deepEqual(await setup.onDisk('letter.docx'), withRemark(original, 'refused'));
  const [copy = ''] = (await setup.names()).filter((name) => name.startsWith('letter (conflict'));
  assert.deepEqual(await setup.onDisk(copy), withRemark(original, 'newer'));
  const again = await open(setup, server, 'letter.docx');
  assert.equal(
    lastOf(server.exchanges, 'GetFile').status,
    200,
    'the copy isn’t forgotten any more once it is saved',
  );
  again.goAway();
});

test('ONLYOFFICE shows a warning in view mode if CheckFileInfo says that the user can’t write', async (context) => {
  const setup = await openSetup(context);
  await setup.addUser('vera', 'viewer');
  const server = await serverOf(context, 'onlyoffice');
  const page = await open(setup, server, 'letter.docx', { login: 'vera', mode: 'view' });
  assert.match(page.state().warning, /do not allow editing/);
  const editing = await open(setup, server, 'letter.docx');
  assert.equal(editing.state().warning, '');
  page.goAway();
  editing.goAway();
});

for (const isLegacy of [false, true]) {
  const name = isLegacy ? 'LibreOffice Online' : 'Collabora';
  test(`${name} doesn’t retry a failed save`, async (context) => {
    const setup = await openSetup(context);
    const server = await startDocumentServer({ kind: 'collabora', isLegacy });
    context.after(() => server.stop());
    const page = await open(setup, server, 'letter.docx');
    await page.do('type', { text: 'refused' });
    const { locks, recoveredSaves } = setup.host.host.services;
    await locks.forceClear(locks.list()[0]?.fileId ?? '', 'owner');
    assert.equal((await page.do('save')).status, 409);
    await page.until(({ isModified }) => !isModified, 'it counts as saved');
    assert.deepEqual(await page.do('save'), { status: 200, isUnmodified: true });
    page.goAway();
    await unlocked(setup);
    assert.equal(recoveredSaves.list().length, 1, 'the recovered save is the only copy');
    assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);
  });
}

test('LibreOffice Online renames without its lock id, and shows the copy after Save As', async (context) => {
  const setup = await openSetup(context);
  const server = await startDocumentServer({ kind: 'collabora', isLegacy: true });
  context.after(() => server.stop());
  const page = await open(setup, server, 'letter.docx');
  assert.deepEqual(await page.do('rename', { name: 'the letter' }), { status: 200, name: 'the letter' });
  assert.equal(sentValue(lastOf(server.exchanges, 'RenameFile'), 'X-WOPI-Lock'), undefined);
  assert.deepEqual(await page.do('save-as', { name: 'copy.docx' }), { status: 200 });
  await page.until(({ name }) => name === 'copy.docx', 'the frame shows the copy');
  await page.do('type', { text: 'into the copy' });
  assert.equal((await page.do('save')).status, 200);
  const { 'letter.docx': original } = setup.fixtures;
  assert.deepEqual(await setup.onDisk('copy.docx'), withRemark(original, 'into the copy'));
  assert.deepEqual(await setup.onDisk('the letter.docx'), original);
  const agents = new Set(server.exchanges.map((exchange) => sentValue(exchange, 'User-Agent')));
  assert.deepEqual([...agents], ['LOOLWSD WOPI Agent 6.4.10']);
  page.goAway();
  await unlocked(setup);
  setup.assertRules(server);
});

test('LibreOffice Online saves what was typed within a second as not modified, and it isn’t lost: over what another program wrote, it becomes a version', async (context) => {
  const setup = await openSetup(context);
  const server = await startDocumentServer({ kind: 'collabora', isLegacy: true });
  context.after(() => server.stop());
  const page = await open(setup, server, 'letter.odt');
  const hostPage = await hostPageOf(setup, 'letter.odt');
  const original = setup.fixtures['letter.odt'];
  const flag = () => sentValue(lastOf(server.exchanges, 'PutFile'), 'X-LOOL-WOPI-IsModifiedByUser');
  assert.deepEqual(await page.do('type-and-save', { text: 'first' }), { status: 200 });
  assert.equal(flag(), 'false');
  assert.equal(page.state().isModified, false);
  assert.deepEqual(await setup.onDisk('letter.odt'), withRemark(original, 'first'));
  assert.equal((await hostPage.state()).missed, null);

  const ofOther = withRemark(original, 'of another program');
  await writeFile(join(setup.host.folder, 'letter.odt'), ofOther);
  assert.deepEqual(await page.do('type-and-save', { text: 'typed' }), { status: 200 });
  assert.equal(flag(), 'false');
  assert.deepEqual(await setup.onDisk('letter.odt'), ofOther);
  const { fileId } = await setup.access('letter.odt');
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
  await page.do('type', { text: 'typed more' });
  assert.deepEqual(await page.do('save'), { status: 200 });
  assert.equal(flag(), 'true');
  assert.equal((await hostPage.state()).missed, null);
  assert.deepEqual(await setup.onDisk('letter.odt'), withRemark(original, 'typed more'));
  const [copy = ''] = (await setup.names()).filter((name) => name.startsWith('letter (conflict'));
  assert.deepEqual(await setup.onDisk(copy), ofOther);
  page.goAway();
  await unlocked(setup);
  setup.assertRules(server);
});

test('ONLYOFFICE saves the error of a failed conversion: the document stays as it is, and the next save is written', async (context) => {
  const setup = await openSetup(context);
  const server = await serverOf(context, 'onlyoffice');
  const page = await open(setup, server, 'letter.docx');
  const hostPage = await hostPageOf(setup, 'letter.docx');
  const { recoveredSaves } = setup.host.host.services;
  await page.do('type', { text: 'typed' });
  server.failConversions(true);
  assert.deepEqual(await page.do('save'), { status: 500 });
  assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);
  const [save, ...others] = recoveredSaves.list();
  assert.deepEqual([save?.isUnreadable, save?.size, others], [true, failedConversion.length, []]);
  const { missed } = await hostPage.state();
  assert.deepEqual([missed?.kind, missed?.keptId], ['unreadable', save?.id]);

  server.failConversions(false);
  assert.deepEqual(await page.do('save'), { status: 200 });
  const written = withRemark(setup.fixtures['letter.docx'], 'typed');
  assert.deepEqual(await setup.onDisk('letter.docx'), written);
  assert.equal((await hostPage.state()).missed, null);
  page.goAway();
  await unlocked(setup);
  assert.deepEqual(await setup.onDisk('letter.docx'), written);
  setup.assertRules(server);
});
