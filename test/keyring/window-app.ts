// The built app, started like in desk-app.ts, but in the D-Bus session of these tests and without an owner password, so that the
// host generates one and stores it with its secrets.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { buildWhereNeeded } from '../../app/terminal/start-build.ts';
import { launchElectron } from '../stand-in/launch.ts';

export interface DataFolder {
  path: string;
  /** data-folder.json. */
  record(): Promise<{ id: string; secretStore: string }>;
  remove(): Promise<void>;
}

export interface WindowApp {
  page: Page;
  goTo(view: string): Promise<void>;
  /** Waits for the status line of the overview. */
  waitForStatus(text: string): Promise<void>;
  baseUrl(): Promise<string>;
  clipboard(): Promise<string>;
  /** The app's output. */
  log(): string;
  close(): Promise<void>;
}

const projectRoot = join(import.meta.dirname, '..', '..');
/** Long, because other tests may keep the computer busy. */
const timeoutMs = 60_000;

/** Creates a data folder whose first run is done, and which serves a folder named Documents. */
export async function makeDataFolder(): Promise<DataFolder> {
  const place = await mkdtemp(join(tmpdir(), 'dt-keyring-'));
  const path = join(place, 'data');
  const folder = join(place, 'Documents');
  await mkdir(folder);
  await mkdir(path, { mode: 0o700 });
  const settings = { folder, port: 0, windowFirstRunDone: true, textEditor: false };
  await writeFile(join(path, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  return {
    path,
    record: async () => JSON.parse(await readFile(join(path, 'data-folder.json'), 'utf8')),
    remove: () => rm(place, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export async function openWindowApp(
  dataFolder: DataFolder,
  env: Record<string, string> = {},
): Promise<WindowApp> {
  assert.equal(await buildWhereNeeded({ projectRoot, env: process.env }), undefined);
  const app: ElectronApplication = await launchElectron({
    appDir: projectRoot,
    args: [`--data=${dataFolder.path}`],
    env: { DOCTRAY_TRAY: 'on', ...env },
  });
  const child = app.process();
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  child.stdout?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  try {
    app.context().setDefaultTimeout(timeoutMs);
    const page = await app.firstWindow({ timeout: timeoutMs });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return {
      page,
      async goTo(view) {
        const views = page.getByRole('navigation', { name: 'Views' });
        await views.getByRole('button', { name: new RegExp(`^${view}\\b`) }).click();
      },
      async waitForStatus(text) {
        const host = page.getByRole('region', { name: 'Host', exact: true });
        try {
          await host.getByText(text, { exact: true }).waitFor();
        } catch (error) {
          const shown = await page.getByRole('main').innerText();
          throw new Error(`“${text}” isn't shown, but:\n${shown}\n\n${output}`, { cause: error });
        }
      },
      async baseUrl() {
        const address = page.getByText(/^http:\/\/127\.0\.0\.1:\d+$/);
        return (await address.first().textContent()) ?? '';
      },
      clipboard: () => app.evaluate(({ clipboard }) => clipboard.readText()),
      log: () => output,
      close: () => app.close(),
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`The app did not start.\n${output}`, { cause: error });
  }
}
