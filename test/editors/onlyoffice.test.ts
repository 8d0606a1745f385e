// The host with a scripted ONLYOFFICE Docs, from the first CheckFileInfo to the last Unlock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSetup } from './setup.ts';
import { fixtureNames, unpack, withRemark } from './office-zip.ts';
import { createOnlyOffice } from './onlyoffice.ts';
import { accessOf, fileIdOf, lastOf, operations, sentNames, sentValue } from './wire.ts';

const standard = [
  'X-WOPI-TimeStamp',
  'X-WOPI-ClientVersion',
  'X-WOPI-CorrelationId',
  'X-WOPI-SessionId',
  'User-Agent',
];

for (const name of fixtureNames) {
  test(`ONLYOFFICE opens, edits, saves and closes ${name}, and the replaced content is kept as a version`, async (context) => {
    const setup = await openSetup(context);
    const editor = createOnlyOffice(setup);
    const access = await setup.access(name);
    const tab = await editor.open(access);
    assert.equal(tab.mode, 'edit');
    assert.deepEqual(tab.content(), setup.fixtures[name]);
    const edited = withRemark(tab.content(), 'edited in ONLYOFFICE');
    tab.edit(edited);
    await tab.keepAlive();
    await tab.close();

    assert.deepEqual(operations(editor.exchanges), [
      'CheckFileInfo',
      'Lock',
      'GetFile',
      'RefreshLock',
      'PutFile',
      'Unlock',
    ]);
    for (const exchange of editor.exchanges) assert.equal(exchange.status, 200, exchange.operation);
    assert.deepEqual(await setup.onDisk(name), edited);
    assert.ok(unpack(await setup.onDisk(name)).length > 3);
    const [kept, ...more] = setup.host.host.services.versions.list(access.fileId);
    assert.deepEqual(more, []);
    assert.equal(kept?.size, setup.fixtures[name].length);
    assert.equal(await setup.heldLock(access.fileId), '');
    assert.deepEqual(editor.forgotten, []);
    setup.assertRules(editor);
  });
}

test('ONLYOFFICE sends the file id as lock id, empty posts as forms, and only flags that are true', async (context) => {
  const setup = await openSetup(context);
  const editor = createOnlyOffice(setup);
  const access = await setup.access('letter.docx');
  const tab = await editor.open(access);
  tab.edit(withRemark(tab.content(), 'edited'));
  await tab.keepAlive();
  await tab.forceSave('timer');
  tab.edit(withRemark(tab.content(), 'edited again'));
  await tab.close();

  const { exchanges } = editor;
  assert.deepEqual(sentNames(lastOf(exchanges, 'CheckFileInfo')), standard);
  const emptyPost = ['X-WOPI-Override', 'X-WOPI-Lock', ...standard, 'Content-Type', 'Content-Length'];
  for (const operation of ['Lock', 'RefreshLock', 'Unlock']) {
    const exchange = lastOf(exchanges, operation);
    assert.deepEqual(sentNames(exchange), emptyPost);
    assert.equal(sentValue(exchange, 'X-WOPI-Lock'), fileIdOf(access.wopiSrc));
    assert.equal(sentValue(exchange, 'Content-Type'), 'application/x-www-form-urlencoded');
    assert.equal(exchange.sentBytes, 0);
  }
  assert.deepEqual(sentNames(lastOf(exchanges, 'GetFile')), ['X-WOPI-MaxExpectedSize', ...standard]);
  assert.equal(sentValue(lastOf(exchanges, 'GetFile'), 'X-WOPI-MaxExpectedSize'), '104857600');
  const saves = exchanges.filter(({ operation }) => operation === 'PutFile');
  const before = [
    'X-WOPI-Override',
    'X-WOPI-Lock',
    'X-WOPI-Editors',
    ...standard,
    'X-LOOL-WOPI-IsModifiedByUser',
  ];
  const last = ['X-LOOL-WOPI-Timestamp', 'Content-Type', 'Content-Length'];
  assert.deepEqual(saves.map(sentNames), [
    [...before, 'X-LOOL-WOPI-IsAutosave', ...last],
    [...before, 'X-LOOL-WOPI-IsExitSave', ...last],
  ]);
  for (const exchange of exchanges) {
    assert.ok(!sentNames(exchange).includes('Authorization'));
    assert.ok(exchange.address.endsWith('?access_token=<token>'));
  }
  setup.assertRules(editor);
});

test('ONLYOFFICE saves a template into an empty file without a lock id, before it locks', async (context) => {
  const setup = await openSetup(context, { 'new.docx': '' });
  const { 'letter.docx': template } = setup.fixtures;
  const editor = createOnlyOffice({ ...setup, template: () => template });
  const access = await setup.access('new.docx');
  const tab = await editor.open(access);
  assert.equal(tab.mode, 'edit');
  assert.deepEqual(operations(editor.exchanges), ['CheckFileInfo', 'PutFile', 'Lock', 'GetFile']);
  const filled = lastOf(editor.exchanges, 'PutFile');
  assert.equal(filled.status, 200);
  assert.deepEqual(sentNames(filled), [
    'X-WOPI-Override',
    'X-WOPI-Editors',
    ...standard,
    'Content-Type',
    'Content-Length',
  ]);
  assert.deepEqual(tab.content(), template);
  tab.edit(withRemark(template, 'the first words'));
  await tab.close();
  assert.deepEqual(await setup.onDisk('new.docx'), withRemark(template, 'the first words'));
  setup.assertRules(editor);
});

test('two users of an ONLYOFFICE document share one lock; the last to close it saves for the last to change it', async (context) => {
  const setup = await openSetup(context);
  await setup.addUser('bjorn', 'editor');
  const editor = createOnlyOffice(setup);
  const first = await setup.access('letter.docx');
  const second = await setup.access('letter.docx', { login: 'bjorn' });
  const ana = await editor.open(first);
  const bjorn = await editor.open(second);
  assert.equal(bjorn.mode, 'edit');
  assert.notEqual(ana.fileInfo.UserId, bjorn.fileInfo.UserId);
  ana.edit(withRemark(ana.content(), 'Ana'));
  bjorn.edit(withRemark(bjorn.content(), 'Ana and Bjorn'));
  await bjorn.close();
  assert.ok(!operations(editor.exchanges).includes('PutFile'));
  assert.equal(await setup.heldLock(first.fileId), first.fileId);
  await ana.close();

  assert.deepEqual(operations(editor.exchanges), [
    'CheckFileInfo',
    'Lock',
    'GetFile',
    'CheckFileInfo',
    'Lock',
    'PutFile',
    'Unlock',
  ]);
  for (const exchange of editor.exchanges) assert.equal(exchange.status, 200);
  assert.equal(sentValue(lastOf(editor.exchanges, 'PutFile'), 'X-WOPI-Editors'), bjorn.fileInfo.UserId);
  assert.deepEqual(
    await setup.onDisk('letter.docx'),
    withRemark(setup.fixtures['letter.docx'], 'Ana and Bjorn'),
  );
  assert.equal(await setup.heldLock(first.fileId), '');
  setup.assertRules(editor);
});

test('ONLYOFFICE saves copies with names in different scripts, and opens them', async (context) => {
  const setup = await openSetup(context);
  const editor = createOnlyOffice(setup);
  const tab = await editor.open(await setup.access('letter.docx'));
  const edited = withRemark(tab.content(), 'not saved yet');
  tab.edit(edited);
  for (const name of [
    '_.docx',
    'a+b.docx',
    '\u00e9.docx',
    '\u{1f600}.docx',
    '\u65e5\u672c.docx',
    '%20.docx',
    'Q1 (final) [v2].docx',
  ]) {
    const { exchange, answer } = await tab.saveAs(name);
    assert.equal(exchange.status, 200, name);
    assert.deepEqual(sentNames(exchange), [
      'X-WOPI-Override',
      'X-WOPI-SuggestedTarget',
      ...standard,
      'Content-Type',
      'Content-Length',
    ]);
    assert.equal(answer?.Name, name);
    assert.deepEqual(await setup.onDisk(name), edited);
    const copy = await editor.open(accessOf(answer.Url));
    assert.equal(copy.mode, 'edit');
    assert.deepEqual(copy.content(), edited);
    await copy.close();
  }
  assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);
  await tab.close();
  setup.assertRules(editor);
});

test('ONLYOFFICE converts to another format, and gets the edit page of the copy', async (context) => {
  const setup = await openSetup(context);
  const editor = createOnlyOffice(setup);
  const { exchange, answer } = await editor.convert(
    await setup.access('letter.odt'),
    'docx',
    () => setup.fixtures['letter.docx'],
  );
  assert.equal(sentValue(exchange, 'X-WOPI-FileConversion'), 'true');
  // letter.docx exists, so the host chooses another name.
  assert.equal(answer?.Name, 'letter (1).docx');
  assert.equal(new URL(String(answer.HostEditUrl)).origin, setup.host.baseUrl);
  assert.deepEqual(await setup.onDisk('letter (1).docx'), setup.fixtures['letter.docx']);
  setup.assertRules(editor);
});

test('ONLYOFFICE renames an open document, and saves it afterwards', async (context) => {
  const setup = await openSetup(context);
  const editor = createOnlyOffice(setup);
  const access = await setup.access('letter.docx');
  const tab = await editor.open(access);
  const { exchange, answer } = await tab.rename('Minutes of \u65e5\u672c_\u00e9');
  assert.equal(answer?.Name, 'Minutes of \u65e5\u672c_\u00e9');
  assert.equal(exchange.sentBytes, 0);
  tab.edit(withRemark(tab.content(), 'after the rename'));
  await tab.close();
  assert.deepEqual(editor.forgotten, []);
  assert.deepEqual(
    await setup.names(),
    ['Minutes of \u65e5\u672c_\u00e9.docx', 'letter.odt', 'sums.xlsx', 'talk.pptx'].toSorted(),
  );
  const onDisk = await setup.onDisk('Minutes of \u65e5\u672c_\u00e9.docx');
  assert.deepEqual(onDisk, withRemark(setup.fixtures['letter.docx'], 'after the rename'));
  setup.assertRules(editor);
});

test('a viewer opens a document in ONLYOFFICE read-only, without a lock', async (context) => {
  const setup = await openSetup(context);
  await setup.addUser('vera', 'viewer');
  const editor = createOnlyOffice(setup);
  const access = await setup.access('letter.docx', { login: 'vera', mode: 'edit' });
  const tab = await editor.open(access, { mode: 'edit' });
  assert.equal(tab.mode, 'view');
  assert.deepEqual(operations(editor.exchanges), ['CheckFileInfo', 'GetFile']);
  assert.equal(tab.fileInfo.UserCanWrite, false);
  assert.equal((await tab.saveAs('copy.docx')).exchange.status, 501);
  setup.assertRules(editor);
});

test('ONLYOFFICE opens a document that another editor has locked read-only', async (context) => {
  const setup = await openSetup(context);
  const editor = createOnlyOffice(setup);
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
  assert.equal(lastOf(editor.exchanges, 'Lock').status, 409);
  assert.deepEqual(tab.content(), setup.fixtures['letter.docx']);
  await tab.close();
  assert.equal(await setup.heldLock(access.fileId), 'of another editor');
  setup.assertRules(editor);
});
