// A proxy in between: Debian's nginx on another machine, or on this one with TLS and a path of its own. What it says of the
// caller is believed where it was named as a proxy, and from nobody else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cliJson } from '../crash/serve-process.ts';
import { makeCertificate } from './certificate.ts';
import { allPassed, openOffice, port, verdicts } from './office.ts';
import { startProxy } from './proxy.ts';

test('Behind nginx on another machine: signatures hold for the address the editor used, and who called is known', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  const proxy = await startProxy(lab, {
    machine: 'proxy',
    listen: [`${lab.ipv4('proxy')}:8080`],
    upstream: `http://${lab.ipv4('desk')}:${port}`,
  });
  context.after(() => proxy.stop());
  await office.set('trustedProxies', lab.ipv4('proxy'));
  const editor = await office.connect('onlyoffice', { publicUrl: 'http://proxy.lan:8080' });
  await cliJson(office.dataDir, ['editors', 'change', editor.id, '--allow-addresses', lab.ipv4('docs')]);
  assert.deepEqual(verdicts(await office.test(editor)), allPassed);
  await office.editWholeWay('letter.docx', 'through a proxy');

  // No longer named as a proxy, it is a stranger whose word counts for nothing: the caller is the proxy itself.
  await office.set('trustedProxies', 'none');
  assert.equal(verdicts(await office.test(editor))['callback'], 'failed: address-not-allowed');
  await office.set('trustedProxies', lab.ipv4('proxy'));
  assert.deepEqual(verdicts(await office.test(editor)), allPassed);
});

test('Behind nginx nobody passes for this machine, whatever he writes into his request', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  const listen = [`${lab.ipv4('proxy')}:8080`];
  const upstream = `http://${lab.ipv4('desk')}:${port}`;
  const proxy = await startProxy(lab, { machine: 'proxy', listen, upstream });
  context.after(() => proxy.stop());
  await office.connect('onlyoffice', { publicUrl: 'http://proxy.lan:8080' });
  const lies = [
    {},
    { Host: 'localhost' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { Host: 'localhost', 'X-Forwarded-For': '127.0.0.1, 127.0.0.1' },
    { Host: '127.0.0.1', Forwarded: 'for=127.0.0.1;host=localhost' },
  ];
  for (const trusted of ['none', lab.ipv4('proxy')]) {
    await office.set('trustedProxies', trusted);
    for (const headers of lies) {
      for (const path of ['/api/2.0/files', '/closed']) {
        const answer = await office.machine('other').call('ask', `http://proxy.lan:8080${path}`, { headers });
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)} ${trusted}`);
      }
    }
  }
});

test('Behind nginx on this machine, by TLS and below a path: DocTray itself listens on loopback alone', async (context) => {
  const office = await openOffice(context, { trustedProxies: ['127.0.0.1'] });
  const { lab } = office;
  const certificate = makeCertificate(lab.folder, ['desk.lan']);
  const proxy = await startProxy(lab, {
    machine: 'desk',
    listen: [`${lab.ipv4('desk')}:8443 ssl`, `[${lab.ipv6('desk')}]:8443 ssl`],
    upstream: `http://127.0.0.1:${port}`,
    basePath: '/doctray',
    certificate: certificate.paths,
  });
  context.after(() => proxy.stop());
  const far = office.machine('other');
  await assert.rejects(far.call('ask', `http://${lab.ipv4('desk')}:${port}/closed`), /ECONNREFUSED/);
  const publicUrl = 'https://desk.lan:8443/doctray';
  const editor = await office.connect('office', { publicUrl, authority: certificate.pem });
  assert.deepEqual(verdicts(await office.test(editor)), allPassed);
  await office.editWholeWay('letter.docx', 'by TLS, below a path');

  // The pages stay with this machine, also for who comes through its own proxy.
  const authority = certificate.pem;
  assert.equal((await far.call('ask', `${publicUrl}/closed`, { authority })).status, 403);
  assert.equal((await far.call('ask', `${publicUrl}/api/2.0/files`, { authority })).status, 403);
  await office.set('networkPages', 'true');
  assert.equal((await far.call('ask', `${publicUrl}/closed`, { authority })).status, 200);
});
