// The window's commands about the host, its folder and the app around it.

import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ownerPasswordSecret } from '../../../app/accounts/users.ts';
import { AppError } from '../../../app/contract/errors.ts';
import { fakeKeeper } from '../live-state/fake-keeper.ts';
import { openWindow, until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
let other: string;
before(async () => {
  place = await windowPlace();
  other = join(place.folder, '..', 'other');
  await mkdir(other);
});
after(() => place.close());

const served = () => place.host().services.folder()?.root;
/** Chooses the folder in the dialog. */
function choose(folder?: string) {
  place.desktop.nextFolder = folder;
  return place.run('host.chooseFolder', {});
}

test('serves the folder chosen in the dialog, and keeps the current one after a cancel or an error', async () => {
  await until(() => place.window.state().host.folder === place.folder);
  assert.deepEqual(await choose(), { folder: null });
  assert.deepEqual([place.desktop.startedIn, served()], [[place.folder], place.folder]);
  assert.deepEqual(await choose(other), { folder: other });
  assert.equal(served(), other);
  assert.deepEqual(await choose(place.folder), { folder: place.folder });
  for (const folder of ['.', 'app', '../elsewhere', `${other}\0`, join(other, 'missing'), place.dataDir])
    await assert.rejects(choose(folder), { code: 'folder-invalid' }, folder);
  assert.equal(served(), place.folder);
});

test('creates and serves the default folder only on request', async (t) => {
  const path = join(other, 'DocTray');
  const prepared: string[] = [];
  const defaultFolder = {
    find: () => Promise.resolve({ path, exists: prepared.length > 0 }),
    async prepare() {
      await mkdir(path);
      prepared.push(path);
      return path;
    },
  };
  const { window, run } = openWindow({ ...place, defaultFolder });
  t.after(() => window.close());
  assert.deepEqual(await run('host.defaultFolder', {}), { path, exists: false });
  assert.deepEqual(prepared, []);
  assert.deepEqual([await run('host.useDefaultFolder', {}), served()], [{ folder: path }, path]);
  await choose(place.folder);
  assert.equal(await place.run('host.defaultFolder', {}), null);
  await assert.rejects(place.run('host.useDefaultFolder', {}), { code: 'folder-not-chosen' });
});

test('restarting a host that couldn’t start tries again, and reports why it failed', async (t) => {
  const keeper = fakeKeeper('/data');
  keeper.problemNow = new AppError('port-taken');
  const { window, run } = openWindow({ ...place, keeper });
  t.after(() => window.close());
  await assert.rejects(run('host.restart', {}), { code: 'port-taken' });
  assert.equal(keeper.restarts, 1);
});

test('copies the owner’s password to the clipboard without returning it, unless it is unknown', async () => {
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

test('saves text to the chosen file, suggests only a name, and saves nothing after a cancel', async () => {
  const save = { suggestedName: '../../etc/locks.csv', text: 'a,b', kind: 'csv' } as const;
  assert.deepEqual(await place.run('app.saveText', save), { savedTo: null });
  place.desktop.nextSavePath = join(place.dataDir, 'export.csv');
  assert.deepEqual(await place.run('app.saveText', save), { savedTo: place.desktop.nextSavePath });
  assert.equal(await readFile(place.desktop.nextSavePath, 'utf8'), 'a,b');
  assert.deepEqual(place.desktop.suggested, ['locks.csv', 'locks.csv']);
});

test('creates the local authority, and saves its certificate but never its key', async () => {
  const tls = () => place.window.state().host.tls;
  place.desktop.suggested = [];
  await assert.rejects(place.run('tls.saveAuthority', {}), { code: 'authority-missing' });
  assert.deepEqual(place.desktop.suggested, []);
  await place.run('tls.useLocalAuthority', {});
  await until(() => tls()?.names.includes('localhost') === true);
  assert.match(tls()?.authorityFingerprint ?? '', /^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/u);
  place.desktop.nextSavePath = join(place.dataDir, 'authority.crt');
  await place.run('tls.saveAuthority', {});
  const saved = await readFile(place.desktop.nextSavePath, 'utf8');
  assert.equal(saved, await place.host().tls.authorityCertificate());
  assert.doesNotMatch(`${saved}${JSON.stringify(place.window.state())}`, /PRIVATE/u);
  await place.run('settings.set', { key: 'tls', value: 'off' });
  await until(() => tls()?.mode === 'off');
});
