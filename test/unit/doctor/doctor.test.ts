import assert from 'node:assert/strict';
import { chmod, readdir, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { diagnose } from '../../../app/doctor/doctor.ts';
import type { Finding } from '../../../app/doctor/finding.ts';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { terminalOf } from '../commands/terminal-commands.ts';

let place: TestHost;
before(async () => {
  place = await startTestHost({ files: { 'letter.docx': 'x', 'sub/sheet.xlsx': 'x' } });
});
after(() => place.stop());

const one = (findings: Finding[], check: Finding['check']): Finding =>
  findings.find((finding) => finding.check === check)!;

/** The finding with a running host. */
async function find(check: Finding['check']): Promise<Finding> {
  return one(await terminalOf(place)('doctor'), check);
}

/** The finding as if no host were running. */
async function findWithoutHost(check: Finding['check'], about: Partial<Parameters<typeof diagnose>[0]> = {}) {
  const { services } = place.host;
  return one(await diagnose({ services, host: undefined, by: 'terminal', ...about }), check);
}

/** Makes the server the address that editors get, until the test ends. */
async function serveAtPublicUrl(t: TestContext, server: Server, origin: string): Promise<void> {
  const { settings } = place.host.services;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await settings.update({ publicUrl: `${origin}:${(server.address() as AddressInfo).port}` });
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await settings.update({ publicUrl: null });
  });
}

test('reports a missing folder and one that can’t be written to, and leaves nothing in one that can', async (t) => {
  const other = await startTestHost({}, t);
  const folder = async (): Promise<Finding> => one(await terminalOf(other)('doctor'), 'folder');
  assert.equal((await folder()).verdict, 'ok');
  assert.deepEqual(await readdir(other.folder), []);
  if (process.platform !== 'win32' && process.getuid?.() !== 0) {
    await chmod(other.folder, 0o500);
    assert.match((await folder()).text, /can’t be written to\. DocTray has no permission/);
  }
  await rm(other.folder, { recursive: true });
  const missing = await folder();
  assert.equal(missing.verdict, 'failed');
  assert.match(missing.text, /The hosted folder is missing/);
});

test('reports a disk with too little free space for new documents', async (t) => {
  const { settings } = place.host.services;
  t.after(() => settings.update({ minFreeMB: 0 }));
  await settings.update({ minFreeMB: 0 });
  assert.equal((await find('space')).verdict, 'ok');
  await settings.update({ minFreeMB: 16_000_000 });
  const { verdict, text } = await find('space');
  assert.equal(verdict, 'failed');
  assert.match(text, /^The disk is almost full.*Free some space/);
});

test('distinguishes a free port, a port in use and an address of another host', async () => {
  const { settings } = place.host.services;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await settings.update({ port });
  assert.match((await findWithoutHost('port')).text, /is already in use/);
  await new Promise((resolve) => server.close(resolve));
  assert.equal((await findWithoutHost('port')).verdict, 'ok');
  await settings.update({ host: '192.0.2.1' });
  assert.match((await findWithoutHost('port')).text, /can’t be opened \(EADDRNOTAVAIL\)/);
  await settings.update({ host: '127.0.0.1', port: 0 });
  assert.match((await findWithoutHost('port')).text, /any free port/);
  assert.equal((await find('port')).text, `DocTray listens at ${place.baseUrl}.`);
});

test('checks that this DocTray responds at the address', async (t) => {
  assert.equal((await find('address')).text, `${place.baseUrl} reaches this DocTray.`);
  assert.deepEqual(
    place.host.services.journal.newest(Infinity).filter(({ status }) => status >= 400),
    [],
    'its own request isn’t an error of a client',
  );

  const origin = 'http://127.0.0.1';
  const answers = (status: number) => createHttpServer((_, response) => response.writeHead(status).end());
  // Such as another DocTray.
  const stranger = answers(401);
  await serveAtPublicUrl(t, stranger, origin);
  assert.match((await find('address')).text, /responds with status 401/);
  stranger.close();
  assert.match((await find('address')).text, /can’t be reached from this computer \(ECONNREFUSED\)/);
  await serveAtPublicUrl(t, answers(421), origin);
  assert.match((await find('address')).text, /allowedHosts/);
});

test('accepts the certificate of an HTTPS address from the local authority, but not once TLS is off', async (t) => {
  const { settings, tls } = place.host.services;
  await terminalOf(place)('tls.useLocalAuthority');
  const server = createHttpsServer(tls.context()!, (request, response) => {
    void fetch(place.baseUrl + request.url).then(({ status }) => response.writeHead(status).end());
  });
  await serveAtPublicUrl(t, server, 'https://localhost');
  assert.equal((await find('address')).verdict, 'ok');
  await settings.update({ tls: 'off' });
  assert.match((await find('address')).text, /doesn’t trust the certificate at .* \(\w+\)/);
});

test('reports a clock that is behind the last recorded use or can’t be right', async () => {
  const { clock, store } = place.host.services;
  assert.equal((await find('clock')).verdict, 'ok');
  const savedAt = (atMs: number): void => {
    store.db.prepare(`UPDATE users SET created_at_ms = ?`).run(atMs);
  };
  savedAt(clock() + 30_000);
  assert.equal((await find('clock')).verdict, 'ok');
  savedAt(clock() + 3_600_000);
  assert.match((await find('clock')).text, /but DocTray was last used at 20/);
  assert.doesNotMatch((await findWithoutHost('clock', { by: 'window' })).text, /T\d\d:/);
  const services = { ...place.host.services, clock: () => 0 };
  assert.match((await findWithoutHost('clock', { services })).text, /1970.* can’t be right/);
});

test('names the settings of the file that don’t exist, and is silent otherwise', async (t) => {
  assert.equal(await find('settings'), undefined);
  const own = await startTestHost({ settings: { colour: 'red', maxUploadMb: 7 } as object }, t);
  assert.deepEqual(await findWithoutHost('settings', own.host), {
    check: 'settings',
    verdict: 'note',
    text: 'settings.json contains unknown settings: colour, maxUploadMb. Correct or remove them, then restart DocTray.',
  });
});

test('reports the state of the database and where secrets are kept', async (t) => {
  assert.equal((await find('database')).verdict, 'ok');
  assert.match((await find('secrets')).text, /^Secrets are kept in .*secrets\.json/);
  t.mock.method(place.host.services.store, 'check', () => 'page 3 is odd');
  assert.match((await find('database')).text, /damaged: page 3 is odd/);
});

test('reports what other computers can reach, and whether over HTTPS', async () => {
  const { host } = place;
  const { settings } = host.services;
  assert.match((await find('network')).text, /Only this computer/);
  const { verdict, text } = await find('tls');
  assert.deepEqual({ verdict, text }, { verdict: 'note', text: 'HTTPS is off.' });
  await settings.update({ host: '0.0.0.0' });
  const plain = await findWithoutHost('network');
  assert.equal(plain.verdict, 'note');
  assert.match(plain.text, /nothing else\. .*`tls authority`/);
  await settings.update({ networkApi: true, networkPages: true, trustedProxies: ['10.0.0.1'] });
  const open = /the JSON API and the pages.*Trusted proxies: 10\.0\.0\.1/;
  assert.match((await findWithoutHost('network')).text, open);
  await settings.update({ tls: 'local-authority', trustedProxies: [] });
  assert.equal((await findWithoutHost('network')).verdict, 'ok');
  assert.match((await find('tls')).text, /expires on \d{1,2} \w+ 20/);
  // The bind address in use counts, not the setting.
  assert.match((await find('network')).text, /Only this computer/);
  await settings.update({ host: '127.0.0.1' });
  const [address] = host.addresses();
  const listening = {
    ...host,
    addresses: () => [{ ...address!, kind: 'interface' as const, isListening: true }],
  };
  const { text: reached } = await findWithoutHost('network', { host: listening });
  assert.match(reached, /Other computers can reach/);
  await settings.update({ tls: 'off', networkApi: false, networkPages: false });
});

test('an unusable certificate is a failure, or a note while the previous one is still served', async () => {
  const { settings } = place.host.services;
  await settings.update({ tls: 'local-authority' });
  assert.equal((await find('tls')).verdict, 'ok');
  await settings.update({ tls: 'files' });
  assert.deepEqual(await find('tls'), {
    check: 'tls',
    verdict: 'note',
    text: 'DocTray keeps using the previous certificate. Choose a certificate file (tlsCertificate).',
  });
  await settings.update({ tls: 'off' });
  await find('tls');
  await settings.update({ tls: 'files' });
  assert.equal((await find('tls')).verdict, 'failed');
  await settings.update({ tls: 'off' });
});
