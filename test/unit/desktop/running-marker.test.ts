import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  markRunning as mark,
  type MarkerOptions,
  type RunningMarker,
} from '../../../app/desktop/running-marker.ts';

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
