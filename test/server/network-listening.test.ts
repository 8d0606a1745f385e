// The addresses at which the host listens, and the URLs that it gives to editors and browsers.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test, type TestContext } from 'node:test';
import os from 'node:os';
import { promisify } from 'node:util';
import { replaceBuiltin } from '../replace-builtin.ts';
import { createListening } from '../../app/server/listener.ts';
import { ask, networkAddress } from './network-host.ts';

const host = networkAddress();

async function openListening(t: TestContext, configured: string) {
  const at = { host: configured, port: 0 };
  const tls = { isOn: false };
  const listening = createListening({
    address: () => ({ ...at }),
    tls: { isOn: () => tls.isOn, secure: () => undefined },
    onChange: () => undefined,
  });
  t.after(() => listening.close(0));
  await listening.open(async (_request, response) => void response.end('here'));
  const port = () => Number(new URL(listening.baseUrl()).port);
  return {
    listening,
    at,
    tls,
    port,
    problem: () => listening.problem()?.code,
    isHere: async (to?: string) =>
      (await ask({ port: port(), ...(to !== undefined && { to }) })).body === 'here',
    isRefused: (to: string) => assert.rejects(ask({ port: port(), to }), { code: 'ECONNREFUSED' }),
  };
}

/** This computer has no network until the returned function is called. */
function disconnect(t: TestContext): () => void {
  return replaceBuiltin(t, os, 'networkInterfaces', () => ({}));
}

test('gives the network and editors the addresses at which they reach it, with HTTPS for the network while TLS is on', async (t) => {
  for (const [bound, network, isForEditors] of [
    ['127.0.0.1', null, false],
    [host, host, true],
    ['0.0.0.0', host, false],
  ] as const) {
    const { listening, port, tls } = await openListening(t, bound);
    const local = `http://127.0.0.1:${port()}`;
    for (const scheme of ['http', 'https']) {
      tls.isOn = scheme === 'https';
      const url = network && `${scheme}://${network}:${port()}`;
      assert.deepEqual(
        [listening.baseUrl(), listening.networkUrl(), listening.editorUrl()],
        [local, url, isForEditors ? url : local],
        bound,
      );
    }
  }
});

test('rebinds to a network address and back on the same port', async (t) => {
  const { listening, at, port, isHere, isRefused } = await openListening(t, '127.0.0.1');
  at.port = port();
  at.host = host;
  assert.ok(listening.needsReopen());
  await listening.reopen();
  assert.ok(!listening.needsReopen());
  for (const to of ['127.0.0.1', host]) assert.ok(await isHere(to), to);
  at.host = '127.0.0.1';
  await listening.reopen();
  assert.ok(await isHere());
  await isRefused(host);
});

test('serves this computer while the network address is missing, and the network once it is back', async (t) => {
  const { listening, problem, isHere } = await openListening(t, host);
  const reconnect = disconnect(t);
  await listening.check();
  assert.equal(problem(), 'address-unavailable');
  await assert.rejects(listening.reopen(), { code: 'address-unavailable' });
  assert.ok(await isHere());
  reconnect();
  await listening.check();
  assert.equal(problem(), undefined);
  assert.ok(await isHere(host));
});

test('opens an address from the settings that is missing at the start once it exists, on the same port', async (t) => {
  const reconnect = disconnect(t);
  const { listening, port, problem, isHere, isRefused } = await openListening(t, host);
  assert.ok(await isHere());
  await isRefused(host);
  await listening.check();
  assert.equal(problem(), 'address-unavailable');
  const before = port();
  reconnect();
  await listening.check();
  assert.equal(problem(), undefined);
  assert.equal(port(), before);
  assert.ok(await isHere(host));
});

test('stays open on loopback while another program has the port at an address that was missing at the start', async (t) => {
  const reconnect = disconnect(t);
  const { listening, port, problem, isHere } = await openListening(t, host);
  const other = createServer().listen(port(), host);
  t.after(() => void other.close());
  await once(other, 'listening');
  reconnect();
  let isInterrupted = false;
  const connection = connect(port(), '127.0.0.1')
    .once('close', () => (isInterrupted = true))
    .resume();
  t.after(() => connection.destroy());
  await once(connection, 'connect');
  for (const _ of [1, 2]) {
    await listening.check();
    assert.equal(problem(), 'address-unavailable');
  }
  assert.ok(await isHere());
  assert.ok(!isInterrupted, 'the open listener was closed for a moment');
  await promisify(other.close.bind(other))();
  await listening.check();
  assert.equal(problem(), undefined);
  assert.ok(await isHere(host));
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
