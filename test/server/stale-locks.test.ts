// What keeps a lock alive, and what a session knows about the lock.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestHost, type TestHost } from './test-host.ts';

const minute = 60_000;

let host: TestHost;
let documents = 0;
before(async () => {
  host = await startTestHost();
});
after(() => host.stop());

/** A document that an editor has locked as `mine`. */
async function begin() {
  documents += 1;
  const name = `${documents}.docx`;
  await writeFile(join(host.folder, name), 'text');
  const { services } = host.host;
  const holder = await host.document(name, { lockId: 'mine' });
  assert.equal((await holder.lock()).status, 200);
  return {
    services,
    clock: host.clock,
    holder,
    open: (lockId: string) => host.document(name, { lockId }),
    view: () => host.document(name, { mode: 'view' }),
    state: () => services.locks.find(holder.fileId)?.state ?? 'none',
    lockStates: () =>
      services.sessions
        .list()
        .filter(({ fileId }) => fileId === holder.fileId)
        .map(({ lockState }) => lockState),
  };
}

for (const isWritten of [false, true]) {
  const when = isWritten ? 'written to the database' : 'still in memory';
  test(`calls of other tokens without the lock id don’t keep a lock alive, with their sessions ${when}`, async () => {
    const { services, clock, open, view, state } = await begin();
    const viewer = await view();
    const refused = await open('other');
    for (let passedMinutes = 0; passedMinutes < 17; passedMinutes += 1) {
      clock.advance(minute);
      assert.equal((await viewer.call()).status, 200);
      assert.equal((await refused.call('GET_LOCK')).status, 200);
      assert.equal((await refused.lock()).status, 409);
      if (isWritten) services.sessions.flush();
    }
    assert.equal(state(), 'stale');
    const { headers } = await refused.lock();
    assert.match(headers.get('x-wopi-lockfailurereason') ?? '', /that editor has gone away/);
  });

  test(`a call by the token that took the lock keeps it alive, with its session ${when}`, async () => {
    const { services, clock, holder, state } = await begin();
    clock.advance(10 * minute);
    assert.equal((await holder.call()).status, 200);
    if (isWritten) services.sessions.flush();
    clock.advance(10 * minute);
    assert.equal(state(), 'held');
    clock.advance(6 * minute);
    assert.equal(state(), 'stale');
  });
}

test('a call by another token with the lock id keeps the lock alive', async () => {
  const { clock, open, state } = await begin();
  const coEditor = await open('mine');
  clock.advance(10 * minute);
  assert.equal((await coEditor.refresh()).status, 200);
  clock.advance(10 * minute);
  assert.equal(state(), 'held');
});

test('a session knows that the lock was refused to it, until it gets the lock, and when it loses it', async () => {
  const { services, holder, open } = await begin();
  const second = await open('other');
  const idOf = ({ token }: { token: string }) => services.accessTokens.find(token)?.id ?? '';
  const states = () => [holder, second].map((one) => services.sessions.find(idOf(one))?.lockState);
  assert.equal((await second.lock()).status, 409);
  assert.deepEqual(states(), ['held', 'refused']);
  assert.equal((await second.call('GET_LOCK')).status, 200);
  services.sessions.flush();
  assert.deepEqual(states(), ['held', 'refused']);
  assert.equal((await holder.unlock()).status, 200);
  assert.deepEqual(states(), ['released', 'refused']);
  assert.equal((await second.lock()).status, 200);
  // It polls, to see who edits.
  assert.equal((await holder.refresh()).status, 409);
  assert.deepEqual(states(), ['released', 'held']);
  assert.equal((await second.unlock()).status, 200);
  assert.equal((await holder.lock()).status, 200);
  assert.deepEqual(states(), ['held', 'released']);
});

// Collabora refreshes with LOCK.
for (const step of ['refresh', 'lock'] as const) {
  test(`a session whose ${step} is refused has lost the lock that it held`, async () => {
    const { holder, open, lockStates } = await begin();
    const second = await open('other');
    assert.equal((await second.lock({ 'X-WOPI-OldLock': 'mine' })).status, 200);
    assert.equal((await holder[step]()).status, 409);
    assert.deepEqual(new Set(lockStates()), new Set(['held', 'lost']));
    assert.equal((await holder[step]({ 'X-WOPI-Lock': 'other' })).status, 200);
    assert.deepEqual(lockStates(), ['held', 'held'], 'they share it');
    assert.equal((await second.unlock()).status, 200);
    assert.deepEqual(lockStates(), ['released', 'released'], 'the last one releases it for all');
  });
}

test('a session whose save is refused has lost the lock that it held, until a save is accepted again', async () => {
  const { services, holder, lockStates } = await begin();
  const { locks } = services;
  await writeFile(holder.path, 'by another program');
  const old = { 'X-COOL-WOPI-Timestamp': '2020-01-01T00:00:00.0000000Z' };
  assert.equal((await holder.save('edited', old)).status, 409);
  assert.deepEqual(lockStates(), ['held'], 'the document was changed, and the lock is the same');
  assert.equal((await holder.save('edited', { 'X-WOPI-Lock': '' })).status, 409);
  assert.deepEqual(lockStates(), ['held'], 'the save named no lock');
  await locks.forceClear(holder.fileId, 'owner');
  assert.equal((await holder.save('edited')).status, 409);
  assert.deepEqual(lockStates(), ['lost']);
  assert.equal(await locks.undoForceClear(holder.fileId, 'owner'), 'restored');
  assert.equal((await holder.save('edited')).status, 200);
  assert.deepEqual(lockStates(), ['held']);
});

test('a session that never asked for the lock isn’t read-only when its save is refused', async () => {
  const { open, lockStates } = await begin();
  assert.equal((await (await open('other')).save('edited')).status, 409);
  assert.deepEqual(new Set(lockStates()), new Set(['held', null]));
});
