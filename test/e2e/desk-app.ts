// The built app as a user has it: with its own folder and data folder, its window as a page, its host over HTTP, and editors that call
// it. What the desktop would do (tray, power, notifications) goes through the stand-in's hooks.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import type { Bridge } from '../../app/contract/bridge.ts';
import type { CommandArgs, CommandName, CommandResult } from '../../app/commands/commands.ts';
import type { WindowState } from '../../app/contract/state.ts';
import type { Dialogs } from './desk-dialogs.ts';
import {
  buildApp,
  endOf,
  launchApp,
  pageOf,
  patienceMs,
  quitApp,
  type Output,
  type RunningApp,
} from './running-app.ts';

export const ownerPassword = 'correct horse battery';

export interface DeskAppOptions {
  /** Path inside the folder → content. */
  files?: Record<string, string | Buffer>;
  /** Written to settings.json before the first start. */
  settings?: Record<string, unknown>;
  /** Shows the first run, with no folder chosen. */
  isFirstRun?: boolean;
  hasTray?: boolean;
  /** Started as at login, so there is no page to wait for. */
  isHidden?: boolean;
  args?: string[];
  /** Overrides what is set here; with an empty DOCTRAY_OWNER_PASSWORD the app generates one. */
  env?: Record<string, string>;
}

export interface Access {
  fileId: string;
  wopiSrc: string;
  accessToken: string;
}

export interface DeskApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly dialogs: Dialogs;
  /** Contains the other folders; removed by `close`. */
  readonly place: string;
  readonly folder: string;
  readonly dataDir: string;
  /** Environment of the app, without the password. */
  readonly env: Record<string, string>;
  baseUrl(): Promise<string>;
  /** The live state, as the window has it. */
  state(): Promise<WindowState>;
  /** Waits for a state; `what` describes it if it doesn't come. */
  stateWhere(isSo: (state: WindowState) => boolean, what: string): Promise<WindowState>;
  /** Calls a command of the contract from the page. */
  call<Name extends CommandName>(name: Name, args: CommandArgs<Name>): Promise<CommandResult<Name>>;
  /** Needed once for each user and data folder; `access` signs in if nobody has. */
  signIn(user?: { login: string; password: string }): Promise<string>;
  /** Signs in (as the owner by default) and gives an editor access to a document. */
  access(path: string, mode?: 'edit' | 'view', user?: { login: string; password: string }): Promise<Access>;
  /** Quits and starts again on the same folders. @param env overrides the options' */
  restart(env?: Record<string, string>): Promise<void>;
  /** After a hidden start: makes the window that was opened since the new `page`. */
  takeWindow(): Promise<void>;
  /** Resolves to the exit code. Fails if the process doesn't exit. */
  ended(): Promise<number | null>;
  /** Starts the app again after it has exited. */
  start(): Promise<void>;
  /** Moves the app's clock, in the main process and in the window. */
  moveClock(ms: number): Promise<void>;
  /** Opens a view with the rail. */
  goTo(view: string): Promise<void>;
  openSettings(pane: string): Promise<void>;
  log(): string;
  /** Quits, even if documents are open. */
  close(): Promise<void>;
}

interface PageWithBridge {
  doctray: Bridge;
}

export async function startDeskApp(options: DeskAppOptions = {}): Promise<DeskApp> {
  await buildApp();
  const place = await mkdtemp(join(tmpdir(), 'dt-e2e-'));
  const folder = join(place, 'Documents');
  const dataDir = join(place, 'data');
  const home = join(place, 'home');
  await mkdir(folder);
  await mkdir(home);
  for (const [path, content] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  if (options.isFirstRun !== true) {
    await mkdir(dataDir, { mode: 0o700 });
    const settings = { folder, port: 0, windowFirstRunDone: true, textEditor: false, ...options.settings };
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  }
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    DBUS_SESSION_BUS_ADDRESS: '',
    DOCTRAY_TRAY: options.hasTray === false ? 'off' : 'on',
  };
  const output: Output = { text: '' };
  const apiTokens = new Map<string, string>();
  const { isHidden = false } = options;
  const launch = (changedEnv?: Record<string, string>): Promise<RunningApp> =>
    launchApp(
      {
        isHidden,
        args: [
          `--data=${dataDir}`,
          ...(options.isFirstRun === true ? ['--port=0'] : []),
          ...(isHidden ? ['--hidden'] : []),
          ...(options.args ?? []),
        ],
        env: { ...env, DOCTRAY_OWNER_PASSWORD: ownerPassword, ...options.env, ...changedEnv },
      },
      output,
    );
  let running = await launch();
  const page = (): Page => {
    assert.ok(running.page, 'the window is open');
    return running.page;
  };

  async function call<Name extends CommandName>(
    name: Name,
    args: CommandArgs<Name>,
  ): Promise<CommandResult<Name>> {
    const wanted: { name: string; args: unknown } = { name, args };
    const answer = await page().evaluate(
      (command) => (window as unknown as PageWithBridge).doctray.call(command.name, command.args),
      wanted,
    );
    if (!answer.isDone) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
    return answer.result as CommandResult<Name>;
  }
  const state = (): Promise<WindowState> => call('state.get', {});

  async function stateWhere(isSo: (state: WindowState) => boolean, what: string): Promise<WindowState> {
    const endsAtMs = performance.now() + patienceMs;
    let last: WindowState | undefined;
    while (performance.now() < endsAtMs) {
      last = await state();
      if (isSo(last)) return last;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Not so: ${what}. ${JSON.stringify(last?.host)}\n${output.text}`);
  }

  async function post(address: string, body: unknown, token?: string): Promise<Record<string, string>> {
    const answer = await fetch((await desk.baseUrl()) + address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: token }) },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.equal(answer.status, 201, text);
    return (JSON.parse(text) as { response: Record<string, string> }).response;
  }

  const desk: DeskApp = {
    get app() {
      return running.app;
    },
    get page() {
      return page();
    },
    get dialogs() {
      return running.dialogs;
    },
    place,
    folder,
    dataDir,
    env,
    state,
    stateWhere,
    call,
    log: () => output.text,

    async baseUrl() {
      const { host } = await stateWhere(({ host: { baseUrl } }) => baseUrl !== null, 'the host listens');
      return host.baseUrl ?? '';
    },

    async signIn({ login, password } = { login: 'owner', password: ownerPassword }) {
      const known = apiTokens.get(login);
      if (known !== undefined) return known;
      const { token = '' } = await post('/api/2.0/authentication.json', { userName: login, password });
      apiTokens.set(login, token);
      return token;
    },

    async access(path, mode = 'edit', user = { login: 'owner', password: ownerPassword }) {
      const given = await post('/api/2.0/files/access', { path, mode }, await desk.signIn(user));
      const { fileId = '', wopiSrc = '', accessToken = '' } = given;
      return { fileId, wopiSrc, accessToken };
    },

    async restart(changedEnv) {
      await quitApp(running, output);
      running = await launch(changedEnv);
    },
    async takeWindow() {
      running.page = await pageOf(running.app);
    },
    ended: () => endOf(running, output),
    async start() {
      running = await launch();
    },

    async moveClock(ms) {
      await running.app.evaluate((_, by) => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + by;
      }, ms);
      if (running.page === undefined) return;
      await running.page.evaluate((by) => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + by;
      }, ms);
      // Timers don't jump with the clock, but a query recalculates what depends on the time.
      await state();
    },

    async goTo(view) {
      const views = page().getByRole('navigation', { name: 'Views' });
      await views.getByRole('button', { name: new RegExp(`^${view}\\b`) }).click();
    },

    async openSettings(pane) {
      await desk.goTo('Settings');
      const panes = page().getByRole('navigation', { name: 'Settings' });
      await panes.getByRole('button', { name: pane, exact: true }).click();
      await page().getByRole('heading', { name: pane, level: 2, exact: true }).waitFor();
    },

    async close() {
      try {
        await quitApp(running, output);
      } finally {
        await rm(place, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
  return desk;
}
