// The host with a scripted Microsoft 365 for the web or Office Online Server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSetup } from './setup.ts';
import { createMicrosoft } from './microsoft.ts';
import { fixtureNames, unpack, withRemark } from './office-zip.ts';
import { accessOf, fileIdOf, lastOf, operations, sentNames, sentValue } from './wire.ts';

const standard = [
  'Authorization',
  'X-WOPI-ClientVersion',
  'X-WOPI-CorrelationId',
  'X-WOPI-DeviceId',
  'X-WOPI-MachineName',
  'X-WOPI-SessionId',
  'X-WOPI-TimeStamp',
  'User-Agent',
];

for (const name of fixtureNames) {
  test(`Microsoft 365 opens, edits, autosaves and closes ${name}, and the replaced content is kept as a version`, async (context) => {
    const setup = await openSetup(context);
    const editor = createMicrosoft(setup);
    const access = await setup.access(name);
    const tab = await editor.open(access);
    assert.equal(tab.mode, 'edit');
    assert.deepEqual(tab.content(), setup.fixtures[name]);
    const edited = withRemark(tab.content(), 'edited in Microsoft 365');
    tab.edit(edited);
    await tab.autosave();
    await tab.keepAlive();
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
    assert.ok(unpack(await setup.onDisk(name)).length > 3);
    const versions = setup.host.host.services.versions.list(access.fileId);
    assert.deepEqual(
      versions.map(({ size }) => size),
      [setup.fixtures[name].length],
    );
    assert.equal(await setup.heldLock(access.fileId), '');
    setup.assertRules(editor);
  });
}

test('Microsoft 365 sends a JSON lock id, the size, and a TimeStamp that exceeds a double', async (context) => {
  const setup = await openSetup(context);
  const editor = createMicrosoft(setup);
  const tab = await editor.open(await setup.access('letter.docx'));
  tab.edit(withRemark(tab.content(), 'edited'));
  const saved = await tab.autosave();
  assert.deepEqual(sentNames(saved), [
    'X-WOPI-Override',
    'X-WOPI-Lock',
    'X-WOPI-Editors',
    'X-WOPI-Size',
    ...standard,
    'Content-Length',
  ]);
  assert.ok(Number(sentValue(saved, 'X-WOPI-TimeStamp')) > Number.MAX_SAFE_INTEGER);
  assert.deepEqual(Object.keys(JSON.parse(tab.lockId()) as object), ['S', 'F', 'E', 'M', 'P']);
  assert.equal((await tab.getLock()).received['x-wopi-lock'], tab.lockId());
  await tab.close();
  setup.assertRules(editor);
});

test('Microsoft 365 replaces its lock id with UnlockAndRelock, after which the old one is invalid', async (context) => {
  const setup = await openSetup(context);
  const editor = createMicrosoft(setup);
  const access = await setup.access('letter.docx');
  const tab = await editor.open(access);
  const old = tab.lockId();
  assert.equal((await tab.relock()).status, 200);
  assert.notEqual(tab.lockId(), old);
  assert.equal(await setup.heldLock(access.fileId), tab.lockId());
  const headers = { 'X-WOPI-Lock': old };
  const refused = await setup.host.wopi({
    method: 'POST',
    fileId: access.fileId,
    token: access.accessToken,
    override: 'UNLOCK',
    headers,
  });
  assert.equal(refused.status, 409);
  assert.equal(refused.headers.get('x-wopi-lock'), tab.lockId());
  tab.edit(withRemark(tab.content(), 'edited'));
  assert.equal((await tab.autosave()).status, 200);
  await tab.close();
  setup.assertRules(editor);
});

test('two users of a Microsoft 365 document share one lock, and one save names both', async (context) => {
  const setup = await openSetup(context);
  await setup.addUser('bjorn', 'editor');
  const editor = createMicrosoft(setup);
  const access = await setup.access('letter.docx');
  const ana = await editor.open(access);
  const bjorn = await editor.open(await setup.access('letter.docx', { login: 'bjorn' }));
  assert.equal(bjorn.mode, 'edit');
  assert.equal(ana.lockId(), bjorn.lockId());
  ana.edit(withRemark(ana.content(), 'Ana'));
  bjorn.edit(withRemark(bjorn.content(), 'Ana and Bjorn'));
  const saved = await ana.autosave();
  assert.equal(saved.status, 200);
  assert.equal(sentValue(saved, 'X-WOPI-Editors'), `${ana.fileInfo.UserId},${bjorn.fileInfo.UserId}`);
  await ana.close();
  assert.equal(await setup.heldLock(access.fileId), bjorn.lockId());
  await bjorn.close();
  assert.equal(await setup.heldLock(access.fileId), '');
  assert.deepEqual(
    await setup.onDisk('letter.docx'),
    withRemark(setup.fixtures['letter.docx'], 'Ana and Bjorn'),
  );
  setup.assertRules(editor);
});

test('Microsoft 365 saves a copy with an exact name, gets a suggestion if that is taken, and can overwrite it', async (context) => {
  const setup = await openSetup(context);
  const editor = createMicrosoft(setup);
  const tab = await editor.open(await setup.access('letter.docx'));
  tab.edit(withRemark(tab.content(), 'one'));
  const first = await tab.saveExactly('R\u00e9sum\u00e9.docx');
  assert.equal(first.answer?.Name, 'R\u00e9sum\u00e9.docx');
  const taken = await tab.saveExactly('R\u00e9sum\u00e9.docx');
  assert.equal(taken.exchange.status, 409);
  assert.ok(String(taken.exchange.received['x-wopi-validrelativetarget'] ?? '').length > 0);
  tab.edit(withRemark(tab.content(), 'two'));
  const over = await tab.saveExactly('R\u00e9sum\u00e9.docx', { isOverwriting: true });
  assert.equal(over.exchange.status, 200);
  assert.equal(
    fileIdOf(accessOf(String(over.answer?.Url)).wopiSrc),
    fileIdOf(accessOf(first.answer.Url).wopiSrc),
  );
  assert.deepEqual(await setup.onDisk('R\u00e9sum\u00e9.docx'), tab.content());
  const suggested = await tab.saveAs('R\u00e9sum\u00e9.docx');
  assert.equal(suggested.answer?.Name, 'R\u00e9sum\u00e9 (1).docx');
  const illegal = await tab.saveExactly('a?b.docx');
  assert.equal(illegal.exchange.status, 400);
  assert.ok(String(illegal.exchange.received['x-wopi-validrelativetarget'] ?? '').length > 0);
  await tab.close();
  setup.assertRules(editor);
});

test('Microsoft 365 renames, stores user information, converts, and can’t delete a locked document', async (context) => {
  const setup = await openSetup(context);
  const editor = createMicrosoft(setup);
  const access = await setup.access('letter.docx');
  const tab = await editor.open(access);
  assert.equal((await tab.rename('Agenda [v2]')).answer?.Name, 'Agenda [v2]');
  assert.equal((await tab.putUserInfo('seen=1')).status, 200);
  await tab.close();
  const again = await editor.open(await setup.access('Agenda [v2].docx'));
  assert.equal(again.fileInfo.UserInfo, 'seen=1');
  assert.equal(again.fileInfo.BaseFileName, 'Agenda [v2].docx');
  assert.equal((await editor.deleteFile(access)).status, 409);
  await again.close();

  const odt = await setup.access('letter.odt');
  const converted = await editor.convert(odt, 'docx', () => setup.fixtures['letter.docx']);
  assert.equal(converted.answer?.Name, 'letter.docx');
  const old = accessOf(converted.answer.Url);
  const copy = await editor.open(old);
  assert.equal(copy.mode, 'edit');
  await copy.close();
  assert.equal(lastOf(editor.exchanges, 'Unlock').status, 200);
  setup.assertRules(editor);
});

test('Microsoft 365 opens a document that another editor has locked read-only', async (context) => {
  const setup = await openSetup(context);
  const editor = createMicrosoft(setup);
  const access = await setup.access('letter.docx');
  const headers = { 'X-WOPI-Lock': 'of another editor' };
  await setup.host.wopi({
    method: 'POST',
    fileId: access.fileId,
    token: access.accessToken,
    override: 'LOCK',
    headers,
  });
  const tab = await editor.open(access);
  assert.equal(tab.mode, 'view');
  assert.deepEqual(operations(editor.exchanges), ['CheckFileInfo', 'Lock', 'GetFile']);
  setup.assertRules(editor);
});
