// The rules where the answer depends on the lock: every operation in every state, with the lock id in the answer and the lock that is
// held afterwards. The client's lock id is always `mine`. Then how long a lock is held, and what a valid lock id is.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WopiClient } from '../wopi-client.ts';
import type { Exchange, HeaderList } from '../wire.ts';
import { assertConflict, lapse, minutes, row, take, withSettings, type Row } from './row.ts';

type Call = (client: WopiClient) => Promise<Exchange>;

const copying = (lock?: string): HeaderList => ({
  'X-WOPI-SuggestedTarget': 'copy.docx',
  'X-WOPI-Lock': lock,
});

/** [the lock that was taken, whether it has lapsed] */
const states: Record<string, [id: string, hasLapsed?: true]> = {
  unlocked: [''],
  'locked with its id': ['mine'],
  'locked with another id': ['theirs'],
  'its lock has lapsed': ['mine', true],
  'another lock has lapsed': ['theirs', true],
};

/**
 * By state: the id of the lock that is held after a success, or `none`; `no`: a 409 with the lock that is held; `-`: not tested.
 */
const outcomes: [operation: string, call: Call, held: string][] = [
  ['Lock', (client) => client.lock('mine'), 'mine mine no mine mine'],
  ['RefreshLock', (client) => client.refreshLock('mine'), 'no mine no mine no'],
  ['UnlockAndRelock', (client) => client.relock('next', 'mine'), 'no next no - no'],
  ['GetLock', (client) => client.getLock(), 'none mine theirs none none'],
  ['Unlock', (client) => client.unlock('mine'), 'no none no none no'],
  ['PutFile', (client) => client.put('mine', 'edited'), 'no mine no mine no'],
  ['PutFile without a lock id', (client) => client.put(undefined, 'edited'), 'no no no no no'],
  ['PutFile with an empty lock id', (client) => client.put('', 'edited'), 'no no no no no'],
  ['PutRelativeFile', (client) => client.putRelative(copying('mine')), 'none mine no none none'],
  [
    'PutRelativeFile without a lock id',
    (client) => client.putRelative(copying()),
    'none mine theirs none none',
  ],
  [
    'PutRelativeFile, empty lock id',
    (client) => client.putRelative(copying('')),
    'none mine theirs none none',
  ],
  ['RenameFile', (client) => client.rename('renamed', 'mine'), 'none mine no none none'],
  // This very session took the lock.
  ['RenameFile without a lock id', (client) => client.rename('renamed'), 'none mine theirs none none'],
  ['RenameFile, empty lock id', (client) => client.rename('renamed', ''), 'none mine theirs none none'],
  ['DeleteFile', (client) => client.deleteFile(), '- no no - -'],
];

/** Their successes have `X-WOPI-ItemVersion`. */
const versioned = ['Lock', 'Unlock', 'PutFile'];

const table: Row[] = outcomes.flatMap(([operation, call, held]) =>
  Object.entries(states).flatMap(([state, [id, hasLapsed]], index) => {
    const outcome = held.split(' ')[index] ?? '-';
    if (outcome === '-') return [];
    const before = hasLapsed === true ? '' : id;
    const after = outcome === 'no' ? before : outcome.replace('none', '');
    const what = outcome === 'no' ? `409 with X-WOPI-Lock “${before}”` : `200, “${after}” afterwards`;
    return row(`${operation}, ${state}: ${what}`, async (client, { host }) => {
      const { Version } = await client.info();
      if (id !== '') await take(client, id);
      if (hasLapsed === true) host.clock.advance(lapse);
      const answer = await call(client);
      if (outcome === 'no') await assertConflict(client, answer, before);
      else {
        assert.equal(answer.status, 200);
        assert.equal(answer.received['x-wopi-lock'], operation === 'GetLock' ? after : undefined);
        if (versioned.includes(operation)) {
          assert.equal(answer.received['x-wopi-itemversion'] === Version, operation !== 'PutFile');
        }
      }
      assert.equal(await client.heldLock(), after);
    });
  }),
);

const extending: [name: string, act: Call, id: string][] = [
  ['Lock', (client) => client.lock('mine'), 'mine'],
  ['RefreshLock', (client) => client.refreshLock('mine'), 'mine'],
  ['UnlockAndRelock', (client) => client.relock('next', 'mine'), 'next'],
  ['a matching PutFile', (client) => client.put('mine', 'edited'), 'mine'],
];

const notExtending: [name: string, act: Call][] = [
  ['GetLock', (client) => client.getLock()],
  ['CheckFileInfo', (client) => client.checkFileInfo()],
  ['GetFile', (client) => client.getFile()],
  ['a refused Lock', (client) => client.lock('other')],
  ['a refused PutFile', (client) => client.put('other', 'edited')],
];

const durations: Row[] = [
  ...extending.map(([name, act, id]) =>
    row(`A lock is held for 30 minutes after ${name}`, async (client, { host }) => {
      await take(client);
      host.clock.advance(29 * minutes);
      assert.equal((await act(client)).status, 200);
      host.clock.advance(29 * minutes);
      assert.equal(await client.heldLock(), id);
      host.clock.advance(minutes + 1_000);
      assert.equal(await client.heldLock(), '');
    }),
  ),
  ...notExtending.map(([name, act]) =>
    row(`${name} doesn’t extend a lock`, async (client, { host }) => {
      await take(client);
      host.clock.advance(29 * minutes);
      await act(client);
      host.clock.advance(minutes + 1_000);
      assert.equal(await client.heldLock(), '');
    }),
  ),
  row(
    'A lock and the grace of a lapsed one survive a restart of the host',
    async (client, { host, another }) => {
      const lapsed = await another();
      await take(lapsed);
      host.clock.advance(lapse);
      await take(client);
      await host.restart();
      assert.equal(await client.heldLock(), 'mine');
      assert.equal((await client.lock('other')).status, 409);
      for (const each of [client, lapsed]) {
        assert.equal((await each.put('mine', 'edited')).status, 200);
        assert.equal(await each.heldLock(), 'mine');
      }
    },
  ),
];

const graces: Row[] = [
  row('No grace after Unlock: PutFile with the old lock id is 409', async (client, { host, another }) => {
    await take(client);
    assert.equal((await client.unlock('mine')).status, 200);
    await assertConflict(client, await client.put('mine', 'edited'), '');
    const lapsed = await another();
    await take(lapsed);
    host.clock.advance(lapse);
    assert.equal((await lapsed.unlock('mine')).status, 200);
    await assertConflict(lapsed, await lapsed.put('mine', 'edited'), '');
  }),
  row('No grace once another lock was taken, even after that was unlocked', async (client, { host }) => {
    await take(client);
    host.clock.advance(lapse);
    await take(client, 'theirs');
    assert.equal((await client.unlock('theirs')).status, 200);
    await assertConflict(client, await client.refreshLock('mine'), '');
  }),
  row('No grace if the document changed on disk after the lock lapsed', async (client, { host }) => {
    await take(client);
    host.clock.advance(lapse);
    assert.equal(await client.heldLock(), '');
    await writeFile(join(host.folder, client.path), 'written by another program');
    const refused = await client.put('mine', 'edited');
    assert.deepEqual([refused.status, refused.received['x-wopi-lock']], [409, '']);
    assert.equal(await client.onDisk(), 'written by another program');
  }),
];

const officeLock = { S: '2b8f0a5c-6c5e-4c5e-9f0c-1f4f2c8f8d21', F: 4, E: 2, M: 'A0B1C2D3E4F5' };
const badLockIds: [name: string, id: string | undefined][] = [
  ['missing', undefined],
  ['empty', ''],
  ['of 1025 bytes', 'x'.repeat(1025)],
  ['with a non-ASCII character', 'l\u00e9'],
  ['with a tab', 'a\tb'],
];
const goodLockIds: [name: string, id: string][] = [
  ['of 1024 bytes', 'x'.repeat(1024)],
  ['that is JSON', JSON.stringify(officeLock)],
  ['with spaces', 'a lock id'],
];

const lockIds: Row[] = [
  ...badLockIds.map(([name, id]) =>
    row(`Lock, RefreshLock and Unlock with a lock id ${name}: 400`, async (client) => {
      await take(client, 'theirs');
      for (const call of [client.lock, client.refreshLock, client.unlock]) {
        assert.equal((await call(id)).status, 400);
      }
      assert.equal(await client.heldLock(), 'theirs');
    }),
  ),
  ...goodLockIds.map(([name, id]) =>
    row(`A lock id ${name} is stored and returned unchanged`, async (client) => {
      await take(client, id);
      assert.equal(await client.heldLock(), id);
      await assertConflict(client, await client.lock('other'), id);
      assert.equal((await client.put(id, 'edited')).status, 200);
      assert.equal((await client.unlock(id)).status, 200);
    }),
  ),
  row(
    'Lock ids that differ in case, and JSON ones that are equal only in S, are different',
    async (client, { another }) => {
      await take(client, 'Mine');
      await assertConflict(client, await client.lock('mine'), 'Mine');
      await assertConflict(client, await client.put('MINE', 'edited'), 'Mine');
      const other = await another();
      await take(other, JSON.stringify(officeLock));
      const sameS = JSON.stringify({ ...officeLock, F: 5 });
      await assertConflict(other, await other.refreshLock(sameS), JSON.stringify(officeLock));
    },
  ),
  row(
    'Lock while another lock is held: 409 with a reason; without one, 200 without a body',
    async (client) => {
      const { lock, refreshLock, getLock, unlock } = client;
      for (const call of [lock, refreshLock, getLock, unlock]) {
        const { status, body } = await call('theirs');
        assert.deepEqual([status, body.length], [200, 0]);
      }
      await take(client, 'theirs');
      assert.match(String((await lock('mine')).received['x-wopi-lockfailurereason'] ?? ''), /\S/);
    },
  ),
  row(
    'A desktop lock after the editor’s own doesn’t matter to it; with desktopLocks warn, it locks',
    async (client, context) => {
      await take(client);
      const other = await context.another();
      for (const each of [client, other]) {
        await writeFile(
          each.beside('.~lock.minutes.docx#'),
          'Ana Novak,ana,desk-7,20.11.2026 15:03,file:///home/ana;',
        );
      }
      assert.match(String((await other.lock('mine')).received['x-wopi-lock']), /^desktop:\S+$/);
      await withSettings(context, { desktopLocks: 'warn' }, () => take(other));
      assert.equal((await client.refreshLock('mine')).status, 200);
      assert.equal((await client.put('mine', 'edited')).status, 200);
      assert.equal((await client.unlock('mine')).status, 200);
    },
  ),
];

export const lockRows: Row[] = [...table, ...durations, ...graces, ...lockIds];
