import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenedAddress, pageAddress } from '../../../app/editors/page-address.ts';

const loopbackUrl = 'http://127.0.0.1:8790';
const localhost = 'http://localhost:8790';
const container = 'http://host.docker.internal:8790';
const input = {
  baseUrl: loopbackUrl,
  loopbackUrl,
  editorUrl: 'http://docs.example:9980',
  ownHosts: new Set(['192.168.1.5', 'fd00::5', 'desk']),
  needsSameName: true,
  isOnNetwork: false,
};
const onNetwork = { isOnNetwork: true };
const publicUrl = 'https://office.example/doctray';
/** Its page needn't have the same name, but its port would share the cookies of that name. */
const other = { editorUrl: 'http://localhost:8080', needsSameName: false };

type Change = Partial<Omit<typeof input, 'editorUrl'>> & { editorUrl?: string | null };
const pages: [what: string, baseUrl: string, change: Change, page: string][] = [
  ['an address of this computer', 'http://192.168.1.5:8790', {}, 'http://192.168.1.5:8790'],
  ['an IPv6 address of it', 'http://[fd00::5]:8790', {}, 'http://[fd00::5]:8790'],
  ['localhost', localhost, {}, localhost],
  ['::1', 'http://[::1]:8790', {}, 'http://[::1]:8790'],
  ['the host name for containers', container, {}, loopbackUrl],
  ['that name, with pages open to the network', container, onNetwork, loopbackUrl],
  ['a public URL', publicUrl, {}, loopbackUrl],
  ['a public URL, with pages open to the network', publicUrl, onNetwork, publicUrl],
  ['the same loopback name as its editor', container, { editorUrl: 'http://localhost:9980' }, localhost],
  ['the same name in any case', loopbackUrl, { editorUrl: 'http://localhost:9980' }, localhost],
  ['the same loopback address', container, { editorUrl: 'http://127.0.0.1:9980' }, loopbackUrl],
  ['without an editor', container, { editorUrl: null }, loopbackUrl],
  ['HTTP for an editor that HTTPS can’t frame', 'https://desk:8790', {}, 'http://desk:8790'],
  ['HTTPS', 'https://desk:8790', { editorUrl: 'https://docs.example' }, 'https://desk:8790'],
  ['a proxy, which may support only TLS', 'https://desk', {}, 'https://desk'],
  ['another name than localhost', container, other, loopbackUrl],
  ['instead of localhost', localhost, other, loopbackUrl],
  ['127.0.0.1 as it is', loopbackUrl, other, loopbackUrl],
  ['::1 as it is', 'http://[::1]:8790', other, 'http://[::1]:8790'],
];

test('a page has an address that its browser reaches, and whose name its editor may frame and shares no cookies with', () => {
  for (const [what, baseUrl, change, page] of pages)
    assert.equal(pageAddress({ ...input, baseUrl, ...change }), page, what);
});

test('listenedAddress uses the scheme of the host, except for a proxy’s address', () => {
  const listener = { port: '8790', isTls: true, ownHosts: input.ownHosts };
  for (const [given, byTls] of [
    ['http://192.168.1.5:8790', 'https://192.168.1.5:8790'],
    ['https://192.168.1.5:8790', 'https://192.168.1.5:8790'],
    [container, 'https://host.docker.internal:8790'],
    ['http://[fd00::5]:8790', 'https://[fd00::5]:8790'],
    [loopbackUrl, loopbackUrl],
    ['http://192.168.1.5:80', 'http://192.168.1.5:80'],
    ['http://proxy.example:8790', 'http://proxy.example:8790'],
  ] as const)
    assert.equal(listenedAddress(given, listener), byTls);
  const plain = { ...listener, isTls: false };
  assert.equal(listenedAddress('https://desk:8790', plain), 'http://desk:8790');
  assert.equal(listenedAddress('https://proxy.example', plain), 'https://proxy.example');
});
