// What all calls share: which operation a request is, which hosts and addresses are accepted, and the order of
// these checks.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withAccess, withSettings } from './row.ts';
import type { RowContext, Row } from './row.ts';

const overrides: Row[] = [
  ...[
    'COBALT',
    'ADD_ACTIVITIES',
    'GET_SHARE_URL',
    'GET_RESTRICTED_LINK',
    'READ_SECURE_STORE',
    'NONSENSE',
  ].map((value) => ({
    name: `X-WOPI-Override ${value}: 501`,
    async run(context: RowContext) {
      const client = await context.client();
      assert.equal(
        (await client.call({ operation: value, headers: { 'X-WOPI-Override': value } })).status,
        501,
      );
    },
  })),
  ...['', '/contents'].map((suffix) => ({
    name: `A POST on ${suffix === '' ? 'the file' : 'its contents'} without X-WOPI-Override: 400`,
    async run(context: RowContext) {
      const client = await context.client();
      assert.equal((await client.call({ operation: 'none', suffix, headers: {} })).status, 400);
    },
  })),
  {
    name: 'The value of X-WOPI-Override is case-insensitive',
    async run(context) {
      const client = await context.client();
      const headers = { 'X-WOPI-Override': 'lock', 'X-WOPI-Lock': 'mine' };
      assert.equal((await client.call({ operation: 'Lock', headers })).status, 200);
      const put = { 'X-WOPI-Override': 'Put', 'X-WOPI-Lock': 'mine' };
      assert.equal(
        (await client.call({ operation: 'PutFile', suffix: '/contents', headers: put, body: 'a' })).status,
        200,
      );
    },
  },
  {
    name: 'Lock with an empty form-encoded body: 200',
    async run(context) {
      const client = await context.client();
      const headers = {
        'X-WOPI-Override': 'LOCK',
        'X-WOPI-Lock': 'mine',
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      assert.equal((await client.call({ operation: 'Lock', headers, body: '' })).status, 200);
    },
  },
  {
    name: 'An X-WOPI-TimeStamp beyond 2^53: 200',
    async run(context) {
      const client = await context.client();
      const headers = { 'X-WOPI-TimeStamp': 639_304_705_802_345_679n };
      assert.equal((await client.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 200);
    },
  },
  {
    name: 'The journal has the correlation id of a call, but not its token',
    async run(context) {
      const client = await context.client();
      const correlationId = randomUUID();
      const headers = { 'X-WOPI-CorrelationId': correlationId };
      // GetFile, because calls that editors poll are journaled only once a minute.
      await client.getFile(headers);
      const entry = context.host.host.services.journal
        .newest(Infinity)
        .findLast((line) => line.correlationId === correlationId);
      assert.equal(entry?.status, 200);
      assert.equal(entry.fileId, client.fileId);
      assert.ok(!JSON.stringify(entry).includes(client.access.accessToken));
    },
  },
];

const allowed: Row[] = [
  {
    name: 'A Host header that isn’t allowed: 421, before the token is checked',
    async run(context) {
      const client = await context.client();
      const headers = { Host: 'evil.example' };
      assert.equal((await client.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 421);
      const unknown = withAccess(client, { accessToken: 'none' });
      assert.equal((await unknown.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 421);
    },
  },
  {
    name: 'A Host header in allowedHosts: 200',
    async run(context) {
      const client = await context.client();
      await withSettings(context, { allowedHosts: ['docs.example'], ...context.reachable }, async () => {
        const headers = { Host: 'docs.example' };
        assert.equal((await client.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 200);
      });
    },
  },
  {
    name: 'A client address that isn’t in allowedAddresses: 403',
    async run(context) {
      const client = await context.client();
      await withSettings(context, { allowedAddresses: ['192.0.2.1'] }, async () => {
        assert.equal((await client.checkFileInfo()).status, 403);
      });
      assert.equal((await client.checkFileInfo()).status, 200);
    },
  },
];

const order: Row[] = [
  ...['NONSENSE', undefined].map((override) => ({
    name: `Order: an unknown token is reported before ${override === undefined ? 'a missing' : 'an unknown'} X-WOPI-Override`,
    async run(context: RowContext) {
      const client = withAccess(await context.client(), { accessToken: 'x'.repeat(43) });
      assert.equal(
        (await client.call({ operation: 'none', headers: { 'X-WOPI-Override': override } })).status,
        401,
      );
    },
  })),
  {
    name: 'Order: a missing file is reported before a missing permission',
    async run(context) {
      const client = await context.client({ mode: 'view' });
      await rm(join(context.host.folder, client.path));
      assert.equal((await client.put('mine', 'edited')).status, 404);
      assert.equal((await client.rename('agenda')).status, 404);
    },
  },
  {
    name: 'Order: a missing file is reported before a malformed header',
    async run(context) {
      const client = await context.client();
      await rm(join(context.host.folder, client.path));
      assert.equal((await client.lock('')).status, 404);
    },
  },
  {
    name: 'Order: a missing permission is reported before a malformed header',
    async run(context) {
      const client = await context.client({ mode: 'view' });
      assert.equal((await client.put('a\tb', 'edited')).status, 401);
      assert.equal((await client.putRelative({})).status, 501);
    },
  },
];

export const commonRows: Row[] = [...overrides, ...allowed, ...order];
