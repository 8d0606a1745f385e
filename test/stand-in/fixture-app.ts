// Launches a fixture app once for all tests of a file, with its own home folder.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as Electron from 'electron';
import type { ElectronApplication, Page } from 'playwright';

import { launchElectron } from './launch.ts';

export interface FixtureApp {
  application: ElectronApplication;
  page: Page;
  home: string;
  /** Returns to the first page and removes the handlers of earlier tests. */
  goHome(): Promise<void>;
  close(): Promise<void>;
}

/** In the main process. */
export interface InFixture {
  fixtureApp: { window: Electron.BrowserWindow };
}

export const fixtures = join(import.meta.dirname, 'fixtures');

export function makeHome(): { home: string; env: Record<string, string> } {
  const home = mkdtempSync(join(tmpdir(), 'doctray-stand-in-home-'));
  return {
    home,
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: join(home, '.local', 'share') },
  };
}

export async function openFixtureApp(): Promise<FixtureApp> {
  const { home, env } = makeHome();
  const application = await launchElectron({ appDir: join(fixtures, 'app'), env });
  const page = await application.firstWindow();
  await page.getByRole('heading', { name: 'FixtureApp' }).waitFor();
  return {
    application,
    page,
    home,
    goHome: () =>
      application.evaluate(async () => {
        const { window } = (globalThis as unknown as InFixture).fixtureApp;
        for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate'])
          window.webContents.removeAllListeners(name);
        window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
        await window.loadURL('app://fixture/index.html');
      }),
    async close() {
      await application.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
