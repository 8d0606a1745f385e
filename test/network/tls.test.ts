// TLS on the network: with the local authority, which the document server must trust first, or with certificate files.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

test('works with certificate files that the editor trusts', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  const names = `DNS:desk.lan,IP:${lab.ipv4('desk')}`;
  const own = await makeCertificate(lab.folder, 'own', { names });
  await office.set('tlsCertificate', own.certificatePath);
  await office.set('tlsKey', own.keyPath);
  await office.set('tls', 'files');
  const publicUrl = `https://desk.lan:${port}`;
  const editor = await office.connect('office', { publicUrl, authority: own.cert });
  assert.deepEqual(await office.test(editor), allPassed);
  await office.editDocument('by a certificate');
});
