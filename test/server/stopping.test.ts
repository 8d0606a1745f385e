// stop() lets a running save end, cuts one that is stuck, and is over within 5 s.

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

/** A PutFile under a lock of which half the body was sent. */
async function halfSave(
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

test('A save that is under way when the host stops is finished and answered', async (t) => {
  const host = await start(t);
  const { call, status } = await halfSave(t, host);
  const stopped = host.host.stop();
  await pause(300);
  call.end('half');
  assert.equal(await status, 200);
  await stopped;
  assert.equal(await readFile(join(host.folder, 'a.txt'), 'utf8'), 'halfhalf');
});

test('The host is down soon after the last running request, not only when the time for stopping is over', async (t) => {
  const host = await start(t);
  const { call, status } = await halfSave(t, host);
  const stopped = host.host.stop();
  await pause(100);
  call.end('half');
  assert.equal(await status, 200);
  // The client keeps its connection, as every editor does; that alone must not hold up the end for 4 s.
  const outcome = await Promise.race([stopped.then(() => 'stopped'), pause(2500, 'still waiting')]);
  await stopped;
  assert.equal(outcome, 'stopped');
});

test('A save that is stuck is cut within 5 s: the document is the old one and nothing stays behind', async (t) => {
  const host = await start(t);
  const { status } = await halfSave(t, host);
  const startedAt = performance.now();
  await host.host.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  assert.ok(seconds < 5, `${seconds} s`);
  assert.equal(await status, 0);
  await host.restart();
  // The start clears away behind its predecessor, in its own time.
  for (let tries = 0; tries < 50 && (await readdir(host.folder)).length > 1; tries += 1) await pause(50);
  assert.deepEqual(await readdir(host.folder), ['a.txt']);
  assert.equal(await readFile(join(host.folder, 'a.txt'), 'utf8'), 'old');
  const { fileId, accessToken } = await host.access('a.txt');
  const held = await host.wopi({ fileId, token: accessToken, override: 'GET_LOCK' });
  assert.equal(held.headers.get('X-WOPI-Lock'), 'L', 'its lock is still there');
});

test('Connections that say nothing hold up no stop', async (t) => {
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

test('Stopping twice is stopping once, and a stopped host takes no connection', async (t) => {
  const host = await start(t);
  await Promise.all([host.host.stop(), host.host.stop()]);
  assert.equal(host.events.filter(({ event }) => event === 'stopped').length, 1);
  await assert.rejects(fetch(`${host.baseUrl}/closed`));
});

test('A stop does not wait for old versions to be cleared away, and takes no row from one that it leaves', async (t) => {
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
