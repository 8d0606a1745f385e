// stop() waits for a running save, aborts one that is stuck, and returns within 5 s.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createVersionsTable } from '../../app/store/versions.ts';
import { startTestHost, type TestHost } from './test-host.ts';

async function start(t: TestContext): Promise<TestHost> {
  const host = await startTestHost({ files: { 'a.txt': 'old' } });
  t.after(() => host.stop());
  return host;
}

/** Locks the document and starts a PutFile, of which it sends half the body. */
async function startSave(
  t: TestContext,
  host: TestHost,
): Promise<{ call: ClientRequest; status: Promise<number> }> {
  const { fileId, accessToken } = await host.access('a.txt');
  const headers = { 'X-WOPI-Lock': 'L' };
  await host.wopi({ fileId, token: accessToken, override: 'LOCK', headers });
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const call = request(`${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${accessToken}`, {
    agent,
    method: 'POST',
    headers: { ...headers, 'X-WOPI-Override': 'PUT', 'Content-Length': 8 },
  });
  const status = new Promise<number>((resolve) => {
    call.on('error', () => resolve(0));
    call.on('response', (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
  call.write('half');
  await pause(150);
  return { call, status };
}

test('a stop waits for a running save', async (t) => {
  const host = await start(t);
  const { call, status } = await startSave(t, host);
  const stopped = host.host.stop();
  await pause(300);
  call.end('half');
  assert.equal(await status, 200);
  await stopped;
  assert.equal(await readFile(join(host.folder, 'a.txt'), 'utf8'), 'halfhalf');
});

test('stops soon after the last running request, despite keep-alive connections', async (t) => {
  const host = await start(t);
  const { call, status } = await startSave(t, host);
  const stopped = host.host.stop();
  await pause(100);
  call.end('half');
  assert.equal(await status, 200);
  // Every editor keeps its connection alive. That must not delay the stop until its time limit.
  const outcome = await Promise.race([stopped.then(() => 'stopped'), pause(2500, 'still waiting')]);
  await stopped;
  assert.equal(outcome, 'stopped');
});

test('aborts a stuck save within 5 s, and leaves the old document, its lock and no temporary file', async (t) => {
  const host = await start(t);
  const { status } = await startSave(t, host);
  const startedAt = performance.now();
  await host.host.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  assert.ok(seconds < 5, `${seconds} s`);
  assert.equal(await status, 0);
  await host.restart();
  // The start removes leftovers in the background.
  for (let tries = 0; tries < 50 && (await readdir(host.folder)).length > 1; tries += 1) await pause(50);
  assert.deepEqual(await readdir(host.folder), ['a.txt']);
  assert.equal(await readFile(join(host.folder, 'a.txt'), 'utf8'), 'old');
  const { fileId, accessToken } = await host.access('a.txt');
  const held = await host.wopi({ fileId, token: accessToken, override: 'GET_LOCK' });
  assert.equal(held.headers.get('X-WOPI-Lock'), 'L', 'the lock is kept');
});

test('idle connections and incomplete requests don’t delay a stop', async (t) => {
  const host = await start(t);
  const port = Number(new URL(host.baseUrl).port);
  const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  await pause(100);
  for (const socket of sockets.slice(10)) socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n');
  await pause(100);
  const startedAt = performance.now();
  await host.host.stop();
  assert.ok(performance.now() - startedAt < 5000);
});

test('concurrent stops stop the host once, and a stopped host accepts no connections', async (t) => {
  const host = await start(t);
  await Promise.all([host.host.stop(), host.host.stop()]);
  assert.equal(host.events.filter(({ event }) => event === 'stopped').length, 1);
  await assert.rejects(fetch(`${host.baseUrl}/closed`));
});

test('a stop interrupts the pruning of versions', async (t) => {
  const host = await start(t);
  const { fileId } = await host.access('a.txt');
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
