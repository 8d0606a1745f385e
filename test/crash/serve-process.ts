// Runs the host as a real process, as from a user's terminal, so that a test can kill it, limit it or unmount its disk. A host may
// run in its own mount namespace: only the host sees what is mounted there, and it's unmounted when the host exits.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { programEntry } from '../cli/built-program.ts';
import { runCommand, type CommandEnd } from '../cli/run-command.ts';
import { quickStart, startProcess, type Running } from '../cli/running-process.ts';

/** Distinctive enough to search a log for it. */
export const ownerPassword = 'owner-Password-4-these-Tests';

export interface ServeOptions {
  folder: string;
  dataDir: string;
  /** More arguments for `serve`. */
  args?: string[];
  /** Bash run before the host in the same process, such as `ulimit -f 2048`. */
  before?: string;
  /** Arguments for node itself, and variables in addition to those of the test. */
  nodeArgs?: string[];
  env?: Record<string, string>;
  /** Run in a user and mount namespace, where `before` may mount. */
  ownMounts?: boolean;
  /** The prefix of the whole command, for example to enter a namespace. */
  entering?: readonly string[];
  /** Any free port by default. */
  port?: number;
}

export type ServeProcess = Awaited<ReturnType<typeof serve>>;

/** Starts `serve` and waits for its line `listening`. @throws with the process's output if it exits before that. */
export async function serve(options: ServeOptions) {
  const running = await launch(options);
  const { child } = running;
  const { baseUrl } = await running.event('listening');
  assert.equal(running.events()[0]?.event, 'listening', 'it is the first line of --json');
  const pid = Number(child.pid);
  return {
    ...running,
    pid,
    baseUrl: String(baseUrl),
    port: Number(new URL(String(baseUrl)).port),
    signal: (signal: NodeJS.Signals): void => void child.kill(signal),
    /** Sends SIGKILL and waits until the process has exited. */
    kill: async (): Promise<void> => void (await running.stop('SIGKILL')),
    /** Sends SIGTERM. Returns the exit code (null if the host exceeded its own limit) and how long it took. */
    async stop(): Promise<{ code: number | null; tookMs: number }> {
      const from = performance.now();
      const { code } = await running.stop();
      return { code, tookMs: performance.now() - from };
    },
    /** The path as this host's mount namespace sees it. */
    inside: (path: string): string => join(`/proc/${pid}/root`, path),
    /** Runs a command in the host's mount namespace. */
    runInside(command: string[]): void {
      const user = useUserNamespace() ? ['-U', '--preserve-credentials'] : [];
      const enter = ['-t', String(pid), ...user, '-m'];
      const done = spawnSync('nsenter', [...enter, ...command], { encoding: 'utf8' });
      assert.equal(done.status, 0, `${command.join(' ')}: ${done.stderr}`);
    },
  };
}

/** Starts `serve` and kills it after that many milliseconds. */
export async function serveBriefly(options: ServeOptions, lifeMs: number): Promise<void> {
  const running = await launch(options);
  await delay(lifeMs);
  await running.stop('SIGKILL');
}

/** Runs a terminal command in the test's process, with or without a running host. */
export function cli(dataDir: string, args: string[]): Promise<CommandEnd> {
  return runCommand([...args, '--data', dataDir], { env: environment(), cwd: process.cwd() });
}

/** The same with `--json`; the exit code must be 0. */
export async function cliJson(dataDir: string, args: string[]): Promise<unknown> {
  const done = await cli(dataDir, [...args, '--json']);
  assert.equal(done.code, 0, `cli ${args.join(' ')} failed: ${done.stdout}${done.stderr}`);
  return JSON.parse(done.stdout) as unknown;
}

export interface Scratch {
  /** The hosted folder; a real path, initially empty. */
  folder: string;
  dataDir: string;
  /** A folder beside both, not hosted. */
  outside: string;
  remove(): void;
}

/** New folders in the system's temporary folder. */
export function makeScratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'doctray-test-')));
  const make = (name: string): string => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  const [folder, dataDir, outside] = [make('folder'), make('data'), make('outside')];
  // Without the text editor, because the tests act as the editors.
  writeFileSync(join(dataDir, 'settings.json'), '{"textEditor": false}', { mode: 0o600 });
  return {
    folder,
    dataDir,
    outside,
    remove() {
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function launch(options: ServeOptions): Promise<Running> {
  const { folder, dataDir, port = 0, nodeArgs = [], args: more = [] } = options;
  const serving = ['serve', '--folder', folder, '--data', dataDir, '--port', String(port), '--json', ...more];
  const command = [process.execPath, quickStart, ...nodeArgs, await programEntry(), ...serving];
  // `exec` keeps the process id that the test knows. If `before` fails, the host isn't started without its limits.
  const wrapped =
    options.before === undefined
      ? command
      : ['bash', '-c', `set -e\n${options.before}\nexec "$@"`, 'serve', ...command];
  const mounting = options.ownMounts === true ? ['unshare', ...(useUserNamespace() ? ['-r'] : []), '-m'] : [];
  return startProcess([...(options.entering ?? []), ...mounting, ...wrapped], {
    env: { ...environment(), ...options.env },
  });
}

/** Root can mount without one; other users, and root in most containers, need a user namespace. */
function useUserNamespace(): boolean {
  return spawnSync('unshare', ['-r', '-m', 'true']).status === 0;
}

/** No session bus, so that a test host stores secrets in its own 0600 file, never in the keychain of the user who runs the tests. */
function environment(): NodeJS.ProcessEnv {
  const {
    DBUS_SESSION_BUS_ADDRESS: _bus,
    DISPLAY: _display,
    XDG_RUNTIME_DIR: _runtime,
    ...rest
  } = process.env;
  return { ...rest, DOCTRAY_OWNER_PASSWORD: ownerPassword };
}
