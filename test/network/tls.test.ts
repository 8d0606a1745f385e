// DocTray speaks TLS on the network: by its own authority, which the document server has to trust first, or by files of the
// user's, which may be exchanged while it runs.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCertificate } from './certificate.ts';
import { allPassed, openOffice, port, verdicts } from './office.ts';

test('By its own authority: an editor that does not trust it is told so, one that does works, and plain HTTP is refused', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  await office.set('tls', 'local-authority');
  const publicUrl = `https://${lab.ipv4('desk')}:${port}`;
  const editor = await office.connect('collabora', { publicUrl });
  assert.equal(verdicts(await office.test(editor))['callback'], 'failed: callback-tls-not-trusted');

  const authority = readFileSync(join(office.dataDir, 'tls', 'authority.pem'), 'utf8');
  await office.trust(authority);
  assert.notEqual(verdicts(await office.test(editor))['callback'], 'failed: callback-tls-not-trusted');
  await office.editWholeWay('letter.docx', 'by TLS');

  const far = office.machine('other');
  const plain = await far.call('ask', `http://${lab.ipv4('desk')}:${port}/wopi/files/AAAAAAAAAAAAAAAAAAAAAA`);
  assert.equal(plain.status, 400);
  assert.doesNotMatch(plain.text, /at .*\.ts/);
  assert.equal((await far.call('ask', `${publicUrl}/closed`, { authority })).status, 403);
  // This machine's own browser goes on without it.
  assert.equal((await office.machine('desk').call('ask', `http://127.0.0.1:${port}/closed`)).status, 200);
});

test('By IPv6 and a name: the certificate of the local authority is good for both', async (context) => {
  const office = await openOffice(context, { host: '::', allowedHosts: ['desk6.lan'] });
  const { lab } = office;
  await office.set('tls', 'local-authority');
  const byName = `https://desk6.lan:${port}`;
  await office.connect('onlyoffice', { host: lab.ipv6('docs'), publicUrl: byName });
  const authority = readFileSync(join(office.dataDir, 'tls', 'authority.pem'), 'utf8');
  const far = office.machine('other');
  for (const base of [
    byName,
    `https://[${lab.ipv6('desk')}]:${port}`,
    `https://${lab.ipv4('desk')}:${port}`,
  ]) {
    assert.equal((await far.call('ask', `${base}/closed`, { authority })).status, 403, base);
  }
  await office.trust(authority);
  await office.editWholeWay('letter.docx', 'by TLS and IPv6');
});

test('By files of the user’s: a new certificate counts without a start, and a broken one never takes the place of a good one', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  const first = makeCertificate(lab.folder, [`IP:${lab.ipv4('desk')}`, 'desk.lan']);
  const cert = join(office.dataDir, 'certificate.pem');
  const key = join(office.dataDir, 'key.pem');
  copyFileSync(first.paths.cert, cert);
  copyFileSync(first.paths.key, key);
  await office.set('tlsCertificate', cert);
  await office.set('tlsKey', key);
  await office.set('tls', 'files');
  const publicUrl = `https://desk.lan:${port}`;
  const editor = await office.connect('office', { publicUrl, authority: first.pem });
  assert.deepEqual(verdicts(await office.test(editor)), allPassed);
  await office.editWholeWay('letter.docx', 'by a certificate');

  const second = makeCertificate(lab.folder, ['desk.lan'], 3);
  const third = makeCertificate(lab.folder, ['desk.lan'], 4);
  // Its key does not belong to it.
  copyFileSync(second.paths.cert, cert);
  await office.set('tlsCertificate', 'none');
  await office.set('tlsCertificate', cert);
  const far = office.machine('other');
  assert.equal((await far.call('ask', `${publicUrl}/closed`, { authority: first.pem })).status, 403);
  copyFileSync(third.paths.cert, cert);
  copyFileSync(third.paths.key, key);
  await office.set('tlsKey', 'none');
  await office.set('tlsKey', key);
  assert.equal((await far.call('ask', `${publicUrl}/closed`, { authority: third.pem })).status, 403);
  await assert.rejects(
    far.call('ask', `${publicUrl}/closed`, { authority: first.pem }),
    /self-signed|certificate/,
  );
});
