// stop() waits for a running save, aborts one that is stuck, and returns within 5 s.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createVersionsTable } from '../../app/store/versions.ts';
import { startTestHost, type TestHost } from './test-host.ts';

const start = (t: TestContext): Promise<TestHost> => startTestHost({ files: { 'a.txt': 'old' } }, t);

test('a stop waits for a running save, but not for keep-alive connections', async (t) => {
  const host = await start(t);
  const { beginSave, content } = await host.edit('a.txt');
  const { end, answer } = await beginSave();
  const stopped = host.host.stop();
  // Idle connections are closed meanwhile.
  await pause(150);
  end();
  assert.equal((await answer).status, 200);
  // Every editor keeps its connection alive. That must not delay the stop until its time limit.
  const outcome = await Promise.race([stopped.then(() => 'stopped'), pause(2500, 'still waiting')]);
  await stopped;
  assert.equal(outcome, 'stopped');
  assert.equal(await content(), 'half, half');
});

test('aborts a stuck save within 5 s, and leaves the old document, its lock and no temporary file', async (t) => {
  const host = await start(t);
  const { beginSave, content } = await host.edit('a.txt');
  const { answer } = await beginSave();
  const startedAt = performance.now();
  await host.host.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  assert.ok(seconds < 5, `${seconds} s`);
  assert.equal((await answer).status, 0);
  await host.restart();
  // The start removes leftovers in the background.
  for (let tries = 0; tries < 100 && (await readdir(host.folder)).length > 1; tries += 1) await pause(25);
  assert.deepEqual(await readdir(host.folder), ['a.txt']);
  assert.equal(await content(), 'old');
  assert.equal(await (await host.document('a.txt')).lockId(), 'L', 'the lock is kept');
});

test('a stop waits for a save up to its limit, which a second stop can shorten; both stop the host once', async (t) => {
  const host = await start(t);
  const { beginSave, content } = await host.edit('a.txt');
  const { answer } = await beginSave();
  let isStopped = false;
  const stopping = host.host.stop({ limitMs: 600_000 }).then(() => (isStopped = true));
  await pause(300);
  assert.equal(isStopped, false);
  const second = host.host.stop({ limitMs: 0 });
  assert.equal((await answer).status, 0);
  await Promise.all([stopping, second]);
  assert.equal(await content(), 'old');
  assert.equal(host.events.filter(({ event }) => event === 'stopped').length, 1);
  await assert.rejects(fetch(`${host.baseUrl}/closed`));
});

test('a stop interrupts the pruning of versions', async (t) => {
  const host = await start(t);
  const { fileId } = await host.document('a.txt');
  const { store, versions } = host.host.services;
  const table = createVersionsTable(store.db, () => 0);
  const count = 3000;
  store.db.transaction(() => {
    for (let version = 0; version < count; version += 1) {
      const saved = { savedAtMs: null, savedBy: null, savedHow: null };
      const kept = { size: 1, sha256: null, kind: 'copy', mtimeMs: 0, keptAtMs: 0 } as const;
      table.insert({ id: `v${version}`, fileId, version, ...kept, ...saved });
    }
  })();
  const pruning = versions.prune();
  await pause(20);
  const stopped = host.host.stop();
  const removed = await pruning;
  await stopped;
  assert.ok(removed < count, `${removed} of ${count} were cleared away before the stop`);
  await host.restart();
  const left = createVersionsTable(host.host.services.store.db, () => 0).list(fileId).length;
  assert.ok(left <= count - removed);
});

test('closes the database when session counts can’t be written at the stop', async (t) => {
  const host = await start(t);
  const { services } = host.host;
  services.sessions.flush = () => {
    throw new Error('the disk is full');
  };
  await host.restart();
  assert.equal(services.store.db.open, false);
  assert.equal((await host.access('a.txt')).fileId.length, 22);
});
