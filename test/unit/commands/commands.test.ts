// Who may run which command with which arguments, and what they see.

import assert from 'node:assert/strict';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commands } from '../../../app/commands/commands.ts';
import { ownerPasswordSecret } from '../../../app/accounts/users.ts';
import type { AppError } from '../../../app/contract/errors.ts';
import { fakeKeeper } from '../live-state/fake-keeper.ts';
import { openWindow, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';
import { terminalOf, type Run } from './terminal-commands.ts';

let place: WindowPlace;
let terminal: Run;
/** As a script in the page can. */
const page = (name: string, args: unknown) => place.window.run(name, args);
before(async () => {
  place = await windowPlace();
  terminal = terminalOf({ host: place.host() });
});
after(() => place.close());

// test/security/messages.test.ts calls the terminal's from a page.
test('a command of the window fails like an unknown one in the terminal', async () => {
  const errorOf = async (name: string): Promise<unknown> =>
    terminal(name).catch(({ code, message }: AppError) => [code, message]);
  const unknown = await errorOf('no.such.command');
  const others = ['', 'toString', '__proto__', 'constructor', 'hasOwnProperty'];
  for (const [name, { from }] of Object.entries(commands)) if (from === 'window') others.push(name);
  assert.ok(others.length > 20);
  for (const name of others) assert.deepEqual(await errorOf(name), unknown, name);
});

test('a page can’t name files to import, the folder to serve or a current folder', async () => {
  const sources = { folderPath: '', sources: ['/etc/hostname'] };
  await assert.rejects(page('documents.import', sources), { code: 'permission-denied' });
  const path = join(place.dataDir, 'settings.json');
  const stored = await readFile(path, 'utf8');
  for (const value of ['/etc', place.dataDir, null])
    await assert.rejects(page('settings.set', { key: 'folder', value }), {
      code: 'setting-invalid',
      message: /Choose folder/,
    });
  assert.equal(await readFile(path, 'utf8'), stored);
  assert.equal(place.host().services.folder()?.root, place.folder);
  for (const [name, args] of [
    ['documents.create', { folderPath: '', name: 'a.docx' }],
    ['documents.rename', { path: 'a.docx', name: 'b' }],
    ['versions.list', { path: 'a.docx' }],
    ['conflicts.dismiss', { id: 'a.docx' }],
  ] as const)
    await assert.rejects(page(name, { ...args, cwd: '/' }), { code: 'invalid-argument' }, name);
});

test('logs an unexpected error of a command, and returns it without its text', async (t) => {
  const logged: object[] = [];
  const copyText = () => {
    throw new Error('/home/ana/secret');
  };
  const desktop = { ...place.desktop, copyText };
  const log = { ...place.log, error: (fields: object) => void logged.push(fields) };
  const { window, run } = openWindow({ ...place, desktop, log });
  t.after(() => window.close());
  await assert.rejects(run('app.copyText', { text: 'x' }), { code: 'internal', message: /^(?!.*secret)/u });
  assert.equal(logged.length, 1);
});

test('commands that need a host say that it is starting', async (t) => {
  const keeper = { ...fakeKeeper('/data'), isStarting: () => true };
  const { window } = openWindow({ ...place, keeper });
  t.after(() => window.close());
  for (const [name, args] of [
    ['host.openFolder', {}],
    ['host.copyOwnerPassword', {}],
    ['locks.forceClear', { ids: ['x'] }],
    ['editors.remove', { id: 'x' }],
    ['documents.open', { path: 'a.docx', mode: 'edit' }],
  ] as const)
    await assert.rejects(window.run(name, args), { code: 'host-away', message: /It’s starting/ }, name);
});

test('finds a document that was renamed, until it’s deleted', async () => {
  await place.write({ 'plan.md': '' });
  const fileId = await place.idOf('plan.md');
  await rename(place.at('plan.md'), place.at('new plan.md'));
  assert.equal(await place.idOf('new plan.md'), fileId);
  const listed = () => place.run('versions.list', { path: 'plan.md', fileId });
  assert.equal((await listed()).path, 'new plan.md');
  await rm(place.at('new plan.md'));
  await assert.rejects(listed(), { code: 'file-missing' });
});

test('shows who saved a version by display name, in the terminal by login', async () => {
  const { users, accessTokens } = place.host().services;
  const ana = await users.add({ login: 'ana', displayName: 'Ana', role: 'editor', password: 'long enough' });
  const { fileId } = await place.access('b.docx');
  const { token } = accessTokens.mint({ user: ana, fileId, mode: 'edit' });
  const headers = { 'X-WOPI-Lock': 'anas' };
  for (const override of ['GET', 'LOCK', 'PUT', 'UNLOCK'])
    assert.equal(await place.wopi({ fileId, token }, override, headers), 200, override);
  const { current, versions } = await place.run('versions.list', { path: 'b.docx' });
  assert.deepEqual([current.savedBy, current.savedHow, versions[0]?.savedBy], [['Ana'], null, null]);
  assert.deepEqual((await terminal('versions.list', { path: 'b.docx' })).current.savedBy, ['ana']);
  await place.run('versions.restore', { path: 'b.docx', versionId: versions[0]!.id });
  assert.equal(await place.read('b.docx'), 'content of b.docx');
  const restored = (await terminal('versions.list', { path: 'b.docx' })).current;
  assert.deepEqual([restored.savedBy, restored.savedHow], [['owner'], 'restored']);
});

test('copies the owner’s password to the clipboard without returning it, unless it is unknown', async () => {
  place.desktop.copied = [];
  assert.equal(await place.run('host.copyOwnerPassword', {}), null);
  const copied = [place.host().generatedOwnerPassword];
  assert.deepEqual(place.desktop.copied, copied);
  await place.host().services.secrets.delete(ownerPasswordSecret);
  await assert.rejects(place.run('host.copyOwnerPassword', {}), { code: 'owner-password-unknown' });
  assert.deepEqual(place.desktop.copied, copied);
});

test('diagnostics names checks and the host’s state, but no folder', async () => {
  const { text } = await place.run('app.diagnostics', {});
  assert.match(text, /^DocTray \d\S* on \w+ \w+\nNode \S+, SQLite \S+\nHost: serving, /);
  assert.match(text, /^ {2}ok {5}port: DocTray listens at http:\/\/127\.0\.0\.1:\d+\.$/m);
  assert.ok(!text.includes(place.folder), text);
});

test('saves the certificate of the local authority, but never its key', async () => {
  await place.run('tls.useLocalAuthority', {});
  place.desktop.nextSavePath = join(place.dataDir, 'authority.crt');
  await place.run('tls.saveAuthority', {});
  const saved = await readFile(place.desktop.nextSavePath, 'utf8');
  assert.equal(saved, await place.host().tls.authorityCertificate());
  assert.doesNotMatch(`${saved}${JSON.stringify(place.window.state())}`, /PRIVATE/u);
});
