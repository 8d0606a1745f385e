// The rules where the answer depends on the token: unknown, of another file, read-only, revoked, or expired, and what is still
// possible with an expired one.

import assert from 'node:assert/strict';
import type { WopiClient } from '../wopi-client.ts';
import type { Exchange } from '../wire.ts';
import { hours, minutes, row, take, withAccess, type Row } from './row.ts';

type Call = (client: WopiClient) => Promise<Exchange>;

/** Every operation, and its answer to a read-only token. */
const calls: [name: string, run: Call, readOnly: 200 | 401 | 501][] = [
  ['CheckFileInfo', (client) => client.checkFileInfo(), 200],
  ['GetFile', (client) => client.getFile(), 200],
  ['Lock', (client) => client.lock('mine'), 200],
  ['GetLock', (client) => client.getLock(), 200],
  ['RefreshLock', (client) => client.refreshLock('mine'), 200],
  ['UnlockAndRelock', (client) => client.relock('next', 'mine'), 200],
  ['Unlock', (client) => client.unlock('mine'), 200],
  ['PutFile', (client) => client.put('mine', 'edited'), 401],
  ['PutRelativeFile', (client) => client.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx' }), 501],
  ['RenameFile', (client) => client.rename('agenda'), 401],
  ['DeleteFile', (client) => client.deleteFile(), 401],
  ['PutUserInfo', (client) => client.putUserInfo('text'), 200],
];

async function assertUntouched(client: WopiClient): Promise<void> {
  assert.deepEqual(await client.siblings(), ['minutes.docx']);
  assert.equal(await client.onDisk(), 'as it was');
}

const tokens: Row[] = [
  ...calls.flatMap(([name, run, readOnly]) => [
    row(`${name} with an unknown token: 401`, async (client) => {
      assert.equal((await run(withAccess(client, { accessToken: 'x'.repeat(43) }))).status, 401);
    }),
    row(`${name} with the token of another file: 404`, async (client, { another }) => {
      const { accessToken } = (await another()).access;
      assert.equal((await run(withAccess(client, { accessToken }))).status, 404);
      await assertUntouched(client);
    }),
    row(`${name} with an expired token and no lock: 401`, async (client, { host }) => {
      host.clock.advance(10 * hours + 1_000);
      assert.equal((await run(client)).status, 401);
      await assertUntouched(client);
    }),
    row(
      `${name} with a read-only token: ${readOnly}, no lock taken, nothing changed`,
      async (client, { host }) => {
        assert.equal((await run(client)).status, readOnly);
        assert.equal(host.host.services.locks.find(client.fileId), undefined);
        await assertUntouched(client);
      },
      { mode: 'view' },
    ),
  ]),
  row('Unlock with a read-only token: 200, but the editor’s lock is still held', async (client) => {
    await take(client);
    const access = await client.openAgain('view');
    const headers = { 'X-WOPI-Lock': 'mine' };
    assert.equal((await client.call({ operation: 'Unlock', access, headers })).status, 200);
    assert.equal(await client.heldLock(), 'mine');
  }),
  row(
    'PutFile of a template with a read-only token: 401',
    async (client) => {
      assert.equal((await client.put(undefined, 'from a template')).status, 401);
      assert.equal(await client.onDisk(), '');
    },
    { mode: 'view', content: '' },
  ),
  row('A revoked token, a malformed one and an API token: 401', async (client, { host }) => {
    await take(client);
    const { accessTokens } = host.host.services;
    accessTokens.revoke(String(accessTokens.find(client.access.accessToken)?.id));
    for (const accessToken of [client.access.accessToken, '../../etc/passwd\u0000', await host.signIn()]) {
      withAccess(client, { accessToken });
      assert.equal((await client.checkFileInfo()).status, 401);
      assert.equal((await client.put('mine', 'edited')).status, 401);
    }
    await assertUntouched(client);
  }),
  row('An unknown file id: 404', async (client) => {
    const wopiSrc = client.access.wopiSrc.replace(client.fileId, 'A'.repeat(22));
    assert.equal((await withAccess(client, { wopiSrc }).checkFileInfo()).status, 404);
  }),
];

const withLockId: [name: string, run: (client: WopiClient, id: string) => Promise<Exchange>][] = [
  ['RefreshLock', (client, id) => client.refreshLock(id)],
  ['Lock', (client, id) => client.lock(id)],
  ['PutFile', (client, id) => client.put(id, 'edited')],
  ['Unlock', (client, id) => client.unlock(id)],
];

/** The other calls with a lock id. */
const withoutGrace: [name: string, run: Call][] = [
  ['GetLock', (client) => client.getLock()],
  ['GetFile', (client) => client.getFile()],
  ['CheckFileInfo', (client) => client.checkFileInfo()],
  [
    'PutRelativeFile',
    (client) => client.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx', 'X-WOPI-Lock': 'mine' }),
  ],
  ['RenameFile', (client) => client.rename('agenda', 'mine')],
  ['DeleteFile', (client) => client.deleteFile()],
];

const expiry: Row[] = [
  ...withLockId.flatMap(([name, run]) => [
    row(`${name} with an expired token and the held lock id: 200`, async (client, { host }) => {
      await take(client);
      for (let at = 0; at < 10 * 60; at += 25) {
        host.clock.advance(25 * minutes);
        await client.refreshLock('mine');
      }
      assert.equal((await client.checkFileInfo()).status, 401);
      assert.equal((await run(client, 'mine')).status, 200);
    }),
    ...(
      [
        ['that expired 23 hours ago and the graced lock id', 33 * hours, 'mine', 200],
        ['that expired and another lock id', 11 * hours, 'other', 401],
        ['that expired more than 24 hours ago', 34 * hours + minutes, 'mine', 401],
      ] as const
    ).map(([what, afterMs, id, status]) =>
      row(`${name} with a token ${what}: ${status}`, async (client, { host }) => {
        await take(client);
        host.clock.advance(afterMs);
        assert.equal((await run(client, id)).status, status);
        if (status === 401) await assertUntouched(client);
      }),
    ),
  ]),
  ...withoutGrace.map(([name, run]) =>
    row(`${name} with an expired token and the graced lock id: 401`, async (client, { host }) => {
      await take(client);
      host.clock.advance(11 * hours);
      assert.equal((await run(client)).status, 401);
      await assertUntouched(client);
    }),
  ),
];

export const tokenRows: Row[] = [...tokens, ...expiry];
