import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { runCommand } from '../../../app/control/commands.ts';
import { makeFakeHost, type FakeHost } from './fake-services.ts';

let fake: FakeHost;
beforeEach(async () => {
  fake = await makeFakeHost();
});
afterEach(() => fake.remove());

const parse = async (answer: Promise<unknown>) => JSON.parse(JSON.stringify(await answer));
const run = (name: string, args: unknown = {}) =>
  parse(runCommand({ services: fake.services, host: fake.host }, name, args));
const withoutHost = (name: string, args: unknown = {}) =>
  parse(runCommand({ services: fake.services }, name, args));
const withCode = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;
const letter = { file: 'letter.docx', cwd: '/', mode: 'edit' };

test('an editor is connected, shown, read again and removed, also where no host runs', async () => {
  const added = await withoutHost('add-editor', { url: 'localhost:9980/hosting/discovery', name: 'Desk' });
  assert.equal(added.url, 'http://localhost:9980');
  assert.deepEqual(added.types, [{ extension: 'docx', actions: ['view', 'edit'] }]);
  assert.equal(added.effectiveUrl, 'http://127.0.0.1:8790', 'by the settings');
  const [listed] = await run('editors');
  assert.equal(listed.effectiveUrl, 'http://127.0.0.1:1', 'by the host');
  assert.equal('discovery' in listed, false);
  assert.equal((await withoutHost('refresh-editor', { editor: 'desk' })).id, added.id);
  assert.deepEqual(await withoutHost('remove-editor', { editor: added.id }), {
    id: added.id,
    name: 'Desk',
    isBuiltIn: false,
  });
  assert.deepEqual(await run('editors'), []);
});

test('an editor that cannot be read is not connected, and one that cannot be named is not found', async () => {
  fake.unreachable.add('http://nowhere');
  await assert.rejects(run('add-editor', { url: 'http://nowhere' }), withCode('editor-unreachable'));
  assert.deepEqual(await run('editors'), []);
  await assert.rejects(run('remove-editor', { editor: 'x' }), withCode('editor-unknown'));
  await assert.rejects(run('test-editor', { editor: 'x' }), withCode('editor-unknown'));
  await assert.rejects(run('add-editor', { url: '' }), withCode('invalid-argument'));
});

test('one editor is named by its id or its name, whatever its case', async () => {
  const first = await run('add-editor', { url: 'http://a', name: 'Desk' });
  await run('add-editor', { url: 'http://b', name: 'Office' });
  assert.equal((await run('test-editor', { editor: 'DESK' })).editorId, first.id);
  assert.equal((await run('test-editor', { editor: first.id })).name, 'Desk');
});

test('what is set for an editor is changed, and nothing else', async () => {
  await run('add-editor', { url: 'http://a', name: 'Desk', publicUrl: 'https://tray.example' });
  const changed = await run('change-editor', {
    editor: 'Desk',
    proofMode: 'required',
    allowedAddresses: ['192.168.1.0/24'],
  });
  assert.equal(changed.proofMode, 'required');
  assert.deepEqual(changed.allowedAddresses, ['192.168.1.0/24']);
  assert.equal(changed.effectiveUrl, 'https://tray.example');
  const back = await run('change-editor', { editor: 'Desk', publicUrl: null, name: 'Table' });
  assert.equal(back.effectiveUrl, 'http://127.0.0.1:1');
  assert.equal(back.name, 'Table');
  await assert.rejects(
    run('change-editor', { editor: 'Table', allowedAddresses: ['nonsense'] }),
    withCode('invalid-argument'),
  );
});

test('a type opens in the editor that was chosen for it, which has to open it', async () => {
  await run('add-editor', { url: 'http://a', name: 'Desk' });
  const second = await run('add-editor', { url: 'http://b', name: 'Office' });
  const chosen = await run('default-editor', { extension: '.DOCX', editor: 'office' });
  assert.deepEqual(chosen, { extension: 'docx', editor: { id: second.id, name: 'Office' } });
  assert.deepEqual((await run('editors'))[1].defaultFor, ['docx']);
  await assert.rejects(run('default-editor', { extension: 'dwg', editor: 'office' }), withCode('no-editor'));
  await run('default-editor', { extension: 'docx', editor: null });
  assert.deepEqual((await run('editors'))[1].defaultFor, []);
});

test('an address is given to an editor only when it is one of this machine', async () => {
  await run('add-editor', { url: 'http://a', name: 'Desk' });
  const [{ url }] = await run('editor-addresses');
  const used = await run('use-editor-address', { editor: 'Desk', url: `${url}/` });
  assert.equal(used.effectiveUrl, url);
  await assert.rejects(
    run('use-editor-address', { editor: 'Desk', url: 'http://10.0.0.1:1' }),
    withCode('address-unknown'),
  );
  assert.equal(
    (await run('use-editor-address', { editor: 'Desk', url: null })).effectiveUrl,
    'http://127.0.0.1:1',
  );
});

test('what needs a running host says so', async () => {
  await withoutHost('add-editor', { url: 'http://a', name: 'Desk' });
  for (const [name, args] of [
    ['open', letter],
    ['open-in-editor', letter],
    ['test-editor', { editor: 'Desk' }],
    ['editor-addresses', {}],
    ['use-editor-address', { editor: 'Desk', url: null }],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    await assert.rejects(withoutHost(name, args), withCode('not-running'), name);
  }
});

test('a document opens in an editor, and printing tells its page as well', async () => {
  assert.equal(await run('open-in-editor', letter), null, 'none is connected');
  assert.equal((await run('open', letter)).page, null);
  const { id } = await run('add-editor', { url: 'http://a', name: 'Desk' });
  const opened = await run('open-in-editor', { ...letter, editor: 'desk' });
  assert.equal(opened.editorName, 'Desk');
  assert.match(opened.url, /\?ticket=t$/);
  assert.equal('accessToken' in opened, false);
  assert.deepEqual(fake.done.splice(0), ['open letter.docx to edit in Desk for owner']);

  const printed = await run('open', letter);
  assert.deepEqual(printed.page, { url: opened.url, editorId: id, editorName: 'Desk' });
  assert.equal(printed.accessToken, 'token of owner for edit');
});

test('a type that no editor opens is an error for the page, and not for printing', async () => {
  await run('add-editor', { url: 'http://a', name: 'Desk' });
  const sheet = { file: 'sub/sheet.xlsx', cwd: '/', mode: 'view' };
  await assert.rejects(run('open-in-editor', sheet), withCode('no-editor'));
  assert.equal((await run('open', sheet)).page, null);
  await assert.rejects(run('open', { ...sheet, editor: 'Desk' }), withCode('no-editor'));
});
