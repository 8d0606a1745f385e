import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startTestHost, type TestAccess, type TestHost } from './test-host.ts';

const minute = 60_000;

async function begin(t: TestContext): Promise<{ host: TestHost; holder: TestAccess; state: () => string }> {
  const host = await startTestHost({ files: { 'a.docx': 'text' } });
  t.after(() => host.stop());
  const holder = await host.access('a.docx');
  const { status } = await call(host, holder, 'LOCK', 'mine');
  assert.equal(status, 200);
  return { host, holder, state: () => host.host.services.locks.find(holder.fileId)?.state ?? 'none' };
}

const call = (host: TestHost, access: TestAccess, override?: string, lockId?: string) =>
  host.wopi({
    fileId: access.fileId,
    token: access.accessToken,
    ...(override === undefined ? {} : { method: 'POST', override }),
    ...(lockId === undefined ? {} : { headers: { 'X-WOPI-Lock': lockId } }),
  });

for (const isWritten of [false, true]) {
  const when = isWritten ? 'written to the database' : 'still in memory';
  test(`calls of other tokens without the lock id don’t keep a lock alive, with their sessions ${when}`, async (t) => {
    const { host, state } = await begin(t);
    const viewer = await host.access('a.docx', { mode: 'view' });
    const refused = await host.access('a.docx');
    for (let passedMinutes = 0; passedMinutes < 17; passedMinutes += 1) {
      host.clock.advance(minute);
      assert.equal((await call(host, viewer)).status, 200);
      assert.equal((await call(host, refused, 'GET_LOCK')).status, 200);
      assert.equal((await call(host, refused, 'LOCK', 'other')).status, 409);
      if (isWritten) host.host.services.sessions.flush();
    }
    assert.equal(state(), 'stale');
    const conflict = await call(host, refused, 'LOCK', 'other');
    assert.match(conflict.headers.get('x-wopi-lockfailurereason') ?? '', /that editor has gone away/);
  });

  test(`a call by the token that took the lock keeps it alive, with its session ${when}`, async (t) => {
    const { host, holder, state } = await begin(t);
    host.clock.advance(10 * minute);
    assert.equal((await call(host, holder)).status, 200);
    if (isWritten) host.host.services.sessions.flush();
    host.clock.advance(10 * minute);
    assert.equal(state(), 'held');
    host.clock.advance(6 * minute);
    assert.equal(state(), 'stale');
  });
}

test('a call by another token with the lock id keeps the lock alive', async (t) => {
  const { host, state } = await begin(t);
  const coEditor = await host.access('a.docx');
  host.clock.advance(10 * minute);
  assert.equal((await call(host, coEditor, 'REFRESH_LOCK', 'mine')).status, 200);
  host.clock.advance(10 * minute);
  assert.equal(state(), 'held');
});

const lockStates = ({ host }: TestHost): Map<string, string | null> =>
  new Map(host.services.sessions.list().map(({ id, lockState }) => [id, lockState]));

test('a session knows that the lock was refused to it, until it gets the lock, and when it loses it', async (t) => {
  const { host, holder } = await begin(t);
  const second = await host.access('a.docx');
  const [first = ''] = lockStates(host).keys();
  assert.equal((await call(host, second, 'LOCK', 'other')).status, 409);
  const id = [...lockStates(host).keys()].find((one) => one !== first) ?? '';
  const states = () => [first, id].map((one) => lockStates(host).get(one));
  assert.deepEqual(states(), ['held', 'refused']);
  assert.equal((await call(host, second, 'GET_LOCK')).status, 200);
  host.host.services.sessions.flush();
  assert.deepEqual(states(), ['held', 'refused']);
  assert.equal((await call(host, holder, 'UNLOCK', 'mine')).status, 200);
  assert.deepEqual(states(), ['released', 'refused']);
  assert.equal((await call(host, second, 'LOCK', 'other')).status, 200);
  // It polls, to see who edits.
  assert.equal((await call(host, holder, 'REFRESH_LOCK', 'mine')).status, 409);
  assert.deepEqual(states(), ['released', 'held']);
  assert.equal((await call(host, second, 'UNLOCK', 'other')).status, 200);
  assert.equal((await call(host, holder, 'LOCK', 'mine')).status, 200);
  assert.deepEqual(states(), ['held', 'released']);
});

// Collabora refreshes with LOCK.
for (const override of ['REFRESH_LOCK', 'LOCK']) {
  test(`a session whose ${override} is refused has lost the lock that it held`, async (t) => {
    const { host, holder } = await begin(t);
    const second = await host.access('a.docx');
    const headers = { 'X-WOPI-OldLock': 'mine', 'X-WOPI-Lock': 'other' };
    const { fileId, accessToken: token } = second;
    const taken = await host.wopi({ method: 'POST', fileId, token, override: 'LOCK', headers });
    assert.equal(taken.status, 200);
    assert.equal((await call(host, holder, override, 'mine')).status, 409);
    assert.deepEqual(new Set(lockStates(host).values()), new Set(['held', 'lost']));
    assert.equal((await call(host, holder, override, 'other')).status, 200);
    assert.deepEqual([...lockStates(host).values()], ['held', 'held'], 'they share it');
    assert.equal((await call(host, second, 'UNLOCK', 'other')).status, 200);
    assert.deepEqual(
      [...lockStates(host).values()],
      ['released', 'released'],
      'the last one releases it for all',
    );
  });
}

test('a session whose save is refused has lost the lock that it held, until a save is accepted again', async (t) => {
  const { host, holder } = await begin(t);
  const { locks } = host.host.services;
  const put = async (headers: Record<string, string>, body = 'edited') => {
    const { fileId, accessToken: token } = holder;
    return host.wopi({ method: 'POST', fileId, token, contents: true, override: 'PUT', headers, body });
  };
  const state = () => [...lockStates(host).values()][0];
  await writeFile(join(host.folder, 'a.docx'), 'by another program');
  const headers = { 'X-WOPI-Lock': 'mine', 'X-COOL-WOPI-Timestamp': '2020-01-01T00:00:00.0000000Z' };
  assert.equal((await put(headers)).status, 409);
  assert.equal(state(), 'held', 'the document was changed, and the lock is the same');
  assert.equal((await put({})).status, 409);
  assert.equal(state(), 'held', 'the save named no lock');
  await locks.forceClear(holder.fileId, 'owner');
  assert.equal((await put({ 'X-WOPI-Lock': 'mine' })).status, 409);
  assert.equal(state(), 'lost');
  assert.equal(await locks.undoForceClear(holder.fileId, 'owner'), 'restored');
  assert.equal((await put({ 'X-WOPI-Lock': 'mine' })).status, 200);
  assert.equal(state(), 'held');
});

test('a session that never asked for the lock isn’t read-only when its save is refused', async (t) => {
  const { host } = await begin(t);
  const { fileId, accessToken: token } = await host.access('a.docx');
  const headers = { 'X-WOPI-Lock': 'other' };
  const call = { method: 'POST', fileId, token, contents: true, override: 'PUT', headers, body: 'edited' };
  assert.equal((await host.wopi(call)).status, 409);
  assert.deepEqual(new Set(lockStates(host).values()), new Set(['held', null]));
});
