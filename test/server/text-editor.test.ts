// The built-in text editor in a complete host: its registration, its page, and editing documents through it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseDiscovery } from '../../app/wopi/discovery.ts';
import { send, startTextEditorHost } from './text-editor-host.ts';

const lockId = '{"DocTray":"1"}';

test('reads, locks, saves, copies, renames and unlocks a document while signatures are required', async (t) => {
  const host = await startTextEditorHost(t, { files: { 'notes.md': 'one\r\n' } });
  const { page, session, opened, call } = await host.open('notes.md');
  assert.equal(page.status, 200);
  assert.equal(opened['kind'], 'text-editor');
  assert.equal(opened['editorName'], 'Text editor');
  assert.equal(session.action, 'edit');
  assert.equal(host.editor().proofMode, 'required');

  const info = await call();
  assert.equal(info.status, 200);
  assert.equal((JSON.parse(info.body.toString()) as { BaseFileName: string }).BaseFileName, 'notes.md');
  const lock = { 'X-WOPI-Lock': lockId };
  assert.equal((await call({ override: 'LOCK', headers: lock })).status, 200);
  const read = await call({ contents: true });
  assert.equal(read.body.toString(), 'one\r\n');
  assert.equal(read.headers['content-length'], '5');

  const saved = await call({ override: 'PUT', contents: true, headers: lock, body: 'two\r\n' });
  assert.equal(saved.status, 200);
  assert.notEqual(saved.headers['x-wopi-itemversion'], read.headers['x-wopi-itemversion']);
  assert.equal(await readFile(join(host.folder, 'notes.md'), 'utf8'), 'two\r\n');
  assert.equal((await call({ override: 'REFRESH_LOCK', headers: lock })).status, 200);

  const other = await call({ override: 'LOCK', headers: { 'X-WOPI-Lock': 'another' } });
  assert.equal(other.status, 409);
  assert.equal(other.headers['x-wopi-lock'], lockId);

  const copied = await call({
    override: 'PUT_RELATIVE',
    headers: { 'X-WOPI-SuggestedTarget': 'copy.md', 'X-WOPI-Size': '5' },
    body: 'three',
  });
  assert.equal(copied.status, 200);
  assert.equal(await readFile(join(host.folder, 'copy.md'), 'utf8'), 'three');
  const renamed = await call({
    override: 'RENAME_FILE',
    headers: { ...lock, 'X-WOPI-RequestedName': 'renamed' },
  });
  assert.equal(JSON.parse(renamed.body.toString()).Name, 'renamed');
  assert.equal((await call({ override: 'UNLOCK', headers: lock })).status, 200);
  assert.equal(await readFile(join(host.folder, 'renamed.md'), 'utf8'), 'two\r\n');
});

test('its messages are in the language of the browser', async (t) => {
  const host = await startTextEditorHost(t);
  const answer = await send(`${host.editor().url}/edit`, { headers: { 'Accept-Language': 'de-AT,de' } });
  assert.equal(answer.status, 405);
  assert.match(answer.body.toString(), /<html lang="de-AT">[^]*Hier ist kein Dokument geöffnet/u);
});

test('its discovery, parsed by the host, equals what is registered', async (t) => {
  const host = await startTextEditorHost(t);
  const { url } = host.editor();
  assert.equal(host.editor().discovery.proofKeys, null, 'keys are generated on demand');
  const answer = await send(`${url}/hosting/discovery`);
  assert.equal(answer.status, 200);
  assert.deepEqual(parseDiscovery(answer.body.toString(), url), host.editor().discovery);
  assert.match(host.editor().discovery.proofKeys?.current ?? '', /BEGIN PUBLIC KEY/);
});

test('the host rejects its token in an unsigned call', async (t) => {
  const host = await startTextEditorHost(t);
  const { session, call } = await host.open('a.txt');
  const direct = await host.wopi({ fileId: session.fileId, token: session.accessToken });
  assert.equal(direct.status, 500);
  assert.equal((await call()).status, 200);
});
