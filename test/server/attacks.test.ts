// Attacks from the network, by a malicious editor with a valid token, and by another program that changes the folder.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir, readFile, readdir, rename, symlink } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { exchange } from '../fuzz/raw-exchange.ts';
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';

async function start(t: TestContext, options: TestHostOptions): Promise<TestHost> {
  const host = await startTestHost(options);
  t.after(() => host.stop());
  return host;
}

async function lockIn(host: TestHost, path: string) {
  const { fileId, accessToken: token } = await host.access(path);
  const headers = { 'X-WOPI-Lock': 'L' };
  assert.equal((await host.wopi({ fileId, token, override: 'LOCK', headers })).status, 200);
  const save = (body: string) => host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body });
  return { fileId, token, save };
}

test('never saves outside the hosted folder through a replaced subfolder, and doesn’t lose the save', async (t) => {
  const host = await start(t, { files: { 'sub/b.txt': 'old' } });
  const { save } = await lockIn(host, 'sub/b.txt');
  const outside = join(dirname(host.folder), 'outside');
  await mkdir(outside);
  await rename(join(host.folder, 'sub'), join(dirname(host.folder), 'away'));
  await symlink(outside, join(host.folder, 'sub'));
  const seen = new Set<string>();
  const watcher = fs.watch(outside, (_event, name) => seen.add(name ?? ''));
  const { status } = await save('new');
  await pause(50);
  watcher.close();
  assert.deepEqual([await readdir(outside), [...seen]], [[], []], 'something was written outside');
  assert.ok(
    status === 200 || host.host.services.recoveredSaves.list().length === 1,
    `${status}, and the body is lost`,
  );
});

test('never restores a recovered save outside the hosted folder', async (t) => {
  const host = await start(t, { files: { 'sub/b.txt': 'old' } });
  const { fileId, save } = await lockIn(host, 'sub/b.txt');
  const { locks, recoveredSaves } = host.host.services;
  await locks.forceClear(fileId, 'owner');
  assert.equal((await save('new')).status, 409);
  const [kept] = recoveredSaves.list();
  assert.ok(kept !== undefined);
  const outside = join(dirname(host.folder), 'outside');
  await mkdir(outside);
  await rename(join(host.folder, 'sub'), join(dirname(host.folder), 'away'));
  await symlink(outside, join(host.folder, 'sub'));
  await recoveredSaves.restore(kept.id).catch(() => undefined);
  assert.deepEqual(await readdir(outside), []);
});

test('recovers a complete save when the host is no longer allowed to stat the document', async (t) => {
  const host = await start(t, { files: { 'sub/b.txt': 'old' } });
  const { save } = await lockIn(host, 'sub/b.txt');
  const real = fs.lstatSync;
  const refuse = (path: fs.PathLike, options?: fs.StatSyncOptions): unknown => {
    if (String(path).endsWith('b.txt')) throw Object.assign(new Error('no'), { code: 'EACCES' });
    return real(path, options);
  };
  mock.method(fs, 'lstatSync', refuse as typeof fs.lstatSync);
  syncBuiltinESMExports();
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  const { status, headers } = await save('new and whole');
  assert.equal(status, 500);
  assert.ok(headers.get('X-WOPI-ServerError'));
  const kept = host.host.services.recoveredSaves.list();
  assert.deepEqual(
    kept.map(({ size }) => size),
    ['new and whole'.length],
  );
});

test('an editor can’t save or rename a document whose file is read-only', async (t) => {
  const host = await start(t, { files: { 'a.txt': 'old' } });
  fs.chmodSync(join(host.folder, 'a.txt'), 0o444);
  const { fileId, accessToken: token } = await host.access('a.txt');
  const info = JSON.parse((await host.wopi({ fileId, token })).body.toString());
  assert.equal(info.UserCanWrite, false);
  const headers = { 'X-WOPI-Lock': 'L', 'X-WOPI-RequestedName': 'other' };
  await host.wopi({ fileId, token, override: 'LOCK', headers });
  await host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body: 'new' });
  await host.wopi({ fileId, token, override: 'RENAME_FILE', headers });
  assert.equal(await readFile(join(host.folder, 'a.txt'), 'utf8'), 'old');
});

test('rejects a save whose token is revoked during the upload', async (t) => {
  const host = await start(t, { files: { 'a.txt': 'old' } });
  const { fileId, token } = await lockIn(host, 'a.txt');
  const call = request(`${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`, {
    method: 'POST',
    agent: false,
    headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'L', 'Content-Length': 8 },
  });
  const status = new Promise<number>((resolve) => {
    call.on('error', () => resolve(0));
    call.on('response', (response: IncomingMessage) => resolve(response.resume().statusCode ?? 0));
  });
  call.write('half');
  await pause(150);
  const { accessTokens } = host.host.services;
  for (const { id } of accessTokens.list()) accessTokens.revoke(id);
  call.end('half');
  assert.equal(await status, 401);
  assert.equal(await readFile(join(host.folder, 'a.txt'), 'utf8'), 'old');
});

test('a token revoked while it uploads a copy overwrites nothing, gets no new token, and the copy is recovered', async (t) => {
  const host = await start(t, { files: { 'a.txt': 'old', 'b.txt': 'precious' } });
  const { fileId, accessToken: token } = await host.access('a.txt');
  const { accessTokens, recoveredSaves } = host.host.services;
  for (const [at, target] of [
    { 'X-WOPI-RelativeTarget': 'b.txt', 'X-WOPI-OverwriteRelativeTarget': 'True' },
    { 'X-WOPI-SuggestedTarget': 'c.txt', 'X-WOPI-FileConversion': 'true' },
  ].entries()) {
    const { accessToken } = await host.access('a.txt');
    const call = request(`${host.baseUrl}/wopi/files/${fileId}?access_token=${accessToken}`, {
      method: 'POST',
      agent: false,
      headers: { 'X-WOPI-Override': 'PUT_RELATIVE', 'Content-Length': 8, ...target },
    });
    const answer = new Promise<[number, string]>((resolve) => {
      call.on('error', () => resolve([0, '']));
      call.on('response', (response: IncomingMessage) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part.toString()));
        response.on('end', () => resolve([response.statusCode ?? 0, text]));
      });
    });
    call.write('half');
    await pause(150);
    for (const { id } of accessTokens.list()) accessTokens.revoke(id);
    call.end(`hal${at}`);
    assert.deepEqual(await answer, [401, '']);
    assert.deepEqual(accessTokens.list(), []);
  }
  assert.equal(accessTokens.find(token), undefined);
  assert.equal(await readFile(join(host.folder, 'b.txt'), 'utf8'), 'precious');
  assert.deepEqual((await readdir(host.folder)).toSorted(), ['a.txt', 'b.txt']);
  assert.equal(recoveredSaves.list().length, 2);
});

test('answers 421 to a foreign or missing Host header on every path (DNS rebinding)', async (t) => {
  const host = await start(t, { files: { 'a.txt': 'old' } });
  const { fileId, accessToken } = await host.access('a.txt');
  const port = Number(new URL(host.baseUrl).port);
  const paths = [
    '/',
    '/closed',
    '/api/2.0/authentication',
    `/wopi/files/${fileId}?access_token=${accessToken}`,
  ];
  for (const path of paths) {
    for (const name of [
      'rebind.evil.example',
      `rebind.evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.nip.io',
    ]) {
      const text = `GET ${path} HTTP/1.1\r\nHost: ${name}\r\n\r\n`;
      const { answers } = await exchange({ port, parts: [text] });
      assert.equal(answers[0]?.status, 421, `${name} ${path}`);
      assert.ok(!answers[0].body.includes(host.folder));
    }
  }
  const old = await exchange({ port, parts: ['GET /closed HTTP/1.0\r\n\r\n'] });
  assert.equal(old.answers[0]?.status, 421, 'no Host at all');
});

test('accepts localhost, loopback addresses, allowed hosts and the public URL as Host, with or without port', async (t) => {
  const host = await start(t, {
    settings: {
      allowedHosts: ['Docs.Example'],
      publicUrl: 'https://tray.example/x',
      networkPages: true,
    },
  });
  const port = Number(new URL(host.baseUrl).port);
  for (const name of [
    'localhost',
    'LOCALHOST:1',
    'localhost.',
    `127.0.0.1:${port}`,
    '[::1]:80',
    'docs.example',
    'tray.example:443',
  ]) {
    const { answers } = await exchange({ port, parts: [`GET /closed HTTP/1.1\r\nHost: ${name}\r\n\r\n`] });
    assert.equal(answers[0]?.status, 200, name);
  }
});

test('bound to 0.0.0.0, accepts a new address of this computer as Host without a restart', async (t) => {
  const host = await start(t, { settings: { host: '0.0.0.0', networkPages: true } });
  const port = Number(new URL(host.baseUrl).port);
  const ask = async (name: string): Promise<number | undefined> =>
    (await exchange({ port, parts: [`GET /closed HTTP/1.1\r\nHost: ${name}:${port}\r\n\r\n`] })).answers[0]
      ?.status;
  assert.equal(await ask('127.0.0.1'), 200);
  assert.equal(await ask('192.0.2.77'), 421);
  const address = { address: '192.0.2.77', family: 'IPv4', internal: false } as os.NetworkInterfaceInfo;
  mock.method(os, 'networkInterfaces', () => ({ wlan0: [address] }));
  syncBuiltinESMExports();
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  // As when a laptop changes networks. The host may take a few seconds to notice.
  let status = await ask('192.0.2.77');
  for (let tries = 0; tries < 30 && status !== 200; tries += 1) {
    await pause(100);
    status = await ask('192.0.2.77');
  }
  assert.equal(status, 200);
});

test('requests with an invalid token leave no token, session, temporary file or recovered save', async (t) => {
  const host = await start(t, { files: { 'a.txt': 'old' } });
  const { fileId } = await host.access('a.txt', { apiToken: await host.signIn() });
  for (const token of ['', 'x'.repeat(43), 'x']) {
    const call = { fileId, token, contents: true, override: 'PUT', headers: { 'X-WOPI-Lock': 'L' } };
    assert.equal((await host.wopi({ ...call, body: Buffer.alloc(2_000_000) })).status, 401);
  }
  const { sessions, recoveredSaves, accessTokens } = host.host.services;
  assert.deepEqual([sessions.list(), recoveredSaves.list(), accessTokens.list().length], [[], [], 1]);
  assert.deepEqual(await readdir(host.folder), ['a.txt']);
  assert.deepEqual(await readdir(join(host.dataDir, 'rescued')), []);
});

test('rejects an invalid token before the body has arrived', async (t) => {
  const host = await start(t, { files: { 'a.txt': 'old' } });
  const { fileId } = await host.access('a.txt');
  const head = [
    `POST /wopi/files/${fileId}/contents?access_token=${'x'.repeat(43)} HTTP/1.1`,
    'Host: 127.0.0.1',
    'X-WOPI-Override: PUT',
    'Content-Length: 1000000',
  ].join('\r\n');
  const port = Number(new URL(host.baseUrl).port);
  const { answers } = await exchange({ port, parts: [`${head}\r\n\r\n`, 'a few bytes'], deadlineMs: 30_000 });
  assert.equal(answers[0]?.status, 401);
});

test('limits the number of open connections', async (t) => {
  const host = await start(t, {});
  const port = Number(new URL(host.baseUrl).port);
  const wanted = 3000;
  let closed = 0;
  const sockets = Array.from({ length: wanted }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.once('connect', () =>
      socket.once('close', () => {
        closed += 1;
      }),
    );
    return socket;
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let tries = 0; tries < 30 && closed === 0; tries += 1) await pause(100);
  assert.ok(closed > 0, `all ${wanted} connections were kept`);
});

test('answers 431 to headers that are too large, and 400 to malformed requests', async (t) => {
  const host = await start(t, {});
  const port = Number(new URL(host.baseUrl).port);
  for (const [text, status] of [
    [`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Fill: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nBroken header\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\u0000b\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['\u0016\u0003\u0001\u0002\u0000', 400],
  ] as const) {
    const { answers } = await exchange({ port, parts: [text], deadlineMs: 30_000 });
    assert.equal(answers[0]?.status, status, JSON.stringify(text.slice(0, 60)));
    if (status === 431) assert.equal(answers[0].headers['content-length'], '0');
  }
});

test('rejects an endless UserInfo without reading it all, and closes the connection', async (t) => {
  const host = await start(t, { files: { 'a.txt': 'a' } });
  const { fileId, accessToken } = await host.access('a.txt');
  const port = Number(new URL(host.baseUrl).port);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  t.after(() => socket.destroy());
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (data: Buffer) => resolve(data.toString()));
  });
  socket.write(
    `POST /wopi/files/${fileId}?access_token=${accessToken} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
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
  assert.ok(sent < 100 * 1024 * 1024, `${sent} bytes were taken`);
});
