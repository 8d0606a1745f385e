import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { fakeKeeper } from '../live-state/fake-keeper.ts';
import { openWindow, until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
let otherFolder: string;

/** Chooses the folder in the dialog. */
function choose(folder: string) {
  place.desktop.nextFolder = folder;
  return place.run('host.chooseFolder', {});
}

before(async () => {
  place = await windowPlace();
  otherFolder = await mkdtemp(join(tmpdir(), 'doctray-window-'));
});
after(async () => {
  await place.close();
  await rm(otherFolder, { recursive: true, force: true });
});

test('serves the folder chosen in the dialog, and keeps the current one after a cancel or an error', async () => {
  await until(() => place.window.state().host.folder === place.folder);
  place.desktop.nextFolder = undefined;
  assert.deepEqual(await place.run('host.chooseFolder', {}), { folder: null });
  assert.deepEqual(place.desktop.startedIn, [place.folder]);
  assert.equal(place.host().services.folder()?.root, place.folder);
  assert.deepEqual(await choose(otherFolder), { folder: otherFolder });
  assert.equal(place.host().services.folder()?.root, otherFolder);
  assert.deepEqual(await choose(place.folder), { folder: place.folder });
  await assert.rejects(async () => choose(join(otherFolder, 'missing')), AppError);
  assert.equal(place.host().services.folder()?.root, place.folder);
});

test('creates and serves the default folder only on request', async (t) => {
  const path = join(otherFolder, 'DocTray');
  const prepared: string[] = [];
  const { window, run } = openWindow({
    ...place,
    defaultFolder: {
      find: () => Promise.resolve({ path, exists: prepared.length > 0 }),
      async prepare() {
        await mkdir(path);
        prepared.push(path);
        return path;
      },
    },
  });
  t.after(() => window.close());
  assert.deepEqual(await run('host.defaultFolder', {}), { path, exists: false });
  assert.deepEqual(prepared, []);
  assert.deepEqual(await run('host.useDefaultFolder', {}), { folder: path });
  assert.equal(place.host().services.folder()?.root, path);
  await choose(place.folder);
  assert.equal(await place.run('host.defaultFolder', {}), null);
  await assert.rejects(place.run('host.useDefaultFolder', {}), { code: 'folder-not-chosen' });
});

test('rejects a folder that isn’t a valid absolute path', async () => {
  for (const folder of ['.', 'app', '../elsewhere', `${otherFolder}\0`]) {
    await assert.rejects(async () => choose(folder), { code: 'folder-invalid' });
  }
  assert.equal(place.host().services.folder()?.root, place.folder);
});

test('pauses the host for some minutes or until resumed', async () => {
  const before = place.clock();
  await place.run('host.pause', { minutes: 5 });
  const { status, pausedUntilMs } = place.host().state();
  assert.equal(status, 'paused');
  assert.ok((pausedUntilMs ?? 0) >= before + 300_000 && (pausedUntilMs ?? 0) <= place.clock() + 300_000);
  await place.run('host.pause', { minutes: null });
  assert.equal(place.host().state().pausedUntilMs, null);
  await place.run('host.resume', {});
  assert.equal(place.host().state().status, 'serving');
});

test('restarting a running host reopens its port and keeps access tokens valid', async () => {
  const access = await place.access('a.docx');
  await place.run('host.restart', {});
  assert.equal(await place.wopi(access), 200);
});

test('restarting a host that couldn’t start tries again, and reports why it failed', async (t) => {
  const keeper = fakeKeeper('/data');
  keeper.problemNow = new AppError('port-taken');
  const { window, run } = openWindow({ ...place, keeper });
  t.after(() => window.close());
  await assert.rejects(run('host.restart', {}), { code: 'port-taken' });
  assert.equal(keeper.restarts, 1);
});

test('opens the folder in the file manager', async () => {
  await place.run('host.openFolder', {});
  assert.deepEqual(place.desktop.opened, [place.folder]);
});

test('copies the owner’s password to the clipboard without returning it', async () => {
  const password = place.host().generatedOwnerPassword;
  assert.ok(password !== undefined);
  assert.equal(await place.run('host.copyOwnerPassword', {}), null);
  assert.deepEqual(place.desktop.copied, [password]);
});

test('reports that a chosen owner password is unknown, and copies nothing', async () => {
  const other = await windowPlace({ options: { ownerPassword: 'chosen by somebody' } });
  try {
    await assert.rejects(other.run('host.copyOwnerPassword', {}), { code: 'owner-password-unknown' });
    assert.deepEqual(other.desktop.copied, []);
  } finally {
    await other.close();
  }
});

test('rejects commands that need a host while it is starting', async (t) => {
  const keeper = fakeKeeper('/data');
  keeper.isStartingNow = true;
  const { window } = openWindow({ ...place, keeper });
  t.after(() => window.close());
  for (const [name, args] of [
    ['host.resume', {}],
    ['host.openFolder', {}],
    ['host.copyOwnerPassword', {}],
    ['locks.forceClear', { ids: ['x'] }],
    ['users.remove', { login: 'x' }],
    ['editors.remove', { id: 'x' }],
    ['tls.saveAuthority', {}],
  ] as const) {
    await assert.rejects(window.run(name, args), (error) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, 'host-away', name);
      assert.match(error.message, /It’s starting/);
      return true;
    });
  }
});
