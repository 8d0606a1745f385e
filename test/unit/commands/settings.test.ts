// Settings and HTTPS from the terminal, on a running host.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseTypedSetting } from '../../../app/settings/setting-text.ts';
import { freePorts } from '../../free-ports.ts';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { terminalOf, type Run } from './terminal-commands.ts';

let host: TestHost;
let run: Run;

before(async () => {
  host = await startTestHost({ files: { 'letter.docx': 'x', 'sub/sheet.xlsx': 'x' } });
  run = terminalOf(host);
});
after(() => host.stop());

/** Sets a value as typed in the terminal, with the hosted folder as the current directory. */
async function set(key: string, text: string) {
  const { value, needsRestart } = await run('settings.set', {
    key,
    value: parseTypedSetting(key, text, host.folder),
  });
  return { value, needsRestart };
}

test('shows settings, sets them from typed text and rejects invalid ones', async () => {
  assert.deepEqual(await run('settings.get', { key: 'maxUploadMB' }), { key: 'maxUploadMB', value: 4000 });
  assert.deepEqual(await set('maxUploadMB', '10'), { value: 10, needsRestart: false });
  assert.equal((await run('settings.list')).maxUploadMB, 10);
  await assert.rejects(set('folder', 'letter.docx'), { code: 'folder-invalid' });
  await assert.rejects(set('folder', 'nowhere'), { code: 'folder-invalid' });
  await assert.rejects(set('folder', host.dataDir), { code: 'folder-invalid' });
  await assert.rejects(set('port', 'many'), { code: 'setting-invalid' });
  await assert.rejects(set('colour', 'red'), {
    code: 'setting-unknown',
    message: /There is no setting colour/,
  });
  await assert.rejects(run('settings.get', { key: '__proto__' }), { code: 'setting-unknown' });
});

test('settings.set reports what keeps the text editor from opening documents', async () => {
  const problem = async (key: string, value: unknown) => (await run('settings.set', { key, value })).problem;
  assert.equal(await problem('textEditor', true), undefined);
  assert.match(
    await problem('allowedAddresses', ['10.0.0.1']),
    /isn’t an allowed address\. Add it with `settings set allowedAddresses 10\.0\.0\.1,127\.0\.0\.1`\.$/,
  );
  assert.equal(await problem('allowedAddresses', []), undefined);
  await set('textEditor', 'false');
});

test('requires a certificate and a key before TLS can use files, and resolves typed paths', async () => {
  const missing = { code: 'setting-invalid', message: /Set tlsCertificate and tlsKey/ };
  await assert.rejects(set('tls', 'files'), missing);
  await assert.rejects(set('tlsCertificate', 'nowhere.pem'), { message: /tlsCertificate: There is no file/ });
  const path = join(host.folder, 'host.pem');
  await writeFile(path, 'x');
  assert.deepEqual(await set('tlsCertificate', 'host.pem'), { value: path, needsRestart: false });
  await assert.rejects(set('tls', 'files'), missing);
  await set('tlsKey', path);
  assert.deepEqual(await set('tls', 'files'), { value: 'files', needsRestart: false });
  await set('tls', 'off');
  await set('tlsKey', 'none');
  assert.equal((await run('settings.get', { key: 'tlsKey' })).value, null);
});

test('`settings set folder` serves the new folder immediately', async () => {
  const sub = join(host.folder, 'sub');
  assert.deepEqual(await set('folder', 'sub'), { value: sub, needsRestart: false });
  assert.equal(host.host.services.folder()?.root, sub);
  await set('folder', '.');
  assert.equal((await set('folder', 'none')).needsRestart, true);
  await set('folder', '.');
});

test('`settings set port` listens there immediately, and keeps the old port if that fails', async (t) => {
  const port = await freePorts(3);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(port + 1, '127.0.0.1', resolve));
  host.listenOn({ host: undefined, port: undefined });
  t.after(() => {
    taken.close();
    host.listenOn({ host: '127.0.0.1', port: 0 });
  });
  const { needsRestart, baseUrl } = await run('settings.set', { key: 'port', value: port });
  assert.deepEqual([needsRestart, baseUrl], [false, `http://127.0.0.1:${port}`]);
  await fetch(`${baseUrl}/`);
  await assert.rejects(set('port', String(port + 1)), { code: 'port-taken' });
  assert.equal((await run('settings.get', { key: 'port' })).value, port);
  assert.equal(host.host.baseUrl, baseUrl);

  const savedPort = (): unknown => JSON.parse(readFileSync(join(host.dataDir, 'settings.json'), 'utf8')).port;
  const savedAtOpening: unknown[] = [];
  const stopListening = host.host.services.events.on('host-changed', () => {
    if (host.host.baseUrl !== baseUrl) savedAtOpening.push(savedPort());
  });
  await set('port', String(port + 2));
  stopListening();
  // A host that is killed while it moves starts at the old port.
  assert.deepEqual([savedAtOpening[0], savedPort()], [port, port + 2]);
});

test('saves an address that doesn’t exist yet, and a port while the address is away', async (t) => {
  host.listenOn({ host: undefined, port: undefined });
  t.after(async () => {
    await set('host', '127.0.0.1');
    host.listenOn({ host: '127.0.0.1', port: 0 });
  });
  const { baseUrl } = host.host;
  const port = await freePorts();
  for (const [key, value] of [
    ['host', '203.0.113.7'],
    ['port', port],
  ]) {
    const { problem, ...saved } = await run('settings.set', { key, value });
    assert.deepEqual(saved, { key, value, needsRestart: false });
    assert.match(problem, /doesn’t have the address 203\.0\.113\.7 yet/);
    assert.equal(host.host.awaitedHost(), '203.0.113.7');
  }
  assert.deepEqual([host.host.baseUrl, host.host.state().needsListenerRestart], [baseUrl, true]);
});

test('applies network settings and TLS immediately, but not an address that `serve --host` overrides', async () => {
  for (const [key, text] of [
    ['networkApi', 'true'],
    ['networkPages', 'true'],
    ['trustedProxies', '10.0.0.1'],
    ['tls', 'local-authority'],
  ] as const) {
    assert.equal((await set(key, text)).needsRestart, false, key);
  }
  assert.equal((await set('host', '0.0.0.0')).needsRestart, true);
  await set('host', '127.0.0.1');
  await set('tls', 'off');
});

test('creates and shows the local authority, and returns its certificate without the private key', async (t) => {
  const other = await startTestHost();
  t.after(other.stop);
  const runOther = terminalOf(other);
  await assert.rejects(runOther('tls.authority'), { code: 'authority-missing' });
  const state = await runOther('tls.useLocalAuthority');
  assert.deepEqual([state.mode, state.problem], ['local-authority', null]);
  assert.ok(state.names.includes('localhost'));
  assert.deepEqual(await runOther('tls.show'), state);
  const { certificate, fingerprint } = await runOther('tls.authority');
  assert.equal(new X509Certificate(certificate).fingerprint256, fingerprint);
  assert.ok(!certificate.includes('PRIVATE'));
});

test('refuses a dashboard port that another program uses, and accepts the dashboard’s own', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  await assert.rejects(set('dashboardPort', String(port)), { code: 'port-taken' });
  assert.equal((await run('settings.get', { key: 'dashboardPort' })).value, null);
  const own = new URL(await host.host.createDashboardLink()).port;
  assert.equal((await set('dashboardPort', own)).value, Number(own));
  await run('settings.set', { key: 'dashboardPort', value: null });
});
