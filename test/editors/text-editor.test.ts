// The host with the built-in text editor, from opening a document to the last Unlock: the same tests as for the other editors.

import assert from 'node:assert/strict';
import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPage, postForm, sessionOf } from '../server/text-editor-host.ts';
import { createCollabora } from './collabora.ts';
import { openTextSetup, type Setup } from './setup.ts';
import { createTextEditor } from './text-editor.ts';
import { fileIdOf, lastOf, operations, sentNames, sentValue } from './wire.ts';

const minutes = 60_000;
const hours = 60 * minutes;

const texts: Record<string, { content: Buffer; edited: Buffer }> = {
  'notes.md': { content: Buffer.from('# Notes\n\none\n'), edited: Buffer.from('# Notes\n\none\ntwo\n') },
  'prices.csv': {
    content: Buffer.from('\ufeffname;price\r\ntea;3\r\n'),
    edited: Buffer.from('\ufeffname;price\r\ntea;4\r\n'),
  },
  'no final newline.txt': { content: Buffer.from('a\nb'), edited: Buffer.from('a\nb!') },
  'mixed.log': { content: Buffer.from('a\r\nb\nc\rd'), edited: Buffer.from('a\r\nb\nc\rd\r\n') },
  'שלום \u{1f600}.json': {
    content: Buffer.from('{"שלום":"\u{1f600}"}'),
    edited: Buffer.from('{"שלום":"\u{1f601}"}'),
  },
  Makefile: { content: Buffer.from('all:\n\ttrue\n'), edited: Buffer.from('all:\n\tfalse\n') },
};

for (const [name, { content, edited }] of Object.entries(texts)) {
  test(`opens, edits, autosaves and closes ${name}, and the replaced content is kept as a version`, async (context) => {
    const setup = await openTextSetup(context, { [name]: content });
    const editor = createTextEditor(setup);
    const tab = await editor.open(name);
    assert.equal(tab.mode(), 'edit');
    assert.deepEqual(tab.content(), content);
    tab.edit(edited);
    assert.equal((await tab.autosave()).status, 200);
    assert.deepEqual(await setup.onDisk(name), edited);
    assert.equal((await tab.keepAlive()).status, 200);
    await tab.close();

    assert.deepEqual(operations(editor.exchanges), [
      'CheckFileInfo',
      'Lock',
      'GetFile',
      'PutFile',
      'RefreshLock',
      'Unlock',
    ]);
    for (const exchange of editor.exchanges) assert.equal(exchange.status, 200, exchange.operation);
    assert.deepEqual(await setup.onDisk(name), edited);
    const { fileId } = tab.opened.session;
    const [kept, ...more] = setup.host.host.services.versions.list(fileId);
    assert.deepEqual([kept?.size, more], [content.length, []]);
    assert.equal(await setup.heldLock(fileId), '');
    setup.assertRules(editor);
  });
}

test('sends the token in a header only, a random lock id and every flag, and the host records autosaves', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  tab.edit('two\n');
  await tab.autosave();
  tab.edit('three\n');
  await tab.save();
  tab.edit('four\n');
  await tab.close();

  const { accessToken, fileId } = tab.opened.session;
  for (const exchange of editor.exchanges) {
    assert.equal(sentValue(exchange, 'Authorization'), `Bearer ${accessToken}`);
    assert.equal(
      exchange.address,
      `/wopi/files/${fileId}${exchange.operation.endsWith('File') ? '/contents' : ''}`,
    );
  }
  const browsers = ['Authorization', 'Origin', 'Sec-Fetch-Site', 'User-Agent'];
  const lock = lastOf(editor.exchanges, 'Lock');
  assert.deepEqual(sentNames(lock), [...browsers, 'X-WOPI-Override', 'X-WOPI-Lock', 'Content-Length']);
  assert.match(
    sentValue(lock, 'X-WOPI-Lock') ?? '',
    new RegExp(`^doctray-text-${tab.fileInfo.UserId}-[0-9a-f]{32}$`, 'u'),
  );
  const flags = ['IsModifiedByUser', 'IsAutosave', 'IsExitSave'].map((name) => `X-EXT-WOPI-${name}`);
  const saves = editor.exchanges.filter(({ operation }) => operation === 'PutFile');
  for (const save of saves) {
    assert.deepEqual(sentNames(save), [
      ...browsers,
      'X-WOPI-Override',
      'X-WOPI-Lock',
      ...flags,
      'Content-Length',
    ]);
  }
  assert.deepEqual(
    saves.map((save) => flags.map((name) => sentValue(save, name))),
    [
      ['true', 'true', 'false'],
      ['true', 'false', 'false'],
      ['true', 'false', 'false'],
    ],
  );
  const kept = setup.host.host.services.versions.list(fileId);
  const savedHow = (content: string): string | null | undefined =>
    kept.find(({ size }) => size === content.length)?.savedHow;
  assert.notEqual(savedHow('two\n'), savedHow('three\n'), 'an autosave and a manual save differ');
  const client = setup.host.host.services.journal
    .newest(Infinity)
    .find(({ operation }) => operation === 'PutFile');
  assert.equal(client?.user, 'owner');
  setup.assertRules(editor);
});

test('a second user sees who edits and what is saved, and can edit once the first has closed the document', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  await setup.addUser('bjorn', 'editor');
  const editor = createTextEditor(setup);
  const ana = await editor.open('notes.md');
  const bjorn = await editor.open('notes.md', { login: 'bjorn' });
  assert.equal(bjorn.mode(), 'view');
  assert.match(bjorn.refusal(), /is editing this document in Text editor\./);
  assert.equal(await bjorn.poll(), ana.lockId());
  ana.edit('one\ntwo\n');
  await ana.autosave();
  await bjorn.poll();
  assert.equal(bjorn.content().toString(), 'one\ntwo\n');
  assert.equal((await bjorn.takeOver()).status, 409);
  ana.edit('one\ntwo\nthree\n');
  await ana.close();
  assert.equal(await bjorn.poll(), '');
  assert.equal((await bjorn.takeOver()).status, 200);
  assert.equal(bjorn.content().toString(), 'one\ntwo\nthree\n');
  bjorn.edit('by Bjorn\n');
  await bjorn.close();
  assert.equal((await setup.onDisk('notes.md')).toString(), 'by Bjorn\n');
  setup.assertRules(editor);
});

test('saves copies with names in different scripts, and opens them', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  tab.edit('not saved yet\n');
  for (const name of ['_.md', 'a+b.md', 'é.md', '\u{1f600}.md', '日本.md', '%20.md', 'Q1 (final) [v2].md']) {
    const { status, body } = await tab.saveAs(name);
    assert.deepEqual([status, body?.Name], [200, name]);
    assert.equal((await setup.onDisk(name)).toString(), 'not saved yet\n');
    const copyId = fileIdOf(new URL(body?.HostEditUrl ?? '').pathname);
    const copy = await editor.follow(await tab.opened.linkTo(copyId));
    assert.equal(copy.mode(), 'edit');
    assert.equal(copy.content().toString(), 'not saved yet\n');
    await copy.close();
  }
  assert.equal((await setup.onDisk('notes.md')).toString(), 'one\n');
  await tab.close();
  setup.assertRules(editor);
});

test('renames an open document, and saves it afterwards', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  const { status, body } = await tab.rename('Minutes of 日本_é');
  assert.deepEqual([status, body?.Name], [200, 'Minutes of 日本_é']);
  tab.edit('after the rename\n');
  await tab.close();
  assert.equal((await setup.onDisk('Minutes of 日本_é.md')).toString(), 'after the rename\n');
  assert.ok(!(await setup.names()).includes('notes.md'));
  setup.assertRules(editor);
});

test('a viewer opens a document read-only, without a lock, and can’t save', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  await setup.addUser('vera', 'viewer');
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md', { login: 'vera' });
  assert.equal(tab.mode(), 'view');
  assert.deepEqual(operations(editor.exchanges), ['CheckFileInfo', 'GetFile']);
  assert.equal(tab.fileInfo.UserCanWrite, false);
  assert.equal((await tab.saveAs('copy.md')).status, 501);
  assert.equal((await tab.save()).status, 401);
  assert.equal((await setup.onDisk('notes.md')).toString(), 'one\n');
  setup.assertRules(editor);
});

test('opens a Word document read-only', async (context) => {
  const setup = await openTextSetup(context);
  const editor = createTextEditor(setup);
  const tab = await editor.open('letter.docx');
  assert.equal(tab.opened.session.action, 'view');
  assert.equal(tab.fileInfo.UserCanWrite, false);
  assert.deepEqual(tab.content(), setup.fixtures['letter.docx']);
  assert.equal((await tab.save()).status, 401);
  setup.assertRules(editor);
});

test('opens a document that another editor has locked read-only with a reason, and can edit once that closed it', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const collabora = createCollabora(setup);
  const view = await collabora.open(await setup.access('notes.md'));
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  assert.equal(tab.mode(), 'view');
  assert.notEqual(tab.refusal(), '');
  assert.match(await tab.poll(), /^cool-lock/);
  view.edit(Buffer.from('by Collabora\n'));
  await view.close();
  assert.equal(await tab.poll(), '');
  assert.equal((await tab.takeOver()).status, 200);
  assert.equal(tab.content().toString(), 'by Collabora\n');
  await tab.close();
  setup.assertRules(editor, collabora);
});

async function saveOutside(setup: Setup, name: string, content: string): Promise<void> {
  const path = join(setup.host.folder, name);
  await writeFile(path, content);
  await utimes(path, new Date(), new Date(Date.now() + 5_000));
}

test('after a crash, the same browser can edit at once, and others when the lock lapses after 30 minutes', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const crashed = await editor.open('notes.md');
  const again = await editor.open('notes.md');
  assert.equal(again.mode(), 'edit');
  assert.equal(again.lockId(), crashed.lockId());
  setup.host.clock.advance(29 * minutes);
  const other = await editor.open('notes.md', { isOtherBrowser: true });
  assert.equal(other.mode(), 'view');
  setup.host.clock.advance(minutes + 1_000);
  assert.equal((await other.takeOver()).status, 200);
  other.edit('after the crash\n');
  await other.close();
  assert.equal((await setup.onDisk('notes.md')).toString(), 'after the crash\n');
  setup.assertRules(editor);
});

test('the same user can take over the lock in another browser, after which the old tab’s saves are rejected', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const crashed = await editor.open('notes.md');
  const tab = await editor.open('notes.md', { isOtherBrowser: true });
  assert.equal(tab.mode(), 'view');
  assert.match(tab.refusal(), /^You're already editing this document in Text editor\./);
  assert.equal((await tab.editHere()).status, 200);
  assert.equal(tab.mode(), 'edit');
  crashed.edit('of the old tab\n');
  const refused = await crashed.autosave();
  assert.deepEqual([refused.status, refused.lock], [409, tab.lockId()]);
  tab.edit('of the new tab\n');
  await tab.close();
  assert.equal((await setup.onDisk('notes.md')).toString(), 'of the new tab\n');
  setup.assertRules(editor);
});

test('after three hours of sleep, refreshes its lapsed lock and saves', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  tab.edit('written before the sleep\n');
  setup.host.clock.advance(3 * hours);
  assert.equal(await tab.poll(), '');
  assert.equal((await tab.keepAlive()).status, 200);
  assert.equal((await tab.autosave()).status, 200);
  assert.equal(await tab.poll(), tab.lockId());
  await tab.close();
  assert.equal((await setup.onDisk('notes.md')).toString(), 'written before the sleep\n');
  setup.assertRules(editor);
});

test('rejects and recovers a save if another user took the lock after it lapsed, and names that user', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  await setup.addUser('bjorn', 'editor');
  const editor = createTextEditor(setup);
  const sleeper = await editor.open('notes.md');
  sleeper.edit('written before the sleep\n');
  setup.host.clock.advance(31 * minutes);
  const second = await editor.open('notes.md', { login: 'bjorn' });
  assert.equal(second.mode(), 'edit');
  second.edit('by the second\n');
  await second.autosave();

  const refused = await sleeper.autosave();
  assert.deepEqual([refused.status, refused.lock], [409, second.lockId()]);
  assert.match(refused.reason, /^bjorn is editing this document in Text editor\./);
  assert.equal((await setup.onDisk('notes.md')).toString(), 'by the second\n');
  const { recoveredSaves } = setup.host.host.services;
  const [save, ...more] = recoveredSaves.list();
  assert.deepEqual([save?.fileId, more], [sleeper.opened.session.fileId, []]);
  const restored = await recoveredSaves.restore(String(save?.id));
  assert.equal((await setup.onDisk(restored)).toString(), 'written before the sleep\n');
  const copy = await sleeper.saveAs('mine.md');
  assert.equal(copy.status, 200, 'the tab can save its content as a copy');
  await second.close();
  setup.assertRules(editor);
});

test('rejects and recovers a save after the lock was force-cleared, and restores it beside the document', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  const { locks, recoveredSaves } = setup.host.host.services;
  await locks.forceClear(tab.opened.session.fileId, 'owner');
  tab.edit('while it was cleared\n');
  const refused = await tab.autosave();
  assert.deepEqual([refused.status, refused.lock], [409, '']);
  assert.equal((await setup.onDisk('notes.md')).toString(), 'one\n');
  const [save] = recoveredSaves.list();
  assert.deepEqual(await setup.onDisk(await recoveredSaves.restore(String(save?.id))), tab.content());
  setup.assertRules(editor);
});

test('keeps its lock and token when the host restarts with new proof keys, and saves', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  tab.edit('before\n');
  const keys = setup.host.editor().discovery.proofKeys?.current;
  await setup.host.restart();
  assert.equal((await tab.keepAlive()).status, 200);
  assert.notEqual(setup.host.editor().discovery.proofKeys?.current, keys);
  assert.equal((await tab.autosave()).status, 200);
  tab.edit('after\n');
  await tab.close();
  assert.equal((await setup.onDisk('notes.md')).toString(), 'after\n');
  setup.assertRules(editor);
});

test('saves when another program changed the document, whose content becomes a conflict copy', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  await saveOutside(setup, 'notes.md', 'from the desktop\n');
  tab.edit('from the text editor\n');
  assert.equal((await tab.autosave()).status, 200);
  await tab.close();
  assert.equal((await setup.onDisk('notes.md')).toString(), 'from the text editor\n');
  const copies = (await setup.names()).filter((name) =>
    /^notes \(conflict \d{4}-\d\d-\d\d \d{4}\)\.md$/.test(name),
  );
  assert.equal(copies.length, 1);
  assert.equal((await setup.onDisk(copies[0]!)).toString(), 'from the desktop\n');
  setup.assertRules(editor);
});

test('without unsaved changes, loads what another program wrote, and the next save makes no conflict copy', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  await saveOutside(setup, 'notes.md', 'from the desktop\n');
  await tab.poll();
  assert.equal(tab.content().toString(), 'from the desktop\n');
  tab.edit('from the desktop\nand from here\n');
  await tab.close();
  assert.equal((await setup.names()).filter((name) => name.includes('conflict')).length, 0);
  assert.equal((await setup.onDisk('notes.md')).toString(), 'from the desktop\nand from here\n');
  setup.assertRules(editor);
});

test('saves to a document that another program renamed, and recreates one that it deleted', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n', 'list.txt': 'one\n' });
  const editor = createTextEditor(setup);
  const moved = await editor.open('notes.md');
  const deleted = await editor.open('list.txt');
  await rename(join(setup.host.folder, 'notes.md'), join(setup.host.folder, 'moved.md'));
  await rm(join(setup.host.folder, 'list.txt'));
  moved.edit('edited\n');
  deleted.edit('edited\n');
  assert.equal((await moved.autosave()).status, 200);
  assert.equal((await deleted.autosave()).status, 200);
  assert.equal((await setup.onDisk('moved.md')).toString(), 'edited\n');
  assert.equal((await setup.onDisk('list.txt')).toString(), 'edited\n');
  assert.ok(!(await setup.names()).includes('notes.md'));
  await moved.close();
  await deleted.close();
  setup.assertRules(editor);
});

test('an expired token still saves and unlocks with its lock, but not a day later', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n', 'list.txt': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  const forgotten = await editor.open('list.txt');
  tab.edit('a long day\n');
  setup.host.clock.advance(11 * hours);
  assert.equal((await tab.keepAlive()).status, 200);
  await tab.close();
  assert.equal(lastOf(editor.exchanges, 'PutFile').status, 200);
  assert.equal(lastOf(editor.exchanges, 'Unlock').status, 200);
  assert.equal((await setup.onDisk('notes.md')).toString(), 'a long day\n');
  const { opened } = tab.opened;
  const late = await postForm(opened.action, { access_token: opened.accessToken });
  assert.equal(late.status, 401);
  setup.host.clock.advance(24 * hours);
  forgotten.edit('too late\n');
  assert.equal((await forgotten.save()).status, 401);
  assert.equal((await setup.onDisk('list.txt')).toString(), 'one\n');
  setup.assertRules(editor);
});

test('saves with a token that was renewed before the first expired', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  setup.host.clock.advance(9 * hours + 50 * minutes);
  const { accessToken } = await tab.opened.renew();
  assert.notEqual(accessToken, tab.opened.session.accessToken);
  tab.setToken(accessToken);
  setup.host.clock.advance(hours);
  tab.edit('by the new token\n');
  assert.equal((await tab.autosave()).status, 200);
  assert.equal(await tab.poll(), tab.lockId());
  await tab.close();
  setup.assertRules(editor);
});

test('removing a user revokes the token during the edit', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  await setup.addUser('bjorn', 'editor');
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md', { login: 'bjorn' });
  setup.host.host.services.users.remove('bjorn');
  tab.edit('no longer\n');
  assert.equal((await tab.autosave()).status, 401);
  assert.equal((await setup.onDisk('notes.md')).toString(), 'one\n');
  setup.assertRules(editor);
});

test('no URL, header, event or journal entry contains the access token or the cookie', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const { openInEditor, services } = setup.host.host;
  const user = services.users.byLogin('owner')!;
  const { url: link } = await openInEditor({ user, path: 'notes.md', mode: 'edit', editorId: null });
  const { pageUrl, cookie, opened } = await openPage(link);
  const page = await postForm(opened.action, { access_token: opened.accessToken });
  assert.equal(sessionOf(page).accessToken, opened.accessToken);
  for (const secret of [opened.accessToken, cookie.split('=').at(-1) ?? '']) {
    assert.ok(secret.length > 20);
    for (const seen of [link, pageUrl, opened.action, JSON.stringify(page.headers)]) {
      assert.ok(!seen.includes(secret));
    }
    assert.ok(!JSON.stringify(setup.host.events).includes(secret));
    assert.ok(!JSON.stringify(services.journal.newest(Infinity)).includes(secret));
  }
  assert.equal(page.headers['referrer-policy'], 'no-referrer');
  assert.match(page.headers['cache-control'] ?? '', /no-store/);
  assert.doesNotMatch(String(page.headers['content-security-policy']), /unsafe|\*/);
});

test('the host rejects its token in an unsigned call', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  const { fileId, accessToken } = tab.opened.session;
  const direct = await setup.host.wopi({ fileId, token: accessToken, contents: true });
  assert.equal(direct.status, 500);
  assert.match(direct.headers.get('x-wopi-servererror') ?? '', /\S/);
  await tab.close();
});
