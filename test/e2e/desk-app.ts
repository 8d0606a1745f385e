// The built app as a user has it: with its own folder and data folder, its window as a page, its host over HTTP, and editors that call
// it. What the desktop would do (tray, power, notifications) goes through the stand-in's hooks.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright';
import type { Bridge } from '../../app/contract/bridge.ts';
import type { CommandArgs, CommandName, CommandResult } from '../../app/commands/commands.ts';
import type { WindowState } from '../../app/contract/state.ts';
import { buildApp } from '../cli/built-program.ts';
import { endOf, launchApp, pageOf, quitApp, type Output, type RunningApp } from './running-app.ts';
import { until } from './window-of.ts';

const ownerPassword = 'correct horse battery';

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

export type DeskApp = Awaited<ReturnType<typeof startDeskApp>>;

interface PageWithBridge {
  doctray: Bridge;
}

export async function startDeskApp(options: DeskAppOptions = {}) {
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
  let apiToken: string | undefined;
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
    let last: WindowState | undefined;
    await until(async () => isSo((last = await state())), what).catch((error: unknown) => {
      throw new Error(`${JSON.stringify(last?.host)}\n${output.text}`, { cause: error });
    });
    return last!;
  }

  async function baseUrl(): Promise<string> {
    const { host } = await stateWhere(({ host: { baseUrl: url } }) => url !== null, 'the host listens');
    return host.baseUrl ?? '';
  }

  async function post(address: string, body: unknown, token?: string): Promise<Record<string, string>> {
    const answer = await fetch((await baseUrl()) + address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: token }) },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.equal(answer.status, 201, text);
    return (JSON.parse(text) as { response: Record<string, string> }).response;
  }

  /** As the owner. @returns an API token */
  async function signIn(password = ownerPassword): Promise<string> {
    const { token } = await post('/api/2.0/authentication.json', { userName: 'owner', password });
    return token ?? '';
  }

  /** Opens a view with the rail. */
  async function goTo(view: string): Promise<void> {
    const views = page().getByRole('navigation', { name: 'Views' });
    await views.getByRole('button', { name: new RegExp(`^${view}\\b`) }).click();
  }

  return {
    get app() {
      return running.app;
    },
    get page() {
      return page();
    },
    get dialogs() {
      return running.dialogs;
    },
    /** Contains the other folders; removed by `close`. */
    place,
    folder,
    dataDir,
    /** Environment of the app, without the password. */
    env,
    baseUrl,
    /** The live state, as the window has it. */
    state,
    /** Waits for a state; `what` describes it if it doesn't come. */
    stateWhere,
    /** Calls a command of the contract from the page. */
    call,
    log: () => output.text,
    signIn,
    goTo,

    /** Gives an editor of the owner access to a document. */
    async access(path: string, mode: 'edit' | 'view' = 'edit'): Promise<Access> {
      const given = await post('/api/2.0/files/access', { path, mode }, (apiToken ??= await signIn()));
      const { fileId = '', wopiSrc = '', accessToken = '' } = given;
      return { fileId, wopiSrc, accessToken };
    },

    /** Quits and starts again on the same folders. @param changedEnv overrides the options' */
    async restart(changedEnv?: Record<string, string>) {
      await quitApp(running, output);
      running = await launch(changedEnv);
    },
    /** After a hidden start: makes the window that was opened since the new `page`. */
    async takeWindow() {
      running.page = await pageOf(running.app);
    },
    /** Resolves to the exit code. Fails if the process doesn't exit. */
    ended: () => endOf(running, output),
    /** Starts the app again after it has exited. */
    async start() {
      running = await launch();
    },

    /** Moves the app's clock, in the main process and in the window. */
    async moveClock(ms: number) {
      const move = (by: number): void => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + by;
      };
      await running.app.evaluate(`(${move.toString()})(${ms})`);
      if (running.page === undefined) return;
      await running.page.evaluate(move, ms);
      // Timers don't jump with the clock, but a query recalculates what depends on the time.
      await state();
    },

    async openSettings(pane: string) {
      await goTo('Settings');
      const panes = page().getByRole('navigation', { name: 'Settings' });
      await panes.getByRole('button', { name: pane, exact: true }).click();
      await page().getByRole('heading', { name: pane, level: 2, exact: true }).waitFor();
    },

    /** Quits, even if documents are open. */
    async close() {
      try {
        await quitApp(running, output);
      } finally {
        await rm(place, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}
