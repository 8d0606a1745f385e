// A reverse proxy: nginx on another machine, or on this one with TLS and a path. Its forwarded headers are used only if it is a
// trusted proxy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCertificate } from '../unit/tls/made-certificates.ts';
import { allPassed, openOffice, port } from './office.ts';
import { startProxy } from './proxy.ts';

test('behind nginx on another machine, verifies signatures for the public URL, checks the forwarded client address, and no request header makes another machine look local', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  await startProxy(context, lab, {
    machine: 'proxy',
    listen: [`${lab.ipv4('proxy')}:8080`],
    upstream: `http://${lab.ipv4('desk')}:${port}`,
  });
  await office.set('trustedProxies', lab.ipv4('proxy'));
  const editor = await office.connect('onlyoffice', { publicUrl: 'http://proxy.lan:8080' });
  await office.json('editors', 'change', editor.id, '--allow-addresses', lab.ipv4('docs'));
  assert.deepEqual(await office.test(editor), allPassed);
  await office.editDocument('through a proxy');

  // If the proxy isn't trusted, its forwarded headers are ignored, and the client address is the proxy's.
  await office.set('trustedProxies', 'none');
  assert.equal((await office.test(editor))['callback'], 'failed: address-not-allowed');
  const spoofedHeaders = [
    {},
    { Host: 'localhost' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { Host: 'localhost', 'X-Forwarded-For': '127.0.0.1, 127.0.0.1' },
    { Host: '127.0.0.1', Forwarded: 'for=127.0.0.1;host=localhost' },
  ];
  for (const trusted of ['none', lab.ipv4('proxy')]) {
    await office.set('trustedProxies', trusted);
    for (const headers of spoofedHeaders) {
      for (const path of ['/api/2.0/files', '/closed']) {
        const answer = await office.machine('other').call('ask', `http://proxy.lan:8080${path}`, { headers });
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)} ${trusted}`);
      }
    }
  }
});

test('works behind nginx on this machine with TLS and a path, while DocTray is bound to loopback', async (context) => {
  const office = await openOffice(context, { trustedProxies: ['127.0.0.1'] });
  const { lab } = office;
  const certificate = await makeCertificate(lab.folder, 'desk', { names: 'DNS:desk.lan' });
  await startProxy(context, lab, {
    machine: 'desk',
    listen: [`${lab.ipv4('desk')}:8443 ssl`, `[${lab.ipv6('desk')}]:8443 ssl`],
    upstream: `http://127.0.0.1:${port}`,
    basePath: '/doctray',
    certificate: { cert: certificate.certificatePath, key: certificate.keyPath },
  });
  const otherMachine = office.machine('other');
  await assert.rejects(otherMachine.call('ask', `http://${lab.ipv4('desk')}:${port}/closed`), /ECONNREFUSED/);
  const publicUrl = 'https://desk.lan:8443/doctray';
  const editor = await office.connect('office', { publicUrl, authority: certificate.cert });
  assert.deepEqual(await office.test(editor), allPassed);
  await office.editDocument('by TLS, below a path');

  // Pages and API are for this machine only, even through its own proxy.
  const authority = certificate.cert;
  const statusOf = async (path: string): Promise<number> =>
    (await otherMachine.call('ask', `${publicUrl}${path}`, { authority })).status;
  assert.deepEqual([await statusOf('/closed'), await statusOf('/api/2.0/files')], [403, 403]);
  await office.set('networkPages', 'true');
  assert.equal(await statusOf('/closed'), 200);
});
