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

test('an address of this machine serves the browser too', () => {
  for (const baseUrl of [
    'http://192.168.1.5:8790',
    'http://[fd00::5]:8790',
    'http://localhost:8790',
    'http://[::1]:8790',
  ]) {
    assert.equal(pageAddress({ ...input, baseUrl }), baseUrl);
  }
});

test('the name containers have for this machine is not for its browser, also when the pages are on the network', () => {
  for (const isOnNetwork of [false, true]) {
    const baseUrl = 'http://host.docker.internal:8790';
    assert.equal(pageAddress({ ...input, baseUrl, isOnNetwork }), loopbackUrl);
  }
});

test('a public address counts only when the pages are on the network', () => {
  const baseUrl = 'https://office.example/doctray';
  assert.equal(pageAddress({ ...input, baseUrl }), loopbackUrl);
  assert.equal(pageAddress({ ...input, baseUrl, isOnNetwork: true }), baseUrl);
});

test('the loopback page has the name under which a local editor is known, so that its frame may be shown there', () => {
  const baseUrl = 'http://host.docker.internal:8790';
  const at = (editorUrl: string | null) => pageAddress({ ...input, baseUrl, editorUrl });
  assert.equal(at('http://localhost:9980'), 'http://localhost:8790');
  assert.equal(at('http://127.0.0.1:9980'), loopbackUrl);
  assert.equal(at(null), loopbackUrl);
});

test('a page by TLS shows no plain editor, so the same listener is used without TLS from its own machine', () => {
  const baseUrl = 'https://desk:8790';
  assert.equal(pageAddress({ ...input, baseUrl }), 'http://desk:8790');
  assert.equal(pageAddress({ ...input, baseUrl, editorUrl: 'https://docs.example' }), baseUrl);
  // Something else answers there: a proxy, which may know nothing but TLS.
  assert.equal(pageAddress({ ...input, baseUrl: 'https://desk' }), 'https://desk');
});

test('an address given to an editor follows the scheme that the listener speaks, and a proxy keeps its own', () => {
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

test('uses the loopback IP address beside an editor on localhost, since ports share cookies', () => {
  const of = (baseUrl: string, editorUrl: string) =>
    pageAddress({ ...input, baseUrl, editorUrl, needsSameName: false });
  const container = 'http://host.docker.internal:8790';
  assert.equal(of(container, 'http://localhost:8080'), 'http://127.0.0.1:8790');
  assert.equal(of('http://localhost:8790', 'http://localhost:8080'), loopbackUrl);
  assert.equal(of(loopbackUrl, 'http://localhost:8080'), loopbackUrl);
  assert.equal(of('http://[::1]:8790', 'http://localhost:8080'), 'http://[::1]:8790');
  const same = { ...input, baseUrl: loopbackUrl, editorUrl: 'http://localhost:9980' };
  assert.equal(pageAddress(same), 'http://localhost:8790');
});
