// The terminal's commands about editors, over a real host and document servers on real sockets.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { documentServer } from '../editors/editors-fixture.ts';
import { terminalOf, terminalWithoutHost, type Run } from './terminal-commands.ts';

const actions = ['docx view', 'docx edit'];
const letter = { file: 'letter.docx', cwd: '/', mode: 'edit' };

async function setUp(t: TestContext): Promise<{ host: TestHost; run: Run; add: AddEditor }> {
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

test('connects, refreshes and removes an editor without a host, and lists it on a running one', async (t) => {
  const { host, run } = await setUp(t);
  const server = await documentServer(t, actions);
  const runWithoutHost = terminalWithoutHost(host);
  await host.host.stop();
  const added = await runWithoutHost('editors.add', { url: `${server.url}/hosting/discovery`, name: 'Desk' });
  assert.equal(added.url, server.url);
  assert.deepEqual(added.types, [{ extension: 'docx', actions: ['view', 'edit'] }]);
  assert.equal(added.effectiveUrl, 'http://127.0.0.1:8790', 'by the settings');
  assert.equal((await runWithoutHost('editors.refresh', { id: 'desk' })).id, added.id);
  await host.restart();
  const [listed] = await run('editors.list');
  assert.equal(listed.effectiveUrl, host.baseUrl, 'by the host');
  assert.equal('discovery' in listed, false);
  await host.host.stop();
  const removed = { id: added.id, name: 'Desk', isBuiltIn: false };
  assert.deepEqual(await runWithoutHost('editors.remove', { id: added.id }), removed);
  assert.deepEqual(await runWithoutHost('editors.list'), []);
});

test('rejects an unreachable editor, an unknown id and an empty URL', async (t) => {
  const { run } = await setUp(t);
  const server = await documentServer(t, actions);
  await server.close();
  await assert.rejects(run('editors.add', { url: server.url }), { code: 'editor-unreachable' });
  assert.deepEqual(await run('editors.list'), []);
  await assert.rejects(run('editors.remove', { id: 'x' }), { code: 'editor-unknown' });
  await assert.rejects(run('editors.test', { id: 'x' }), { code: 'editor-unknown' });
  await assert.rejects(run('editors.add', { url: '' }), { code: 'invalid-argument' });
});

test('finds an editor by id, or by name ignoring case', async (t) => {
  const { run, add } = await setUp(t);
  const { id } = await add('Desk');
  await add('Office');
  assert.equal((await run('editors.refresh', { id: 'DESK' })).id, id);
  assert.equal((await run('editors.refresh', { id })).name, 'Desk');
});

test('changes only the given settings of an editor, and rejects an invalid address', async (t) => {
  const { host, run } = await setUp(t);
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

test('opens a type in its default editor, which must support the type', async (t) => {
  const { run, add } = await setUp(t);
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

test('sets an editor’s address only to an address of this computer', async (t) => {
  const { host, run, add } = await setUp(t);
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

test('rejects commands that need a running host', async (t) => {
  const { host, add } = await setUp(t);
  await add('Desk');
  await host.host.stop();
  const runWithoutHost = terminalWithoutHost(host);
  for (const [name, args] of [
    ['editors.access', letter],
    ['editors.link', letter],
    ['editors.test', { id: 'Desk' }],
    ['editors.addresses', {}],
    ['editors.useAddress', { id: 'Desk', url: null }],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    await assert.rejects(runWithoutHost(name, args), { code: 'not-running' }, name);
  }
});

test('editors.link returns a link to a document’s page, and editors.access the page and a token', async (t) => {
  const { host, run, add } = await setUp(t);
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

test('for a type that no editor opens, editors.link fails and editors.access returns no page', async (t) => {
  const { run, add } = await setUp(t);
  await add('Desk');
  const sheet = { file: 'sub/sheet.xlsx', cwd: '/', mode: 'view' };
  await assert.rejects(run('editors.link', sheet), { code: 'no-editor' });
  assert.equal((await run('editors.access', sheet)).page, null);
  await assert.rejects(run('editors.access', { ...sheet, editor: 'Desk' }), { code: 'no-editor' });
});
