import assert from 'node:assert/strict';
import { readdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { markRunning } from '../../../app/desktop/running-marker.ts';

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

test('a start goes on without a writable data folder', () => {
  const marker = markRunning(join(tmpdir(), 'no such folder', 'data'));
  assert.equal(marker.wasFound, false);
  marker.remove();
});
