// The rules where the answer depends on the token and the file id: missing, unknown, of another file,
// revoked, or expired, and what is still possible with an expired one.

import assert from 'node:assert/strict';
import type { WopiClient } from '../wopi-client.ts';
import { rawCall, rawHead } from '../raw-call.ts';
import type { Exchange } from '../wire.ts';
import { hours, minutes, withAccess } from './row.ts';
import type { RowContext, Row } from './row.ts';

const unknownId = 'A'.repeat(22);

/** Every operation. Each must be rejected in the same way. */
const everyCall: [name: string, run: (client: WopiClient) => Promise<Exchange>][] = [
  ['CheckFileInfo', (client) => client.checkFileInfo()],
  ['GetFile', (client) => client.getFile()],
  ['Lock', (client) => client.lock('mine')],
  ['GetLock', (client) => client.getLock()],
  ['RefreshLock', (client) => client.refreshLock('mine')],
  ['Unlock', (client) => client.unlock('mine')],
  ['PutFile', (client) => client.put('mine', 'edited')],
  ['PutRelativeFile', (client) => client.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx' })],
  ['RenameFile', (client) => client.rename('agenda')],
  ['DeleteFile', (client) => client.deleteFile()],
  ['PutUserInfo', (client) => client.putUserInfo('text')],
];

const tokens: Row[] = [
  ...everyCall.flatMap(([name, run]) => [
    {
      name: `${name} with an unknown token: 401`,
      async run(context: RowContext) {
        const client = withAccess(await context.client(), { accessToken: 'x'.repeat(43) });
        assert.equal((await run(client)).status, 401);
      },
    },
    {
      name: `${name} with the token of another file: 404`,
      async run(context: RowContext) {
        const other = await context.client();
        const client = withAccess(await context.client(), { accessToken: other.access.accessToken });
        assert.equal((await run(client)).status, 404);
        assert.deepEqual(await client.siblings(), ['minutes.docx']);
      },
    },
    {
      name: `${name} with an expired token and no lock: 401`,
      async run(context: RowContext) {
        const client = await context.client();
        context.host.clock.advance(10 * hours + 1_000);
        assert.equal((await run(client)).status, 401);
        assert.equal(await client.onDisk(), 'as it was');
      },
    },
  ]),
  {
    name: 'A call without a token: 401',
    async run(context) {
      const client = await context.client();
      const { url } = client.target();
      url.search = '';
      const answer = await rawCall(url.origin, [rawHead('GET', url, {})], 'wait');
      assert.equal(answer.status, 401);
      assert.match(answer.head, /\r\nwww-authenticate: Bearer/i);
    },
  },
  {
    name: 'A call with a malformed token: 401',
    async run(context) {
      const client = withAccess(await context.client(), { accessToken: '../../etc/passwd\u0000' });
      assert.equal((await client.checkFileInfo()).status, 401);
    },
  },
  {
    name: 'A call with a revoked token: 401',
    async run(context) {
      const client = await context.client();
      const { accessTokens } = context.host.host.services;
      await client.lock('mine');
      accessTokens.revoke(String(accessTokens.find(client.access.accessToken)?.id));
      assert.equal((await client.checkFileInfo()).status, 401);
      assert.equal((await client.put('mine', 'edited')).status, 401);
      assert.equal(await client.onDisk(), 'as it was');
    },
  },
  {
    name: 'A call with an API token: 401',
    async run(context) {
      const client = withAccess(await context.client(), { accessToken: await context.host.signIn() });
      assert.equal((await client.checkFileInfo()).status, 401);
    },
  },
  {
    name: 'An unknown file id: 404',
    async run(context) {
      const client = await context.client();
      const wopiSrc = client.access.wopiSrc.replace(client.fileId, unknownId);
      assert.equal((await withAccess(client, { wopiSrc }).checkFileInfo()).status, 404);
    },
  },
  ...['short', `${'A'.repeat(21)}%2E`, '..%2F..%2Fetc', `${'A'.repeat(22)}/more`].map((id) => ({
    name: `A malformed file id ${id}: 404, even with an invalid token`,
    async run(context: RowContext) {
      const client = await context.client();
      const wopiSrc = client.access.wopiSrc.replace(client.fileId, id);
      assert.equal((await withAccess(client, { wopiSrc, accessToken: 'none' }).checkFileInfo()).status, 404);
    },
  })),
  {
    name: 'The token both in the query and in Authorization: 200',
    async run(context) {
      const client = await context.client();
      const headers = { Authorization: `Bearer ${client.access.accessToken}` };
      assert.equal((await client.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 200);
    },
  },
];

const withLockId: [name: string, run: (client: WopiClient, id: string) => Promise<Exchange>][] = [
  ['RefreshLock', (client, id) => client.refreshLock(id)],
  ['Lock', (client, id) => client.lock(id)],
  ['PutFile', (client, id) => client.put(id, 'edited')],
  ['Unlock', (client, id) => client.unlock(id)],
];

const expiry: Row[] = [
  ...withLockId.flatMap(([name, run]) => [
    {
      name: `${name} with an expired token and the held lock id: 200`,
      async run({ host, client: newClient }: RowContext) {
        const client = await newClient();
        await client.lock('mine');
        for (let at = 0; at < 10 * 60; at += 25) {
          host.clock.advance(25 * minutes);
          await client.refreshLock('mine');
        }
        assert.equal((await client.checkFileInfo()).status, 401);
        assert.equal((await run(client, 'mine')).status, 200);
      },
    },
    {
      name: `${name} with a token that expired 23 hours ago and the graced lock id: 200`,
      async run({ host, client: newClient }: RowContext) {
        const client = await newClient();
        await client.lock('mine');
        host.clock.advance(33 * hours);
        assert.equal((await run(client, 'mine')).status, 200);
      },
    },
    {
      name: `${name} with an expired token and another lock id: 401`,
      async run({ host, client: newClient }: RowContext) {
        const client = await newClient();
        await client.lock('mine');
        host.clock.advance(11 * hours);
        assert.equal((await run(client, 'other')).status, 401);
        assert.equal(await client.onDisk(), 'as it was');
      },
    },
    {
      name: `${name} with a token that expired more than 24 hours ago: 401`,
      async run({ host, client: newClient }: RowContext) {
        const client = await newClient();
        await client.lock('mine');
        host.clock.advance(34 * hours + minutes);
        assert.equal((await run(client, 'mine')).status, 401);
        assert.equal(await client.onDisk(), 'as it was');
      },
    },
  ]),
  ...(
    [
      ['GetLock', (client) => client.getLock()],
      ['GetFile', (client) => client.getFile()],
      ['CheckFileInfo', (client) => client.checkFileInfo()],
      [
        'PutRelativeFile',
        (client) => client.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx', 'X-WOPI-Lock': 'mine' }),
      ],
      ['RenameFile', (client) => client.rename('agenda', 'mine')],
      ['DeleteFile', (client) => client.deleteFile()],
    ] as [string, (client: WopiClient) => Promise<Exchange>][]
  ).map(([name, run]) => ({
    name: `${name} with an expired token and the graced lock id: 401`,
    async run({ host, client: newClient }: RowContext) {
      const client = await newClient();
      await client.lock('mine');
      host.clock.advance(11 * hours);
      assert.equal((await run(client)).status, 401);
      assert.deepEqual(await client.siblings(), ['minutes.docx']);
    },
  })),
];

export const tokenRows: Row[] = [...tokens, ...expiry];
