// DocTray and the document server on different machines: by which addresses they reach each other, and what the connection test
// reports if they don't.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allPassed, openOffice, port } from './office.ts';

test('an editor on another computer reaches DocTray at the chosen address or name, and the network reaches nothing else', async (context) => {
  const office = await openOffice(context);
  const { lab, json } = office;
  const base = `http://${lab.ipv4('desk')}:${port}`;
  const editor = await office.connect('onlyoffice');
  const otherMachine = office.machine('other');
  const docs = office.machine('docs');

  await context.test('is bound to loopback until an address for an editor is chosen', async () => {
    await assert.rejects(otherMachine.call('ask', `${base}/closed`), /ECONNREFUSED/);
    const { discovery, callback } = await office.test(editor);
    assert.equal(discovery, 'passed');
    assert.match(callback ?? '', /^failed: /);

    await office.useAddress(editor, base);
    assert.deepEqual(await office.test(editor), allPassed);
    await office.editDocument('over the network');
    assert.ok((await docs.call('calls')).length > 4);
  });

  await context.test(
    'serves only /wopi to the network until networkApi and networkPages are on',
    async () => {
      const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
        (await otherMachine.call('ask', `${base}${path}`, { headers })).status;
      for (const path of ['/api/2.0/files', '/closed', '/host-page/host-page.css'])
        assert.equal(await statusOf(path), 403, path);
      assert.equal(await statusOf('/wopi/files/AAAAAAAAAAAAAAAAAAAAAA'), 401);
      // Spoofed headers change nothing.
      assert.equal(await statusOf('/closed', { Host: 'localhost', 'X-Forwarded-For': '127.0.0.1' }), 403);
      const { hostPage, visit } = await office.open();
      const path = new URL(hostPage.url).pathname;
      assert.equal(await statusOf(path), 403);

      await office.set('networkPages', 'true');
      assert.equal(await statusOf(path), 401);
      assert.equal(await statusOf('/api/2.0/files'), 403);
      await office.set('networkApi', 'true');
      assert.equal(await statusOf('/api/2.0/files'), 401);
      await office.machine('desk').call('do', visit, 'leave');
    },
  );

  await context.test('works with a host name, and rejects other host names', async () => {
    await json('editors', 'change', editor.id, '--public-url', `http://desk.lan:${port}`);
    assert.deepEqual(await office.test(editor), allPassed);
    await office.editDocument('by a name');
    const answer = await docs.call('ask', `${base}/closed`, { headers: { Host: 'evil.example' } });
    assert.equal(answer.status, 421);
  });

  await context.test('accepts an editor’s token only from the editor’s allowed addresses', async () => {
    await json('editors', 'change', editor.id, '--allow-addresses', lab.ipv4('docs'), '--proof', 'off');
    const { opened, visit } = await office.open();
    const wopiSrc = new URL(opened.action).searchParams.get('wopisrc') ?? '';
    const address = `${wopiSrc}?access_token=${opened.accessToken}`;
    const headers = { 'X-Forwarded-For': lab.ipv4('docs') };
    for (const [name, status] of [
      ['docs', 200],
      ['other', 403],
    ] as const)
      assert.equal((await office.machine(name).call('ask', address, { headers })).status, status, name);
    await office.machine('desk').call('do', visit, 'leave');
  });

  await context.test('works over IPv6 only', async () => {
    const other = await office.connect('office', { host: lab.ipv6('docs') });
    assert.equal(new URL(other.url).hostname, `[${lab.ipv6('docs')}]`);
    await office.useAddress(other, `http://[${lab.ipv6('desk')}]:${port}`);
    assert.deepEqual(await office.test(other), allPassed);
    await office.editDocument('by IPv6');
  });

  await context.test('the connection test reports that Collabora can’t resolve the host name', async () => {
    const nameless = await office.connect('collabora', { publicUrl: `http://nowhere.lan:${port}` });
    assert.equal((await office.test(nameless))['callback'], 'failed: callback-name-not-resolved');
    await office.useAddress(nameless, base);
    await office.editDocument('by Collabora');
  });

  // The last one: without a link, the kernel removes the IPv6 addresses.
  await context.test('a save succeeds after a short network outage', async () => {
    await office.connect('onlyoffice', { publicUrl: base });
    const { visit } = await office.open();
    assert.equal((await office.machine('desk').call('state', visit)).mode, 'edit');
    // The page loses its connection, but the server's session continues.
    assert.equal(await docs.call('drive', 'type', 'written without a network'), 1);
    lab.setLink('desk', 'down');
    const saving = docs.call('drive', 'save');
    await new Promise((resolve) => setTimeout(resolve, 500));
    lab.setLink('desk', 'up');
    await saving;
    assert.deepEqual((await docs.call('calls')).at(-1), ['PutFile', 200]);
    assert.match(readFileSync(join(office.folder, 'letter.docx'), 'latin1'), /written without a network$/);
  });
});
