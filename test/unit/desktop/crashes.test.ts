import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  markRunning as mark,
  watchFailures,
  type FailuresDeps,
  type MarkerOptions,
  type RunningMarker,
} from '../../../app/desktop/crashes.ts';
import { settled } from './desktop-fixture.ts';

function bench(
  options: Partial<Pick<FailuresDeps, 'isRestarted' | 'stopMs'>> & { isPackaged?: boolean } = {},
) {
  const { isPackaged = true, isRestarted = false, stopMs } = options;
  const listeners = new Map<string, (error: unknown) => void>();
  const done: string[] = [];
  const failures = watchFailures({
    process: {
      on(event: string, listener: (error: unknown) => void) {
        listeners.set(event, listener);
        return this;
      },
    } as unknown as NodeJS.Process,
    app: {
      isPackaged,
      exit: (code) => void done.push(`exit ${code}`),
      relaunch: (how) => void done.push(`restart ${how?.args?.join(' ')}`),
    },
    dialog: { showErrorBox: (title, text) => void done.push(`${title}: ${text}`) },
    restart: (isHidden) => ({ args: isHidden ? ['--hidden'] : ['--visible'] }),
    isRestarted,
    log: { error: () => void done.push('logged'), flush: () => undefined },
    ...(stopMs !== undefined && { stopMs }),
  });
  const fail = (event: 'uncaughtException' | 'unhandledRejection') =>
    listeners.get(event)?.(new Error('/home/ana/secret'));
  return { failures, done, fail };
}

test('stops the host, then restarts an installed app, hidden if its window was hidden', async () => {
  const { failures, done, fail } = bench();
  failures.endWith({
    stop: async () => {
      await settled();
      done.push('stopped');
    },
    isWindowVisible: () => false,
  });
  fail('unhandledRejection');
  fail('uncaughtException');
  await settled();
  await settled();
  assert.deepEqual(done, ['logged', 'logged', 'stopped', 'restart --hidden', 'exit 1']);
});

for (const options of [{ isRestarted: true }, { isPackaged: false }]) {
  test(`explains without the error’s text instead of restarting: ${JSON.stringify(options)}`, async () => {
    const { done, fail } = bench(options);
    fail('uncaughtException');
    await settled();
    assert.equal(done.length, 3);
    assert.match(done[1] ?? '', /^DocTray closed because of an error: Everything that was saved is safe/);
    assert.doesNotMatch(done.join(), /ana/);
    assert.equal(done[2], 'exit 1');
  });
}

test('exits even if the host can’t be stopped', async () => {
  const failing = bench();
  failing.failures.endWith({ stop: () => Promise.reject(new Error('no')), isWindowVisible: () => true });
  failing.fail('uncaughtException');
  await settled();
  assert.deepEqual(failing.done, ['logged', 'logged', 'exit 1']);
  const hanging = bench({ stopMs: 20 });
  hanging.failures.endWith({ stop: () => new Promise(() => undefined), isWindowVisible: () => true });
  hanging.fail('uncaughtException');
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(hanging.done, ['logged', 'restart --visible', 'exit 1']);
});

const markRunning = (dataDir: string, options: Partial<MarkerOptions> = {}): RunningMarker =>
  mark(dataDir, { env: {}, platform: 'linux', ...options });

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'dt-running-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('finds a crash, but neither a clean end nor a restart of the computer', async (t) => {
  const dataDir = await folder(t);
  const bootedAtMs = 1_700_000_000_000;
  const first = markRunning(dataDir, { bootedAtMs });
  assert.equal(first.wasFound, false);
  first.remove();
  assert.deepEqual(await readdir(dataDir), []);
  assert.equal(markRunning(dataDir, { bootedAtMs }).wasFound, false);
  assert.equal(markRunning(dataDir, { bootedAtMs: bootedAtMs + 1000 }).wasFound, true);
  assert.equal(markRunning(dataDir, { bootedAtMs: bootedAtMs + 600_000 }).wasFound, false);
});

test('an app that ends doesn’t remove the marker of the next one', async (t) => {
  const dataDir = await folder(t);
  const old = markRunning(dataDir, { id: '1' });
  const updated = markRunning(dataDir, { id: '2' });
  old.remove();
  assert.deepEqual(await readdir(dataDir), ['running']);
  updated.remove();
  assert.deepEqual(await readdir(dataDir), []);
});

test('on Linux, keeps the marker in the folder that the system removes at logout', async (t) => {
  const dataDir = await folder(t);
  const runtime = await folder(t);
  const env = { XDG_RUNTIME_DIR: runtime };
  markRunning(dataDir, { env });
  const [name = ''] = await readdir(runtime);
  assert.match(name, /^doctray-[0-9a-f]{16}\.running$/);
  assert.deepEqual(await readdir(dataDir), []);
  const other = markRunning(await folder(t), { env });
  assert.equal(other.wasFound, false, 'each data folder has its own');
  other.remove();
  const again = markRunning(dataDir, { env, id: 'again' });
  assert.equal(again.wasFound, true);
  again.remove();
  assert.deepEqual(await readdir(runtime), []);

  // In a Flatpak, only this folder in it belongs to the system.
  const flatpak = join(runtime, 'app', 'org.doctray.DocTray');
  await mkdir(flatpak, { recursive: true });
  markRunning(dataDir, { env: { ...env, FLATPAK_ID: 'org.doctray.DocTray' } });
  assert.deepEqual(await readdir(flatpak), [name]);
});

test('keeps the marker in the data folder if there is no such folder', async (t) => {
  for (const place of [
    { env: { XDG_RUNTIME_DIR: 'relative' } },
    { env: { XDG_RUNTIME_DIR: join(tmpdir(), 'no such folder') } },
    { env: { XDG_RUNTIME_DIR: tmpdir() }, platform: 'darwin' as const },
  ]) {
    const dataDir = await folder(t);
    markRunning(dataDir, place);
    assert.deepEqual(await readdir(dataDir), ['running']);
  }
});

test('a start goes on without a writable data folder', () => {
  const marker = markRunning(join(tmpdir(), 'no such folder', 'data'));
  assert.equal(marker.wasFound, false);
  marker.remove();
});
