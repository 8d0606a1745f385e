// Switching the folder, pausing, and reopening the port. They affect documents that are opened afterwards, never running saves.

import assert from 'node:assert/strict';
import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sweep } from '../../app/host/maintenance.ts';
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';

async function begin(t: TestContext, options: TestHostOptions = {}): Promise<TestHost> {
  const host = await startTestHost({ files: { 'a.docx': 'first', 'b.docx': 'b' }, ...options });
  t.after(() => host.stop());
  return host;
}

/** Creates a second folder beside the first, with one document. */
async function otherFolder(host: TestHost): Promise<string> {
  const folder = join(dirname(host.folder), 'other');
  await mkdir(folder);
  await writeFile(join(folder, 'a.docx'), 'of the other folder');
  return realpath(folder);
}

/** Opens and locks the document, as an editor does. */
async function openInEditor(host: TestHost, path = 'a.docx') {
  const { fileId, accessToken: token } = await host.access(path);
  const call = (input: { override?: string; contents?: boolean; body?: string; lock?: string }) =>
    host.wopi({
      fileId,
      token,
      ...(input.override === undefined ? {} : { override: input.override }),
      ...(input.contents === undefined ? {} : { contents: input.contents }),
      ...(input.body === undefined ? {} : { body: input.body }),
      headers: { 'X-WOPI-Lock': input.lock ?? 'held' },
    });
  assert.equal((await call({})).status, 200);
  assert.equal((await call({ override: 'LOCK' })).status, 200);
  const save = (body: string) => call({ override: 'PUT', contents: true, body });
  return { fileId, token, call, save };
}

test('after a switch of the folder, opens documents from the new one', async (t) => {
  const host = await begin(t);
  const folder = await otherFolder(host);
  await host.host.useFolder(folder);
  const { fileId, accessToken } = await host.access('a.docx');
  const read = await host.wopi({ fileId, token: accessToken, contents: true });
  assert.equal(read.body.toString(), 'of the other folder');
  assert.equal(host.host.services.settings.current().folder, folder);
  assert.ok(host.events.some((event) => event.event === 'folder-switched' && event.to === folder));
});

test('a document that was open before a switch is saved and unlocked in its own folder', async (t) => {
  const host = await begin(t);
  const editor = await openInEditor(host);
  await host.host.useFolder(await otherFolder(host));
  assert.equal((await editor.save('after the switch')).status, 200);
  assert.equal(await readFile(join(host.folder, 'a.docx'), 'utf8'), 'after the switch');
  assert.equal((await editor.call({ override: 'UNLOCK' })).status, 200);
  assert.equal(await readFile(join(dirname(host.folder), 'other', 'a.docx'), 'utf8'), 'of the other folder');
});

test('an unused token of the old folder opens nothing after a switch', async (t) => {
  const host = await begin(t);
  const { fileId, accessToken: token } = await host.access('b.docx');
  await host.host.useFolder(await otherFolder(host));
  for (const contents of [false, true]) {
    assert.equal((await host.wopi({ fileId, token, contents })).status, 404);
  }
  const lock = await host.wopi({ fileId, token, override: 'LOCK', headers: { 'X-WOPI-Lock': 'new' } });
  assert.equal(lock.status, 404);
});

test('saves into the old folder even after a restart', async (t) => {
  const host = await begin(t);
  const editor = await openInEditor(host);
  const folder = await otherFolder(host);
  // The restart serves the first folder again, so this document's folder is the one that isn't served.
  await host.host.useFolder(folder);
  const { fileId, accessToken: token } = await host.access('a.docx');
  await host.wopi({ fileId, token });
  await host.wopi({ fileId, token, override: 'LOCK', headers: { 'X-WOPI-Lock': 'other' } });
  await host.restart();
  const save = await host.wopi({
    fileId,
    token,
    contents: true,
    override: 'PUT',
    headers: { 'X-WOPI-Lock': 'other' },
    body: 'saved after the restart',
  });
  assert.equal(save.status, 200);
  assert.equal(await readFile(join(folder, 'a.docx'), 'utf8'), 'saved after the restart');
  assert.equal((await editor.save('and here')).status, 200);
});

test('the sweep closes an old folder once none of its documents is open', async (t) => {
  const host = await begin(t);
  const { services } = host.host;
  const { folders } = services;
  const editor = await openInEditor(host);
  await host.host.useFolder(await otherFolder(host));
  await sweep(services);
  assert.equal(folders.all().length, 2);
  await editor.call({ override: 'UNLOCK' });
  host.clock.advance(11 * 60 * 60 * 1000);
  await sweep(services);
  assert.equal(folders.all().length, 1);
});

test('rejects an invalid folder, and keeps serving the current one', async (t) => {
  const host = await begin(t);
  await assert.rejects(host.host.useFolder(join(host.folder, 'nowhere')), { code: 'folder-invalid' });
  await assert.rejects(host.host.useFolder(host.dataDir), { code: 'folder-invalid' });
  assert.equal(host.host.state().status, 'serving');
  assert.equal((await host.access('a.docx')).fileId.length, 22);
});

test('while paused, opens no documents but saves those that are open', async (t) => {
  const host = await begin(t);
  const editor = await openInEditor(host);
  const unused = await host.access('b.docx');
  host.host.pause(null);
  await assert.rejects(host.access('b.docx'), /503.*paused/i);
  assert.equal((await host.wopi({ fileId: unused.fileId, token: unused.accessToken })).status, 503);
  assert.equal((await editor.call({})).status, 200);
  assert.equal((await editor.save('while paused')).status, 200);
  assert.equal(host.host.state().status, 'paused');
  host.host.resume();
  assert.equal((await host.wopi({ fileId: unused.fileId, token: unused.accessToken })).status, 200);
});

test('ends a pause whose time passed while the computer slept', async (t) => {
  const host = await begin(t);
  host.host.pause(host.clock.now() + 5 * 60_000);
  assert.equal(host.host.state().pausedUntilMs !== null, true);
  host.clock.advance(5 * 60_000);
  await host.host.noteWake();
  assert.equal(host.host.state().status, 'serving');
});

test('time asleep doesn’t make a lock stale', async (t) => {
  const host = await begin(t);
  const { fileId } = await openInEditor(host);
  host.clock.advance(20 * 60_000);
  assert.equal(host.host.services.locks.find(fileId)?.state, 'stale');
  await host.host.noteWake();
  assert.equal(host.host.services.locks.find(fileId)?.state, 'held');
});

test('reopens on another port, and a running save on the old port succeeds', async (t) => {
  const host = await begin(t);
  const editor = await openInEditor(host);
  const before = host.baseUrl;
  const upload = request(`${before}/wopi/files/${editor.fileId}/contents?access_token=${editor.token}`, {
    method: 'POST',
    headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'held', 'Content-Length': '10' },
  });
  upload.write('01234');
  const answered = new Promise<number>((resolve, reject) => {
    upload.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    upload.once('error', reject);
  });
  while (host.host.runningSaves() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const free = createServer();
  const port = await new Promise<number>((resolve) => {
    free.listen(0, '127.0.0.1', () => resolve((free.address() as { port: number }).port));
  });
  await new Promise((resolve) => free.close(resolve));
  host.listenOn({ port });
  assert.equal(host.host.state().needsListenerRestart, true);
  await host.host.reopen();
  assert.equal(host.baseUrl, `http://127.0.0.1:${port}`);
  assert.equal(host.host.state().needsListenerRestart, false);
  assert.equal((await editor.call({})).status, 200);
  upload.end('56789');
  assert.equal(await answered, 200);
  assert.equal(await readFile(join(host.folder, 'a.docx'), 'utf8'), '0123456789');
  await assert.rejects(fetch(before), 'the old port is closed');
});

test('reports that the new port is taken, and keeps the old one open', async (t) => {
  const host = await begin(t);
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
  });
  t.after(() => other.close());
  const before = host.baseUrl;
  host.listenOn({ port });
  await assert.rejects(host.host.reopen(), { code: 'port-taken' });
  assert.equal(host.baseUrl, before);
  assert.equal(host.host.state().status, 'serving');
  assert.equal((await host.access('a.docx')).fileId.length, 22);
});

test('reopening without a change keeps the address', async (t) => {
  const host = await begin(t);
  const before = host.baseUrl;
  await host.host.reopen();
  assert.equal(host.baseUrl, before);
  assert.equal((await host.access('a.docx')).fileId.length, 22);
});

test('reports a missing folder until it is back', async (t) => {
  const host = await begin(t);
  const away = `${host.folder}-away`;
  await rename(host.folder, away);
  await host.host.noteWake();
  assert.equal(host.host.state().status, 'error');
  assert.equal(host.host.state().problem?.code, 'folder-missing');
  await rename(away, host.folder);
  await host.host.noteWake();
  assert.equal(host.host.state().status, 'serving');
});

test('a stop waits for a save up to its limit, which a second stop can shorten', async (t) => {
  const host = await begin(t);
  const editor = await openInEditor(host);
  const upload = request(
    `${host.baseUrl}/wopi/files/${editor.fileId}/contents?access_token=${editor.token}`,
    {
      method: 'POST',
      headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'held', 'Content-Length': '10' },
    },
  );
  upload.write('01234');
  const ended = new Promise<string>((resolve) => {
    upload.once('response', (answer) => resolve(`answered ${answer.resume().statusCode}`));
    upload.once('error', () => resolve('cut'));
  });
  while (host.host.runningSaves() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  let isStopped = false;
  const stopping = host.host.stop({ limitMs: 600_000 }).then(() => (isStopped = true));
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(isStopped, false);
  void host.host.stop({ limitMs: 0 });
  assert.equal(await ended, 'cut');
  await stopping;
  assert.equal(await readFile(join(host.folder, 'a.docx'), 'utf8'), 'first');
});
