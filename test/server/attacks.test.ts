// Attacks from the network, by a malicious editor with a valid token, and by another program that changes the folder.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir, readdir, rename, symlink } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { exchange } from '../fuzz/raw-exchange.ts';
import { replaceBuiltin } from '../replace-builtin.ts';
import { startTestHost, type TestHost } from './test-host.ts';

/** Sends a GET and returns the status of its answer. */
async function statusOf({ port }: TestHost, path: string, name: string): Promise<number | undefined> {
  const text = `GET ${path} HTTP/1.1\r\nHost: ${name}\r\n\r\n`;
  return (await exchange({ port, parts: [text] })).answers[0]?.status;
}

for (const isRestored of [false, true]) {
  const what = isRestored ? 'restores a recovered save' : 'saves';
  test(`never ${what} outside the hosted folder through a replaced subfolder`, async (t) => {
    const host = await startTestHost({ files: { 'sub/b.txt': 'old' } }, t);
    const { fileId, lock, save } = await host.document('sub/b.txt');
    await lock();
    const { locks, recoveredSaves } = host.host.services;
    if (isRestored) {
      await locks.forceClear(fileId, 'owner');
      assert.equal((await save('new')).status, 409);
    }
    const outside = join(dirname(host.folder), 'outside');
    await mkdir(outside);
    await rename(join(host.folder, 'sub'), join(dirname(host.folder), 'away'));
    await symlink(outside, join(host.folder, 'sub'));
    const seen = new Set<string>();
    const watcher = fs.watch(outside, (_event, name) => seen.add(name ?? ''));
    if (isRestored) await recoveredSaves.restore(recoveredSaves.list()[0]?.id ?? '').catch(() => undefined);
    else {
      const { status } = await save('new');
      assert.ok(status === 200 || recoveredSaves.list().length === 1, `${status}, and the body is lost`);
    }
    await pause(50);
    watcher.close();
    assert.deepEqual([await readdir(outside), [...seen]], [[], []], 'something was written outside');
  });
}

test('recovers a complete save when the host is no longer allowed to stat the document', async (t) => {
  const host = await startTestHost({ files: { 'sub/b.txt': 'old' } }, t);
  const { lock, save } = await host.document('sub/b.txt');
  await lock();
  const real = fs.lstatSync;
  const refuse = (path: fs.PathLike, options?: fs.StatSyncOptions): unknown => {
    if (String(path).endsWith('b.txt')) throw Object.assign(new Error('no'), { code: 'EACCES' });
    return real(path, options);
  };
  replaceBuiltin(t, fs, 'lstatSync', refuse);
  const { status, headers } = await save('new and whole');
  assert.equal(status, 500);
  assert.ok(headers.get('X-WOPI-ServerError'));
  const kept = host.host.services.recoveredSaves.list().map(({ size }) => size);
  assert.deepEqual(kept, ['new and whole'.length]);
});

let shared: TestHost;
let fileId: string;
let token: string;
before(async () => {
  shared = await startTestHost({ files: { 'a.txt': 'old' } });
  ({ fileId, token } = await shared.document('a.txt'));
});
after(() => shared.stop());

// test/fuzz has other names.
test('answers 421 to a foreign Host header on every path (DNS rebinding)', async () => {
  for (const path of [
    '/',
    '/closed',
    '/api/2.0/authentication',
    `/wopi/files/${fileId}?access_token=${token}`,
  ])
    for (const name of ['rebind.evil.example', `rebind.evil.example:${shared.port}`, '127.0.0.1.nip.io'])
      assert.equal(await statusOf(shared, path, name), 421, `${name} ${path}`);
});

test('accepts localhost, loopback addresses, allowed hosts and the public URL as Host, with or without port', async (t) => {
  const publicUrl = 'https://tray.example/x';
  const host = await startTestHost(
    { settings: { allowedHosts: ['Docs.Example'], publicUrl, networkPages: true } },
    t,
  );
  for (const name of [
    'LOCALHOST:1',
    'localhost.',
    `127.0.0.1:${host.port}`,
    '[::1]:80',
    'docs.example',
    'tray.example:443',
  ])
    assert.equal(await statusOf(host, '/closed', name), 200, name);
});

test('bound to 0.0.0.0, accepts a new address of this computer as Host without a restart', async (t) => {
  const host = await startTestHost({ settings: { host: '0.0.0.0', networkPages: true } }, t);
  const ask = (name: string) => statusOf(host, '/closed', `${name}:${host.port}`);
  assert.equal(await ask('127.0.0.1'), 200);
  assert.equal(await ask('192.0.2.77'), 421);
  const address = { address: '192.0.2.77', family: 'IPv4', internal: false } as os.NetworkInterfaceInfo;
  replaceBuiltin(t, os, 'networkInterfaces', () => ({ wlan0: [address] }));
  // As when a laptop changes networks. The host may take a few seconds to notice.
  let status = await ask('192.0.2.77');
  for (let tries = 0; tries < 30 && status !== 200; tries += 1) {
    await pause(100);
    status = await ask('192.0.2.77');
  }
  assert.equal(status, 200);
});

test('rejects an invalid token before the body has arrived, and leaves no token, session, temporary file or recovered save', async () => {
  for (const invalid of ['', 'x'.repeat(43), 'x']) {
    const call = { fileId, token: invalid, contents: true, override: 'PUT', headers: { 'X-WOPI-Lock': 'L' } };
    assert.equal((await shared.wopi({ ...call, body: Buffer.alloc(2_000_000) })).status, 401);
  }
  const { sessions, recoveredSaves, accessTokens } = shared.host.services;
  assert.deepEqual([sessions.list(), recoveredSaves.list(), accessTokens.list().length], [[], [], 1]);
  assert.deepEqual(await readdir(shared.folder), ['a.txt']);
  assert.deepEqual(await readdir(join(shared.dataDir, 'rescued')), []);
  const head = [
    `POST /wopi/files/${fileId}/contents?access_token=${'x'.repeat(43)} HTTP/1.1`,
    'Host: 127.0.0.1',
    'X-WOPI-Override: PUT',
    'Content-Length: 1000000',
  ].join('\r\n');
  const { answers } = await exchange({ port: shared.port, parts: [`${head}\r\n\r\n`, 'a few bytes'] });
  assert.equal(answers[0]?.status, 401);
});

// test/fuzz has other malformed requests.
test('answers 431 to headers that are too large, and 400 to malformed requests', async () => {
  const { port } = shared;
  for (const [text, status] of [
    [`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Fill: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nBroken header\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
  ] as const) {
    const { answers } = await exchange({ port, parts: [text] });
    assert.equal(answers[0]?.status, status, JSON.stringify(text.slice(0, 60)));
    if (status === 431) assert.equal(answers[0].headers['content-length'], '0');
  }
});

test('rejects an endless UserInfo without reading it all, and closes the connection', async (t) => {
  const socket = connect(shared.port, '127.0.0.1').on('error', () => undefined);
  t.after(() => socket.destroy());
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (data: Buffer) => resolve(data.toString()));
  });
  socket.write(
    `POST /wopi/files/${fileId}?access_token=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      'X-WOPI-Override: PUT_USER_INFO\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  let sent = 0;
  const sending = setInterval(() => {
    for (let count = 0; count < 40 && socket.writable && !socket.writableNeedDrain; count += 1) {
      socket.write(chunk);
      sent += 65_536;
    }
  }, 5);
  t.after(() => clearInterval(sending));
  assert.match(await answer, /^HTTP\/1\.1 400 /);
  await isClosed;
  assert.ok(sent < 500 * 1024 * 1024, `${sent} bytes were taken`);
});
