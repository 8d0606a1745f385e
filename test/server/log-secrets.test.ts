// Runs typical and failing calls of an editor, then searches everything that the host writes or reports for secrets.

import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { startTestHost, type WopiResponse } from './test-host.ts';

test('no password, token or lock id is in the log, the journal, the events, the lists or the data folder', async (t) => {
  const logTo = new PassThrough();
  let logged = '';
  logTo.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const host = await startTestHost({ files: { 'a.docx': 'one' }, logTo }, t);
  const { services } = host.host;
  const { password } = host.owner;
  const wrongPassword = 'tr0ub4dor and 3 more words';
  for (const [login, given] of [
    ['owner', wrongPassword],
    [password, 'x'],
  ] as const)
    await host.signIn(login, given).catch(() => undefined);
  const apiToken = await host.signIn();
  for (const [path, Authorization] of [
    [`people/@self?token=${apiToken}`, apiToken],
    [`nothing?access_token=${apiToken}`, `Bearer ${apiToken}`],
  ] as const)
    await fetch(`${host.baseUrl}/api/2.0/${path}`, { headers: { Authorization } });
  const lockId = 'lock-id-that-opens-a-save';
  const document = await host.document('a.docx', { apiToken, lockId });
  const { fileId, token, lock, save, copy } = document;
  const own = { 'X-WOPI-Lock': lockId };
  const copied = /access_token=([\w-]{43})/;
  const tokens = [apiToken, token];
  const note = ({ body }: WopiResponse) => tokens.push(...(copied.exec(body.toString())?.slice(1) ?? []));
  await lock();
  await lock({ 'X-WOPI-Lock': 'another' });
  await save('two');
  note(await copy('pdf', { ...own, 'X-WOPI-SuggestedTarget': '.pdf' }));
  note(await document.call('RENAME_FILE', { ...own, 'X-WOPI-RequestedName': 'b' }));
  await document.call('COBALT', {
    'X-WOPI-CorrelationId': token,
    Referer: `https://x/?access_token=${token}`,
  });
  await fetch(`${host.baseUrl}/wopi/files/${fileId}/${token}?access_token=${token}`);
  await fetch(`${host.baseUrl}/wopi/files/${fileId}/contents`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await rm(host.folder, { recursive: true });
  assert.equal((await save('three')).status, 500);
  services.sessions.flush();
  const entries = services.journal.newest(Infinity);
  const [session] = services.sessions.list();
  for (const { operation, sessionId } of entries)
    if (operation === 'PutFile') assert.equal(sessionId, session?.id, 'a save belongs to its session');
  const { locks, sessions, accessTokens } = services;
  const lists = JSON.stringify([locks.list(), sessions.list(), accessTokens.list()]);
  await host.host.stop();
  services.log.flush();

  assert.ok(tokens.length >= 3, 'the copy got its own token');
  assert.ok(entries.length >= 12, `${entries.length} entries`);
  assert.match(logged, /"operation"|"msg":"PutFile"/);
  const stored = await Promise.all(
    (await readdir(host.dataDir, { recursive: true, withFileTypes: true }))
      // Except the secret store, which is meant to hold them.
      .filter((entry) => entry.isFile() && !entry.name.includes('secret'))
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  );
  const journal = entries.map((entry) => ({ ...entry, correlationId: '', path: '' }));
  for (const [where, text, isFile] of [
    ['the log', logged],
    ['the events', JSON.stringify(host.events)],
    ['the journal', JSON.stringify(journal)],
    ['a list', lists],
    ['a file', stored.join('\n'), true],
  ] as const) {
    for (const secret of [...tokens, password, wrongPassword])
      assert.ok(!text.includes(secret), `${where} holds ${secret}`);
    if (isFile !== true) assert.ok(!text.includes(lockId), `${where} holds a lock id`);
  }
  // The in-memory journal shows the first characters of a lock id to tell locks apart; files must not.
  const isShort = (entry: (typeof entries)[number]) => entry.lockHeaders?.startsWith('lock-id-…') === true;
  assert.ok(entries.some((entry) => entry.operation === 'Lock' && isShort(entry)));
  assert.ok(!logged.includes('lock-id-'), 'the log holds the beginning of a lock id');
});
