// Saves whose user or token changes while they are sent. where-saves-go.test.ts has all other rejected ones.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestHost, type TestHost, type WopiResponse } from './test-host.ts';

const password = 'a long enough password';

async function start(t: TestContext): Promise<{ host: TestHost; kept: () => Promise<string[]> }> {
  const host = await startTestHost({ files: { 'a.txt': 'old', 'b.txt': 'precious' } });
  t.after(() => host.stop());
  const { users } = host.host.services;
  await users.add({ login: 'ana', displayName: 'Ana', role: 'editor', password });
  /** Contents of the recovered saves. */
  const kept = async (): Promise<string[]> => {
    const directory = join(host.dataDir, 'rescued');
    const { recoveredSaves } = host.host.services;
    const names = recoveredSaves.list().map(({ id, fileId }) => `${id}.${fileId}`);
    return Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  };
  return { host, kept };
}

interface Editor {
  fileId: string;
  token: string;
  put: (body: string, headers?: Record<string, string>) => Promise<WopiResponse>;
  copy: (body: string, headers: Record<string, string>) => Promise<WopiResponse>;
}

/** Reads and locks `a.txt` as `L`. */
async function openEditor(host: TestHost, login?: string): Promise<Editor> {
  const apiToken = login === undefined ? undefined : await host.signIn(login, password);
  const { fileId, accessToken: token } = await host.access(
    'a.txt',
    apiToken === undefined ? {} : { apiToken },
  );
  const lock = { 'X-WOPI-Lock': 'L' };
  await host.wopi({ fileId, token, contents: true });
  assert.equal((await host.wopi({ fileId, token, override: 'LOCK', headers: lock })).status, 200);
  return {
    fileId,
    token,
    put: (body, headers = {}) =>
      host.wopi({ fileId, token, contents: true, override: 'PUT', headers: { ...lock, ...headers }, body }),
    copy: (body, headers) => host.wopi({ fileId, token, override: 'PUT_RELATIVE', headers, body }),
  };
}

/** Sends half of a body, runs `duringUpload`, then sends the rest. */
async function upload(
  url: string,
  headers: Record<string, string>,
  duringUpload: () => void,
): Promise<{ status: number; text: string }> {
  const call = request(url, { method: 'POST', agent: false, headers: { 'Content-Length': 10, ...headers } });
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response: IncomingMessage) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  call.write('half, ');
  await pause(150);
  duringUpload();
  call.end('half');
  return answer;
}

test('recovers the body of a PutFile whose user lost the permission to edit', async (t) => {
  const { host, kept } = await start(t);
  const editor = await openEditor(host, 'ana');
  host.host.services.users.setRole('ana', 'viewer');
  assert.equal((await editor.put('edited')).status, 401);
  assert.deepEqual(await kept(), ['edited']);
});

test('a user who lost the permission to edit can still unlock with the right token and lock id', async (t) => {
  const { host } = await start(t);
  const { fileId, token } = await openEditor(host, 'ana');
  host.host.services.users.setRole('ana', 'viewer');
  const { accessToken: viewing } = await host.access('a.txt', { mode: 'view' });
  const unlock = async (by: string, lock: string): Promise<number> =>
    (await host.wopi({ fileId, token: by, override: 'UNLOCK', headers: { 'X-WOPI-Lock': lock } })).status;
  assert.equal(await unlock(token, 'other'), 200);
  assert.equal(await unlock(viewing, 'L'), 200);
  assert.equal(host.host.services.locks.isHeld(fileId), true);
  assert.equal(await unlock(token, 'L'), 200);
  assert.equal(host.host.services.locks.isHeld(fileId), false);
});

test('rejects and recovers a PutFile whose user loses the permission to edit during the upload', async (t) => {
  const { host, kept } = await start(t);
  const { fileId, token } = await openEditor(host, 'ana');
  const { status } = await upload(
    `${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`,
    { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'L' },
    () => host.host.services.users.setRole('ana', 'viewer'),
  );
  assert.equal(status, 401);
  assert.equal(await readFile(join(host.folder, 'a.txt'), 'utf8'), 'old');
  assert.deepEqual(await kept(), ['half, half']);
});

test('doesn’t recover a PutFile whose token was issued for viewing', async (t) => {
  const { host, kept } = await start(t);
  const { fileId, accessToken: token } = await host.access('a.txt', { mode: 'view' });
  const headers = { 'X-WOPI-Lock': 'L' };
  const put = await host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body: 'edited' });
  assert.equal(put.status, 401);
  assert.deepEqual(await kept(), []);
});

test('a token revoked after its copy was created still gets 200 for PutRelativeFile, but no valid token', async (t) => {
  const { host, kept } = await start(t);
  const editor = await openEditor(host);
  const { accessTokens } = host.host.services;
  const push = host.events.push.bind(host.events);
  host.events.push = (...events) => {
    if (events.some(({ event }) => event === 'file-saved' || event === 'file-created')) {
      for (const { id } of accessTokens.list()) accessTokens.revoke(id);
    }
    return push(...events);
  };
  const copied = await editor.copy('the copy', { 'X-WOPI-SuggestedTarget': 'c.txt' });
  assert.equal(copied.status, 200);
  const { Name, Url } = JSON.parse(copied.body.toString()) as { Name: string; Url: string };
  assert.equal(Name, 'c.txt');
  assert.equal((await fetch(Url)).status, 401);
  assert.deepEqual(accessTokens.list(), []);
  assert.equal(await readFile(join(host.folder, 'c.txt'), 'utf8'), 'the copy');
  assert.deepEqual(await kept(), []);
});
