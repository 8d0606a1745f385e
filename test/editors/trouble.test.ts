// Crashes, sleep, restarts, other programs, and expired tokens. No save may be lost.

import assert from 'node:assert/strict';
import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCollabora } from './collabora.ts';
import { openSetup } from './setup.ts';
import type { Setup } from './setup.ts';
import { createMicrosoft } from './microsoft.ts';
import { withRemark } from './office-zip.ts';
import { createOnlyOffice } from './onlyoffice.ts';
import { lastOf } from './wire.ts';

const minutes = 60_000;
const hours = 60 * minutes;

async function saveOutside(setup: Setup, name: string, content: Buffer): Promise<void> {
  const path = join(setup.host.folder, name);
  await writeFile(path, content);
  await utimes(path, new Date(), new Date(Date.now() + 5_000));
}

test('after an editor crashed, another one can edit when the lock lapses after 30 minutes', async (context) => {
  const setup = await openSetup(context);
  const collabora = createCollabora(setup);
  const microsoft = createMicrosoft(setup);
  await collabora.open(await setup.access('letter.docx'));
  collabora.crash();
  const access = await setup.access('letter.docx');
  setup.host.clock.advance(29 * minutes);
  assert.equal((await microsoft.open(access)).mode, 'view');
  setup.host.clock.advance(minutes + 1_000);
  const tab = await microsoft.open(access);
  assert.equal(tab.mode, 'edit');
  tab.edit(withRemark(tab.content(), 'after the crash'));
  await tab.close();
  assert.deepEqual(
    await setup.onDisk('letter.docx'),
    withRemark(setup.fixtures['letter.docx'], 'after the crash'),
  );
  setup.assertRules(collabora, microsoft);
});

// Its lock id is the file id.
test('ONLYOFFICE can edit at once after a crash', async (context) => {
  const setup = await openSetup(context);
  const onlyOffice = createOnlyOffice(setup);
  const access = await setup.access('letter.docx');
  await onlyOffice.open(access);
  onlyOffice.crash();
  const tab = await onlyOffice.open(access);
  assert.equal(tab.mode, 'edit');
  await tab.close();
  assert.equal(await setup.heldLock(access.fileId), '');
  setup.assertRules(onlyOffice);
});

test('after three hours of sleep, a save with the lapsed lock succeeds', async (context) => {
  const setup = await openSetup(context);
  const onlyOffice = createOnlyOffice(setup);
  const access = await setup.access('letter.docx');
  const tab = await onlyOffice.open(access);
  tab.edit(withRemark(tab.content(), 'written before the sleep'));
  setup.host.clock.advance(3 * hours);
  assert.equal(await setup.heldLock(access.fileId), '');
  const saved = await tab.forceSave();
  assert.equal(saved.status, 200);
  assert.equal(await setup.heldLock(access.fileId), access.fileId);
  assert.deepEqual(await setup.onDisk('letter.docx'), tab.content());
  await tab.close();
  assert.deepEqual(onlyOffice.forgotten, []);
  setup.assertRules(onlyOffice);
});

test('rejects and recovers a save if another editor took the lock after it lapsed', async (context) => {
  const setup = await openSetup(context);
  const onlyOffice = createOnlyOffice(setup);
  const collabora = createCollabora(setup);
  const access = await setup.access('letter.docx');
  const sleeper = await onlyOffice.open(access);
  const lost = withRemark(sleeper.content(), 'written before the sleep');
  sleeper.edit(lost);
  setup.host.clock.advance(31 * minutes);
  const second = await collabora.open(await setup.access('letter.docx'));
  assert.equal(second.mode, 'edit');
  second.edit(withRemark(second.content(), 'by the second'));
  assert.equal((await second.save()).result, 'ok');

  await sleeper.close();
  const refused = lastOf(onlyOffice.exchanges, 'PutFile');
  assert.equal(refused.status, 409);
  assert.match(String(refused.received['x-wopi-lock']), /^cool-lock/);
  assert.deepEqual(onlyOffice.forgotten, [lost]);
  assert.deepEqual(await setup.onDisk('letter.docx'), second.content());

  const { recoveredSaves } = setup.host.host.services;
  const [save, ...more] = recoveredSaves.list();
  assert.deepEqual(more, []);
  assert.equal(save?.fileId, access.fileId);
  const restored = await recoveredSaves.restore(save.id);
  assert.deepEqual(await setup.onDisk(restored), lost);
  assert.notEqual(restored, 'letter.docx');
  await second.close();
  setup.assertRules(onlyOffice, collabora);
});

test('rejects and recovers a save after the lock was force-cleared, and restores it beside the document', async (context) => {
  const setup = await openSetup(context);
  const microsoft = createMicrosoft(setup);
  const access = await setup.access('talk.pptx');
  const tab = await microsoft.open(access);
  const { locks, recoveredSaves } = setup.host.host.services;
  const cleared = await locks.forceClear(access.fileId, 'owner');
  assert.equal(cleared.path, 'talk.pptx');
  tab.edit(withRemark(tab.content(), 'while it was cleared'));
  const refused = await tab.autosave();
  assert.equal(refused.status, 409);
  assert.equal(refused.received['x-wopi-lock'], '');
  assert.deepEqual(await setup.onDisk('talk.pptx'), setup.fixtures['talk.pptx']);
  const [save] = recoveredSaves.list();
  assert.deepEqual(await setup.onDisk(await recoveredSaves.restore(String(save?.id))), tab.content());
  setup.assertRules(microsoft);
});

test('editors keep their locks and tokens when the host restarts, and save', async (context) => {
  const setup = await openSetup(context);
  const onlyOffice = createOnlyOffice(setup);
  const collabora = createCollabora(setup);
  const microsoft = createMicrosoft(setup);
  const access = await setup.access('letter.docx');
  const letter = await onlyOffice.open(access);
  const sums = await collabora.open(await setup.access('sums.xlsx'));
  const talk = await microsoft.open(await setup.access('talk.pptx'));
  letter.edit(withRemark(letter.content(), 'before'));
  sums.edit(withRemark(sums.content(), 'before'));
  assert.equal((await sums.save()).result, 'ok');

  await setup.host.restart();

  assert.equal(await setup.heldLock(access.fileId), access.fileId);
  assert.equal((await letter.keepAlive()).status, 200);
  assert.equal((await sums.keepAlive()).status, 200);
  assert.equal((await talk.relock()).status, 200);
  sums.edit(withRemark(sums.content(), 'after'));
  talk.edit(withRemark(talk.content(), 'after'));
  assert.equal((await sums.save()).result, 'ok');
  await Promise.all([letter.close(), sums.close(), talk.close()]);
  assert.deepEqual(await setup.onDisk('letter.docx'), letter.content());
  assert.deepEqual(await setup.onDisk('sums.xlsx'), sums.content());
  assert.deepEqual(await setup.onDisk('talk.pptx'), talk.content());
  assert.deepEqual(await setup.names(), ['letter.docx', 'letter.odt', 'sums.xlsx', 'talk.pptx']);
  setup.assertRules(onlyOffice, collabora, microsoft);
});

test('creates a conflict copy of what another program wrote before a restart', async (context) => {
  const setup = await openSetup(context);
  const onlyOffice = createOnlyOffice(setup);
  const tab = await onlyOffice.open(await setup.access('letter.docx'));
  const outside = withRemark(setup.fixtures['letter.docx'], 'from the desktop');
  await saveOutside(setup, 'letter.docx', outside);
  await setup.host.restart();
  tab.edit(withRemark(tab.content(), 'from ONLYOFFICE'));
  await tab.close();
  assert.deepEqual(await setup.onDisk('letter.docx'), tab.content());
  const copy = (await setup.names()).find((name) => name.includes('conflict'));
  assert.deepEqual(await setup.onDisk(String(copy)), outside);
  setup.assertRules(onlyOffice);
});

test('ONLYOFFICE saves when another program changed the document, whose content becomes a conflict copy', async (context) => {
  const setup = await openSetup(context);
  const onlyOffice = createOnlyOffice(setup);
  const tab = await onlyOffice.open(await setup.access('letter.docx'));
  const outside = withRemark(setup.fixtures['letter.docx'], 'from the desktop');
  await saveOutside(setup, 'letter.docx', outside);
  tab.edit(withRemark(tab.content(), 'from ONLYOFFICE'));
  await tab.close();
  assert.deepEqual(onlyOffice.forgotten, []);
  assert.deepEqual(await setup.onDisk('letter.docx'), tab.content());
  const copies = (await setup.names()).filter((name) =>
    /^letter \(conflict \d{4}-\d\d-\d\d \d{4}\)\.docx$/.test(name),
  );
  assert.equal(copies.length, 1);
  assert.deepEqual(await setup.onDisk(copies[0]!), outside);
  setup.assertRules(onlyOffice);
});

test('saves to a document that another program renamed', async (context) => {
  const setup = await openSetup(context);
  const microsoft = createMicrosoft(setup);
  const tab = await microsoft.open(await setup.access('letter.docx'));
  await rename(join(setup.host.folder, 'letter.docx'), join(setup.host.folder, 'moved.docx'));
  tab.edit(withRemark(tab.content(), 'edited'));
  assert.equal((await tab.autosave()).status, 200);
  assert.deepEqual(await setup.onDisk('moved.docx'), tab.content());
  assert.ok(!(await setup.names()).includes('letter.docx'));
  await tab.close();
  setup.assertRules(microsoft);
});

test('recreates a document that another program deleted', async (context) => {
  const setup = await openSetup(context);
  const collabora = createCollabora(setup);
  const view = await collabora.open(await setup.access('letter.docx'));
  await rm(join(setup.host.folder, 'letter.docx'));
  view.edit(withRemark(view.content(), 'edited'));
  assert.equal((await view.save()).result, 'ok');
  assert.deepEqual(await setup.onDisk('letter.docx'), view.content());
  await view.close();
  setup.assertRules(collabora);
});

test('an expired token still saves and unlocks with its lock, but opens nothing', async (context) => {
  const setup = await openSetup(context);
  const collabora = createCollabora(setup);
  const onlyOffice = createOnlyOffice(setup);
  const access = await setup.access('letter.docx');
  const tab = await onlyOffice.open(access);
  tab.edit(withRemark(tab.content(), 'a long day'));
  for (let at = 0; at < 11 * 60; at += 10) {
    setup.host.clock.advance(10 * minutes);
    assert.equal((await tab.keepAlive()).status, 200);
  }
  await tab.close();
  assert.deepEqual(onlyOffice.forgotten, []);
  assert.deepEqual(await setup.onDisk('letter.docx'), tab.content());
  assert.equal(await setup.heldLock(access.fileId), '');

  // Collabora's keep-alive is Lock. After a 401 it would make the document read-only.
  const sums = await setup.access('sums.xlsx');
  const view = await collabora.open(sums);
  view.edit(withRemark(view.content(), 'a long day'));
  setup.host.clock.advance(11 * hours);
  assert.equal((await view.keepAlive()).status, 200);
  await view.close();
  assert.equal(lastOf(collabora.exchanges, 'PutFile').status, 200);
  assert.equal(lastOf(collabora.exchanges, 'Unlock').status, 200);
  assert.deepEqual(await setup.onDisk('sums.xlsx'), view.content());
  await assert.rejects(collabora.open(sums));
  setup.assertRules(collabora, onlyOffice);
});

test('a token that expired more than a day ago can’t save', async (context) => {
  const setup = await openSetup(context);
  const collabora = createCollabora(setup);
  const view = await collabora.open(await setup.access('letter.docx'));
  view.edit(withRemark(view.content(), 'too late'));
  setup.host.clock.advance(35 * hours);
  assert.equal((await view.save()).result, 'unauthorized');
  assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);
  setup.assertRules(collabora);
});

test('removing a user revokes the token during the edit', async (context) => {
  const setup = await openSetup(context);
  await setup.addUser('bjorn', 'editor');
  const microsoft = createMicrosoft(setup);
  const tab = await microsoft.open(await setup.access('letter.docx', { login: 'bjorn' }));
  setup.host.host.services.users.remove('bjorn');
  tab.edit(withRemark(tab.content(), 'no longer'));
  assert.equal((await tab.autosave()).status, 401);
  assert.deepEqual(await setup.onDisk('letter.docx'), setup.fixtures['letter.docx']);
  setup.assertRules(microsoft);
});
