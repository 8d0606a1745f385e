// DocTray and the document server on different machines: by which addresses they reach each other, and what the connection test
// reports if they don't.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cliJson } from '../crash/serve-process.ts';
import { allPassed, openOffice, port, verdicts } from './office.ts';

test('is bound to loopback until an address for an editor is chosen', async (context) => {
  const office = await openOffice(context);
  const { lab } = office;
  const editor = await office.connect('onlyoffice');
  const otherMachine = office.machine('other');
  await assert.rejects(otherMachine.call('ask', `http://${lab.ipv4('desk')}:${port}/closed`), /ECONNREFUSED/);
  const before = await office.test(editor);
  assert.equal(before.isGood, false);
  const { discovery, callback } = verdicts(before);
  assert.equal(discovery, 'passed');
  assert.match(callback ?? '', /^failed: /);
  assert.ok(before.steps.every(({ state, remedy }) => state !== 'failed' || (remedy ?? '') !== ''));

  await office.useAddress(editor, `http://${lab.ipv4('desk')}:${port}`);
  assert.deepEqual(verdicts(await office.test(editor)), allPassed);
  await office.editDocument('letter.docx', 'over the network');
  const calls = await office.machine('docs').call('calls');
  assert.ok(calls.length > 4);
});

test('works over IPv6 only', async (context) => {
  const office = await openOffice(context);
  const { lab } = office;
  const editor = await office.connect('office', { host: lab.ipv6('docs') });
  assert.equal(new URL(editor.url).hostname, `[${lab.ipv6('docs')}]`);
  await office.useAddress(editor, `http://[${lab.ipv6('desk')}]:${port}`);
  assert.deepEqual(verdicts(await office.test(editor)), allPassed);
  await office.editDocument('letter.docx', 'by IPv6');
});

test('works with a host name, and rejects other host names', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const editor = await office.connect('onlyoffice', { publicUrl: `http://desk.lan:${port}` });
  assert.deepEqual(verdicts(await office.test(editor)), allPassed);
  await office.editDocument('letter.docx', 'by a name');
  const answer = await office
    .machine('docs')
    .call('ask', `http://${office.lab.ipv4('desk')}:${port}/closed`, { headers: { Host: 'evil.example' } });
  assert.equal(answer.status, 421);
});

test('the connection test reports that Collabora can’t resolve DocTray’s host name', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const nameless = await office.connect('collabora', { publicUrl: `http://nowhere.lan:${port}` });
  assert.equal(verdicts(await office.test(nameless))['callback'], 'failed: callback-name-not-resolved');
  await office.useAddress(nameless, `http://${office.lab.ipv4('desk')}:${port}`);
  await office.editDocument('letter.docx', 'by Collabora');
});

test('serves only /wopi to the network until networkApi and networkPages are on', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  const base = `http://${lab.ipv4('desk')}:${port}`;
  await office.connect('onlyoffice', { publicUrl: base });
  const otherMachine = office.machine('other');
  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await otherMachine.call('ask', `${base}${path}`, { headers })).status;

  assert.equal(await statusOf('/api/2.0/files'), 403);
  assert.equal(await statusOf('/closed'), 403);
  assert.equal(await statusOf('/host-page/host-page.css'), 403);
  assert.equal(await statusOf('/wopi/files/AAAAAAAAAAAAAAAAAAAAAA'), 401);
  // Spoofed headers change nothing.
  assert.equal(await statusOf('/closed', { Host: 'localhost', 'X-Forwarded-For': '127.0.0.1' }), 403);
  const { hostPage } = await office.open('letter.docx');
  const path = new URL(hostPage.url).pathname;
  assert.equal(await statusOf(path), 403);

  await office.set('networkPages', 'true');
  assert.equal(await statusOf(path), 401);
  assert.equal(await statusOf('/api/2.0/files'), 403);
  await office.set('networkApi', 'true');
  assert.equal(await statusOf('/api/2.0/files'), 401);
});

test('accepts an editor’s token only from the editor’s allowed addresses', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  const base = `http://${lab.ipv4('desk')}:${port}`;
  const editor = await office.connect('collabora', { publicUrl: base });
  await cliJson(office.dataDir, ['editors', 'change', editor.id, '--allow-addresses', lab.ipv4('docs')]);
  await cliJson(office.dataDir, ['editors', 'change', editor.id, '--proof', 'off']);
  const { opened } = await office.open('letter.docx');
  const wopiSrc = new URL(opened.action).searchParams.get('WOPISrc') ?? '';
  const address = `${wopiSrc}?access_token=${opened.accessToken}`;
  const from = async (name: 'docs' | 'other'): Promise<number> =>
    (await office.machine(name).call('ask', address, { headers: { 'X-Forwarded-For': lab.ipv4('docs') } }))
      .status;
  assert.equal(await from('docs'), 200);
  assert.equal(await from('other'), 403);
});

test('a save succeeds after a short network outage', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const { lab } = office;
  await office.connect('onlyoffice', { publicUrl: `http://${lab.ipv4('desk')}:${port}` });
  await office.open('letter.docx');
  const docs = office.machine('docs');
  // The page loses its connection, but the server's session continues.
  assert.equal(await docs.call('drive', 'type', { text: 'written without a network' }), 1);
  lab.setLink('desk', 'down');
  const saving = docs.call('drive', 'save');
  await new Promise((resolve) => setTimeout(resolve, 500));
  lab.setLink('desk', 'up');
  await saving;
  assert.deepEqual((await docs.call('calls')).at(-1), ['PutFile', 200]);
  assert.match(readFileSync(join(office.folder, 'letter.docx'), 'latin1'), /written without a network$/);
});
