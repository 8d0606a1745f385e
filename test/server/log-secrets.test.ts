// Runs typical and failing calls of an editor, then searches everything that the host writes or reports for secrets.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { startHost } from '../../app/terminal/start-host.ts';
import type { HostEvent } from '../../app/contract/events.ts';
import { createLogger, toStream } from '../../app/log/logger.ts';

test('no password, token or lock id is in the log, the journal, the events, the lists or the data folder', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'doctray-log-'));
  const [folder, dataDir] = [join(place, 'documents'), join(place, 'data')];
  await mkdir(folder);
  await writeFile(join(folder, 'a.docx'), 'one');
  const out = new PassThrough();
  let logged = '';
  out.on('data', (chunk: Buffer) => {
    logged += chunk.toString();
  });
  const log = createLogger([toStream(out)]);
  const events: HostEvent[] = [];
  const password = 'correct horse battery staple';
  delete process.env['DBUS_SESSION_BUS_ADDRESS'];
  const host = await startHost({
    dataDir,
    folder,
    port: 0,
    ownerPassword: password,
    log,
    emit: (event) => events.push(event),
  });
  let isStopped = false;
  t.after(async () => {
    if (!isStopped) await host.stop();
    await rm(place, { recursive: true, force: true });
  });

  const api = (
    path: string,
    init: { json?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    fetch(`${host.baseUrl}/api/2.0/${path}`, {
      ...init,
      headers: { 'Content-Type': 'application/json', ...init.headers },
      ...(init.json !== undefined && { method: 'POST', body: JSON.stringify(init.json) }),
    });
  const wrongPassword = 'tr0ub4dor and 3 more words';
  await api('authentication', { json: { userName: 'owner', password: wrongPassword } });
  await api('authentication', { json: { userName: password, password: 'x' } });
  const signedIn = (await (
    await api('authentication', { json: { userName: 'owner', password } })
  ).json()) as {
    response: { token: string };
  };
  const apiToken = signedIn.response.token;
  const headers = { Authorization: apiToken };
  await api(`people/@self?token=${apiToken}`, { headers });
  await api(`nothing?access_token=${apiToken}`, { headers: { Authorization: `Bearer ${apiToken}` } });
  const opened = (await (await api('files/access', { json: { path: 'a.docx' }, headers })).json()) as {
    response: { fileId: string; accessToken: string };
  };
  const { fileId, accessToken } = opened.response;
  const lockId = 'lock-id-that-opens-a-save';
  const tokens: string[] = [apiToken, accessToken];

  const wopi = async (override: string, extra: Record<string, string> = {}, body = ''): Promise<Response> => {
    const suffix = override === 'PUT' ? '/contents' : '';
    const answer = await fetch(`${host.baseUrl}/wopi/files/${fileId}${suffix}?access_token=${accessToken}`, {
      method: 'POST',
      headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': lockId, 'User-Agent': 'editor', ...extra },
      body,
    });
    const url = /access_token=([\w-]{43})/.exec(await answer.text());
    if (url?.[1] !== undefined) tokens.push(url[1]);
    return answer;
  };
  await wopi('LOCK');
  await wopi('LOCK', { 'X-WOPI-Lock': 'another' });
  await wopi('PUT', {}, 'two');
  await wopi('PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': '.pdf' }, 'pdf');
  await wopi('RENAME_FILE', { 'X-WOPI-RequestedName': 'b' });
  await wopi('COBALT', {
    'X-WOPI-CorrelationId': accessToken,
    Referer: `https://x/?access_token=${accessToken}`,
  });
  await fetch(`${host.baseUrl}/wopi/files/${fileId}/${accessToken}?access_token=${accessToken}`);
  await fetch(`${host.baseUrl}/wopi/files/${fileId}/contents`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  await rm(folder, { recursive: true });
  assert.equal((await wopi('PUT', {}, 'three')).status, 500);
  host.services.sessions.flush();
  const entries = host.services.journal.newest(Infinity);
  const [session] = host.services.sessions.list();
  assert.ok(session);
  assert.ok(
    entries.every(({ operation, sessionId }) => operation !== 'PutFile' || sessionId === session.id),
    'a save belongs to its session',
  );
  const lists = JSON.stringify([
    host.services.locks.list(),
    host.services.sessions.list(),
    host.services.accessTokens.list(),
  ]);
  await host.stop();
  isStopped = true;
  log.flush();

  assert.ok(tokens.length >= 3, 'the copy got its own token');
  assert.ok(entries.length >= 12, `${entries.length} entries`);
  assert.match(logged, /"operation"|"msg":"PutFile"/);
  const stored = await Promise.all(
    (await readdir(dataDir, { recursive: true, withFileTypes: true }))
      // Except the secret store, which is meant to hold them.
      .filter((entry) => entry.isFile() && !entry.name.includes('secret'))
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  );
  const journal = entries.map((entry) => ({ ...entry, correlationId: '', path: '' }));
  for (const [where, text] of [
    ['the log', logged],
    ['the events', JSON.stringify(events)],
    ['the journal', JSON.stringify(journal)],
    ['a list', lists],
    ['a file', stored.join('\n')],
  ] as const) {
    for (const token of tokens) assert.ok(!text.includes(token), `${where} holds a token`);
    assert.ok(!text.includes(password), `${where} holds the password`);
    assert.ok(!text.includes(wrongPassword), `${where} holds a wrong password`);
  }
  for (const text of [logged, JSON.stringify(events), JSON.stringify(journal), lists]) {
    assert.ok(!text.includes(lockId), 'a lock id is reported');
  }
  // The in-memory journal shows the first characters of a lock id to tell locks apart; files must not.
  assert.ok(
    entries.some(
      ({ operation, lockHeaders }) => operation === 'Lock' && lockHeaders?.startsWith('lock-id-…'),
    ),
  );
  assert.ok(!logged.includes('lock-id-'), 'the log holds the beginning of a lock id');
});
