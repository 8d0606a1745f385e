// Runs the terminal commands in a temporary home, so that the tests never touch this computer's own DocTray, keychain or settings. Every
// process is ended by its id.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Resolves when it has printed this; rejects if the process ends before. */
  printed(text: RegExp, stream?: 'stdout' | 'stderr'): Promise<void>;
  ended: Promise<Ended>;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
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
  /** `program` runs instead of Node, and `script` instead of the terminal's entry. */
  start(
    args: string[],
    options?: { cwd?: string; env?: NodeJS.ProcessEnv; program?: string; script?: string },
  ): Running;
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
    const [program, ...before] = [...prefix, options.program ?? process.execPath];
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
    const printed: Running['printed'] = async (text, stream = 'stdout') => {
      while (!text.test(stream === 'stdout' ? stdout : stderr)) {
        assert.ok(children.has(child), `ended before it printed ${String(text)}: ${stdout}${stderr}`);
        await sleep(5);
      }
    };
    const event: Running['event'] = async (name) => {
      await printed(new RegExp(`"event":"${name}".*\\n`, 'u'));
      return events().find((entry) => entry.event === name)!;
    };
    const stop: Running['stop'] = (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    };
    return { child, stdout: () => stdout, stderr: () => stderr, events, event, printed, ended, stop };
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
      const common = ['--folder', folder, '--data', dataDir, '--port', '0', '--json'];
      const running = start(['serve', ...common, ...args]);
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

/** Commands on the data folder of a place, run in `cwd` unless something else is given. */
export function commandsOf(place: Place, cwd = place.root) {
  /** Everything that was printed. */
  const printed: string[] = [];
  const cli = async (args: string[], options: Parameters<RunCommand>[1] = {}): Promise<Ended> => {
    const ended = await place.run([...args, '--data', place.dataDir], { cwd, ...options });
    printed.push(ended.stdout, ended.stderr);
    return ended;
  };
  /** What a command prints that succeeds. */
  const done = async (args: string[], options?: Parameters<RunCommand>[1]): Promise<string> => {
    const { code, stdout, stderr } = await cli(args, options);
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  /** What `--json` prints, on one line. */
  const json = async (args: string[], options?: Parameters<RunCommand>[1]) => {
    const { code, stdout, stderr } = await cli([...args, '--json'], options);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    assert.equal(stdout.indexOf('\n'), stdout.length - 1, 'one line');
    return JSON.parse(stdout);
  };
  /** A command that prints only this line, as an error. */
  const refused = async (args: string[], code: number, sentence: RegExp, input = ''): Promise<void> => {
    const ended = await cli(args, { input });
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stderr}`);
    assert.match(ended.stderr, sentence);
    assert.equal(ended.stderr.trimEnd().split('\n').length, 1, ended.stderr);
    assert.equal(ended.stdout, '');
  };
  /** The WOPI calls of an editor that opened the document. The result is the status. */
  const editor = async (file: string) => {
    const { stdout } = await place.run(['open', file, '--json', '--data', place.dataDir], { cwd });
    const { wopiSrc, accessToken } = JSON.parse(stdout) as { wopiSrc: string; accessToken: string };
    return async (override: string, body?: string, headers: Record<string, string> = {}): Promise<number> => {
      const path = body === undefined ? '' : '/contents';
      const response = await fetch(`${wopiSrc}${path}?access_token=${accessToken}`, {
        method: 'POST',
        headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': 'lock', ...headers },
        ...(body !== undefined && { body }),
      });
      await response.arrayBuffer();
      return response.status;
    };
  };
  return { cli, done, json, refused, editor, printed };
}

/** Waits for something that no event announces. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 20_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < endMs, 'The condition wasn’t met in time.');
    await sleep(5);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
