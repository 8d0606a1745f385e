import assert from 'node:assert/strict';
import { chmod, readdir, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { RunningHost } from '../../../app/control/control-services.ts';
import { diagnose } from '../../../app/control/doctor.ts';
import type { Finding } from '../../../app/control/finding.ts';
import { makeFakeHost, type FakeHost } from './fake-services.ts';

let fake: FakeHost;
before(async () => {
  fake = await makeFakeHost();
});
after(() => fake.remove());

async function find(check: Finding['check'], host?: RunningHost): Promise<Finding> {
  const findings = await diagnose({ services: fake.services, ...(host === undefined ? {} : { host }) });
  return findings.find((finding) => finding.check === check)!;
}

async function answering(listener: RequestListener): Promise<{ host: RunningHost; close: () => void }> {
  const server = createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host: { ...fake.host, baseUrl, publicUrl: () => baseUrl }, close: () => server.close() };
}

test('a folder is tried by writing, and nothing is left in it', async () => {
  const finding = await find('folder');
  assert.equal(finding.verdict, 'ok');
  assert.deepEqual((await readdir(fake.folder)).toSorted(), ['letter.docx', 'sub']);
});

test('a folder that is not there or takes no file is told', async () => {
  const other = await makeFakeHost();
  const folder = other.services.folder();
  assert.ok(folder);
  if (process.getuid?.() === 0) await rm(folder.root, { recursive: true });
  else await chmod(folder.root, 0o500);
  const [finding] = await diagnose({ services: other.services });
  assert.equal(finding!.verdict, 'failed');
  assert.match(finding!.text, /can’t be written to \((ENOENT|EACCES)\)/);
  await other.remove();
});

test('a free port, a taken port and an address of another machine are told apart', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await fake.services.settings.update({ port });
  assert.match((await find('port')).text, /is already in use/);
  await new Promise((resolve) => server.close(resolve));
  assert.equal((await find('port')).verdict, 'ok');
  await fake.services.settings.update({ host: '192.0.2.1' });
  assert.match((await find('port')).text, /can’t be opened \(EADDRNOTAVAIL\)/);
  await fake.services.settings.update({ host: '127.0.0.1', port: 0 });
  assert.match((await find('port')).text, /any free port/);
});

test('the address counts when DocTray itself answers there', async () => {
  const ours = await answering((_request, response) => {
    response.writeHead(401).end('{"count":0,"status":1,"statusCode":401,"error":{}}');
  });
  assert.equal((await find('address', ours.host)).verdict, 'ok');
  assert.match((await find('port', ours.host)).text, /DocTray listens at http/);
  ours.close();
  assert.match(
    (await find('address', ours.host)).text,
    /can’t be reached from this computer \(ECONNREFUSED\)/,
  );

  const stranger = await answering((_request, response) => response.end('hello'));
  assert.match((await find('address', stranger.host)).text, /responds with status 200/);
  stranger.close();
  const strict = await answering((_request, response) => response.writeHead(421).end());
  assert.match((await find('address', strict.host)).text, /allowedHosts/);
  strict.close();
  assert.equal((await find('address')).verdict, 'note');
});

test('a clock that lies behind what has happened is told', async () => {
  assert.equal((await find('clock')).verdict, 'ok');
  const nowMs = fake.services.clock();
  fake.services.store.db
    .prepare(`INSERT INTO users VALUES ('u', 'u', 'u', 'editor', 'hash', NULL, ?)`)
    .run(nowMs + 30_000);
  assert.equal((await find('clock')).verdict, 'ok');
  fake.setNow(nowMs - 3_600_000);
  assert.match((await find('clock')).text, /but DocTray was used at 2026/);
  fake.setNow(0);
  assert.match((await find('clock')).text, /1970.* can’t be right/);
  fake.setNow(nowMs);
});

test('the database and the place of the secrets are named', async () => {
  assert.equal((await find('database')).verdict, 'ok');
  assert.match((await find('secrets')).text, /kept in a file/);
  const services = { ...fake.services, store: { ...fake.services.store, check: () => 'page 3 is odd' } };
  const findings = await diagnose({ services });
  assert.match(findings.find(({ check }) => check === 'database')!.text, /damaged: page 3 is odd/);
});

test('An address where the API is closed to the network, and one by HTTPS, are told for what they are', async () => {
  const closed = await answering((_request, response) => {
    response.writeHead(403).end('{"count":0,"status":1,"statusCode":403,"error":{"type":"network-closed"}}');
  });
  assert.equal((await find('address', closed.host)).verdict, 'ok');
  closed.close();

  await fake.services.tls.useLocalAuthority();
  const served = fake.tls.context();
  assert.ok(served);
  const server = createHttpsServer(served, (_request, response) => {
    response.writeHead(401).end('{"statusCode":401}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  const host = { ...fake.host, publicUrl: () => baseUrl };
  assert.equal((await find('address', host)).verdict, 'ok');
  // By another authority than this machine's.
  await fake.services.settings.update({ tls: 'off' });
  assert.match((await find('address', host)).text, /doesn’t trust the certificate at .* \(\w+\)/);
  server.close();
});

test('What other machines reach is told: nothing, editors alone, more, and whether by HTTPS', async () => {
  const { settings } = fake.services;
  assert.match((await find('network')).text, /Only this computer/);
  assert.match((await find('tls')).text, /HTTPS is off/);
  await settings.update({ host: '0.0.0.0' });
  const plain = await find('network');
  assert.equal(plain.verdict, 'note');
  assert.match(plain.text, /nothing else\. .*`tls authority`/);
  await settings.update({ networkApi: true, networkPages: true, trustedProxies: ['10.0.0.1'] });
  assert.match((await find('network')).text, /the JSON API and the pages.*Trusted proxies: 10\.0\.0\.1/);
  await settings.update({ tls: 'local-authority' });
  assert.equal((await find('network')).verdict, 'ok');
  assert.match((await find('tls')).text, /expires on 20/);
  // The address that is listened on counts, not the setting.
  const [address] = fake.host.addresses();
  assert.ok(address);
  await settings.update({ host: '127.0.0.1', trustedProxies: [] });
  const listening = { ...fake.host, addresses: () => [{ ...address, isListening: true }] };
  assert.match((await find('network', listening)).text, /Other computers can reach/);
  assert.match((await find('network')).text, /Only this computer/);
});

test('A certificate that cannot be used is a failure, one that is still served a note', async () => {
  const { settings } = fake.services;
  await settings.update({ tls: 'files' });
  assert.deepEqual(
    [(await find('tls')).verdict, (await find('tls')).text],
    ['note', 'DocTray keeps using the previous certificate. Choose a certificate file (tlsCertificate).'],
  );
  await settings.update({ tls: 'off' });
  await find('tls');
  await settings.update({ tls: 'files' });
  assert.equal((await find('tls')).verdict, 'failed');
  await settings.update({ tls: 'off' });
});
