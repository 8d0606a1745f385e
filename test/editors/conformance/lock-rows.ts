// Section 3 of the behaviour page where the answer hangs on the lock: every operation in every state of the lock, with
// the lock the answer names and the lock held afterwards. The client's own lock id is always `mine`.
// Further down: how long a lock lives, and what a lock id may be.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Desk } from '../desk.ts';
import type { Exchange } from '../wire.ts';
import { lapse, minutes } from './row.ts';
import type { Ground, Row } from './row.ts';

const operations = {
  Lock: (desk: Desk) => desk.lock('mine'),
  RefreshLock: (desk: Desk) => desk.refreshLock('mine'),
  UnlockAndRelock: (desk: Desk) => desk.relock('next', 'mine'),
  GetLock: (desk: Desk) => desk.getLock(),
  Unlock: (desk: Desk) => desk.unlock('mine'),
  PutFile: (desk: Desk) => desk.put('mine', 'edited'),
  'PutFile without a lock id': (desk: Desk) => desk.put(undefined, 'edited'),
  'PutFile with an empty lock id': (desk: Desk) => desk.put('', 'edited'),
  PutRelativeFile: (desk: Desk) =>
    desk.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx', 'X-WOPI-Lock': 'mine' }),
  'PutRelativeFile without a lock id': (desk: Desk) =>
    desk.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx' }),
  'PutRelativeFile with an empty lock id': (desk: Desk) =>
    desk.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx', 'X-WOPI-Lock': '' }),
  RenameFile: (desk: Desk) => desk.rename('renamed', 'mine'),
  'RenameFile without a lock id': (desk: Desk) => desk.rename('renamed'),
  'RenameFile with an empty lock id': (desk: Desk) => desk.rename('renamed', ''),
  DeleteFile: (desk: Desk) => desk.deleteFile(),
} satisfies Record<string, (desk: Desk) => Promise<Exchange>>;

const states = {
  unlocked: async () => undefined,
  'locked with its id': async (desk: Desk) => take(desk, 'mine'),
  'locked with another id': async (desk: Desk) => take(desk, 'theirs'),
  'its lock has lapsed': async (desk: Desk, ground: Ground) => {
    await take(desk, 'mine');
    ground.host.clock.advance(lapse);
  },
  'another lock has lapsed': async (desk: Desk, ground: Ground) => {
    await take(desk, 'theirs');
    ground.host.clock.advance(lapse);
  },
} satisfies Record<string, (desk: Desk, ground: Ground) => Promise<unknown>>;

async function take(desk: Desk, id: string): Promise<void> {
  assert.equal((await desk.lock(id)).status, 200);
}

interface LockRow {
  operation: keyof typeof operations;
  state: keyof typeof states;
  status: 200 | 409;
  /** `X-WOPI-Lock` of the answer; undefined: not there. */
  named?: string;
  /** The lock held afterwards. */
  held: string;
  /** The answer carries `X-WOPI-ItemVersion`. */
  hasVersion?: true;
}

function rowsOf(
  operation: LockRow['operation'],
  ...rows: [
    state: LockRow['state'],
    status: 200 | 409,
    named: string | undefined,
    held: string,
    version?: 'version',
  ][]
): LockRow[] {
  return rows.map(([state, status, named, held, version]) => ({
    operation,
    state,
    status,
    held,
    ...(named === undefined ? {} : { named }),
    ...(version === undefined ? {} : { hasVersion: true as const }),
  }));
}

const lockTable: LockRow[] = [
  ...rowsOf(
    'Lock',
    ['unlocked', 200, undefined, 'mine', 'version'],
    ['locked with its id', 200, undefined, 'mine', 'version'],
    ['locked with another id', 409, 'theirs', 'theirs'],
    ['its lock has lapsed', 200, undefined, 'mine', 'version'],
    ['another lock has lapsed', 200, undefined, 'mine', 'version'],
  ),
  ...rowsOf(
    'RefreshLock',
    ['unlocked', 409, '', ''],
    ['locked with its id', 200, undefined, 'mine'],
    ['locked with another id', 409, 'theirs', 'theirs'],
    ['its lock has lapsed', 200, undefined, 'mine'],
    ['another lock has lapsed', 409, '', ''],
  ),
  ...rowsOf(
    'UnlockAndRelock',
    ['unlocked', 409, '', ''],
    ['locked with its id', 200, undefined, 'next'],
    ['locked with another id', 409, 'theirs', 'theirs'],
    ['another lock has lapsed', 409, '', ''],
  ),
  ...rowsOf(
    'GetLock',
    ['unlocked', 200, '', ''],
    ['locked with its id', 200, 'mine', 'mine'],
    ['locked with another id', 200, 'theirs', 'theirs'],
    ['its lock has lapsed', 200, '', ''],
  ),
  ...rowsOf(
    'Unlock',
    ['unlocked', 409, '', ''],
    ['locked with its id', 200, undefined, '', 'version'],
    ['locked with another id', 409, 'theirs', 'theirs'],
    ['its lock has lapsed', 200, undefined, '', 'version'],
    ['another lock has lapsed', 409, '', ''],
  ),
  ...rowsOf(
    'PutFile',
    ['unlocked', 409, '', ''],
    ['locked with its id', 200, undefined, 'mine', 'version'],
    ['locked with another id', 409, 'theirs', 'theirs'],
    ['its lock has lapsed', 200, undefined, 'mine', 'version'],
    ['another lock has lapsed', 409, '', ''],
  ),
  ...rowsOf(
    'PutFile without a lock id',
    ['unlocked', 409, '', ''],
    ['locked with another id', 409, 'theirs', 'theirs'],
    ['another lock has lapsed', 409, '', ''],
  ),
  ...rowsOf(
    'PutFile with an empty lock id',
    ['unlocked', 409, '', ''],
    ['locked with another id', 409, 'theirs', 'theirs'],
    ['another lock has lapsed', 409, '', ''],
  ),
  ...rowsOf(
    'PutRelativeFile',
    ['unlocked', 200, undefined, ''],
    ['locked with its id', 200, undefined, 'mine'],
    ['locked with another id', 409, 'theirs', 'theirs'],
    ['another lock has lapsed', 200, undefined, ''],
  ),
  ...rowsOf(
    'PutRelativeFile without a lock id',
    ['unlocked', 200, undefined, ''],
    ['locked with another id', 200, undefined, 'theirs'],
  ),
  ...rowsOf(
    'PutRelativeFile with an empty lock id',
    ['unlocked', 200, undefined, ''],
    ['locked with another id', 200, undefined, 'theirs'],
  ),
  ...rowsOf(
    'RenameFile',
    ['unlocked', 200, undefined, ''],
    ['locked with its id', 200, undefined, 'mine'],
    ['locked with another id', 409, 'theirs', 'theirs'],
    ['another lock has lapsed', 200, undefined, ''],
  ),
  ...rowsOf(
    'RenameFile without a lock id',
    ['unlocked', 200, undefined, ''],
    // This very session took it.
    ['locked with another id', 200, undefined, 'theirs'],
  ),
  ...rowsOf(
    'RenameFile with an empty lock id',
    ['unlocked', 200, undefined, ''],
    // This very session took it.
    ['locked with another id', 200, undefined, 'theirs'],
  ),
  ...rowsOf(
    'DeleteFile',
    ['locked with its id', 409, 'mine', 'mine'],
    ['locked with another id', 409, 'theirs', 'theirs'],
  ),
];

function testOf(row: LockRow): Row {
  const named =
    row.named === undefined
      ? ''
      : row.named === ''
        ? ' with an empty X-WOPI-Lock'
        : ` with X-WOPI-Lock ${row.named}`;
  return {
    name: `${row.operation}, ${row.state}: ${String(row.status)}${named}, ${row.held === '' ? 'unlocked' : row.held} afterwards`,
    async run(ground) {
      const desk = await ground.desk();
      const before = (await desk.info()).Version;
      await states[row.state](desk, ground);
      const answer = await operations[row.operation](desk);
      assert.equal(answer.status, row.status);
      assert.equal(answer.received['x-wopi-lock'], row.named);
      if (row.hasVersion === true) {
        const version = answer.received['x-wopi-itemversion'];
        if (row.operation === 'PutFile') assert.notEqual(version, before);
        else assert.equal(version, before);
      }
      assert.equal(await desk.heldLock(), row.held);
      if (row.status === 409) {
        assert.deepEqual(await desk.neighbours(), ['minutes.docx']);
        assert.equal(await desk.onDisk(), 'as it was');
      }
    },
  };
}

const keepsAlive: [name: string, act: (desk: Desk) => Promise<Exchange>, id: string][] = [
  ['Lock', (desk) => desk.lock('mine'), 'mine'],
  ['RefreshLock', (desk) => desk.refreshLock('mine'), 'mine'],
  ['UnlockAndRelock', (desk) => desk.relock('next', 'mine'), 'next'],
  ['a matching PutFile', (desk) => desk.put('mine', 'edited'), 'mine'],
];

const keepsNothingAlive: [name: string, act: (desk: Desk) => Promise<Exchange>][] = [
  ['GetLock', (desk) => desk.getLock()],
  ['CheckFileInfo', (desk) => desk.checkFileInfo()],
  ['GetFile', (desk) => desk.getFile()],
  ['a refused Lock', (desk) => desk.lock('other')],
  ['a refused PutFile', (desk) => desk.put('other', 'edited')],
];

const lives: Row[] = [
  ...keepsAlive.map(([name, act, id]) => ({
    name: `A lock lives 30 minutes after ${name}, and no longer`,
    async run({ host, desk: newDesk }: Ground) {
      const desk = await newDesk();
      await take(desk, 'mine');
      host.clock.advance(29 * minutes);
      assert.equal((await act(desk)).status, 200);
      host.clock.advance(29 * minutes);
      assert.equal(await desk.heldLock(), id);
      host.clock.advance(minutes + 1_000);
      assert.equal(await desk.heldLock(), '');
    },
  })),
  ...keepsNothingAlive.map(([name, act]) => ({
    name: `${name} does not lengthen a lock's life`,
    async run({ host, desk: newDesk }: Ground) {
      const desk = await newDesk();
      await take(desk, 'mine');
      host.clock.advance(29 * minutes);
      await act(desk);
      host.clock.advance(minutes + 1_000);
      assert.equal(await desk.heldLock(), '');
    },
  })),
  {
    name: 'A lock outlives a restart of the host',
    async run({ host, desk: newDesk }) {
      const desk = await newDesk();
      await take(desk, 'mine');
      await host.restart();
      assert.equal(await desk.heldLock(), 'mine');
      assert.equal((await desk.lock('other')).status, 409);
      assert.equal((await desk.put('mine', 'edited')).status, 200);
    },
  },
  {
    name: 'A lapsed lock is graced across a restart of the host',
    async run({ host, desk: newDesk }) {
      const desk = await newDesk();
      await take(desk, 'mine');
      host.clock.advance(lapse);
      await host.restart();
      assert.equal((await desk.put('mine', 'edited')).status, 200);
      assert.equal(await desk.heldLock(), 'mine');
    },
  },
];

const graces: Row[] = [
  {
    name: 'No grace after Unlock: the old id saves nothing',
    async run({ desk: newDesk }) {
      const desk = await newDesk();
      await take(desk, 'mine');
      assert.equal((await desk.unlock('mine')).status, 200);
      const refused = await desk.put('mine', 'edited');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], '');
    },
  },
  {
    name: 'No grace once another lock was taken, even when that is gone again',
    async run({ host, desk: newDesk }) {
      const desk = await newDesk();
      await take(desk, 'mine');
      host.clock.advance(lapse);
      await take(desk, 'theirs');
      assert.equal((await desk.unlock('theirs')).status, 200);
      const refused = await desk.refreshLock('mine');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], '');
    },
  },
  {
    name: 'No grace when the disk changed since the lock lapsed',
    async run({ host, desk: newDesk }) {
      const desk = await newDesk();
      await take(desk, 'mine');
      host.clock.advance(lapse);
      assert.equal(await desk.heldLock(), '');
      await writeFile(join(host.folder, desk.path), 'written by another program');
      const refused = await desk.put('mine', 'edited');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], '');
      assert.equal(await desk.onDisk(), 'written by another program');
    },
  },
  {
    name: 'A graced Unlock ends the grace',
    async run({ host, desk: newDesk }) {
      const desk = await newDesk();
      await take(desk, 'mine');
      host.clock.advance(lapse);
      assert.equal((await desk.unlock('mine')).status, 200);
      assert.equal((await desk.put('mine', 'edited')).status, 409);
    },
  },
];

const officeLock = JSON.stringify({
  S: '2b8f0a5c-6c5e-4c5e-9f0c-1f4f2c8f8d21',
  F: 4,
  E: 2,
  M: 'A0B1C2D3E4F5',
});
const badLockIds: [name: string, id: string | undefined][] = [
  ['missing', undefined],
  ['empty', ''],
  ['of 1025 bytes', 'x'.repeat(1025)],
  ['with a letter outside ASCII', 'l\u00e9'],
  ['with a tab', 'a\tb'],
];

const lockIds: Row[] = [
  ...badLockIds.flatMap(([name, id]) =>
    (['Lock', 'RefreshLock', 'Unlock'] as const).map((operation) => ({
      name: `${operation} with a lock id ${name}: 400`,
      async run({ desk: newDesk }: Ground) {
        const desk = await newDesk();
        await take(desk, 'theirs');
        const call = { Lock: desk.lock, RefreshLock: desk.refreshLock, Unlock: desk.unlock }[operation];
        assert.equal((await call(id)).status, 400);
        assert.equal(await desk.heldLock(), 'theirs');
      },
    })),
  ),
  ...[
    ['of 1024 bytes', 'x'.repeat(1024)],
    ['that is a JSON text', officeLock],
    ['with spaces inside', 'a lock id'],
  ].map(([name = '', id = '']) => ({
    name: `A lock id ${name} is kept as it is, in every operation`,
    async run({ desk: newDesk }: Ground) {
      const desk = await newDesk();
      await take(desk, id);
      assert.equal(await desk.heldLock(), id);
      assert.equal((await desk.lock('other')).received['x-wopi-lock'], id);
      assert.equal((await desk.put(id, 'edited')).status, 200);
      assert.equal((await desk.unlock(id)).status, 200);
    },
  })),
  {
    name: 'Lock ids compare byte by byte: other case is another id',
    async run({ desk: newDesk }) {
      const desk = await newDesk();
      await take(desk, 'Mine');
      assert.equal((await desk.lock('mine')).received['x-wopi-lock'], 'Mine');
      assert.equal((await desk.put('MINE', 'edited')).status, 409);
    },
  },
  {
    name: 'A JSON lock id with the same S but another text is another id (comparing by S is off)',
    async run({ desk: newDesk }) {
      const desk = await newDesk();
      await take(desk, officeLock);
      const sameS = JSON.stringify({ ...(JSON.parse(officeLock) as object), F: 5 });
      assert.equal((await desk.refreshLock(sameS)).status, 409);
    },
  },
  {
    name: 'Lock over another id gives a reason for people',
    async run({ desk: newDesk }) {
      const desk = await newDesk();
      await take(desk, 'theirs');
      const refused = await desk.lock('mine');
      assert.ok(String(refused.received['x-wopi-lockfailurereason'] ?? '').length > 0);
    },
  },
  {
    name: 'Lock and Unlock answer 200 with no body',
    async run({ desk: newDesk }) {
      const desk = await newDesk();
      for (const answer of [
        await desk.lock('a'),
        await desk.refreshLock('a'),
        await desk.getLock(),
        await desk.unlock('a'),
      ]) {
        assert.equal(answer.status, 200);
        assert.equal(answer.body.length, 0);
      }
    },
  },
];

export const lockRows: Row[] = [...lockTable.map(testOf), ...lives, ...graces, ...lockIds];
