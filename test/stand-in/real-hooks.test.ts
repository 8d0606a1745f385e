// The hooks for real Electron: that it opens and changes nothing of the desktop. `npm run test:electron` uses the rest.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { createHooks, type StandInHooks } from './hooks.ts';

const { createRealHooks } = createRequire(import.meta.url)('./real-hooks.cjs') as {
  createRealHooks(electron: object): StandInHooks;
};

const createElectron = () => {
  const called: string[] = [];
  const forbidden = (name: string) => async () => void called.push(name);
  return {
    called,
    Tray: class {
      setImage(): void {}
      setToolTip(): void {}
      setContextMenu(): void {}
      destroy(): void {}
    },
    Notification: class {
      static isSupported = (): boolean => false;
      show(): void {}
    },
    nativeImage: { createFromPath: () => ({}) },
    powerSaveBlocker: { start: () => 0, stop: () => true },
    shell: {
      openExternal: forbidden('openExternal') as (url: string) => Promise<void>,
      openPath: forbidden('openPath') as (path: string) => Promise<unknown>,
      showItemInFolder: forbidden('showItemInFolder') as (path: string) => void,
    },
    app: {
      setAsDefaultProtocolClient: forbidden('protocol') as (scheme: string) => unknown,
      setLoginItemSettings: forbidden('login') as (settings: object) => void,
    },
  };
};

test('has every hook that the stand-in has', () => {
  const names = Object.keys(createHooks(1)).toSorted();
  assert.deepEqual(Object.keys(createRealHooks(createElectron())).toSorted(), names);
});

test('records what the app asks the desktop to do, and does none of it', async () => {
  const electron = createElectron();
  const hooks = createRealHooks(electron);
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
