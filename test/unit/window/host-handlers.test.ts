import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import {
  createHostHandlers,
  type DefaultFolderPlace,
  type HostHandlers,
} from '../../../app/window/host-handlers.ts';
import { createWindowSettings } from '../../../app/window/live-state-settings.ts';
import { createUseFolder } from '../../../app/window/settings-handlers.ts';
import { fakeKeeper } from './fake-keeper.ts';
import { windowPlace, type WindowPlace } from './window-fixture.ts';

let place: WindowPlace;
let handlers: HostHandlers;
let elsewhere: string;

/** Chosen in the dialog. */
function choose(folder: string) {
  place.desktop.nextFolder = folder;
  return handlers['host.chooseFolder']({});
}

function handlersOf(
  { keeper, desktop, clock }: Pick<WindowPlace, 'keeper' | 'desktop' | 'clock'>,
  defaultFolder?: DefaultFolderPlace,
): HostHandlers {
  const settings = createWindowSettings({ keeper, onChange: () => undefined });
  const useFolder = createUseFolder({ keeper, settings });
  return createHostHandlers({
    keeper,
    desktop,
    clock,
    useFolder,
    folder: () => '/start/here',
    defaultFolder,
  });
}

before(async () => {
  place = await windowPlace();
  elsewhere = await mkdtemp(join(tmpdir(), 'doctray-window-'));
  handlers = handlersOf(place);
});
after(async () => {
  await place.close();
  await rm(elsewhere, { recursive: true, force: true });
});

test('a folder is chosen by the system’s dialog and served', async () => {
  place.desktop.nextFolder = undefined;
  assert.deepEqual(await handlers['host.chooseFolder']({}), { folder: null });
  assert.deepEqual(place.desktop.startedIn, ['/start/here']);
  assert.equal(place.host().services.folder()?.root, place.folder);
  assert.deepEqual(await choose(elsewhere), { folder: elsewhere });
  assert.equal(place.host().services.folder()?.root, elsewhere);
  assert.deepEqual(await choose(place.folder), { folder: place.folder });
  await assert.rejects(async () => choose(join(elsewhere, 'missing')), AppError);
  assert.equal(place.host().services.folder()?.root, place.folder);
});

test('the default folder is created and served only when it is asked for', async () => {
  const path = join(elsewhere, 'DocTray');
  const prepared: string[] = [];
  const withDefault = handlersOf(place, {
    find: () => Promise.resolve({ path, exists: prepared.length > 0 }),
    async prepare() {
      await mkdir(path);
      prepared.push(path);
      return path;
    },
  });
  assert.deepEqual(await withDefault['host.defaultFolder']({}), { path, exists: false });
  assert.deepEqual(prepared, []);
  assert.deepEqual(await withDefault['host.useDefaultFolder']({}), { folder: path });
  assert.equal(place.host().services.folder()?.root, path);
  await choose(place.folder);
  assert.equal(await handlers['host.defaultFolder']({}), null);
  await assert.rejects(async () => handlers['host.useDefaultFolder']({}), { code: 'folder-not-chosen' });
});

test('a folder is asked for by its absolute path alone', async () => {
  for (const folder of ['.', 'app', '../elsewhere', `${elsewhere}\0`]) {
    await assert.rejects(async () => choose(folder), { code: 'folder-invalid' });
  }
  assert.equal(place.host().services.folder()?.root, place.folder);
});

test('the host is paused for minutes or until resumed', async () => {
  const before = place.clock();
  await handlers['host.pause']({ minutes: 5 });
  const { status, pausedUntilMs } = place.host().state();
  assert.equal(status, 'paused');
  assert.ok((pausedUntilMs ?? 0) >= before + 300_000 && (pausedUntilMs ?? 0) <= place.clock() + 300_000);
  await handlers['host.pause']({ minutes: null });
  assert.equal(place.host().state().pausedUntilMs, null);
  await handlers['host.resume']({});
  assert.equal(place.host().state().status, 'serving');
});

test('restarting a host that runs opens its port again and ends no session', async () => {
  const access = await place.access('a.docx');
  await handlers['host.restart']({});
  assert.equal(await place.wopi(access), 200);
});

test('restarting one that could not start starts it, and says why when it cannot again', async () => {
  const keeper = fakeKeeper('/data');
  keeper.problemNow = new AppError('port-taken');
  const away = handlersOf({ ...place, keeper });
  await assert.rejects(async () => away['host.restart']({}), { code: 'port-taken' });
  assert.equal(keeper.restarts, 1);
});

test('the folder is shown in the file manager', async () => {
  await handlers['host.openFolder']({});
  assert.deepEqual(place.desktop.opened, [place.folder]);
});

test('the owner’s password goes into the clipboard and nowhere else', async () => {
  const password = place.host().generatedOwnerPassword;
  assert.ok(password !== undefined);
  assert.equal(await handlers['host.copyOwnerPassword']({}), null);
  assert.deepEqual(place.desktop.copied, [password]);
});

test('a password that somebody chose is not known, and that is said', async () => {
  const other = await windowPlace({ options: { ownerPassword: 'chosen by somebody' } });
  try {
    const { 'host.copyOwnerPassword': copy } = handlersOf(other);
    await assert.rejects(async () => copy({}), { code: 'owner-password-unknown' });
    assert.deepEqual(other.desktop.copied, []);
  } finally {
    await other.close();
  }
});

test('while no host runs each of them says so', async () => {
  const keeper = fakeKeeper('/data');
  keeper.isStartingNow = true;
  const away = handlersOf({ ...place, keeper });
  for (const name of ['host.resume', 'host.openFolder', 'host.copyOwnerPassword'] as const) {
    await assert.rejects(
      async () => away[name]({}),
      (error) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, 'host-away', name);
        assert.match(error.message, /It is starting/);
        return true;
      },
    );
  }
});
