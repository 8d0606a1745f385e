// The desktop app's entry: the order of startup. Electron isn't ready until this file has run to its end, so nothing here may
// `await` `ready`. Our own modules are loaded by `import()`: otherwise the bundler puts what they share with this file into it,
// and they would wait for this file while it waits for them.

import { app, dialog, protocol } from 'electron';

const { ownArguments, terminalArguments } = await import('./desktop/launch.ts');

const args = ownArguments(process.argv, app.isPackaged);
const forTerminal = terminalArguments(args);

// electron-updater runs a new AppImage once after it has replaced the old one, and waits until it exits.
if (process.env['APPIMAGE_EXIT_AFTER_INSTALL'] === 'true') app.exit(0);
else if (forTerminal !== undefined) {
  // `doctray locks`: no window, no tray, and no process of Chromium, since those start with `ready`.
  const { runTerminal } = await import('./terminal/program.ts');
  const { ownTerminal } = await import('./terminal/terminal.ts');
  const installed = {
    unregister() {
      if (process.platform !== 'darwin') return;
      app.setLoginItemSettings({ openAtLogin: false });
      app.removeAsDefaultProtocolClient('doctray');
    },
  };
  app.exit(await runTerminal(forTerminal, ownTerminal('doctray', app.isPackaged ? installed : undefined)));
} else {
  const { prepareApp } = await import('./desktop/before-ready.ts');
  const prepared = await prepareApp(args, { app, dialog, protocol });
  if (prepared !== undefined) {
    const { createDesktopApp } = await import('./desktop/desktop-app.ts');
    const start = await createDesktopApp(prepared, import.meta.dirname);
    void app.whenReady().then(start);
  }
}
