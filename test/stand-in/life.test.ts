// The life cycle of an app's process: quitting and its vetoes, the single-instance lock, signals, and cleaning up. Runs the executable
// itself.

import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';

import { fixtures, makeHome } from './fixture-app.ts';
import { electronPath, isRealElectron, sandboxArguments } from './launch.ts';

interface Said {
  name: string;
  detail: unknown;
}

interface Life {
  child: ChildProcess;
  errors(): string;
  /** The line of that name, once it is printed. */
  until(name: string): Promise<Said>;
  /** What happened since it was ready, once it has exited. */
  story(): Promise<string[]>;
  exitCode(): Promise<number | null>;
}

const running = new Set<Life>();
const homes: string[] = [];

function start(env: Record<string, string>, args: string[] = [join(fixtures, 'life')]): Life {
  const { home, env: ownHome } = makeHome();
  homes.push(home);
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...base } = process.env;
  const child = spawn(electronPath(), [...sandboxArguments, ...args], {
    env: { ...base, ...ownHome, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Said[] = [];
  let waiters: (() => void)[] = [];
  const wake = (): void => {
    for (const waiter of waiters) waiter();
    waiters = [];
  };
  let text = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString('utf8')).split('\n');
    text = lines.pop()!;
    for (const line of lines) if (line.startsWith('{')) said.push(JSON.parse(line) as Said);
    wake();
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString('utf8')));
  const closed = once(child, 'close').then(() => {
    running.delete(life);
    wake();
  });
  const life: Life = {
    child,
    errors: () => errors,
    async until(name) {
      for (;;) {
        const found = said.find((item) => item.name === name);
        if (found) return found;
        assert.ok(running.has(life), `ended before ${name}: ${errors}`);
        await new Promise<void>((resolve) => void waiters.push(resolve));
      }
    },
    async story() {
      await closed;
      const told = said.filter(({ name }) => name !== 'lock' && name !== 'ready');
      return told.map(({ name, detail }) => (typeof detail === 'string' ? `${name} ${detail}` : name));
    },
    async exitCode() {
      await closed;
      return child.exitCode;
    },
  };
  running.add(life);
  return life;
}

/** Command lines of processes, by their id. */
function commandLines(): Map<string, string> {
  const found = new Map<string, string>();
  for (const pid of readdirSync('/proc')) {
    try {
      if (/^\d+$/.test(pid))
        found.set(pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
    } catch {
      // it has exited
    }
  }
  return found;
}

/** Chromium's folder of a stand-in. */
function folderOf(pid: number): string {
  for (const [child, line] of commandLines()) {
    const [, folder] = /--user-data-dir=(\S+?)\/profile/.exec(line) ?? [];
    if (folder === undefined || !existsSync(`/proc/${child}/stat`)) continue;
    if (/\) \S (\d+)/.exec(readFileSync(`/proc/${child}/stat`, 'utf8'))?.[1] === String(pid)) return folder;
  }
  throw new Error('no Chromium of that process');
}

describe('the life cycle of an app', { timeout: 90_000 }, () => {
  afterEach(async () => {
    for (const life of running) {
      life.child.kill('SIGKILL');
      await life.exitCode();
    }
    for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
  });

  it('keeps running when a quit or a close is prevented, and quits at the next signal', async () => {
    for (const place of ['before-quit', 'close']) {
      const life = start({ LIFE_QUITS: '1', LIFE_VETO_AT: place, LIFE_VETOES: '1' });
      await life.until(place);
      await life.until('ready');
      life.child.kill('SIGTERM');
      assert.deepEqual(await life.story(), [
        ...(place === 'close' ? ['before-quit passed', 'close vetoed'] : ['before-quit vetoed']),
        'before-quit passed',
        'close passed',
        'closed',
        'will-quit passed',
      ]);
      assert.equal(life.child.exitCode, 0);
    }
  });

  it('quits when its last window closes, unless the app listens for window-all-closed', async () => {
    const quits = start({ LIFE_CLOSES: '1' });
    const stays = start({ LIFE_CLOSES: '1', LIFE_STAYS: '1' });
    assert.deepEqual(await quits.story(), [
      'close passed',
      'closed',
      'before-quit passed',
      'will-quit passed',
    ]);
    await stays.until('window-all-closed');
    assert.equal(stays.child.exitCode, null);
    stays.child.kill('SIGTERM');
    assert.equal(await stays.exitCode(), 0);
  });

  it('tells the first process about a second one, which exits, and leaves nothing behind when killed', async () => {
    const { home } = makeHome();
    homes.push(home);
    const userData = join(home, 'a folder with a rather long name', 'x'.repeat(90));
    const first = start({ LIFE_USER_DATA: userData });
    await first.until('ready');
    const args = [join(fixtures, 'life'), 'doctray://open/a', '--plain'];
    const second = start({ LIFE_USER_DATA: userData, LIFE_TOKEN: 'ü' }, args);
    assert.equal(await second.exitCode(), 0);
    const { argv, cwd, data } = (await first.until('second-instance')).detail as Record<string, unknown>;
    assert.ok((argv as string[]).includes('doctray://open/a'));
    assert.deepEqual([cwd, data], [process.cwd(), { token: 'ü', list: [1, 2] }]);
    const folder = isRealElectron ? undefined : folderOf(first.child.pid!);
    if (folder !== undefined) assert.ok(existsSync(folder) && folder.startsWith(tmpdir()));
    first.child.kill('SIGKILL');
    await first.exitCode();
    if (folder !== undefined) {
      const isLeft = () =>
        existsSync(folder) || [...commandLines().values()].some((line) => line.includes(folder));
      for (let attempt = 0; attempt < 100 && isLeft(); attempt += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(isLeft(), false, `left behind: ${folder}`);
    }
    const third = start({ LIFE_USER_DATA: userData });
    assert.equal((await third.until('lock')).detail, true);
  });

  it('runs as Node with ELECTRON_RUN_AS_NODE, and names a missing app', async () => {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const { stdout } = spawnSync(electronPath(), ['-p', '6 * 7'], { env, encoding: 'utf8' });
    assert.equal(stdout.trim(), '42');
    if (isRealElectron) return;
    const life = start({}, [join(fixtures, 'nowhere')]);
    assert.notEqual(await life.exitCode(), 0);
    assert.match(life.errors(), /Unable to find Electron app at/);
  });
});
