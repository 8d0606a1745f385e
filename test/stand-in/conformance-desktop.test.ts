// The desktop around the app: tray, menus, notifications, shell, power, clipboard. What a user does on a real desktop, a test does here
// through `__standin`, which real-hooks.cjs adds to real Electron.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import type { Deed } from './hub.ts';
import { shareFixtureApp } from './fixture-app.ts';
import type { FixtureApp, FixtureGlobals } from './fixture-app.ts';
import type { StandInHooks } from './hooks.ts';
import { isRealElectron } from './launch.ts';
import { clickTray, pressMenu, readMenu, readTray } from './press.ts';

interface Hooked {
  __standin: StandInHooks;
}

/** A picture with one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the desktop', { timeout: 60_000 }, () => {
  let opened: FixtureApp;
  let icon: string;
  before(async () => {
    opened = await shareFixtureApp();
    icon = join(opened.home, 'icon.png');
    writeFileSync(icon, Buffer.from(pixel, 'base64'));
  });
  after(() => opened.close());

  const deeds = (kind: string): Promise<Deed[]> =>
    opened.application.evaluate(
      (_electron, kind) =>
        (globalThis as unknown as Hooked)['__standin'].deeds.filter((deed) => deed.kind === kind),
      kind,
    );

  it('shows a tray whose menu can be read and pressed', async () => {
    await opened.application.evaluate(
      ({ Tray, Menu }, { icon }) => {
        const pressed: string[] = [];
        const tray = new Tray(icon);
        tray.setImage(icon);
        tray.setToolTip('Serving');
        tray.setContextMenu(
          Menu.buildFromTemplate([
            { label: 'Status', enabled: false },
            { type: 'separator' },
            {
              label: 'Pause',
              submenu: [{ label: '5 minutes', click: (item) => void pressed.push(item.label) }],
            },
            {
              label: 'Loud',
              type: 'checkbox',
              id: 'loud',
              click: (item) => void pressed.push(`loud ${item.checked}`),
            },
            { label: 'One', type: 'radio', checked: true },
            { label: 'Two', type: 'radio' },
          ]),
        );
        tray.on('click', () => void pressed.push('tray'));
        Object.assign(globalThis, { pressed, tray });
      },
      { icon },
    );
    assert.deepEqual(await readTray(opened.application), { toolTip: 'Serving', image: icon });
    assert.deepEqual(
      (await readMenu(opened.application)).map((entry) => entry.label || entry.type),
      ['Status', 'separator', 'Pause', 'Loud', 'One', 'Two'],
    );
    await pressMenu(opened.application, ['Pause', /minutes$/]);
    await pressMenu(opened.application, ['Loud']);
    await pressMenu(opened.application, ['Two']);
    await clickTray(opened.application);
    await assert.rejects(pressMenu(opened.application, ['Status']), /"Status" is disabled/);
    await assert.rejects(pressMenu(opened.application, ['Nothing']), /No menu entry/);
    const pressed = await opened.application.evaluate(
      () => (globalThis as unknown as { pressed: string[] }).pressed,
    );
    assert.deepEqual(pressed, ['5 minutes', 'loud true', 'tray']);
    assert.deepEqual(
      (await readMenu(opened.application))
        .filter((entry) => entry.type === 'radio')
        .map((entry) => entry.checked),
      [false, true],
    );
  });

  it('rejects a tray without an icon', async () => {
    const text = await opened.application.evaluate(({ Tray }) => {
      try {
        void new Tray('/nowhere/icon.png');
        return 'made';
      } catch (error) {
        return (error as Error).message;
      }
    });
    assert.match(text, /Failed to load image from path/);
  });

  it('keeps the application menu, finds entries by id, and performs roles', async () => {
    const seen = await opened.application.evaluate(({ Menu }) => {
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      const menu = Menu.buildFromTemplate([
        { label: 'File', submenu: [{ label: 'Deep', submenu: [{ label: 'Found', id: 'deep' }] }] },
        { role: 'editMenu' },
        { label: 'Window', submenu: [{ role: 'minimize', id: 'small' }] },
      ]);
      Menu.setApplicationMenu(menu);
      window.show();
      window.focus();
      const isSame = Menu.getApplicationMenu() === menu;
      const found = menu.getMenuItemById('deep')?.label;
      const edit = menu.items[1]?.submenu?.items.length ?? 0;
      Menu.setApplicationMenu(null);
      window.hide();
      return [isSame, found, edit > 3, Menu.getApplicationMenu()];
    });
    assert.deepEqual(seen, [true, 'Found', true, null]);
  });

  it('shows notifications, which can be clicked', async () => {
    const seen = await opened.application.evaluate(async ({ Notification }) => {
      const notification = new Notification({ title: 'Stale', body: 'lock' });
      const events: string[] = [];
      notification.on('click', () => void events.push('click'));
      const shown = new Promise((resolve) => notification.on('show', resolve));
      notification.show();
      await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, 500))]);
      notification.emit('click');
      return events;
    });
    assert.deepEqual(seen, ['click']);
    const shown = await opened.application.evaluate(() =>
      (globalThis as unknown as Hooked)['__standin'].notifications.map((item) => [item.title, item.body]),
    );
    assert.deepEqual(shown, [['Stale', 'lock']]);
  });

  it('records what the app opens without opening it', async () => {
    await opened.application.evaluate(async ({ shell }, home) => {
      await shell.openExternal('https://example.org/a?b');
      await shell.openPath(home);
      shell.showItemInFolder(home);
    }, opened.home);
    assert.deepEqual(await deeds('open-external'), [
      { kind: 'open-external', url: 'https://example.org/a?b' },
    ]);
    assert.deepEqual(await deeds('open-path'), [{ kind: 'open-path', path: opened.home }]);
    assert.deepEqual(await deeds('show-item-in-folder'), [
      { kind: 'show-item-in-folder', path: opened.home },
    ]);
  });

  it('copies and reads text', async () => {
    const text = await opened.application.evaluate(async ({ clipboard }) => {
      await clipboard.writeText('http://127.0.0.1:9980');
      return clipboard.readText();
    });
    assert.equal(text, 'http://127.0.0.1:9980');
  });

  it('keeps the computer awake until the blocker is stopped', async () => {
    const seen = await opened.application.evaluate(({ powerSaveBlocker }) => {
      const id = powerSaveBlocker.start('prevent-app-suspension');
      const during = powerSaveBlocker.isStarted(id);
      powerSaveBlocker.stop(id);
      return [during, powerSaveBlocker.isStarted(id)];
    });
    assert.deepEqual(seen, [true, false]);
  });

  it('stores the login item and the protocol client', async () => {
    const before = await opened.application.evaluate(({ app }) => app.getLoginItemSettings().openAtLogin);
    assert.equal(before, false);
    if (isRealElectron) return;
    await opened.application.evaluate(({ app }) => {
      app.setLoginItemSettings({ openAtLogin: true, args: ['--hidden'] });
      app.setAsDefaultProtocolClient('doctray');
    });
    assert.equal(
      await opened.application.evaluate(({ app }) => app.getLoginItemSettings().openAtLogin),
      true,
    );
    assert.equal((await deeds('default-protocol-client'))[0]?.['scheme'], 'doctray');
  });

  it('lets a test send a message as another frame', async () => {
    const seen = await opened.application.evaluate(async ({ ipcMain }) => {
      const got: unknown[] = [];
      ipcMain.handle('guarded', (event, value: unknown) => {
        if (event.senderFrame?.origin !== 'app://fixture')
          throw new Error(`not for ${event.senderFrame?.origin ?? 'nobody'}`);
        return value;
      });
      const { __standin: hooks } = globalThis as unknown as Hooked;
      for (const message of [
        { url: 'https://evil.example/x' },
        { url: 'app://fixture/index.html', frame: null },
        { url: 'app://fixture/index.html', isMainFrame: true },
      ]) {
        got.push(
          await hooks
            .invokeFromFrame({ ...message, channel: 'guarded', args: [7] })
            .catch((error: unknown) => (error as Error).message.split("': ")[1]),
        );
      }
      return got;
    });
    assert.deepEqual(seen, ['Error: not for https://evil.example', 'Error: not for nobody', 7]);
  });

  it('throws for members and options that it doesn’t have, and names them', async () => {
    if (isRealElectron) {
      assert.equal(
        await opened.application.evaluate(
          ({ app }) => typeof (app as unknown as Record<string, unknown>)['nothingLikeThis'],
        ),
        'undefined',
      );
      return;
    }
    const texts = await opened.application.evaluate(async (electron) => {
      const { app, BrowserWindow, Menu, Tray, session, Notification, dialog } = electron;
      const { window } = (globalThis as unknown as FixtureGlobals).fixtureApp;
      const attempts: (() => unknown)[] = [
        () => (app as unknown as Record<string, unknown>)['moveToApplicationsFolder'],
        () => (electron as unknown as Record<string, unknown>)['crashReporter'],
        () => (window as unknown as Record<string, unknown>)['setVibrancy'],
        () => (window.webContents as unknown as Record<string, unknown>)['printToPDF'],
        () => (session.defaultSession as unknown as Record<string, unknown>)['loadExtension'],
        () => (BrowserWindow as unknown as Record<string, unknown>)['getAllViews'],
        () => new BrowserWindow({ colour: 'red' } as object),
        () => new BrowserWindow({ webPreferences: { nodeIntegration: true } }),
        () => new BrowserWindow({ webPreferences: { sandbox: false } }),
        () => new Notification({ titel: 'x' } as object),
        () => Menu.buildFromTemplate([{ lable: 'x' } as object]),
        () => Menu.buildFromTemplate([{ role: 'speech' as 'copy' }]),
        () => new Tray(''),
        () => app.on('before-quite' as 'before-quit', () => undefined),
        () => dialog.showMessageBox({ mesage: 'x' } as unknown as { message: string }),
      ];
      const texts: string[] = [];
      for (const attempt of attempts) {
        try {
          await attempt();
          texts.push('nothing was thrown');
        } catch (error) {
          texts.push((error as Error).message);
        }
      }
      for (const extra of BrowserWindow.getAllWindows()) if (extra !== window) extra.destroy();
      return texts;
    });
    const expected = [
      /stand-in has no app\.moveToApplicationsFolder/,
      /stand-in has no electron\.crashReporter/,
      /stand-in has no BrowserWindow\.setVibrancy/,
      /stand-in has no webContents\.printToPDF/,
      /stand-in has no session\.loadExtension/,
      /stand-in has no BrowserWindow\.getAllViews/,
      /stand-in has no option colour for BrowserWindow/,
      /stand-in has no webPreferences\.nodeIntegration: true/,
      /stand-in has no webPreferences\.sandbox: false/,
      /stand-in has no option titel for Notification/,
      /stand-in has no option lable for MenuItem/,
      /does not know the menu role speech/,
      /Failed to load image/,
      /never emits app 'before-quite'/,
      /stand-in has no option mesage/,
    ];
    for (const [index, pattern] of expected.entries()) assert.match(texts[index]!, pattern);
  });
});
