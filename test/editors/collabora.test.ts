// The host with a scripted Collabora Online, from the first CheckFileInfo to the last Unlock.

import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCollabora } from './collabora.ts';
import { openSetup } from './setup.ts';
import type { Setup } from './setup.ts';
import { fixtureNames, unpack, withRemark } from './office-zip.ts';
import { accessOf, lastOf, operations, sentNames, sentValue } from './wire.ts';

const standard = ['User-Agent', 'Authorization', 'X-COOL-WOPI-ServerId'];
const flags = ['X-COOL-WOPI-IsModifiedByUser', 'X-COOL-WOPI-IsAutosave', 'X-COOL-WOPI-IsExitSave'];

for (const name of fixtureNames) {
  test(`Collabora opens, edits, autosaves and closes ${name}, and the replaced contents are kept as versions`, async (context) => {
    const setup = await openSetup(context);
    const editor = createCollabora(setup);
    const access = await setup.access(name);
    const view = await editor.open(access);
    assert.equal(view.mode, 'edit');
    assert.deepEqual(view.content(), setup.fixtures[name]);
    const once = withRemark(view.content(), 'once');
    view.edit(once);
    assert.equal((await view.save({ isAutosave: true })).result, 'ok');
    assert.deepEqual(await setup.onDisk(name), once);
    await view.keepAlive();
    const twice = withRemark(view.content(), 'twice');
    view.edit(twice);
    await view.close();

    assert.deepEqual(operations(editor.exchanges), [
      'CheckFileInfo',
      'Lock',
      'GetFile',
      'PutFile',
      'Lock',
      'PutFile',
      'Unlock',
    ]);
    for (const exchange of editor.exchanges) assert.equal(exchange.status, 200, exchange.operation);
    assert.deepEqual(await setup.onDisk(name), twice);
    assert.ok(unpack(await setup.onDisk(name)).length > 3);
    const sizes = setup.host.host.services.versions.list(access.fileId).map(({ size }) => size);
    assert.deepEqual(new Set(sizes), new Set([setup.fixtures[name].length, once.length]));
    assert.equal(sizes.length, 2);
    assert.equal(await setup.heldLock(access.fileId), '');
    setup.assertRules(editor);
  });
}

test('Collabora sends the token twice, every flag on every save, and the host’s LastModifiedTime verbatim', async (context) => {
  const setup = await openSetup(context);
  const editor = createCollabora(setup);
  const access = await setup.access('letter.docx');
  const view = await editor.open(access);
  view.edit(withRemark(view.content(), 'edited'));
  await view.save();
  view.edit(withRemark(view.content(), 'edited again'));
  await view.save({ isAutosave: true });
  await view.close();

  const { exchanges } = editor;
  for (const exchange of exchanges) {
    assert.equal(sentValue(exchange, 'Authorization'), `Bearer ${access.accessToken}`);
    assert.match(exchange.address, /\?access_token=<token>&/);
  }
  const lockHeaders = [...standard, 'X-WOPI-Override', 'X-WOPI-Lock', 'Content-Type', 'Content-Length'];
  assert.deepEqual(sentNames(lastOf(exchanges, 'Lock')), lockHeaders);
  assert.match(String(sentValue(lastOf(exchanges, 'Lock'), 'X-WOPI-Lock')), /^cool-lock[0-9a-f]{8}$/);
  const saves = exchanges.filter(({ operation }) => operation === 'PutFile');
  for (const save of saves) {
    const last = ['X-COOL-WOPI-Timestamp', 'Content-Type', 'Content-Length'];
    assert.deepEqual(sentNames(save), [...standard, 'X-WOPI-Lock', 'X-WOPI-Override', ...flags, ...last]);
  }
  assert.deepEqual(
    saves.map((save) => flags.map((flag) => sentValue(save, flag))),
    [
      ['true', 'false', 'false'],
      ['true', 'true', 'false'],
    ],
  );
  assert.equal(sentValue(saves[0]!, 'X-COOL-WOPI-Timestamp'), view.fileInfo.LastModifiedTime);
  const answer = JSON.parse(saves[0]!.body.toString()) as { LastModifiedTime: string };
  assert.equal(sentValue(saves[1]!, 'X-COOL-WOPI-Timestamp'), answer.LastModifiedTime);
  setup.assertRules(editor);
});

test('LibreOffice Online uses X-LOOL- for all vendor headers, and can rename without its lock id', async (context) => {
  const setup = await openSetup(context);
  const editor = createCollabora({ ...setup, isLegacy: true });
  const view = await editor.open(await setup.access('letter.docx'));
  view.edit(withRemark(view.content(), 'edited'));
  assert.equal((await view.save()).result, 'ok');
  const vendorNames = sentNames(lastOf(editor.exchanges, 'PutFile')).filter((name) =>
    /^X-[CL]OOL-/u.test(name),
  );
  assert.deepEqual(vendorNames, [
    'X-LOOL-WOPI-ServerId',
    ...['IsModifiedByUser', 'IsAutosave', 'IsExitSave', 'Timestamp'].map((name) => `X-LOOL-WOPI-${name}`),
  ]);
  assert.equal((await view.rename('renamed')).answer?.Name, 'renamed');
  assert.ok(!sentNames(lastOf(editor.exchanges, 'RenameFile')).includes('X-WOPI-Lock'));
  await view.close();
  setup.assertRules(editor);
});

test('two users of a Collabora document share one lock, and the last to close it saves', async (context) => {
  const setup = await openSetup(context);
  await setup.addUser('bjorn', 'editor');
  const editor = createCollabora(setup);
  const access = await setup.access('sums.xlsx');
  const ana = await editor.open(access);
  const bjorn = await editor.open(await setup.access('sums.xlsx', { login: 'bjorn' }));
  ana.edit(withRemark(ana.content(), 'Ana'));
  await ana.close();
  bjorn.edit(withRemark(bjorn.content(), 'Bjorn'));
  await bjorn.close();
  assert.deepEqual(operations(editor.exchanges), [
    'CheckFileInfo',
    'Lock',
    'GetFile',
    'CheckFileInfo',
    'PutFile',
    'Unlock',
  ]);
  for (const exchange of editor.exchanges) assert.equal(exchange.status, 200);
  assert.deepEqual(await setup.onDisk('sums.xlsx'), withRemark(setup.fixtures['sums.xlsx'], 'Bjorn'));
  setup.assertRules(editor);
});

test('Collabora saves a copy with its size and without a lock, and the original can still be saved', async (context) => {
  const setup = await openSetup(context);
  const editor = createCollabora(setup);
  const view = await editor.open(await setup.access('letter.odt'));
  view.edit(withRemark(view.content(), 'edited'));
  const { exchange, answer } = await view.saveAs('R\u00e9sum\u00e9 (final) [v2] +1.odt');
  assert.deepEqual(sentNames(exchange), [
    ...standard,
    'X-WOPI-Override',
    'X-WOPI-Size',
    'X-WOPI-SuggestedTarget',
    'Content-Type',
    'Content-Length',
  ]);
  assert.equal(answer?.Name, 'R\u00e9sum\u00e9 (final) [v2] +1.odt');
  assert.deepEqual(await setup.onDisk(answer.Name), view.content());
  const copy = await editor.open(accessOf(answer.Url));
  assert.equal(copy.mode, 'edit');
  await copy.close();
  assert.equal((await view.save()).result, 'ok');
  await view.close();
  setup.assertRules(editor);
});

test('Collabora saves, then renames with the document as the body, and gets the Url that it needs', async (context) => {
  const setup = await openSetup(context);
  const editor = createCollabora(setup);
  const access = await setup.access('talk.pptx');
  const view = await editor.open(access);
  const edited = withRemark(view.content(), 'before the rename');
  view.edit(edited);
  const { exchange, answer } = await view.rename('Results \u2013 2026');
  assert.deepEqual(operations(editor.exchanges).slice(-2), ['PutFile', 'RenameFile']);
  assert.equal(exchange.sentBytes, edited.length);
  assert.deepEqual(sentNames(exchange), [
    ...standard,
    'X-WOPI-Lock',
    'X-WOPI-Override',
    'X-WOPI-RequestedName',
    'Content-Type',
    'Content-Length',
  ]);
  assert.equal(answer?.Name, 'Results \u2013 2026');
  assert.deepEqual(await setup.onDisk('Results \u2013 2026.pptx'), edited);
  view.edit(withRemark(edited, 'after the rename'));
  assert.equal((await view.save()).result, 'ok');
  await view.close();
  assert.deepEqual(await setup.onDisk('Results \u2013 2026.pptx'), withRemark(edited, 'after the rename'));
  assert.equal(await setup.heldLock(access.fileId), '');
  setup.assertRules(editor);
});

test('Collabora opens a document that another editor has locked read-only, with a reason', async (context) => {
  const setup = await openSetup(context);
  const editor = createCollabora(setup);
  const access = await setup.access('letter.docx');
  const headers = { 'X-WOPI-Lock': 'of another editor' };
  await setup.host.wopi({
    method: 'POST',
    fileId: access.fileId,
    token: access.accessToken,
    override: 'LOCK',
    headers,
  });
  const view = await editor.open(access);
  assert.equal(view.mode, 'view');
  assert.notEqual(view.lockFailureReason ?? '', '');
  setup.assertRules(editor);
});

test('a viewer opens a document in Collabora read-only, without a lock', async (context) => {
  const setup = await openSetup(context);
  await setup.addUser('vera', 'viewer');
  const editor = createCollabora(setup);
  const view = await editor.open(await setup.access('letter.docx', { login: 'vera' }));
  assert.equal(view.mode, 'view');
  assert.deepEqual(operations(editor.exchanges), ['CheckFileInfo', 'GetFile']);
  assert.equal(view.fileInfo.UserCanNotWriteRelative, true);
  setup.assertRules(editor);
});

/** Saves the document as a desktop program would while it is open in Collabora. */
async function saveOutside(setup: Setup, name: string, content: Buffer): Promise<void> {
  const path = join(setup.host.folder, name);
  await writeFile(path, content);
  await utimes(path, new Date(), new Date(Date.now() + 5_000));
}

test('answers Collabora that the document changed in storage; “overwrite” then keeps both contents', async (context) => {
  const setup = await openSetup(context);
  const editor = createCollabora(setup);
  const view = await editor.open(await setup.access('letter.docx'));
  const outside = withRemark(setup.fixtures['letter.docx'], 'from the desktop');
  const mine = withRemark(setup.fixtures['letter.docx'], 'from Collabora');
  await saveOutside(setup, 'letter.docx', outside);
  view.edit(mine);
  const { exchange, result } = await view.save({ isAutosave: true });
  assert.equal(result, 'changed');
  assert.deepEqual(JSON.parse(String(exchange?.body)), { COOLStatusCode: 1010, LOOLStatusCode: 1010 });
  assert.deepEqual(await setup.onDisk('letter.docx'), outside);

  assert.equal((await view.save({ isForced: true })).result, 'ok');
  assert.deepEqual(await setup.onDisk('letter.docx'), mine);
  const copy = (await setup.names()).find((name) => /^letter \(conflict .*\)\.docx$/.test(name));
  assert.deepEqual(await setup.onDisk(String(copy)), outside);
  await view.close();
  setup.assertRules(editor);
});

test('Collabora can save a conflicting document as a copy, which leaves the desktop’s content', async (context) => {
  const setup = await openSetup(context);
  const editor = createCollabora(setup);
  const view = await editor.open(await setup.access('letter.docx'));
  const outside = withRemark(setup.fixtures['letter.docx'], 'from the desktop');
  await saveOutside(setup, 'letter.docx', outside);
  view.edit(withRemark(setup.fixtures['letter.docx'], 'from Collabora'));
  assert.equal((await view.save()).result, 'changed');
  const { answer } = await view.saveAs('letter mine.docx');
  assert.deepEqual(await setup.onDisk(String(answer?.Name)), view.content());
  assert.deepEqual(await setup.onDisk('letter.docx'), outside);
  setup.assertRules(editor);
});
