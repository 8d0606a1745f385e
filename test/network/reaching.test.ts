// DocTray and the document server on different machines: by which addresses they reach each other, and what the connection test
// reports if they don't.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cliJson } from '../crash/serve-process.ts';
import { allPassed, openOffice, port, verdicts } from './office.ts';

test('ONLYOFFICE on another computer reaches DocTray at the chosen address or name, and the network reaches nothing else', async (context) => {
  const office = await openOffice(context);
  const { lab, dataDir } = office;
  const base = `http://${lab.ipv4('desk')}:${port}`;
  const editor = await office.connect('onlyoffice');
  const otherMachine = office.machine('other');
  const docs = office.machine('docs');

  await context.test('is bound to loopback until an address for an editor is chosen', async () => {
    await assert.rejects(otherMachine.call('ask', `${base}/closed`), /ECONNREFUSED/);
    const before = await office.test(editor);
    assert.equal(before.isGood, false);
    const { discovery, callback } = verdicts(before);
    assert.equal(discovery, 'passed');
    assert.match(callback ?? '', /^failed: /);
    assert.ok(before.steps.every(({ state, remedy }) => state !== 'failed' || (remedy ?? '') !== ''));

    await office.useAddress(editor, base);
    assert.deepEqual(verdicts(await office.test(editor)), allPassed);
    await office.editDocument('letter.docx', 'over the network');
    assert.ok((await docs.call('calls')).length > 4);
  });

  await context.test(
    'serves only /wopi to the network until networkApi and networkPages are on',
    async () => {
      const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
        (await otherMachine.call('ask', `${base}${path}`, { headers })).status;
      assert.equal(await statusOf('/api/2.0/files'), 403);
      assert.equal(await statusOf('/closed'), 403);
      assert.equal(await statusOf('/host-page/host-page.css'), 403);
      assert.equal(await statusOf('/wopi/files/AAAAAAAAAAAAAAAAAAAAAA'), 401);
      // Spoofed headers change nothing.
      assert.equal(await statusOf('/closed', { Host: 'localhost', 'X-Forwarded-For': '127.0.0.1' }), 403);
      const { hostPage, visit } = await office.open('letter.docx');
      const path = new URL(hostPage.url).pathname;
      assert.equal(await statusOf(path), 403);

      await office.set('networkPages', 'true');
      assert.equal(await statusOf(path), 401);
      assert.equal(await statusOf('/api/2.0/files'), 403);
      await office.set('networkApi', 'true');
      assert.equal(await statusOf('/api/2.0/files'), 401);
      await office.machine('desk').call('goAway', visit);
    },
  );

  await context.test('works with a host name, and rejects other host names', async () => {
    await cliJson(dataDir, ['editors', 'change', editor.id, '--public-url', `http://desk.lan:${port}`]);
    assert.deepEqual(verdicts(await office.test(editor)), allPassed);
    await office.editDocument('letter.docx', 'by a name');
    const answer = await docs.call('ask', `${base}/closed`, { headers: { Host: 'evil.example' } });
    assert.equal(answer.status, 421);
  });

  await context.test('accepts an editor’s token only from the editor’s allowed addresses', async () => {
    const change = ['--allow-addresses', lab.ipv4('docs'), '--proof', 'off'];
    await cliJson(dataDir, ['editors', 'change', editor.id, ...change]);
    const { opened, visit } = await office.open('letter.docx');
    const wopiSrc = new URL(opened.action).searchParams.get('wopisrc') ?? '';
    const address = `${wopiSrc}?access_token=${opened.accessToken}`;
    const headers = { 'X-Forwarded-For': lab.ipv4('docs') };
    const from = async (name: 'docs' | 'other'): Promise<number> =>
      (await office.machine(name).call('ask', address, { headers })).status;
    assert.equal(await from('docs'), 200);
    assert.equal(await from('other'), 403);
    await office.machine('desk').call('goAway', visit);
  });

  await context.test('a save succeeds after a short network outage', async () => {
    const { visit } = await office.open('letter.docx');
    assert.equal((await office.machine('desk').call('state', visit)).mode, 'edit');
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

test('the connection test reports that Collabora can’t resolve DocTray’s host name', async (context) => {
  const office = await openOffice(context, { host: '0.0.0.0' });
  const nameless = await office.connect('collabora', { publicUrl: `http://nowhere.lan:${port}` });
  assert.equal(verdicts(await office.test(nameless))['callback'], 'failed: callback-name-not-resolved');
  await office.useAddress(nameless, `http://${office.lab.ipv4('desk')}:${port}`);
  await office.editDocument('letter.docx', 'by Collabora');
});
