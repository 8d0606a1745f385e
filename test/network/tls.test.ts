// TLS on the network: with the local authority, which the document server must trust first, or with certificate files, which can be
// replaced while DocTray runs.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TlsState } from '../../app/contract/state.ts';
import { eventually } from '../durability/eventually.ts';
import { makeCertificate } from '../unit/tls/made-certificates.ts';
import { allPassed, openOffice, port } from './office.ts';

test('with the local authority, reports an editor that doesn’t trust it, works once it does by every address and name, and rejects plain HTTP', async (context) => {
  const office = await openOffice(context, { host: '::', allowedHosts: ['desk6.lan'] });
  const { lab } = office;
  await office.set('tls', 'local-authority');
  // The host makes it after the setting is stored.
  await eventually('there is a certificate', async () => {
    assert.ok(((await office.json('tls', 'show')) as TlsState).names.length > 0);
  });
  const publicUrl = `https://${lab.ipv4('desk')}:${port}`;
  const editor = await office.connect('collabora', { host: lab.ipv6('docs'), publicUrl });
  assert.equal((await office.test(editor))['callback'], 'failed: callback-tls-not-trusted');

  const authority = readFileSync(join(office.dataDir, 'tls', 'authority.pem'), 'utf8');
  await office.trust(authority);
  await office.editDocument('by TLS');

  const otherMachine = office.machine('other');
  const byHttp = `http://${lab.ipv4('desk')}:${port}/wopi/files/AAAAAAAAAAAAAAAAAAAAAA`;
  const plain = await otherMachine.call('ask', byHttp);
  assert.equal(plain.status, 400);
  assert.doesNotMatch(plain.text, /at .*\.ts/);
  const byName = `https://desk6.lan:${port}`;
  for (const base of [byName, `https://[${lab.ipv6('desk')}]:${port}`, publicUrl])
    assert.equal((await otherMachine.call('ask', `${base}/closed`, { authority })).status, 403, base);
  await office.json('editors', 'change', editor.id, '--public-url', byName);
  await office.editDocument('by TLS and IPv6');
  // The browser on this machine can use HTTP.
  assert.equal((await office.machine('desk').call('ask', `http://127.0.0.1:${port}/closed`)).status, 200);
});

test('with certificate files, uses a new certificate without a restart, and keeps the old one if the new one is invalid', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  const names = `DNS:desk.lan,IP:${lab.ipv4('desk')}`;
  const make = (name: string) => makeCertificate(lab.folder, name, { names });
  const first = await make('first');
  const cert = join(office.dataDir, 'certificate.pem');
  const key = join(office.dataDir, 'key.pem');
  copyFileSync(first.certificatePath, cert);
  copyFileSync(first.keyPath, key);
  await office.set('tlsCertificate', cert);
  await office.set('tlsKey', key);
  await office.set('tls', 'files');
  const publicUrl = `https://desk.lan:${port}`;
  const editor = await office.connect('office', { publicUrl, authority: first.cert });
  assert.deepEqual(await office.test(editor), allPassed);
  await office.editDocument('by a certificate');

  const second = await make('second');
  const third = await make('third');
  // The key belongs to the first certificate.
  copyFileSync(second.certificatePath, cert);
  await office.set('tlsCertificate', 'none');
  await office.set('tlsCertificate', cert);
  await eventually('the certificate is found not to match', async () => {
    const { problem } = (await office.json('tls', 'show')) as TlsState;
    assert.match(problem?.message ?? '', /keeps using the previous certificate/);
  });
  const ask = (authority: string) =>
    office.machine('other').call('ask', `${publicUrl}/closed`, { authority });
  assert.equal((await ask(first.cert)).status, 403);
  copyFileSync(third.certificatePath, cert);
  copyFileSync(third.keyPath, key);
  await office.set('tlsKey', 'none');
  await office.set('tlsKey', key);
  await eventually('the new certificate is used', async () => {
    assert.equal((await ask(third.cert)).status, 403);
  });
  await assert.rejects(ask(first.cert), /self-signed|certificate/);
});
