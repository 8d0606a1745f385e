// The life cycle of an app's process: quitting and its vetoes, the single-instance lock, signals, and cleaning up. Runs the executable
// itself.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';

import { fixtures, makeHome } from './fixture-app.ts';
import { electronPath, isRealElectron, launchElectron, sandboxArguments } from './launch.ts';

interface Said {
  name: string;
  detail: unknown;
}

interface Life {
  child: ChildProcess;
  said: Said[];
  errors(): string;
  until(name: string): Promise<Said>;
  ended: Promise<{ code: number | null; signal: string | null }>;
}

const running = new Set<Life>();
const homes: string[] = [];

function start(
  env: Record<string, string>,
  args: string[] = [join(fixtures, 'life')],
  executable = electronPath(),
): Life {
  const { home, env: ownHome } = makeHome();
  homes.push(home);
  const base = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== 'NODE_OPTIONS' && name !== 'NODE_TEST_CONTEXT'),
  );
  const child = spawn(executable, [...sandboxArguments, ...args], {
    env: { ...base, ...ownHome, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Said[] = [];
  const waiters: (() => void)[] = [];
  let text = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) if (line.startsWith('{')) said.push(JSON.parse(line) as Said);
    for (const wake of waiters.splice(0)) wake();
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on('close', (code, signal) => {
      running.delete(life);
      resolve({ code, signal });
      for (const wake of waiters.splice(0)) wake();
    }),
  );
  const life: Life = {
    child,
    said,
    errors: () => errors,
    ended,
    async until(name) {
      for (;;) {
        const found = said.find((item) => item.name === name);
        if (found) return found;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`ended before ${name}: ${errors}`);
        await new Promise<void>((resolve) => waiters.push(resolve));
      }
    },
  };
  running.add(life);
  return life;
}

const story = (life: Life): string[] =>
  life.said
    .filter((item) => !['lock', 'ready'].includes(item.name))
    .map((item) => (item.detail === undefined ? item.name : `${item.name} ${item.detail as string}`));

/** Processes of a stand-in, found by the folder of their profile. */
function profileProcesses(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}

function profileOf(pid: number): string {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      const match = /--user-data-dir=(\S+?)\/profile/.exec(
        readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' '),
      );
      if (parent === pid && match) return match[1]!;
    } catch {
      continue;
    }
  }
  throw new Error('no Chromium of that process');
}

async function eventually(check: () => boolean, what: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (check()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(what);
}

describe('the life cycle of an app', { timeout: 90_000 }, () => {
  afterEach(async () => {
    for (const life of running) {
      life.child.kill('SIGKILL');
      await life.ended;
    }
    for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
  });

  it('keeps running when before-quit is prevented', async () => {
    const life = start({ LIFE_QUITS: '1', LIFE_VETO_AT: 'before-quit', LIFE_VETOES: '1' });
    await life.until('before-quit');
    await life.until('ready');
    assert.deepEqual(story(life), ['before-quit vetoed']);
    life.child.kill('SIGTERM');
    assert.equal((await life.ended).code, 0);
    assert.deepEqual(story(life).slice(1), [
      'before-quit passed',
      'close passed',
      'closed',
      'will-quit passed',
      'quit 0',
    ]);
  });

  it('keeps running when a window prevents its close', async () => {
    const life = start({ LIFE_QUITS: '1', LIFE_VETO_AT: 'close', LIFE_VETOES: '1' });
    await life.until('close');
    life.child.kill('SIGTERM');
    assert.equal((await life.ended).code, 0);
    assert.deepEqual(story(life), [
      'before-quit passed',
      'close vetoed',
      'before-quit passed',
      'close passed',
      'closed',
      'will-quit passed',
      'quit 0',
    ]);
  });

  it('quits when its last window closes, unless the app listens for window-all-closed', async () => {
    const quits = start({ LIFE_CLOSES: '1' });
    const stays = start({ LIFE_CLOSES: '1', LIFE_STAYS: '1' });
    assert.equal((await quits.ended).code, 0);
    assert.deepEqual(story(quits), [
      'close passed',
      'closed',
      'before-quit passed',
      'will-quit passed',
      'quit 0',
    ]);
    await stays.until('window-all-closed');
    assert.equal(stays.child.exitCode, null);
    stays.child.kill('SIGTERM');
    assert.equal((await stays.ended).code, 0);
  });

  it('tells the first process about a second one, which exits, and leaves no process and no profile behind when killed', async () => {
    const { home } = makeHome();
    homes.push(home);
    const userData = join(home, 'a folder with a rather long name', 'x'.repeat(90));
    const first = start({ LIFE_USER_DATA: userData });
    await first.until('ready');
    const second = start({ LIFE_USER_DATA: userData, LIFE_TOKEN: 'ü' }, [
      join(fixtures, 'life'),
      'doctray://open/a',
      '--plain',
    ]);
    assert.equal((await second.ended).code, 0);
    assert.deepEqual((await second.until('lock').catch(() => second.said[0]!)).detail, false);
    const { detail } = await first.until('second-instance');
    const { argv, cwd, data } = detail as { argv: string[]; cwd: string; data: unknown };
    assert.ok(argv.includes('doctray://open/a') && argv.includes('--plain'), argv.join(' '));
    assert.equal(cwd, process.cwd());
    assert.deepEqual(data, { token: 'ü', list: [1, 2] });
    const profile = isRealElectron ? undefined : profileOf(first.child.pid!);
    if (profile !== undefined) assert.ok(existsSync(profile) && profile.startsWith(tmpdir()));
    first.child.kill('SIGKILL');
    assert.equal((await first.ended).signal, 'SIGKILL');
    if (profile !== undefined)
      await eventually(
        () => profileProcesses(profile).length === 0 && !existsSync(profile),
        `left behind: ${profile}`,
      );
    const third = start({ LIFE_USER_DATA: userData });
    assert.equal((await third.until('lock')).detail, true);
    third.child.kill('SIGTERM');
    await third.ended;
  });

  it('runs as Node with ELECTRON_RUN_AS_NODE', async () => {
    const child = spawn(electronPath(), ['-p', '6 * 7'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await new Promise((resolve) => child.on('close', resolve));
    assert.equal(text.trim(), '42');
  });

  it('names a missing app in its error', async () => {
    const life = start({}, [join(fixtures, 'nowhere')]);
    const { code } = await (isRealElectron ? Promise.resolve({ code: 1 }) : life.ended);
    assert.notEqual(code, 0);
    if (!isRealElectron) assert.match(life.errors(), /Unable to find Electron app at/);
  });

  it('quits through app.quit when Playwright closes it', async () => {
    const { home, env } = makeHome();
    homes.push(home);
    const application = await launchElectron({ appDir: join(fixtures, 'life'), env });
    const said: string[] = [];
    const output = application.process().stdout!;
    output.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')));
    // The last output may arrive after the process has exited.
    const isSaid = once(output, 'end');
    await application.firstWindow();
    await application.close();
    await isSaid;
    assert.match(said.join(''), /"will-quit"/);
  });
});
