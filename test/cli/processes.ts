// Runs the terminal commands in a temporary home, so that the tests never touch this computer's own DocTray, keychain or settings. Every
// process is ended by its id.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Settings } from '../../app/settings/settings.ts';
import { programEntry } from './built-program.ts';
import { runCommand } from './run-command.ts';
import { quickStart, startProcess, type Ended, type Running } from './running-process.ts';

type RunCommand = (
  args: string[],
  options?: { input?: string; cwd?: string; env?: NodeJS.ProcessEnv },
) => Promise<Ended>;

/** `program` runs instead of Node, and `script` instead of the terminal's entry. */
interface StartOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  program?: string;
  script?: string;
}

export type Place = Awaited<ReturnType<typeof makePlace>>;

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
  { parent = tmpdir(), prefix = [], own, entry }: PlaceOptions = {},
) {
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
  const ownEntry = entry ?? (await programEntry());
  const started: Running[] = [];

  const start = (args: string[], options: StartOptions = {}): Running => {
    const { cwd = root, script = ownEntry } = options;
    const program = options.program === undefined ? [process.execPath, quickStart] : [options.program];
    const command = [...prefix, ...program, script, ...args];
    const running = startProcess(command, { cwd, env: { ...env, ...options.env } });
    started.push(running);
    return running;
  };
  const runProcess: RunCommand = (args, { input = '', ...options } = {}) => {
    const running = start(args, options);
    running.child.stdin.end(input);
    return running.ended;
  };
  /** Runs one command in the test's process; in one of its own if another user or another entry runs it. */
  const run: RunCommand = async (args, options = {}) => {
    if (prefix.length > 0 || entry !== undefined) return runProcess(args, options);
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
    /** Runs one command as a process until it exits. */
    runProcess,
    /** `serve --json` on a free port; resolves when it listens. */
    async serve(args: string[] = []) {
      const common = ['--folder', folder, '--data', dataDir, '--port', '0', '--json'];
      const running = start(['serve', ...common, ...args]);
      const { baseUrl } = await running.event('listening');
      return { ...running, baseUrl: String(baseUrl) };
    },
    /** Ends processes that are still running and removes everything. */
    async remove(): Promise<void> {
      await Promise.all(started.map((running) => running.stop('SIGKILL')));
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

/** @param pid 0 if the process hasn't started */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid > 0;
  } catch {
    return false;
  }
}
