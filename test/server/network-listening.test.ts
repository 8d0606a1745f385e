// The addresses at which the host listens, and the URLs that it gives to editors and browsers.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { mock, test, type TestContext } from 'node:test';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { promisify } from 'node:util';
import { createListening, type Listening } from '../../app/server/listener.ts';
import { ask, networkAddress } from './network-host.ts';

interface OpenListening {
  listening: Listening;
  at: { host: string; port: number };
  tls: { isOn: boolean };
  port(): number;
}

async function openListening(t: TestContext, host: string): Promise<OpenListening> {
  const at = { host, port: 0 };
  const tls = { isOn: false };
  const listening = createListening({
    address: () => ({ ...at }),
    tls: { isOn: () => tls.isOn, secure: () => undefined },
    onChange: () => undefined,
  });
  t.after(() => listening.close(0));
  await listening.open(async (_request, response) => void response.end('here'));
  return { listening, at, tls, port: () => Number(new URL(listening.baseUrl()).port) };
}

test('bound to loopback, has no network URL and gives editors the loopback URL', async (t) => {
  const { listening, port } = await openListening(t, '127.0.0.1');
  assert.equal(listening.networkUrl(), null);
  assert.equal(listening.editorUrl(), `http://127.0.0.1:${port()}`);
});

test('bound to a network address, uses it for the network and for editors, with HTTPS while TLS is on', async (t) => {
  const host = networkAddress();
  const { listening, port, tls } = await openListening(t, host);
  assert.equal(listening.baseUrl(), `http://127.0.0.1:${port()}`);
  assert.equal(listening.networkUrl(), `http://${host}:${port()}`);
  assert.equal(listening.editorUrl(), listening.networkUrl());
  tls.isOn = true;
  assert.equal(listening.baseUrl(), `http://127.0.0.1:${port()}`);
  assert.equal(listening.networkUrl(), `https://${host}:${port()}`);
  assert.equal(listening.editorUrl(), listening.networkUrl());
});

test('bound to 0.0.0.0, gives the network one of its addresses and editors the loopback URL', async (t) => {
  const { listening, port } = await openListening(t, '0.0.0.0');
  assert.equal(listening.networkUrl(), `http://${networkAddress()}:${port()}`);
  assert.equal(listening.editorUrl(), `http://127.0.0.1:${port()}`);
});

test('rebinds to a network address and back on the same port', async (t) => {
  const { listening, at, port } = await openListening(t, '127.0.0.1');
  at.port = port();
  at.host = networkAddress();
  assert.ok(listening.needsReopen());
  await listening.reopen();
  assert.ok(!listening.needsReopen());
  for (const to of ['127.0.0.1', networkAddress()]) {
    assert.equal((await ask({ port: at.port, to })).body, 'here', to);
  }
  at.host = '127.0.0.1';
  await listening.reopen();
  assert.equal((await ask({ port: at.port })).body, 'here');
  await assert.rejects(ask({ port: at.port, to: networkAddress() }), { code: 'ECONNREFUSED' });
});

test('serves this computer while the network address is missing, and the network once it is back', async (t) => {
  const { listening, port } = await openListening(t, networkAddress());
  mock.method(os, 'networkInterfaces', () => ({}));
  syncBuiltinESMExports();
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  await listening.check();
  assert.equal(listening.problem()?.code, 'address-unavailable');
  await assert.rejects(listening.reopen(), { code: 'address-unavailable' });
  assert.equal((await ask({ port: port() })).body, 'here');
  mock.restoreAll();
  syncBuiltinESMExports();
  await listening.check();
  assert.equal(listening.problem(), undefined);
  assert.equal((await ask({ port: port(), to: networkAddress() })).body, 'here');
});

test('opens an address from the settings that is missing at the start once it exists, on the same port', async (t) => {
  const host = networkAddress();
  mock.method(os, 'networkInterfaces', () => ({}));
  syncBuiltinESMExports();
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  const { listening, port } = await openListening(t, host);
  assert.equal(listening.problem()?.code, 'address-unavailable');
  assert.equal((await ask({ port: port() })).body, 'here');
  await assert.rejects(ask({ port: port(), to: host }), { code: 'ECONNREFUSED' });
  await listening.check();
  assert.equal(listening.problem()?.code, 'address-unavailable');
  const before = port();
  mock.restoreAll();
  syncBuiltinESMExports();
  await listening.check();
  assert.equal(listening.problem(), undefined);
  assert.equal(port(), before);
  assert.equal((await ask({ port: before, to: host })).body, 'here');
});

test('stays open on loopback while another program has the port at an address that was missing at the start', async (t) => {
  const host = networkAddress();
  mock.method(os, 'networkInterfaces', () => ({}));
  syncBuiltinESMExports();
  t.after(() => {
    mock.restoreAll();
    syncBuiltinESMExports();
  });
  const { listening, port } = await openListening(t, host);
  const other = createServer().listen(port(), host);
  t.after(() => void other.close());
  await once(other, 'listening');
  mock.restoreAll();
  syncBuiltinESMExports();
  let isInterrupted = false;
  const connection = connect(port(), '127.0.0.1')
    .once('close', () => (isInterrupted = true))
    .resume();
  t.after(() => connection.destroy());
  await once(connection, 'connect');
  for (const _ of [1, 2]) {
    // oxlint-disable-next-line no-await-in-loop
    await listening.check();
    assert.equal(listening.problem()?.code, 'address-unavailable');
  }
  assert.equal((await ask({ port: port() })).body, 'here');
  assert.ok(!isInterrupted, 'the open listener was closed for a moment');
  await promisify(other.close.bind(other))();
  await listening.check();
  assert.equal(listening.problem(), undefined);
  assert.equal((await ask({ port: port(), to: host })).body, 'here');
});

test('fails to start if a required address is missing', async (t) => {
  const listening = createListening({
    address: () => ({ host: '192.0.2.77', port: 0 }),
    isAddressRequired: true,
    onChange: () => undefined,
  });
  t.after(() => listening.close(0));
  await assert.rejects(
    listening.open(async () => undefined),
    { code: 'address-unavailable' },
  );
});
