// The text editor's port and its entry in the list of editors, depending on the host's port, the settings and restarts.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { freePorts } from '../free-ports.ts';
import { terminalOf } from '../unit/commands/terminal-commands.ts';
import { startDocumentServer } from './document-server.ts';
import { enterPage } from './test-page.ts';
import { postForm, send, startTextEditorHost, until, type TextEditorHost } from './text-editor-host.ts';

const lock = { 'X-WOPI-Lock': 'one' };

const isListed = (host: TextEditorHost): boolean =>
  host.host.services.editors.list().some(({ kind }) => kind === 'text-editor');
const isOpen = (port: number): Promise<boolean> =>
  send(`http://localhost:${port}/edit`).then(
    () => true,
    () => false,
  );

/** Listens on the port, as another program could. */
async function occupy(t: TestContext, port = 0, host = '127.0.0.1') {
  const server = createServer().listen(port, host);
  t.after(() => server.close());
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async free(): Promise<void> {
      server.close();
      await once(server, 'close');
    },
  };
}

test('uses the port after the host’s, or a later one if that is taken', async (t) => {
  const port = await freePorts(4);
  const host = await startTextEditorHost(t);
  await occupy(t, port + 1, '::1');
  host.listenOn({ port });
  await host.restart();
  assert.equal(host.port, port);
  assert.ok(host.editorPort > port + 1 && host.editorPort <= port + 10, String(host.editorPort));
  assert.equal((await host.open('a.txt')).page.status, 200);
});

test('says that a cleared port stays until the next start if the host has no port of its own', async (t) => {
  const port = await freePorts(2);
  const host = await startTextEditorHost(t);
  const run = terminalOf(host);
  const set = async (value: number | null) => {
    const { needsRestart } = await run('settings.set', { key: 'textEditorPort', value });
    return { needsRestart, editorPort: host.editorPort };
  };
  assert.deepEqual(await set(port), { needsRestart: false, editorPort: port });
  assert.deepEqual(await set(null), { needsRestart: true, editorPort: port });
  assert.deepEqual(await set(port + 1), { needsRestart: false, editorPort: port + 1 });
});

test('skips the port of a connected editor, even if that isn’t running', async (t) => {
  const host = await startTextEditorHost(t);
  const first = await freePorts(3);
  const port = first + 1;
  const { url, stop } = await startDocumentServer({ port }, t);
  await host.host.services.editors.add({ url });
  await stop();
  host.listenOn({ port: first });
  await host.restart();
  assert.equal(host.port, first);
  assert.notEqual(host.editorPort, port);
});

test('if its port is taken, the host still serves and the entry says why; it starts once the port is free', async (t) => {
  const { port, free } = await occupy(t);
  const host = await startTextEditorHost(t, {
    settings: { textEditorPort: port },
  });
  assert.equal((await send(`${host.baseUrl}/closed`)).status, 200);
  const { problem } = host.editor();
  assert.equal(problem?.code, 'port-taken');
  assert.match(problem.sentence, new RegExp(`port ${port} is already in use\\.$`, 'u'));
  assert.match(problem.remedy ?? '', /`settings set textEditorPort PORT`/u);
  await assert.rejects(host.link('a.txt'), {
    code: 'no-editor',
    message: new RegExp(`port ${port} is already in use`, 'u'),
  });
  // The other program on the port must not be mistaken for the text editor.
  await assert.rejects(host.host.services.editors.refresh(host.editor().id), { code: 'editor-unreachable' });
  assert.equal((await host.host.testEditor(host.editor().id)).isGood, false);

  await free();
  await host.host.noteWake();
  assert.equal(host.editor().problem, null);
  assert.equal(host.editorPort, port);
  assert.equal((await host.open('a.txt')).page.status, 200);
});

test('moves to another port when the setting changes, and updates its entry', async (t) => {
  const host = await startTextEditorHost(t);
  const before = host.editorPort;
  const port = await freePorts();
  await host.set({ textEditorPort: port });
  await until('it moved', () => host.editorPort === port);
  assert.equal((await host.open('a.txt')).page.status, 200);
  await until('the old port is closed', async () => !(await isOpen(before)));
});

test('reports a changed port that is taken until it is free, without using another one', async (t) => {
  const logTo = new PassThrough();
  let logged = '';
  logTo.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const host = await startTextEditorHost(t, { logTo });
  const { call } = await host.open('a.txt');
  const { port, free } = await occupy(t);
  await host.set({ textEditorPort: port });
  await host.untilProblem('port-taken');
  for (const again of [host.host.noteWake, host.host.reopen]) {
    await again();
    assert.equal(host.editor().problem?.code, 'port-taken', 'no other port is used instead');
  }
  assert.equal((await call()).status, 200, 'open documents can still be saved');
  host.host.services.log.flush();
  assert.equal(logged.split(`port ${port} is already in use`).length, 2, logged);

  await free();
  await host.host.noteWake();
  assert.equal(host.editor().problem, null);
  assert.equal(host.editorPort, port);
});

test('rejects settings that give the text editor the host’s address', async (t) => {
  const host = await startTextEditorHost(t, { settings: { port: 18_790 } });
  const isRefused = (change: Parameters<typeof host.set>[0], message: RegExp): Promise<void> =>
    assert.rejects(host.set(change), { code: 'setting-invalid', message });
  await isRefused({ textEditorPort: 18_790 }, /textEditorPort: .*port/u);
  await isRefused({ textEditorUrl: 'http://localhost:18790' }, /textEditorUrl: .*address/u);
  await host.set({ textEditorUrl: 'https://docs.example.org' });
  await isRefused({ publicUrl: 'https://docs.example.org/doctray' }, /publicUrl: .*address/u);
  // Other settings can be changed.
  await host.set({ networkPages: true });
});

test('switching it off and on again discards the result of a failed test', async (t) => {
  const { port } = await occupy(t);
  const host = await startTextEditorHost(t, { settings: { textEditorPort: port } });
  const { id } = host.editor();
  assert.equal((await host.host.testEditor(id)).isGood, false);
  assert.equal(host.host.lastTest(id)?.isGood, false);
  await host.set({ textEditor: false });
  await until('it isn’t listed', () => !isListed(host));
  await host.set({ textEditor: true, textEditorPort: null });
  await until('it is listed again', () => isListed(host));
  assert.equal(host.host.lastTest(id), undefined);
});

test('while off, opens nothing but saves open documents, and has no port after a restart; its tokens are valid when it is on again', async (t) => {
  const host = await startTextEditorHost(t);
  const { id } = host.editor();
  const port = host.editorPort;
  host.host.services.editors.setDefault('txt', id);
  const { call, opened } = await host.open('a.txt');
  await call({ override: 'LOCK', headers: lock });

  await host.host.services.editors.remove(id);
  assert.equal(host.host.services.settings.current().textEditor, false);
  assert.equal(isListed(host), false);
  assert.deepEqual(host.host.services.editors.defaults(), {});
  await assert.rejects(host.link('a.txt'), { code: 'no-editor' });
  assert.equal((await postForm(opened.action, { access_token: opened.accessToken })).status, 404);
  assert.equal((await send(`${new URL(opened.action).origin}/hosting/discovery`)).status, 404);
  const saved = await call({ override: 'PUT', contents: true, headers: lock, body: 'b' });
  assert.equal(saved.status, 200);
  assert.equal(await readFile(join(host.folder, 'a.txt'), 'utf8'), 'b');

  await host.set({ textEditor: true });
  await until('it is listed again', () => isListed(host));
  assert.equal(host.editor().id, id);
  assert.equal((await call()).status, 200);
  await host.set({ textEditor: false });
  await host.restart();
  assert.equal(isListed(host), false);
  assert.equal(await isOpen(port), false);
});

test('while off, the page of a document that it could open says how to switch it on', async (t) => {
  const host = await startTextEditorHost(t, { files: { 'a.txt': 'a', 'b.bin': '\0' } });
  await host.set({ textEditor: false });
  await until('it isn’t listed', () => !isListed(host));
  await host.host.services.users.add({ login: 'ana', password: 'correct horse', role: 'editor' });
  const ana = await host.signIn('ana', 'correct horse');
  const failure = async (path: string, apiToken?: string): Promise<string> => {
    const { hostEditUrl } = await host.access(path, apiToken === undefined ? {} : { apiToken });
    const page = await enterPage(hostEditUrl);
    const shown = await page.get();
    assert.equal(shown.status, 409);
    const html = await shown.text();
    const message = String((await page.post('open')).body['message']);
    for (const sentence of message.split(/(?<=\.) /u)) assert.ok(html.includes(sentence), sentence);
    return message;
  };
  const forOwner = await failure('a.txt');
  assert.match(forOwner, /The text editor is off\. Switch on the text editor .* Settings → Editors/u);
  assert.match(forOwner, /with the setting textEditor\. Or connect a document server/u);
  assert.match(await failure('a.txt', ana), /The text editor is off\. Ask the owner of this DocTray/u);
  assert.doesNotMatch(await failure('b.bin'), /text editor/u);
});

test('after a restart, the host has the new proof keys before the first signed call', async (t) => {
  const host = await startTextEditorHost(t);
  await host.open('a.txt');
  const before = host.editor().discovery.proofKeys;
  assert.ok(before !== null);
  await host.restart();
  assert.equal(host.editor().discovery.proofKeys, null, 'the old private keys don’t exist any more');
  const { page, call } = await host.open('a.txt');
  assert.equal(page.status, 200);
  const asked = host.host.services.journal.newest(Infinity).map(({ operation }) => operation);
  assert.ok(!asked.includes('Discovery'), 'the keys arrived without a request for the discovery');
  assert.notEqual(host.editor().discovery.proofKeys?.current, before.current);
  assert.equal((await call()).status, 200);
});

test('reports that it has the host’s address, also to a user who opens a document, and that loopback isn’t an allowed address', async (t) => {
  const host = await startTextEditorHost(t);
  for (const textEditorUrl of [host.baseUrl, host.baseUrl.replace('127.0.0.1', 'localhost')]) {
    await host.set({ textEditorUrl });
    await host.untilProblem('same-origin');
    await assert.rejects(host.link('a.txt'), (error: Error) => {
      assert.match(error.message, /has the same address as DocTray/u);
      assert.doesNotMatch(error.message, /None is connected/u);
      return true;
    });
  }
  await host.set({ textEditorUrl: null, allowedAddresses: ['192.168.1.0/24'] });
  await host.untilProblem('loopback-refused');
  await host.set({ allowedAddresses: ['192.168.1.0/24', '127.0.0.1'] });
  await host.untilProblem(null);
  assert.equal((await host.open('a.txt')).page.status, 200);
});

test('reports that another editor’s base address is its own, as soon as the periodic check runs', async (t) => {
  const textEditorUrl = 'https://edit.example.org';
  const host = await startTextEditorHost(t, { settings: { textEditorUrl } });
  const { url } = await startDocumentServer({}, t);
  assert.equal((await host.host.testEditor(host.editor().id)).steps[0]?.state, 'passed');
  const { editors } = host.host.services;
  const { id } = await editors.add({ url, publicUrl: textEditorUrl });
  await host.host.noteWake();
  assert.equal(host.editor().problem?.code, 'same-origin');
  assert.equal(host.host.lastTest(host.editor().id), undefined, 'its test is outdated');
  await editors.remove(id);
  assert.equal(await host.host.textEditorProblem(), undefined);
  assert.equal(host.editor().problem, null);
});

test('keeps its port while the host’s is reopened, even at another address', async (t) => {
  const host = await startTextEditorHost(t);
  const port = host.editorPort;
  const { call } = await host.open('a.txt');
  await host.host.reopen();
  assert.equal(host.editorPort, port);
  host.listenOn({ host: '0.0.0.0', port: host.port });
  await host.host.reopen();
  assert.equal(host.editorPort, port);
  assert.equal((await call()).status, 200);
  assert.equal(host.editor().problem, null);
});

test('the host stops within its limit during a slow save', async (t) => {
  const host = await startTextEditorHost(t);
  const { beginSave, call } = await host.open('a.txt');
  await call({ override: 'LOCK', headers: lock });
  beginSave(lock);
  await until('the save runs', () => host.host.runningSaves() === 1);
  const startedAt = performance.now();
  await host.host.stop({ limitMs: 500 });
  assert.ok(performance.now() - startedAt < 3000);
  assert.equal(await readFile(join(host.folder, 'a.txt'), 'utf8'), 'a');
});

test('while the host is paused, opens nothing but saves open documents', async (t) => {
  const host = await startTextEditorHost(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const { call, opened } = await host.open('a.txt');
  await call({ override: 'LOCK', headers: lock });
  const { accessToken, fileId } = await host.access('b.txt');
  host.host.pause(null);
  const refused = await postForm(opened.action.replace(/[\w-]{22}$/u, fileId), { access_token: accessToken });
  assert.equal(refused.status, 503);
  assert.match(refused.body.toString(), /DocTray is paused/);
  const saved = await call({ override: 'PUT', contents: true, headers: lock, body: 'b' });
  assert.equal(saved.status, 200);
});

test('opens documents on localhost if the host is bound to that', async (t) => {
  const host = await startTextEditorHost(t, { settings: { host: 'localhost' } });
  const url = await host.link('a.txt');
  assert.equal(new URL(url).origin, host.baseUrl);
  assert.equal(new URL(url).hostname, 'localhost');
});
