// The hooks for real Electron, with classes that behave like Electron's: methods on prototypes, events as in Node.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { createHooks, type StandInHooks } from './hooks.ts';

const { createRealHooks } = createRequire(import.meta.url)('./real-hooks.cjs') as {
  createRealHooks(electron: object): StandInHooks;
};

class PowerMonitor extends EventEmitter {
  isOnBatteryPower(): boolean {
    return false;
  }
}

function createElectron() {
  const called: string[] = [];
  class Notification extends EventEmitter {
    readonly title: string;
    readonly body: string;
    constructor(options: { title: string; body: string }) {
      super();
      this.title = options.title;
      this.body = options.body;
    }
    static isSupported(): boolean {
      return false;
    }
    show(): void {
      called.push('show');
    }
  }
  class Tray extends EventEmitter {
    readonly image: object;
    constructor(image: object) {
      super();
      this.image = image;
    }
    setImage(_image: object): void {}
    setToolTip(_text: string): void {}
    setContextMenu(_menu: object): void {}
    destroy(): void {}
  }
  const started = new Set<number>();
  const forbidden = (name: string) => () => void called.push(name);
  return {
    called,
    Tray,
    Notification,
    nativeImage: Object.create({ createFromPath: () => ({}) }) as { createFromPath(path: string): object },
    powerMonitor: new PowerMonitor(),
    powerSaveBlocker: Object.create({
      start: () => started.add(7) && 7,
      stop: (id: number) => started.delete(id),
      isStarted: (id: number) => started.has(id),
    }) as { start(type: string): number; stop(id: number): boolean; isStarted(id: number): boolean },
    shell: {
      openExternal: forbidden('openExternal') as unknown as (url: string) => Promise<void>,
      openPath: forbidden('openPath') as unknown as (path: string) => Promise<string>,
      showItemInFolder: forbidden('showItemInFolder') as (path: string) => void,
    },
    app: {
      setAsDefaultProtocolClient: forbidden('protocol') as unknown as (scheme: string) => boolean,
      setLoginItemSettings: forbidden('login') as (settings: object) => void,
    },
  };
}

let electron: ReturnType<typeof createElectron>;
let hooks: StandInHooks;
beforeEach(() => {
  electron = createElectron();
  hooks = createRealHooks(electron);
});

test('has every hook that the stand-in has, and so every one that a test uses', () => {
  const names = Object.keys(createHooks(1)).toSorted();
  assert.deepEqual(Object.keys(hooks).toSorted(), names);

  const tests = join(import.meta.dirname, '..');
  const used = globSync('{e2e,security,stand-in}/**/*.ts', { cwd: tests }).flatMap((file) => [
    ...readFileSync(join(tests, file), 'utf8').matchAll(
      /(?:\['__standin'\]|\bhooks)\s*\.(?!c?[jt]s\b)(\w+)/g,
    ),
  ]);
  const unknown = used.map(([, name = '']) => name).filter((name) => !names.includes(name));
  assert.ok(used.length > 10);
  assert.deepEqual(unknown, []);
});

test('shows what a tray was given last, with the path of its image', () => {
  const { Tray, nativeImage } = electron;
  const tray = new Tray(nativeImage.createFromPath('/tray/paused.png'));
  tray.setImage(nativeImage.createFromPath('/tray/serving.png'));
  tray.setToolTip('Serving');
  const menu = { items: [] };
  tray.setContextMenu(menu);
  const looks = { tray, image: '/tray/serving.png', toolTip: 'Serving', menu, isDestroyed: false };
  assert.deepEqual(hooks.trays(), [looks]);
  tray.destroy();
  assert.deepEqual(
    hooks.trays().map(({ isDestroyed }) => isDestroyed),
    [true],
  );
});

test('keeps notifications, and clicks reach the app, even if the desktop shows none', () => {
  const { Notification } = electron;
  assert.equal(Notification.isSupported(), true);
  const notification = new Notification({ title: 'Stale', body: 'lock' });
  const clicks: string[] = [];
  notification.on('click', () => clicks.push('click'));
  notification.show();
  const [shown] = hooks.notifications;
  assert.deepEqual([shown?.title, shown?.body, shown?.isClosed], ['Stale', 'lock', false]);
  shown?.notification.emit('click');
  assert.deepEqual(clicks, ['click']);
  notification.emit('close');
  assert.equal(shown?.isClosed, true);
  assert.deepEqual(electron.called, [], 'Electron’s own show() was called');
});

test('shows a notification where the desktop supports them', () => {
  const supporting = createElectron();
  supporting.Notification.isSupported = () => true;
  createRealHooks(supporting);
  new supporting.Notification({ title: 'Stale', body: 'lock' }).show();
  assert.deepEqual(supporting.called, ['show']);
});

test('knows what keeps the computer awake, and emits power events', () => {
  const { powerSaveBlocker, powerMonitor } = electron;
  const id = powerSaveBlocker.start('prevent-app-suspension');
  assert.deepEqual(hooks.power.blockers(), [{ id }]);
  assert.equal(powerSaveBlocker.isStarted(id), true);
  powerSaveBlocker.stop(id);
  assert.deepEqual(hooks.power.blockers(), []);
  assert.equal(powerSaveBlocker.isStarted(id), false);

  powerMonitor.on('shutdown', (event: { preventDefault(): void }) => event.preventDefault());
  assert.deepEqual(hooks.power.emit('shutdown'), { isPrevented: true });
  assert.deepEqual(hooks.power.emit('on-battery'), { isPrevented: false });
  assert.equal(powerMonitor.isOnBatteryPower(), true);
  hooks.power.emit('on-ac');
  assert.equal(powerMonitor.isOnBatteryPower(), false);
  assert.throws(() => hooks.power.emit('off'), /has no event 'off'/);
});

test('records what the app asks the desktop to do, and does none of it', async () => {
  const { shell, app } = electron;
  await shell.openExternal('https://example.org/a?b');
  assert.equal(await shell.openPath(import.meta.dirname), '');
  assert.notEqual(await shell.openPath('/nowhere'), '');
  shell.showItemInFolder('/a');
  app.setLoginItemSettings({ openAtLogin: true });
  assert.equal(app.setAsDefaultProtocolClient('doctray'), true);
  const kinds = ['open-external', 'open-path', 'open-path', 'show-item-in-folder', 'login-item'];
  assert.deepEqual(
    hooks.deeds.map(({ kind }) => kind),
    [...kinds, 'default-protocol-client'],
  );
  assert.deepEqual(hooks.deeds[0], { kind: 'open-external', url: 'https://example.org/a?b' });
  assert.deepEqual(electron.called, []);
});

test('explains what works only on the stand-in', () => {
  const expected = /works only on the stand-in\. Add the test to notOnRealElectron in test\/run\.ts/;
  assert.throws(() => hooks.setPathForFile('a', '/a'), expected);
  assert.throws(() => hooks.chromiumPid, expected);
});

test('is loaded with -r by Electron, and removes that from the app’s arguments', () => {
  const path = join(import.meta.dirname, 'real-hooks.cjs');
  const names =
    '{ Tray: class {}, Notification: class {}, nativeImage: {}, powerSaveBlocker: {}, shell: {}, app: {} }';
  const script = `
    const electron = ${names};
    electron.nativeImage.createFromPath = electron.powerSaveBlocker.start = electron.powerSaveBlocker.stop = () => 0;
    electron.Notification.isSupported = () => true;
    require('node:module')._load = ((load) => (name, ...rest) => name === 'electron' ? electron : load(name, ...rest))(require('node:module')._load);
    Object.defineProperty(process.versions, 'electron', { value: '45' });
    process.argv = ['electron', '-r', ${JSON.stringify(path)}, '/app', '-r', 'x'];
    require(${JSON.stringify(path)});
    console.log(JSON.stringify([process.argv, typeof globalThis.__standin.trays]));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  assert.equal(stdout.trim(), '[["electron","/app","-r","x"],"function"]', stderr);
});
