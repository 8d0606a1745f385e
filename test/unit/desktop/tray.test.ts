import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type * as Electron from 'electron';
import { AppError } from '../../../app/contract/errors.ts';
import type { WindowState } from '../../../app/contract/state.ts';
import {
  createTray,
  createTrayActions,
  isTraySupported,
  trayImagePath,
  type AppTray,
  type TrayAction,
  type TrayDeps,
} from '../../../app/desktop/tray.ts';
import { lock, noonMs, quietLog, settled, stateOf } from './desktop-fixture.ts';

type Template = Electron.MenuItemConstructorOptions;

/** Records what the panel would show. */
class FakeTray {
  static created: FakeTray[] = [];
  static isRefused = false;
  changes: string[] = [];
  image: string;
  tooltip = '';
  menu: Template[] = [];
  isDestroyed = false;
  clicks: (() => void)[] = [];

  constructor(image: Electron.NativeImage) {
    if (FakeTray.isRefused) throw new Error('no tray');
    this.image = pathOf(image);
    FakeTray.created.push(this);
  }
  setImage(image: Electron.NativeImage): void {
    this.image = pathOf(image);
    this.changes.push('image');
  }
  setToolTip(text: string): void {
    this.tooltip = text;
    this.changes.push('tooltip');
  }
  setContextMenu(menu: Electron.Menu | null): void {
    this.menu = (menu as unknown as { template: Template[] }).template;
    this.changes.push('menu');
  }
  on(event: string, listener: () => void): this {
    if (event === 'click') this.clicks.push(listener);
    return this;
  }
  destroy(): void {
    this.isDestroyed = true;
  }
}

function pathOf(image: Electron.NativeImage): string {
  return (image as unknown as { path: string }).path;
}

interface Bench {
  tray: AppTray;
  icon(): FakeTray;
  actions: TrayAction[];
  log: ReturnType<typeof quietLog>;
  changes: number;
  templates: string[];
  state: WindowState;
  hasPanel: boolean;
}

function bench(t: TestContext, choice: { platform?: NodeJS.Platform; hasPanel?: boolean } = {}): Bench {
  FakeTray.created = [];
  FakeTray.isRefused = false;
  if (choice.hasPanel === false) t.mock.timers.enable({ apis: ['setTimeout'] });
  const log = quietLog();
  const self: Bench = {
    state: stateOf(),
    hasPanel: choice.hasPanel ?? true,
    actions: [],
    templates: [],
    changes: 0,
    log,
    icon: () => FakeTray.created.at(-1)!,
    tray: undefined as unknown as AppTray,
  };
  const nativeImage = {
    createFromPath: (path: string) => ({
      path,
      setTemplateImage: (isTemplate: boolean) => isTemplate && self.templates.push(path),
    }),
  };
  self.tray = createTray({
    electron: {
      Tray: FakeTray,
      Menu: { buildFromTemplate: (template: Template[]) => ({ template }) },
      nativeImage,
    } as unknown as TrayDeps['electron'],
    platform: choice.platform ?? 'linux',
    imageFolder: '/app/tray',
    isSupported: () => Promise.resolve(self.hasPanel),
    state: () => self.state,
    quitProgress: () => undefined,
    clock: () => noonMs,
    act: (action) => void self.actions.push(action),
    log,
    onVisible: () => (self.changes += 1),
  });
  t.after(() => self.tray.close());
  return self;
}

test('updates the icon, its tooltip and its menu with the state', async (t) => {
  const self = bench(t);
  await self.tray.start();
  assert.equal(self.icon().image, join('/app/tray', 'serving-22.png'));
  assert.equal(self.icon().tooltip, 'DocTray: Serving Documents');

  self.state = stateOf({ locks: [lock('a.odt')] });
  self.tray.refresh();
  assert.equal(self.icon().image, join('/app/tray', 'editing-22.png'));
  assert.equal(self.icon().tooltip, 'DocTray: Serving Documents · 1 file open');
  assert.equal(self.icon().menu[0]?.label, 'Serving Documents · 1 file open');
  assert.equal(FakeTray.created.length, 1);
});

test('doesn’t update the tray if nothing it shows has changed', async (t) => {
  const self = bench(t);
  await self.tray.start();
  self.icon().changes = [];
  self.state = { ...stateOf(), jobs: [] };
  self.tray.refresh();
  assert.deepEqual(self.icon().changes, []);
});

test('sets only what changed, and rebuilds a changed menu', async (t) => {
  const self = bench(t);
  await self.tray.start();
  const before = self.icon().menu;
  self.icon().changes = [];
  self.state = stateOf({ recent: ['a.odt'] });
  self.tray.refresh();
  assert.deepEqual(self.icon().changes, ['menu']);
  assert.notEqual(self.icon().menu, before);
});

test('a click on a menu item runs its action', async (t) => {
  const self = bench(t);
  await self.tray.start();
  const { menu } = self.icon();
  assert.deepEqual(
    menu.map(({ label, type, enabled }) => [label ?? type, enabled]),
    [
      ['Serving Documents', false],
      ['separator', undefined],
      ['Open DocTray', true],
      ['Open a document…', true],
      ['Open folder', true],
      ['Recent', false],
      ['separator', undefined],
      ['Pause', true],
      ['Needs attention (0)', false],
      ['Settings', true],
      ['separator', undefined],
      ['Quit', true],
    ],
  );
  const press = (item: Template | undefined): void => (item!.click as () => void)();
  const pause = menu.find(({ label }) => label === 'Pause')?.submenu as Template[];
  press(pause[1]);
  press(menu.at(-1));
  assert.deepEqual(self.actions, [{ do: 'pause', minutes: 30 }, { do: 'quit' }]);
});

test('a click on the icon opens the window, except on macOS', async (t) => {
  const self = bench(t);
  await self.tray.start();
  for (const click of self.icon().clicks) click();
  assert.deepEqual(self.actions, [{ do: 'open-window' }]);

  const mac = bench(t, { platform: 'darwin' });
  await mac.tray.start();
  assert.deepEqual(mac.icon().clicks, []);
});

test('on macOS, uses template images', async (t) => {
  const self = bench(t, { platform: 'darwin' });
  await self.tray.start();
  assert.equal(self.icon().image, trayImagePath('/app/tray', 'darwin', 'serving'));
  assert.match(self.icon().image, /servingTemplate\.png$/);
  assert.deepEqual(new Set(self.templates), new Set([self.icon().image]));
});

test('on Windows, uses an image without a size in its name', () => {
  const path = trayImagePath('/app/tray', 'win32', 'error');
  assert.equal(path, join('/app/tray', 'error.png'));
});

test('creates a new icon when a panel appears later, and reports it', async (t) => {
  const self = bench(t, { hasPanel: false });
  await self.tray.start();
  assert.equal(self.tray.isVisible(), false);
  assert.equal(FakeTray.created.length, 1);

  t.mock.timers.tick(10_000);
  await settled();
  assert.equal(self.tray.isVisible(), false);
  self.hasPanel = true;
  t.mock.timers.tick(10_000);
  await settled();
  assert.equal(self.tray.isVisible(), true);
  assert.equal(self.changes, 1);
  assert.equal(FakeTray.created.length, 2);
  assert.deepEqual(
    FakeTray.created.map(({ isDestroyed }) => isDestroyed),
    [true, false],
  );
  assert.equal(self.icon().tooltip, 'DocTray: Serving Documents');
});

test('stops checking for a panel after a while', async (t) => {
  const self = bench(t, { hasPanel: false });
  await self.tray.start();
  for (let minute = 0; minute < 20; minute += 1) {
    t.mock.timers.tick(60_000);
    await settled();
  }
  self.hasPanel = true;
  t.mock.timers.tick(3_600_000);
  await settled();
  assert.equal(self.tray.isVisible(), false);
});

test('logs that there is no tray if the desktop rejects the icon', async (t) => {
  const self = bench(t);
  FakeTray.isRefused = true;
  await self.tray.start();
  self.tray.refresh();
  assert.equal(self.tray.isVisible(), false);
  assert.deepEqual(self.log.lines, ['The desktop didn’t accept the tray icon.']);
});

test('destroys the icon on close, and doesn’t create it again', async (t) => {
  const self = bench(t, { hasPanel: false });
  await self.tray.start();
  self.tray.close();
  assert.equal(self.icon().isDestroyed, true);
  self.hasPanel = true;
  t.mock.timers.tick(3000);
  await settled();
  self.tray.refresh();
  assert.equal(FakeTray.created.length, 1);
});

test('doesn’t create an icon if the tray is closed during the check for a panel', async (t) => {
  const self = bench(t);
  const started = self.tray.start();
  self.tray.close();
  await started;
  assert.equal(FakeTray.created.length, 0);
});

function actionBench(options: { refuses?: Error; result?: unknown } = {}): {
  act: ReturnType<typeof createTrayActions>;
  done: unknown[];
} {
  const done: unknown[] = [];
  const act = createTrayActions({
    run: (name, args) => {
      done.push([name, args]);
      return options.refuses === undefined
        ? Promise.resolve(options.result)
        : Promise.reject(options.refuses);
    },
    show(to) {
      done.push('show');
      if (to !== undefined) done.push(to);
    },
    openDocument: (path) => void done.push(`open ${path}`),
    quit: () => void done.push('quit'),
    showError: (error) => void done.push(error instanceof AppError ? error.code : error.message),
    onCleared: ({ path }, undoUntilMs) => void done.push(`${path} cleared, undo until ${undoUntilMs}`),
    log: quietLog(),
  });
  return { act, done };
}

test('tray items run the same commands as the window', () => {
  const { act, done } = actionBench();
  act({ do: 'open-window' });
  act({ do: 'open-folder' });
  act({ do: 'pause', minutes: null });
  act({ do: 'resume' });
  act({ do: 'open-document', path: 'a/b.odt' });
  act({ do: 'quit' });
  assert.deepEqual(done, [
    'show',
    ['host.openFolder', {}],
    ['host.pause', { minutes: null }],
    ['host.resume', {}],
    'open a/b.odt',
    'quit',
  ]);
});

test('an item for a view shows the window at that view', () => {
  const { act, done } = actionBench();
  act({ do: 'show', view: 'locks' });
  act({ do: 'quick-open' });
  assert.deepEqual(done, ['show', { view: 'locks' }, 'show', { view: 'documents', quickOpen: true }]);
});

test('shows an error for a failed command, since the window may be hidden', async () => {
  const known = actionBench({ refuses: new AppError('folder-missing') });
  known.act({ do: 'open-folder' });
  await settled();
  assert.deepEqual(known.done.slice(1), ['folder-missing']);
  const unknown = actionBench({ refuses: new Error('/home/ana is gone') });
  unknown.act({ do: 'resume' });
  await settled();
  assert.deepEqual(unknown.done.slice(1), ['internal']);
  const kept = actionBench({
    result: { done: [], failed: [{ id: 'a', path: 'a.odt', message: 'In use.' }] },
  });
  kept.act({ do: 'force-clear', lockId: 'a' });
  await settled();
  assert.deepEqual(kept.done, [['locks.forceClear', { ids: ['a'], onlyStale: true }], 'In use.']);
  const again = actionBench({
    result: {
      done: [],
      failed: [{ id: 'a', path: 'x/a.odt', message: 'Not locked.', code: 'file-not-locked' }],
    },
  });
  again.act({ do: 'force-clear', lockId: 'a' });
  await settled();
  assert.equal(again.done.at(-1), 'The lock on a.odt was already released or cleared.');
});

test('reports a lock that was cleared from its notification, and undoes it', async () => {
  const cleared = actionBench({ result: { done: [{ id: 'a', path: 'a.odt' }], failed: [], undoUntilMs: 9 } });
  cleared.act({ do: 'force-clear', lockId: 'a' });
  await settled();
  assert.equal(cleared.done.at(-1), 'a.odt cleared, undo until 9');
  const late = actionBench({
    result: { done: [], failed: [{ id: 'a', path: 'a.odt', message: 'Too late.' }] },
  });
  late.act({ do: 'undo-force-clear', lockId: 'a' });
  await settled();
  assert.deepEqual(late.done, [['locks.undoForceClear', { ids: ['a'] }], 'Too late.']);
});

const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' };

/** @param answer of `gdbus`; undefined: it isn’t installed */
async function detect(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  answer?: string | Error,
): Promise<{ found: boolean; buses: unknown[] }> {
  const buses: unknown[] = [];
  const found = await isTraySupported(platform, env, (file, _args, options) => {
    assert.equal(file, 'gdbus');
    buses.push(options.env['DBUS_SESSION_BUS_ADDRESS']);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  });
  return { found, buses };
}

test('Windows and macOS have a tray', async () => {
  assert.equal((await detect('win32', {})).found, true);
  assert.equal((await detect('darwin', {})).found, true);
});

test('on Linux, there is a tray if a panel is registered', async () => {
  assert.equal((await detect('linux', bus, '(<true>,)\n')).found, true);
  assert.equal((await detect('linux', bus, '(<false>,)\n')).found, false, 'a watcher without a panel');
  assert.equal((await detect('linux', bus, new Error('timed out'))).found, false, 'no watcher');
});

test('without gdbus, decides by the name of the desktop', async () => {
  const named = async (name: string): Promise<boolean> =>
    (await detect('linux', { ...bus, XDG_CURRENT_DESKTOP: name })).found;
  assert.equal(await named('KDE'), true);
  assert.equal(await named('X-Cinnamon'), true);
  assert.equal(await named('ubuntu:GNOME'), false);
  assert.equal(await named(''), false);
});

test('finds the session bus at its default path', async () => {
  const { buses } = await detect('linux', { XDG_RUNTIME_DIR: '/run/user/7' }, '(<false>,)');
  assert.deepEqual(buses, ['unix:path=/run/user/7/bus']);
});

test('DOCTRAY_TRAY overrides the detection', async () => {
  assert.equal((await detect('linux', { DOCTRAY_TRAY: 'on' })).found, true);
  assert.equal((await detect('win32', { DOCTRAY_TRAY: 'off' })).found, false);
  assert.equal((await detect('win32', { DOCTRAY_TRAY: 'perhaps' })).found, true);
});

test('the installed tool finds no tray on a missing bus', async () => {
  const env = { ...process.env, DOCTRAY_TRAY: undefined, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
  assert.equal(await isTraySupported('linux', { ...env, XDG_CURRENT_DESKTOP: 'GNOME' }), false);
});
