// The rules where the answer depends on the lock: every operation in every state, with the lock id in the
// answer and the lock that is held afterwards. The client's lock id is always `mine`.
// Then how long a lock is held, and what a valid lock id is.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WopiClient } from '../wopi-client.ts';
import type { Exchange } from '../wire.ts';
import { lapse, minutes } from './row.ts';
import type { RowContext, Row } from './row.ts';

const operations = {
  Lock: (client: WopiClient) => client.lock('mine'),
  RefreshLock: (client: WopiClient) => client.refreshLock('mine'),
  UnlockAndRelock: (client: WopiClient) => client.relock('next', 'mine'),
  GetLock: (client: WopiClient) => client.getLock(),
  Unlock: (client: WopiClient) => client.unlock('mine'),
  PutFile: (client: WopiClient) => client.put('mine', 'edited'),
  'PutFile without a lock id': (client: WopiClient) => client.put(undefined, 'edited'),
  'PutFile with an empty lock id': (client: WopiClient) => client.put('', 'edited'),
  PutRelativeFile: (client: WopiClient) =>
    client.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx', 'X-WOPI-Lock': 'mine' }),
  'PutRelativeFile without a lock id': (client: WopiClient) =>
    client.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx' }),
  'PutRelativeFile with an empty lock id': (client: WopiClient) =>
    client.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx', 'X-WOPI-Lock': '' }),
  RenameFile: (client: WopiClient) => client.rename('renamed', 'mine'),
  'RenameFile without a lock id': (client: WopiClient) => client.rename('renamed'),
  'RenameFile with an empty lock id': (client: WopiClient) => client.rename('renamed', ''),
  DeleteFile: (client: WopiClient) => client.deleteFile(),
} satisfies Record<string, (client: WopiClient) => Promise<Exchange>>;

const states = {
  unlocked: async () => undefined,
  'locked with its id': async (client: WopiClient) => take(client, 'mine'),
  'locked with another id': async (client: WopiClient) => take(client, 'theirs'),
  'its lock has lapsed': async (client: WopiClient, context: RowContext) => {
    await take(client, 'mine');
    context.host.clock.advance(lapse);
  },
  'another lock has lapsed': async (client: WopiClient, context: RowContext) => {
    await take(client, 'theirs');
    context.host.clock.advance(lapse);
  },
} satisfies Record<string, (client: WopiClient, context: RowContext) => Promise<unknown>>;

async function take(client: WopiClient, id: string): Promise<void> {
  assert.equal((await client.lock(id)).status, 200);
}

interface LockRow {
  operation: keyof typeof operations;
  state: keyof typeof states;
  status: 200 | 409;
  /** `X-WOPI-Lock` in the answer; undefined if there is none. */
  named?: string;
  /** The lock held afterwards. */
  held: string;
  /** The answer has `X-WOPI-ItemVersion`. */
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
    async run(context) {
      const client = await context.client();
      const before = (await client.info()).Version;
      await states[row.state](client, context);
      const answer = await operations[row.operation](client);
      assert.equal(answer.status, row.status);
      assert.equal(answer.received['x-wopi-lock'], row.named);
      if (row.hasVersion === true) {
        const version = answer.received['x-wopi-itemversion'];
        if (row.operation === 'PutFile') assert.notEqual(version, before);
        else assert.equal(version, before);
      }
      assert.equal(await client.heldLock(), row.held);
      if (row.status === 409) {
        assert.deepEqual(await client.siblings(), ['minutes.docx']);
        assert.equal(await client.onDisk(), 'as it was');
      }
    },
  };
}

const extending: [name: string, act: (client: WopiClient) => Promise<Exchange>, id: string][] = [
  ['Lock', (client) => client.lock('mine'), 'mine'],
  ['RefreshLock', (client) => client.refreshLock('mine'), 'mine'],
  ['UnlockAndRelock', (client) => client.relock('next', 'mine'), 'next'],
  ['a matching PutFile', (client) => client.put('mine', 'edited'), 'mine'],
];

const notExtending: [name: string, act: (client: WopiClient) => Promise<Exchange>][] = [
  ['GetLock', (client) => client.getLock()],
  ['CheckFileInfo', (client) => client.checkFileInfo()],
  ['GetFile', (client) => client.getFile()],
  ['a refused Lock', (client) => client.lock('other')],
  ['a refused PutFile', (client) => client.put('other', 'edited')],
];

const durations: Row[] = [
  ...extending.map(([name, act, id]) => ({
    name: `A lock is held for 30 minutes after ${name}`,
    async run({ host, client: newClient }: RowContext) {
      const client = await newClient();
      await take(client, 'mine');
      host.clock.advance(29 * minutes);
      assert.equal((await act(client)).status, 200);
      host.clock.advance(29 * minutes);
      assert.equal(await client.heldLock(), id);
      host.clock.advance(minutes + 1_000);
      assert.equal(await client.heldLock(), '');
    },
  })),
  ...notExtending.map(([name, act]) => ({
    name: `${name} doesn’t extend a lock`,
    async run({ host, client: newClient }: RowContext) {
      const client = await newClient();
      await take(client, 'mine');
      host.clock.advance(29 * minutes);
      await act(client);
      host.clock.advance(minutes + 1_000);
      assert.equal(await client.heldLock(), '');
    },
  })),
  {
    name: 'A lock survives a restart of the host',
    async run({ host, client: newClient }) {
      const client = await newClient();
      await take(client, 'mine');
      await host.restart();
      assert.equal(await client.heldLock(), 'mine');
      assert.equal((await client.lock('other')).status, 409);
      assert.equal((await client.put('mine', 'edited')).status, 200);
    },
  },
  {
    name: 'The grace of a lapsed lock survives a restart of the host',
    async run({ host, client: newClient }) {
      const client = await newClient();
      await take(client, 'mine');
      host.clock.advance(lapse);
      await host.restart();
      assert.equal((await client.put('mine', 'edited')).status, 200);
      assert.equal(await client.heldLock(), 'mine');
    },
  },
];

const graces: Row[] = [
  {
    name: 'No grace after Unlock: PutFile with the old lock id is 409',
    async run({ client: newClient }) {
      const client = await newClient();
      await take(client, 'mine');
      assert.equal((await client.unlock('mine')).status, 200);
      const refused = await client.put('mine', 'edited');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], '');
    },
  },
  {
    name: 'No grace once another lock was taken, even after that was unlocked',
    async run({ host, client: newClient }) {
      const client = await newClient();
      await take(client, 'mine');
      host.clock.advance(lapse);
      await take(client, 'theirs');
      assert.equal((await client.unlock('theirs')).status, 200);
      const refused = await client.refreshLock('mine');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], '');
    },
  },
  {
    name: 'No grace if the document changed on disk after the lock lapsed',
    async run({ host, client: newClient }) {
      const client = await newClient();
      await take(client, 'mine');
      host.clock.advance(lapse);
      assert.equal(await client.heldLock(), '');
      await writeFile(join(host.folder, client.path), 'written by another program');
      const refused = await client.put('mine', 'edited');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], '');
      assert.equal(await client.onDisk(), 'written by another program');
    },
  },
  {
    name: 'Unlock ends the grace',
    async run({ host, client: newClient }) {
      const client = await newClient();
      await take(client, 'mine');
      host.clock.advance(lapse);
      assert.equal((await client.unlock('mine')).status, 200);
      assert.equal((await client.put('mine', 'edited')).status, 409);
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
  ['with a non-ASCII character', 'l\u00e9'],
  ['with a tab', 'a\tb'],
];

const lockIds: Row[] = [
  ...badLockIds.flatMap(([name, id]) =>
    (['Lock', 'RefreshLock', 'Unlock'] as const).map((operation) => ({
      name: `${operation} with a lock id ${name}: 400`,
      async run({ client: newClient }: RowContext) {
        const client = await newClient();
        await take(client, 'theirs');
        const call = { Lock: client.lock, RefreshLock: client.refreshLock, Unlock: client.unlock }[operation];
        assert.equal((await call(id)).status, 400);
        assert.equal(await client.heldLock(), 'theirs');
      },
    })),
  ),
  ...[
    ['of 1024 bytes', 'x'.repeat(1024)],
    ['that is JSON', officeLock],
    ['with spaces', 'a lock id'],
  ].map(([name = '', id = '']) => ({
    name: `A lock id ${name} is stored and returned unchanged`,
    async run({ client: newClient }: RowContext) {
      const client = await newClient();
      await take(client, id);
      assert.equal(await client.heldLock(), id);
      assert.equal((await client.lock('other')).received['x-wopi-lock'], id);
      assert.equal((await client.put(id, 'edited')).status, 200);
      assert.equal((await client.unlock(id)).status, 200);
    },
  })),
  {
    name: 'Lock ids are case-sensitive',
    async run({ client: newClient }) {
      const client = await newClient();
      await take(client, 'Mine');
      assert.equal((await client.lock('mine')).received['x-wopi-lock'], 'Mine');
      assert.equal((await client.put('MINE', 'edited')).status, 409);
    },
  },
  {
    name: 'JSON lock ids that are equal only in S are different lock ids',
    async run({ client: newClient }) {
      const client = await newClient();
      await take(client, officeLock);
      const sameS = JSON.stringify({ ...(JSON.parse(officeLock) as object), F: 5 });
      assert.equal((await client.refreshLock(sameS)).status, 409);
    },
  },
  {
    name: 'Lock while another lock is held: 409 with a reason',
    async run({ client: newClient }) {
      const client = await newClient();
      await take(client, 'theirs');
      const refused = await client.lock('mine');
      assert.ok(String(refused.received['x-wopi-lockfailurereason'] ?? '').length > 0);
    },
  },
  {
    name: 'Lock, RefreshLock, GetLock and Unlock: 200 without a body',
    async run({ client: newClient }) {
      const client = await newClient();
      for (const answer of [
        await client.lock('a'),
        await client.refreshLock('a'),
        await client.getLock(),
        await client.unlock('a'),
      ]) {
        assert.equal(answer.status, 200);
        assert.equal(answer.body.length, 0);
      }
    },
  },
];

export const lockRows: Row[] = [...lockTable.map(testOf), ...durations, ...graces, ...lockIds];
