import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import type { LookupAll } from '../../../app/editors/connection-rules.ts';
import { createDiscoveryFetch } from '../../../app/editors/discovery-fetch.ts';
import { faultOf } from '../../../app/editors/editor-fault.ts';
import { dataFolder } from '../store/store-fixture.ts';
import { makeCertificate } from '../tls/made-certificates.ts';
import { discoveryXml, serve } from './editors-fixture.ts';

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../fixtures/discovery/${name}.xml`), 'utf8');
const xml = discoveryXml('http://127.0.0.1', ['odt edit']);
const fetchDiscovery = createDiscoveryFetch();

const failsWith =
  (fault: string, code = 'editor-unreachable') =>
  (error: unknown) => {
    assert.ok(error instanceof AppError);
    assert.equal(faultOf(error)?.code, fault);
    assert.equal(error.code, code);
    assert.ok(error.message.includes(faultOf(error)?.remedy ?? '?'));
    return true;
  };
const resolvesTo =
  (...addresses: string[]): LookupAll =>
  (_name, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    done(null, found);
  };

const named = JSON.stringify({ productName: 'House Office\u202e', productVersion: '25.04.1' });
const onlyoffice = ['onlyoffice', 'ONLYOFFICE Docs', null];
const officeOnline = ['office-online', 'Office Online Server', null];
const products: [what: string, discovery: string, capabilities: string | undefined, expected: unknown[]][] = [
  ['its capabilities', fixture('collabora'), named, ['collabora', 'House Office', '25.04.1']],
  ['its discovery, without capabilities', fixture('onlyoffice'), undefined, onlyoffice],
  ['its discovery, with capabilities that aren’t JSON', fixture('onlyoffice'), '{', onlyoffice],
  ['its discovery, with other capabilities', fixture('onlyoffice'), '{"productName":5}', onlyoffice],
  ['its discovery alone', fixture('office-online'), 'unread', officeOnline],
  ['no discovery', xml.replaceAll('cool.html', 'editor'), 'unread', ['other', null, null]],
];
for (const [what, discovery, capabilities, expected] of products) {
  test(`takes the product from ${what}`, async (t) => {
    const paths: (string | undefined)[] = [];
    const { url } = await serve(t, (request, response) => {
      paths.push(request.url);
      if (request.url === '/ds/hosting/discovery') response.end(discovery);
      else if (capabilities === undefined) response.destroy();
      else response.end(capabilities);
    });
    const { kind, product, version } = await fetchDiscovery(`${url}/ds`);
    assert.deepEqual([kind, product, version], expected);
    const read = capabilities === 'unread' ? [] : ['/ds/hosting/capabilities'];
    assert.deepEqual(paths, ['/ds/hosting/discovery', ...read]);
  });
}

test('distinguishes an unknown name, a closed port and an error status', async (t) => {
  const lookup: LookupAll = (_name, done) =>
    done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
  const unknown = createDiscoveryFetch({ lookup });
  await assert.rejects(unknown('http://nowhere.test'), failsWith('name-not-resolved'));
  const { url, close } = await serve(t, (_request, response) => void response.writeHead(404).end('no'));
  await assert.rejects(fetchDiscovery(url), failsWith('status'));
  await close();
  await assert.rejects(fetchDiscovery(url), failsWith('refused'));
});

test('times out if a response doesn’t start or doesn’t end', async (t) => {
  const { url } = await serve(t, (request, response) => {
    if (request.url?.startsWith('/slow') === true) response.write('<');
  });
  const impatient = createDiscoveryFetch({ limitMs: 100 });
  await assert.rejects(impatient(url), failsWith('timed-out'));
  await assert.rejects(impatient(`${url}/slow`), failsWith('timed-out'));
});

test('stops reading a response over 1 MB', async (t) => {
  let written = 0;
  const { url } = await serve(t, (_request, response) => {
    const more = (): void => {
      if (response.destroyed || written > 64 * 1024 * 1024) return;
      written += 65_536;
      response.write(Buffer.alloc(65_536, ' '), more);
    };
    more();
  });
  await assert.rejects(fetchDiscovery(url), failsWith('too-large'));
  assert.ok(written < 32 * 1024 * 1024);
});

test('reports a server that responds with something else, and a port that speaks another protocol', async (t) => {
  const { url } = await serve(t, (_request, response) => void response.end('<html></html>'));
  await assert.rejects(fetchDiscovery(url), failsWith('no-discovery', 'discovery-invalid'));
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined).end('SSH-2.0-OpenSSH\r\n');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await assert.rejects(fetchDiscovery(`http://127.0.0.1:${port}`), failsWith('broken'));
  await assert.rejects(fetchDiscovery(`https://127.0.0.1:${port}`), failsWith('tls-failed'));
});

test('follows redirects only on the same host', async (t) => {
  const { url, port } = await serve(t, (request, response) => {
    const places: Record<string, string> = {
      '/hosting/discovery': '/other/place',
      '/away/hosting/discovery': `http://elsewhere.test:${port}/x`,
      '/file/hosting/discovery': 'file:///etc/passwd',
      '/cloud/hosting/discovery': 'http://169.254.169.254/',
      '/round/hosting/discovery': '/round/hosting/discovery',
    };
    const { [request.url ?? '']: location } = places;
    if (location === undefined) response.end(xml);
    else response.writeHead(302, { location }).end();
  });
  assert.equal((await fetchDiscovery(url)).discovery.actions.length, 1);
  for (const path of ['away', 'file', 'cloud', 'round'])
    await assert.rejects(fetchDiscovery(`${url}/${path}`), failsWith('redirected'), path);
});

test('never connects to link-local and metadata addresses, in any notation', async () => {
  const ipv4 = ['169.254.169.254', '2852039166', '0xa9fea9fe', '100.100.100.200', '0.0.0.0', '224.0.0.1'];
  const ipv6 = ['::ffff:169.254.169.254', 'fe80::1', 'fd00:ec2::254', '64:ff9b::a9fe:a9fe', '::'];
  for (const host of [...ipv4, ...ipv6.map((address) => `[${address}]`)])
    await assert.rejects(fetchDiscovery(`http://${host}`), failsWith('not-allowed-address'), host);
});

test('connects only to the allowed addresses that a name resolves to', async (t) => {
  const { port } = await serve(t, (_request, response) => void response.end(xml));
  const bad = createDiscoveryFetch({ lookup: resolvesTo('169.254.169.254', 'fe80::1') });
  await assert.rejects(bad(`http://docs.test:${port}`), failsWith('not-allowed-address'));
  const mixed = createDiscoveryFetch({ lookup: resolvesTo('169.254.169.254', '127.0.0.1') });
  assert.equal((await mixed(`http://docs.test:${port}`)).kind, 'collabora');
});

test('distinguishes an untrusted certificate from a port without TLS', async (t) => {
  const { cert, key } = await makeCertificate(await dataFolder(t), 'docs.test');
  const server = createTlsServer({ cert, key }, (_request, response) => void response.end(xml));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await assert.rejects(fetchDiscovery(`https://127.0.0.1:${port}`), failsWith('tls-not-trusted'));
  const plain = await serve(t, (_request, response) => void response.end(xml));
  await assert.rejects(fetchDiscovery(`https://127.0.0.1:${plain.port}`), failsWith('tls-failed'));
});
