// The stand-in throws for what it doesn't have, so that no test passes because nothing happened.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as Electron from 'electron';
import { createElectronModule } from './electron-module.ts';
import { hub } from './hub.ts';
import { StrictEmitter } from './strict.ts';

test('throws for members, options and events that it doesn’t have, and names them', async () => {
  hub.app = new StrictEmitter('app', 'before-quit') as unknown as Electron.App;
  hub.isReady = true;
  const electron = createElectronModule() as unknown as typeof Electron;
  const { app, BrowserWindow, Menu, Tray, session, nativeImage, Notification, dialog } = electron;
  Object.assign(app, { name: 'test' });
  for (const [message, attempt] of [
    [/has no app\.moveToApplicationsFolder/, () => app.moveToApplicationsFolder],
    [/has no electron\.crashReporter/, () => electron.crashReporter],
    [/has no session\.loadExtension/, () => session.defaultSession.loadExtension],
    [/has no option colour for BrowserWindow/, () => new BrowserWindow({ colour: 'red' } as object)],
    [
      /has no webPreferences\.nodeIntegration: true/,
      () => new BrowserWindow({ webPreferences: { nodeIntegration: true } }),
    ],
    [
      /has no webPreferences\.sandbox: false/,
      () => new BrowserWindow({ webPreferences: { sandbox: false } }),
    ],
    [/has no option titel for Notification/, () => new Notification({ titel: 'x' } as object)],
    [/has no option lable for MenuItem/, () => Menu.buildFromTemplate([{ lable: 'x' } as object])],
    [/Failed to load image from path '\/nowhere'/, () => new Tray(nativeImage.createFromPath('/nowhere'))],
    [/never emits app 'before-quite'/, () => app.once('before-quite' as 'before-quit', () => undefined)],
    [
      /has no option mesage for dialog/,
      () => dialog.showMessageBox({ mesage: 'x' } as unknown as Electron.MessageBoxOptions),
    ],
  ] satisfies [RegExp, () => unknown][])
    await assert.rejects(async () => attempt(), message);
});
