import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenedAddress, pageAddress } from '../../../app/editors/page-address.ts';

const loopbackUrl = 'http://127.0.0.1:8790';
const input = {
  baseUrl: loopbackUrl,
  loopbackUrl,
  editorUrl: 'http://docs.example:9980',
  ownHosts: new Set(['192.168.1.5', 'fd00::5', 'desk']),
  needsSameName: true,
  isOnNetwork: false,
};

test('uses an address of this computer for the browser, too', () => {
  for (const host of ['192.168.1.5', '[fd00::5]', 'localhost', '[::1]'])
    assert.equal(pageAddress({ ...input, baseUrl: `http://${host}:8790` }), `http://${host}:8790`);
});

test('doesn’t use the host name for containers in the browser, even if pages are open to the network', () => {
  for (const isOnNetwork of [false, true]) {
    const baseUrl = 'http://host.docker.internal:8790';
    assert.equal(pageAddress({ ...input, baseUrl, isOnNetwork }), loopbackUrl);
  }
});

test('uses a public URL only if pages are open to the network', () => {
  const baseUrl = 'https://office.example/doctray';
  assert.equal(pageAddress({ ...input, baseUrl }), loopbackUrl);
  assert.equal(pageAddress({ ...input, baseUrl, isOnNetwork: true }), baseUrl);
});

test('uses the same loopback name as a local editor, so that its frame is allowed', () => {
  const baseUrl = 'http://host.docker.internal:8790';
  const at = (editorUrl: string | null) => pageAddress({ ...input, baseUrl, editorUrl });
  assert.equal(at('http://localhost:9980'), 'http://localhost:8790');
  assert.equal(at('http://127.0.0.1:9980'), loopbackUrl);
  assert.equal(at(null), loopbackUrl);
});

test('uses HTTP for an editor without TLS, since an HTTPS page can’t frame it', () => {
  const baseUrl = 'https://desk:8790';
  assert.equal(pageAddress({ ...input, baseUrl }), 'http://desk:8790');
  assert.equal(pageAddress({ ...input, baseUrl, editorUrl: 'https://docs.example' }), baseUrl);
  // Another port means a proxy, which may support only TLS.
  assert.equal(pageAddress({ ...input, baseUrl: 'https://desk' }), 'https://desk');
});

test('listenedAddress uses the scheme of the host, except for a proxy’s address', () => {
  const listener = { port: '8790', isTls: true, ownHosts: input.ownHosts };
  for (const [given, byTls] of [
    ['http://192.168.1.5:8790', 'https://192.168.1.5:8790'],
    ['https://192.168.1.5:8790', 'https://192.168.1.5:8790'],
    ['http://host.docker.internal:8790', 'https://host.docker.internal:8790'],
    ['http://[fd00::5]:8790', 'https://[fd00::5]:8790'],
    ['http://127.0.0.1:8790', 'http://127.0.0.1:8790'],
    ['http://192.168.1.5:80', 'http://192.168.1.5:80'],
    ['http://proxy.example:8790', 'http://proxy.example:8790'],
  ] as const) {
    assert.equal(listenedAddress(given, listener), byTls);
  }
  const plain = { ...listener, isTls: false };
  assert.equal(listenedAddress('https://desk:8790', plain), 'http://desk:8790');
  assert.equal(listenedAddress('https://proxy.example', plain), 'https://proxy.example');
});

test('uses 127.0.0.1 for an editor on localhost, since ports share cookies', () => {
  const addressOf = (baseUrl: string, editorUrl: string) =>
    pageAddress({ ...input, baseUrl, editorUrl, needsSameName: false });
  const container = 'http://host.docker.internal:8790';
  assert.equal(addressOf(container, 'http://localhost:8080'), 'http://127.0.0.1:8790');
  assert.equal(addressOf('http://localhost:8790', 'http://localhost:8080'), loopbackUrl);
  assert.equal(addressOf(loopbackUrl, 'http://localhost:8080'), loopbackUrl);
  assert.equal(addressOf('http://[::1]:8790', 'http://localhost:8080'), 'http://[::1]:8790');
  const same = { ...input, baseUrl: loopbackUrl, editorUrl: 'http://localhost:9980' };
  assert.equal(pageAddress(same), 'http://localhost:8790');
});
