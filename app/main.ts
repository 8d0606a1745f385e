// The desktop app's entry: the order of its start. Electron is not ready before this file has run to its end, so `ready` is
// never waited for here by `await`. Everything of ours is loaded by `import()`: what the bundler shares with this file would
// otherwise lie in it, and a part that waits for this file while it is waited for here never loads.

import { app } from 'electron';

const { isForTerminal, ownArguments } = await import('./desktop/launch-arguments.ts');

const args = ownArguments(process.argv, app.isPackaged);

if (isForTerminal(args)) {
  // `doctray locks`: no window, no tray, and no process of Chromium's, since those start with `ready`
  const { runTerminal } = await import('./terminal/program.ts');
  const { ownTerminal } = await import('./terminal/terminal.ts');
  app.exit(await runTerminal(args, ownTerminal('doctray')));
} else {
  const { prepareApp } = await import('./desktop/before-ready.ts');
  const prepared = await prepareApp(args);
  if (prepared !== undefined) {
    const { createDesktopApp } = await import('./desktop/desktop-app.ts');
    const desktopApp = await createDesktopApp(prepared, import.meta.dirname);
    void app.whenReady().then(desktopApp.start);
  }
}
