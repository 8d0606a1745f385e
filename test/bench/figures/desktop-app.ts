// Starts DocTray's built app or the bare app, with the stand-in for Electron, or real Electron if ELECTRON=real. Neither Playwright
// nor a debugger is attached, because both would do work in an idle app. Instead, desktop-probe.ts in the app's main process answers
// the bench's questions.

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { electronPath, sandboxArguments } from '../../stand-in/launch.ts';
import type { ServerProcess } from '../processes.ts';
import { ownerPassword } from '../sides.ts';
import type { ProbeAnswers, ProbeQuestion, ProbeReply } from './desktop-probe.ts';

export const projectRoot = join(import.meta.dirname, '..', '..', '..');
export const bareAppName = 'bare app';

export interface StartedApp {
  pid: number;
  /** Epoch milliseconds just before the process was started, comparable to a page's times. */
  startedAtMs: number;
  ask<Ask extends keyof ProbeAnswers>(
    ask: Ask,
    more?: Pick<ProbeQuestion, 'script' | 'wanted'>,
  ): Promise<ProbeAnswers[Ask]>;
  /** Runs the body of an async function in the window's page. */
  run<Result>(body: string): Promise<Result>;
  /** Sends SIGTERM, and SIGKILL after 6 s. Resolves when the process has exited. */
  stop(): Promise<void>;
  kill(): void;
  /** Waits for the first match in the app's output. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
}

/** DocTray's app, with the server process once it listens. */
export interface DesktopApp extends StartedApp {
  server: ServerProcess;
}

export interface AppStarter {
  startBareApp(more?: AppOptions): Promise<StartedApp>;
  startDocTray(place: { folder: string; data: string }, more?: AppOptions): Promise<StartedApp>;
  /** Waits until it listens and its window is drawn. */
  openDocTray(place: { folder: string; data: string }, more?: AppOptions): Promise<DesktopApp>;
  killAll(): void;
}

export interface AppOptions {
  args?: string[];
}

const limitMs = 30_000;
const stopLimitMs = 6_000;

/** The apps use `home`, so that the files of the user who runs the bench aren't touched. */
export function createAppStarter(deps: { logFolder: string; home: string }): AppStarter {
  const running = new Set<StartedApp>();
  let started = 0;
  mkdirSync(deps.home, { recursive: true });
  const env = {
    ...withoutSession(),
    HOME: deps.home,
    XDG_CONFIG_HOME: join(deps.home, 'config'),
    XDG_DATA_HOME: join(deps.home, 'data'),
    DBUS_SESSION_BUS_ADDRESS: '',
    DOCTRAY_TRAY: 'on',
    DOCTRAY_OWNER_PASSWORD: ownerPassword,
    NODE_OPTIONS: `--require=${join(import.meta.dirname, 'desktop-probe.ts')}`,
  };

  async function start(appFolder: string, args: string[]): Promise<StartedApp> {
    started += 1;
    const logs = ['out', 'err'].map((kind) => join(deps.logFolder, `app-${started}.${kind}`));
    const [out, err] = logs.map((path) => openSync(path, 'w')) as [number, number];
    const startedAtMs = performance.timeOrigin + performance.now();
    const child = spawn(electronPath(), [...sandboxArguments, appFolder, ...args], {
      cwd: projectRoot,
      env,
      stdio: ['ignore', out, err, 'ipc'],
    });
    closeSync(out);
    closeSync(err);
    const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
    let asked = 0;
    let isGone = false;
    child.on('message', (reply: ProbeReply) => {
      if ('problem' in reply) waiting.get(reply.id)?.reject(new Error(reply.problem));
      else waiting.get(reply.id)?.resolve(reply.answer);
      waiting.delete(reply.id);
    });
    const gone = new Promise<void>((resolve) => {
      const end = (): void => {
        isGone = true;
        running.delete(app);
        for (const { reject } of waiting.values()) reject(new Error(`The app has ended. ${lastLines(logs)}`));
        resolve();
      };
      child.once('exit', end);
      child.once('error', end);
    });
    const app: StartedApp = {
      pid: child.pid ?? -1,
      startedAtMs,
      async ask(ask, more = {}) {
        asked += 1;
        const id = asked;
        const { promise, resolve, reject } = Promise.withResolvers<unknown>();
        waiting.set(id, { resolve, reject });
        if (isGone) reject(new Error(`The app has ended. ${lastLines(logs)}`));
        else child.send({ id, ask, ...more } satisfies ProbeQuestion);
        const timer = setTimeout(
          () => reject(new Error(`The app did not answer. ${lastLines(logs)}`)),
          limitMs * 4,
        );
        return (await promise.finally(() => clearTimeout(timer))) as never;
      },
      run: (body) => app.ask('run', { script: `(async () => { ${body} })()` }) as Promise<never>,
      async stop() {
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
        await gone;
        clearTimeout(timer);
      },
      kill: () => void child.kill('SIGKILL'),
      async waitForOutput(pattern) {
        const until = performance.now() + limitMs;
        while (performance.now() < until && !isGone) {
          for (const path of logs) {
            const found = pattern.exec(readFileSync(path, 'utf8'));
            if (found) return found;
          }
          await sleep(5);
        }
        throw new Error(`The app didn't print ${String(pattern)}. ${lastLines(logs)}`);
      },
    };
    running.add(app);
    return app;
  }

  const starter: AppStarter = {
    startBareApp: ({ args = [] } = {}) => start(join(projectRoot, 'test', 'bench', 'bare-app'), args),
    startDocTray({ folder, data }, { args = [] } = {}) {
      mkdirSync(data, { recursive: true, mode: 0o700 });
      const settings = { folder, port: 0, windowFirstRunDone: true };
      writeFileSync(join(data, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
      return start(projectRoot, [`--data=${data}`, '--json', ...args]);
    },
    async openDocTray(place, more) {
      const app = await starter.startDocTray(place, more);
      try {
        const [, line = ''] = await app.waitForOutput(/^(\{"event":"listening".*\})$/m);
        const { hostname: host, port } = new URL((JSON.parse(line) as { baseUrl: string }).baseUrl);
        await app.run(untilServing);
        const { pid, startedAtMs, stop, kill } = app;
        const startedAt = startedAtMs - performance.timeOrigin;
        return { ...app, server: { pid, host, port: Number(port), startedAt, stop, kill } };
      } catch (error) {
        app.kill();
        throw error;
      }
    },
    killAll() {
      for (const app of running) app.kill();
    },
  };
  return starter;
}

/** Runs in the page. Resolves to the epoch milliseconds at which the window shows that the host serves. */
export const untilServing = `
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (!/Serving/.test(document.body?.textContent ?? '')) await frame();
  return performance.timeOrigin + performance.now();`;

/** Runs in the page. Opens a view with its button in the rail. */
export const goTo = (view: string): string => `
  const items = [...document.querySelectorAll('nav button')];
  const item = items.find((button) => button.textContent.startsWith(${JSON.stringify(view)}));
  if (item === undefined) throw new Error('The rail has no such view.');
  item.click();
  await new Promise((done) => setTimeout(done, 500));
  return document.querySelector('h1')?.textContent ?? '';`;

function lastLines(paths: string[]): string {
  const lines = paths.flatMap((path) => readFileSync(path, 'utf8').trim().split('\n').slice(-5));
  return lines.filter(Boolean).join(' | ');
}

/** The environment without the bench's variables and the desktop session. */
function withoutSession(): NodeJS.ProcessEnv {
  const { XDG_RUNTIME_DIR, DISPLAY, WAYLAND_DISPLAY, NODE_OPTIONS, NODE_TEST_CONTEXT, ...rest } = process.env;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('DOCTRAY_')));
}
