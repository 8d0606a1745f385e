// The terminal's commands about editors, over a real host and document servers on real sockets.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { documentServer } from '../editors/editors-fixture.ts';
import { terminalOf, terminalWithoutHost, type Run } from './terminal-commands.ts';

const actions = ['docx view', 'docx edit'];
const letter = { file: 'letter.docx', cwd: '/', mode: 'edit' };

async function begin(t: TestContext): Promise<{ host: TestHost; run: Run; add: AddEditor }> {
  const host = await startTestHost({
    files: { 'letter.docx': 'x', 'plan.dwg': '\0', 'sub/sheet.xlsx': 'x' },
  });
  t.after(host.stop);
  const run = terminalOf(host);
  const add: AddEditor = async (name) =>
    run('editors.add', { url: (await documentServer(t, actions)).url, name });
  return { host, run, add };
}

type AddEditor = (name: string) => ReturnType<Run>;

test('an editor is connected, listed, read again and removed, also where no host runs', async (t) => {
  const { host, run } = await begin(t);
  const server = await documentServer(t, actions);
  const without = terminalWithoutHost(host);
  await host.host.stop();
  const added = await without('editors.add', { url: `${server.url}/hosting/discovery`, name: 'Desk' });
  assert.equal(added.url, server.url);
  assert.deepEqual(added.types, [{ extension: 'docx', actions: ['view', 'edit'] }]);
  assert.equal(added.effectiveUrl, 'http://127.0.0.1:8790', 'by the settings');
  assert.equal((await without('editors.refresh', { id: 'desk' })).id, added.id);
  await host.restart();
  const [listed] = await run('editors.list');
  assert.equal(listed.effectiveUrl, host.baseUrl, 'by the host');
  assert.equal('discovery' in listed, false);
  await host.host.stop();
  const removed = { id: added.id, name: 'Desk', isBuiltIn: false };
  assert.deepEqual(await without('editors.remove', { id: added.id }), removed);
  assert.deepEqual(await without('editors.list'), []);
});

test('an editor that can’t be read isn’t connected, and one that can’t be named isn’t found', async (t) => {
  const { run } = await begin(t);
  const server = await documentServer(t, actions);
  await server.close();
  await assert.rejects(run('editors.add', { url: server.url }), { code: 'editor-unreachable' });
  assert.deepEqual(await run('editors.list'), []);
  await assert.rejects(run('editors.remove', { id: 'x' }), { code: 'editor-unknown' });
  await assert.rejects(run('editors.test', { id: 'x' }), { code: 'editor-unknown' });
  await assert.rejects(run('editors.add', { url: '' }), { code: 'invalid-argument' });
});

test('an editor is named by its id or its name, whatever its case', async (t) => {
  const { run, add } = await begin(t);
  const { id } = await add('Desk');
  await add('Office');
  assert.equal((await run('editors.refresh', { id: 'DESK' })).id, id);
  assert.equal((await run('editors.refresh', { id })).name, 'Desk');
});

test('what is set for an editor is changed, and nothing else', async (t) => {
  const { host, run } = await begin(t);
  const { url } = await documentServer(t, actions);
  await run('editors.add', { url, name: 'Desk', publicUrl: 'https://tray.example' });
  const changed = await run('editors.change', {
    id: 'Desk',
    proofMode: 'required',
    allowedAddresses: ['192.168.1.0/24'],
  });
  assert.equal(changed.proofMode, 'required');
  assert.deepEqual(changed.allowedAddresses, ['192.168.1.0/24']);
  assert.deepEqual([changed.name, changed.effectiveUrl], ['Desk', 'https://tray.example']);
  const back = await run('editors.change', { id: 'Desk', publicUrl: null, name: 'Table' });
  assert.deepEqual([back.name, back.effectiveUrl, back.proofMode], ['Table', host.baseUrl, 'required']);
  await assert.rejects(run('editors.change', { id: 'Table', allowedAddresses: ['nonsense'] }), {
    code: 'invalid-argument',
  });
});

test('a type opens in the editor that was chosen for it, which has to open it', async (t) => {
  const { run, add } = await begin(t);
  await add('Desk');
  const { id } = await add('Office');
  const defaults = async () =>
    Object.fromEntries(
      (await run('editors.list')).map((item: { name: string; defaultFor: string[] }) => [
        item.name,
        item.defaultFor,
      ]),
    );
  const chosen = await run('editors.setDefault', { extension: '.DOCX', editorId: 'office' });
  assert.deepEqual(chosen, { extension: 'docx', editor: { id, name: 'Office' } });
  assert.deepEqual(await defaults(), { Desk: [], Office: ['docx'] });
  assert.equal((await run('editors.link', letter)).editorId, id);
  const named = { ...letter, editor: 'desk' };
  assert.equal((await run('editors.link', named)).editorName, 'Desk');
  assert.equal((await run('editors.access', named)).page.editorName, 'Desk');
  await assert.rejects(run('editors.setDefault', { extension: 'dwg', editorId: 'office' }), {
    code: 'no-editor',
  });
  await run('editors.setDefault', { extension: 'docx', editorId: null });
  assert.deepEqual(await defaults(), { Desk: [], Office: [] });
});

test('an editor is given an address only if it is one of this computer', async (t) => {
  const { host, run, add } = await begin(t);
  const { id } = await add('Desk');
  const addresses: { url: string; isListening: boolean }[] = await run('editors.addresses');
  const { url } = addresses.find(({ isListening }) => isListening)!;
  const used = await run('editors.useAddress', { id: 'Desk', url: `${url}/` });
  assert.deepEqual(used, { id, name: 'Desk', effectiveUrl: url });
  await assert.rejects(run('editors.useAddress', { id: 'Desk', url: 'http://10.0.0.1:1' }), {
    code: 'address-unknown',
  });
  assert.equal((await run('editors.useAddress', { id: 'Desk', url: null })).effectiveUrl, host.baseUrl);
});

test('what needs a running host says so', async (t) => {
  const { host, add } = await begin(t);
  await add('Desk');
  await host.host.stop();
  const without = terminalWithoutHost(host);
  for (const [name, args] of [
    ['editors.access', letter],
    ['editors.link', letter],
    ['editors.test', { id: 'Desk' }],
    ['editors.addresses', {}],
    ['editors.useAddress', { id: 'Desk', url: null }],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    await assert.rejects(without(name, args), { code: 'not-running' }, name);
  }
});

test('a document opens in an editor, and printing tells its page as well', async (t) => {
  const { host, run, add } = await begin(t);
  assert.equal(await run('editors.link', { ...letter, file: 'plan.dwg' }), null, 'none is connected');
  await assert.rejects(run('editors.link', letter), {
    code: 'no-editor',
    message: /Start one with `editors start .* Switch the text editor on/,
  });
  assert.equal((await run('editors.access', letter)).page, null);
  const { id } = await add('Desk');
  const link = await run('editors.link', { ...letter, editor: 'desk' });
  assert.deepEqual(
    [link.path, link.mode, link.editorId, link.editorName],
    ['letter.docx', 'edit', id, 'Desk'],
  );
  assert.ok(link.url.startsWith(`${host.baseUrl}/`));
  assert.equal('accessToken' in link, false);
  const shown = await fetch(link.url, { redirect: 'manual' });
  assert.deepEqual([shown.status, shown.headers.has('set-cookie')], [303, true]);

  const printed = await run('editors.access', letter);
  assert.deepEqual([printed.page.editorId, printed.page.editorName], [id, 'Desk']);
  assert.notEqual(printed.page.url, link.url, 'a link works once');
  const { fileId } = link;
  assert.equal((await host.wopi({ fileId, token: printed.accessToken })).status, 200);
});

test('a type that no editor opens is an error for the link, and not for printing', async (t) => {
  const { run, add } = await begin(t);
  await add('Desk');
  const sheet = { file: 'sub/sheet.xlsx', cwd: '/', mode: 'view' };
  await assert.rejects(run('editors.link', sheet), { code: 'no-editor' });
  assert.equal((await run('editors.access', sheet)).page, null);
  await assert.rejects(run('editors.access', { ...sheet, editor: 'Desk' }), { code: 'no-editor' });
});
