// Runs the terminal commands in a temporary home, so that the tests never touch this computer's own DocTray, keychain or settings. Every
// process is ended by its id.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Settings } from '../../app/settings/settings.ts';
import { runCommand } from './run-command.ts';

const ownEntry = join(import.meta.dirname, '../../app/cli.ts');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Events of `serve --json` so far. */
  events(): { event: string; [key: string]: unknown }[];
  /** Waits for the first event of that name; rejects if the process ends before it. */
  event(name: string): Promise<{ event: string; [key: string]: unknown }>;
  ended: Promise<Ended>;
}

type RunCommand = (
  args: string[],
  options?: { input?: string; cwd?: string; env?: NodeJS.ProcessEnv },
) => Promise<Ended>;

export interface Place {
  root: string;
  folder: string;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Runs one command in the test's process; in one of its own if another user or another entry runs it. */
  run: RunCommand;
  /** Runs one command as a process until it exits. */
  runProcess: RunCommand;
  /** `script` runs instead of the terminal's entry. */
  start(args: string[], options?: { cwd?: string; env?: NodeJS.ProcessEnv; script?: string }): Running;
  /** `serve --json` on a free port; resolves when it listens. */
  serve(args?: string[]): Promise<Running & { baseUrl: string }>;
  /** Ends processes that are still running and removes everything. */
  remove(): Promise<void>;
}

export const ownerPassword = 'a password for tests';

/** Where the place is, and as which user commands run. */
export interface PlaceOptions {
  parent?: string;
  /** Put before each command, such as `setpriv` and its arguments; `own` changes the owner of a path to that user. */
  prefix?: readonly string[];
  own?: (path: string) => Promise<void>;
  entry?: string;
}

export async function makePlace(
  files: Record<string, string | Buffer> = { 'letter.docx': 'a letter' },
  /** If left out, the first command that needs the data folder creates it. */
  settings?: Partial<Settings>,
  { parent = tmpdir(), prefix = [], own, entry = ownEntry }: PlaceOptions = {},
): Promise<Place> {
  const root = await mkdtemp(join(parent, 'doctray-cli-'));
  const folder = join(root, 'documents');
  const dataDir = join(root, 'data');
  await mkdir(folder);
  if (settings !== undefined) {
    await mkdir(dataDir, { mode: 0o700 });
    await writeFile(join(dataDir, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const settingsPaths = settings === undefined ? [] : [dataDir, join(dataDir, 'settings.json')];
  for (const path of [root, folder, ...settingsPaths]) await own?.(path);
  const { PATH, SystemRoot, NODE_COMPILE_CACHE, LC_ALL } = process.env;
  const env: NodeJS.ProcessEnv = { PATH, HOME: root, LC_ALL, DOCTRAY_OWNER_PASSWORD: ownerPassword };
  if (SystemRoot !== undefined) env['SystemRoot'] = SystemRoot;
  // Starts faster with the compiled code of other places; another user couldn't write there.
  if (prefix.length === 0) env['NODE_COMPILE_CACHE'] = NODE_COMPILE_CACHE;
  const children = new Set<ChildProcess>();

  const start: Place['start'] = (args, options = {}) => {
    const [program, ...before] = [...prefix, process.execPath];
    const child = spawn(program, [...before, options.script ?? entry, ...args], {
      cwd: options.cwd ?? root,
      env: { ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    children.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => undefined);
    const ended = once(child, 'close').then(([code, signal]): Ended => {
      children.delete(child);
      return { code, signal, stdout, stderr };
    });
    const events = () =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    const event: Running['event'] = async (name) => {
      for (;;) {
        const found = events().find((entry) => entry.event === name);
        if (found !== undefined) return found;
        const over = await Promise.race([once(child.stdout, 'data').then(() => undefined), ended]);
        if (over !== undefined && !stdout.includes(`"event":"${name}"`)) {
          throw new Error(`ended with ${over.code} before ${name}: ${stderr}`);
        }
      }
    };
    return { child, stdout: () => stdout, stderr: () => stderr, events, event, ended };
  };
  const runProcess: RunCommand = (args, { input = '', ...options } = {}) => {
    const running = start(args, options);
    running.child.stdin?.end(input);
    return running.ended;
  };
  const run: RunCommand = async (args, options = {}) => {
    if (prefix.length > 0 || entry !== ownEntry) return runProcess(args, options);
    const ended = await runCommand(args, { cwd: root, ...options, env: { ...env, ...options.env } });
    return { ...ended, signal: null };
  };

  return {
    root,
    folder,
    dataDir,
    env,
    start,
    run,
    runProcess,
    async serve(args = []) {
      const running = start([
        'serve',
        '--folder',
        folder,
        '--data',
        dataDir,
        '--port',
        '0',
        '--json',
        ...args,
      ]);
      const { baseUrl } = await running.event('listening');
      return { ...running, baseUrl: String(baseUrl) };
    },
    async remove() {
      const gone = [...children].map((child) => once(child, 'close'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(gone);
      await rm(root, { recursive: true, force: true });
    },
  };
}

export async function signIn(baseUrl: string, login = 'owner', password = ownerPassword): Promise<string> {
  const response = await fetch(`${baseUrl}/api/2.0/authentication.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: login, password }),
  });
  const body = (await response.json()) as { response?: { token?: string } };
  return body.response?.token ?? `refused with ${response.status}`;
}
