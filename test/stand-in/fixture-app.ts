// Launches a fixture app once for all tests of a file, with its own home folder.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as Electron from 'electron';
import type { ElectronApplication, Page } from 'playwright';

import { sharedInGroup } from '../group.ts';
import { launchElectron, type LaunchOptions } from './launch.ts';

export interface FixtureApp {
  application: ElectronApplication;
  page: Page;
  home: string;
  /** Returns to the first page and removes the handlers of earlier tests. */
  goHome(): Promise<void>;
  close(): Promise<void>;
}

export interface FixtureGlobals {
  fixtureApp: {
    pages: Map<string, [type: string, body: string]>;
    heard: { url: string; method: string }[];
    window: Electron.BrowserWindow;
    loaded?: boolean;
  };
}

export const fixtures = join(import.meta.dirname, 'fixtures');

export function makeHome(): { home: string; env: Record<string, string> } {
  const home = mkdtempSync(join(tmpdir(), 'doctray-stand-in-home-'));
  return {
    home,
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: join(home, '.local', 'share') },
  };
}

export async function openFixtureApp(
  options: Pick<LaunchOptions, 'env' | 'args' | 'needsWholeChromium'> = {},
): Promise<FixtureApp> {
  const { home, env } = makeHome();
  const application = await launchElectron({
    appDir: join(fixtures, 'app'),
    env: { ...env, ...options.env },
    args: options.args ?? [],
    needsWholeChromium: options.needsWholeChromium ?? false,
  });
  const page = await application.firstWindow();
  await page.getByRole('heading', { name: 'FixtureApp' }).waitFor();
  return {
    application,
    page,
    home,
    goHome: () =>
      application.evaluate(async () => {
        const { fixtureApp } = globalThis as unknown as FixtureGlobals;
        const contents = fixtureApp.window.webContents;
        contents.removeAllListeners('will-navigate');
        contents.removeAllListeners('will-redirect');
        contents.removeAllListeners('will-frame-navigate');
        contents.setWindowOpenHandler(() => ({ action: 'deny' }));
        await fixtureApp.window.loadURL('app://fixture/index.html');
        fixtureApp.heard.length = 0;
      }),
    async close() {
      await application.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** One app without options for all files of a process. Every file leaves one hidden window. */
export const shareFixtureApp = sharedInGroup(() => openFixtureApp());
