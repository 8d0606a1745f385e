import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type * as Electron from 'electron';
import type { WindowState } from '../../../app/contract/state.ts';
import { trayImagePath } from '../../../app/desktop/tray-images.ts';
import type { TrayAction } from '../../../app/desktop/tray-model.ts';
import { createTray, type AppTray, type TrayDeps } from '../../../app/desktop/tray.ts';
import { lock, noonMs, quietLog, settled, stateOf } from './desktop-fixture.ts';

type Template = Electron.MenuItemConstructorOptions;

/** What a panel would show. */
class FakeTray {
  static made: FakeTray[] = [];
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
    FakeTray.made.push(this);
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
  FakeTray.made = [];
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
    icon: () => FakeTray.made.at(-1)!,
    tray: undefined as unknown as AppTray,
  };
  const nativeImage = {
    createFromPath: (path: string) => ({
      path,
      isEmpty: () => path.includes('attention'),
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
    support: { look: () => Promise.resolve(self.hasPanel) },
    state: () => self.state,
    finishing: () => undefined,
    clock: () => noonMs,
    act: (action) => void self.actions.push(action),
    log,
    onTrayChange: () => (self.changes += 1),
  });
  t.after(() => self.tray.close());
  return self;
}

test('the icon, its tooltip and its menu follow the state together', async (t) => {
  const self = bench(t);
  await self.tray.start();
  assert.equal(self.icon().image, join('/app/tray', 'serving-22.png'));
  assert.equal(self.icon().tooltip, 'DocTray: Serving Documents');

  self.state = stateOf({ locks: [lock('a.odt')] });
  self.tray.refresh();
  assert.equal(self.icon().image, join('/app/tray', 'editing-22.png'));
  assert.equal(self.icon().tooltip, 'DocTray: Serving Documents · 1 file open');
  assert.equal(self.icon().menu[0]?.label, 'Serving Documents · 1 file open');
  assert.equal(FakeTray.made.length, 1);
});

test('a state that changes nothing the tray shows leaves it alone', async (t) => {
  const self = bench(t);
  await self.tray.start();
  self.icon().changes = [];
  self.state = { ...stateOf(), revision: 7 };
  self.tray.refresh();
  assert.deepEqual(self.icon().changes, []);
});

test('what changed is set, with the menu made anew', async (t) => {
  const self = bench(t);
  await self.tray.start();
  const before = self.icon().menu;
  self.icon().changes = [];
  self.state = stateOf({ recent: ['a.odt'] });
  self.tray.refresh();
  assert.deepEqual(self.icon().changes, ['menu']);
  assert.notEqual(self.icon().menu, before);
});

test('a press in the menu is the action of its item', async (t) => {
  const self = bench(t);
  await self.tray.start();
  const { menu } = self.icon();
  assert.deepEqual(
    menu.map(({ label, type, enabled }) => [label ?? type, enabled]),
    [
      ['Serving Documents', false],
      ['separator', undefined],
      ['Open DocTray', true],
      ['Open folder', true],
      ['Copy address', true],
      ['Recent documents', false],
      ['separator', undefined],
      ['Pause', true],
      ['Locks that need attention (0)', false],
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

test('a click on the icon opens the window, except on macOS, where it opens the menu', async (t) => {
  const self = bench(t);
  await self.tray.start();
  for (const click of self.icon().clicks) click();
  assert.deepEqual(self.actions, [{ do: 'open-window' }]);

  const mac = bench(t, { platform: 'darwin' });
  await mac.tray.start();
  assert.deepEqual(mac.icon().clicks, []);
});

test('on macOS the images are templates that it colours itself', async (t) => {
  const self = bench(t, { platform: 'darwin' });
  await self.tray.start();
  assert.equal(self.icon().image, trayImagePath({ imageFolder: '/app/tray', platform: 'darwin' }, 'serving'));
  assert.match(self.icon().image, /servingTemplate\.png$/);
  assert.deepEqual(self.templates, [self.icon().image]);
});

test('Windows has images of its own size', () => {
  const path = trayImagePath({ imageFolder: '/app/tray', platform: 'win32' }, 'error');
  assert.equal(path, join('/app/tray', 'error.png'));
});

test('an image that cannot be read is told of in the log', async (t) => {
  const self = bench(t);
  self.state = stateOf({ host: { status: 'idle' } });
  await self.tray.start();
  assert.deepEqual(self.log.lines, ['The tray image cannot be read.']);
});

test('a panel that comes later gets a new icon, and it is told', async (t) => {
  const self = bench(t, { hasPanel: false });
  await self.tray.start();
  assert.equal(self.tray.isThere(), false);
  assert.equal(FakeTray.made.length, 1);

  t.mock.timers.tick(3000);
  await settled();
  assert.equal(self.tray.isThere(), false);
  self.hasPanel = true;
  t.mock.timers.tick(10_000);
  await settled();
  assert.equal(self.tray.isThere(), true);
  assert.equal(self.changes, 1);
  assert.equal(FakeTray.made.length, 2);
  assert.deepEqual(
    FakeTray.made.map(({ isDestroyed }) => isDestroyed),
    [true, false],
  );
  assert.equal(self.icon().tooltip, 'DocTray: Serving Documents');
});

test('where no panel comes, it is looked for a few times and no more', async (t) => {
  const self = bench(t, { hasPanel: false });
  await self.tray.start();
  for (let minute = 0; minute < 20; minute += 1) {
    t.mock.timers.tick(60_000);
    await settled();
  }
  self.hasPanel = true;
  t.mock.timers.tick(3_600_000);
  await settled();
  assert.equal(self.tray.isThere(), false);
});

test('a desktop that refuses the icon has no tray', async (t) => {
  const self = bench(t);
  FakeTray.isRefused = true;
  await self.tray.start();
  self.tray.refresh();
  assert.equal(self.tray.isThere(), false);
  assert.deepEqual(self.log.lines, ['There is no tray icon: the desktop refused it.']);
});

test('a closed tray is gone and stays away', async (t) => {
  const self = bench(t, { hasPanel: false });
  await self.tray.start();
  self.tray.close();
  assert.equal(self.icon().isDestroyed, true);
  self.hasPanel = true;
  t.mock.timers.tick(3000);
  await settled();
  self.tray.refresh();
  assert.equal(FakeTray.made.length, 1);
});

test('a tray that is closed while the panel is looked for is not made', async (t) => {
  const self = bench(t);
  const started = self.tray.start();
  self.tray.close();
  await started;
  assert.equal(FakeTray.made.length, 0);
});
