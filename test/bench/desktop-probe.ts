// Loaded into an app's main process by NODE_OPTIONS. Runs scripts in its window, shows and hides it, and does nothing else, so that it
// doesn't affect the measurements. Neither Playwright nor a debugger is attached, because both would do work in an idle app.

import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserWindow } from 'electron';

export interface ProbeQuestion {
  id: number;
  /** Run in the page. */
  script?: string;
  /** Shows or hides the window first. */
  isShown?: boolean;
}

export type ProbeAnswer = { id: number } & ({ result: unknown; browserPid: number } | { problem: string });

interface StandIn {
  __standin?: { chromiumPid: number };
}

async function openWindow(): Promise<BrowserWindow> {
  // Before the stand-in is installed, `electron` would resolve to the npm package, which only exports a path.
  while (!('__standin' in globalThis) && !('electron' in process.versions)) await sleep(5);
  const { BrowserWindow, app } = await import('electron');
  await app.whenReady();
  for (;;) {
    const [window] = BrowserWindow.getAllWindows();
    const url = window?.webContents.getURL() ?? '';
    if (window && url !== '' && url !== 'about:blank' && !window.webContents.isLoading()) return window;
    await sleep(5);
  }
}

async function answer({ id, script, isShown }: ProbeQuestion): Promise<ProbeAnswer> {
  try {
    const window = await openWindow();
    if (isShown === true) window.show();
    if (isShown === false) window.hide();
    const result: unknown = script === undefined ? null : await window.webContents.executeJavaScript(script);
    // Real Electron's main process is the browser process.
    return { id, result, browserPid: (globalThis as StandIn)['__standin']?.chromiumPid ?? process.pid };
  } catch (error) {
    return { id, problem: String(error) };
  }
}

process.on('message', (question: ProbeQuestion) => {
  void answer(question).then((reply) => process.send?.(reply));
});
// The channel must not keep the app running.
process.channel?.unref();
