import assert from 'node:assert/strict';
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

test('a session knows that the lock was refused to it, until it gets the lock', async (t) => {
  const { host, holder } = await begin(t);
  const second = await host.access('a.docx');
  const refused = () =>
    host.host.services.sessions
      .list()
      .filter(({ isLockRefused }) => isLockRefused)
      .map(({ id }) => id);
  assert.equal((await call(host, second, 'LOCK', 'other')).status, 409);
  const [id] = refused();
  assert.equal(refused().length, 1);
  assert.equal((await call(host, second, 'GET_LOCK')).status, 200);
  host.host.services.sessions.flush();
  assert.deepEqual(refused(), [id]);
  assert.equal((await call(host, holder, 'UNLOCK', 'mine')).status, 200);
  assert.equal((await call(host, second, 'LOCK', 'other')).status, 200);
  assert.deepEqual(refused(), []);
  // Its editor may still have changes. Collabora refreshes with LOCK.
  for (const override of ['REFRESH_LOCK', 'LOCK']) {
    assert.equal((await call(host, holder, override, 'mine')).status, 409);
    assert.deepEqual(refused(), [], override);
  }
});
