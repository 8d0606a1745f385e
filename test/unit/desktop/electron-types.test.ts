// Electron's own objects fit what the modules ask for: checked by the compiler. The doubles of the other tests fit by their shape
// alone, so here every module is once given the real types.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as Electron from 'electron';
import { createAutostart, startsHidden } from '../../../app/desktop/autostart.ts';
import { createAsk } from '../../../app/desktop/desktop-ask.ts';
import { createElectronDesktop } from '../../../app/desktop/desktop.ts';
import { createEditorPages, type EditorPagesDeps } from '../../../app/desktop/editor-pages.ts';
import { createLinks, registerLinks, type LinksDeps } from '../../../app/desktop/links.ts';
import { createNotifier, type NotifierDeps } from '../../../app/desktop/notify.ts';
import { createPower, type PowerDeps } from '../../../app/desktop/power.ts';
import { createQuitting, type QuittingDeps } from '../../../app/desktop/quitting.ts';
import { createTray, type TrayDeps } from '../../../app/desktop/tray.ts';

type Given<Deps, Keys extends keyof Deps> = Omit<Deps, Keys>;

function wire(
  electron: typeof Electron,
  window: Electron.BrowserWindow,
  rest: Given<TrayDeps, 'electron'> &
    Given<NotifierDeps, 'Notification'> &
    Given<PowerDeps, 'powerMonitor' | 'powerSaveBlocker'> &
    Given<QuittingDeps, 'app'> &
    LinksDeps,
  editorPages: Given<EditorPagesDeps, 'electron' | 'platform'>,
): void {
  const { app, dialog, clipboard, shell, powerMonitor, powerSaveBlocker, Notification } = electron;
  const { platform, env, execPath } = process;
  createTray({ ...rest, electron });
  createNotifier({ ...rest, Notification });
  createPower({ ...rest, powerMonitor, powerSaveBlocker }).watchWindow(window);
  createQuitting({ ...rest, app }).attachSignals(process);
  createAsk({ dialog, platform, window: () => window });
  createEditorPages({ ...editorPages, electron, platform });
  createLinks(rest).attach(app);
  registerLinks({ app, platform, execPath });
  startsHidden({ app, platform, isHidden: false });
  createElectronDesktop({
    ask: () => Promise.resolve(1),
    dialog,
    clipboard,
    shell,
    app,
    window: () => window,
    openExternal: () => Promise.resolve(),
    openWindow: () => Promise.resolve(),
    openIn: () => 'browser',
    helpUrl: () => '',
    autostart: createAutostart({ app, platform, env, execPath, homeDir: '', args: [] }),
    hasTray: rest.hasTray,
    quit: () => undefined,
    versions: process.versions,
  });
}

test('the modules around the tray take what Electron has', () => {
  assert.equal(wire.length, 4);
});
