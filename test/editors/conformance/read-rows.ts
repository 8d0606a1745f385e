// CheckFileInfo (section 4), GetFile, DeleteFile and PutUserInfo.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { access, rename, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import type { WopiClient } from '../wopi-client.ts';
import { jsonOf } from '../wire.ts';
import type { RowContext, Row } from './row.ts';

async function infoOf(client: WopiClient): Promise<Record<string, unknown>> {
  const exchange = await client.checkFileInfo();
  assert.equal(exchange.status, 200);
  assert.match(exchange.received['content-type'] ?? '', /^application\/json/);
  return jsonOf(exchange) as Record<string, unknown>;
}

const alphanumeric = /^[A-Za-z0-9]+$/;

/** The required properties and their checks. */
const always: [name: string, check: (value: unknown, client: WopiClient, context: RowContext) => void][] = [
  ['BaseFileName', (value) => assert.equal(value, 'minutes.docx')],
  ['OwnerId', (value) => assert.match(String(value), alphanumeric)],
  ['Size', (value) => assert.equal(value, 'as it was'.length)],
  ['UserId', (value) => assert.match(String(value), alphanumeric)],
  ['Version', (value) => assert.match(String(value), /\S/)],
  ['UserFriendlyName', (value) => assert.match(String(value), /\S/)],
  ['LastModifiedTime', (value) => assert.match(String(value), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/)],
  ['FileExtension', (value) => assert.equal(value, '.docx')],
  ['FileNameMaxLength', (value) => assert.ok(Number.isInteger(value) && Number(value) > 0)],
  ['SupportsLocks', (value) => assert.equal(value, true)],
  ['SupportsGetLock', (value) => assert.equal(value, true)],
  ['SupportsExtendedLockLength', (value) => assert.equal(value, true)],
  ['SupportsUpdate', (value) => assert.equal(value, true)],
  ['SupportsRename', (value) => assert.equal(value, true)],
  ['SupportsDeleteFile', (value) => assert.equal(value, true)],
  ['SupportsUserInfo', (value) => assert.equal(value, true)],
  ['UserCanWrite', (value) => assert.equal(value, true)],
  ['ReadOnly', (value) => assert.equal(value, false)],
  ['UserCanRename', (value) => assert.equal(value, true)],
  ['UserCanNotWriteRelative', (value) => assert.equal(value, false)],
  ['HostEditUrl', assertHostPage],
  ['HostViewUrl', assertHostPage],
  ['CloseUrl', assertHostPage],
  ['PostMessageOrigin', (value, client) => assert.equal(value, new URL(client.access.wopiSrc).origin)],
  ['ClosePostMessage', (value) => assert.equal(typeof value, 'boolean')],
  ['BreadcrumbBrandName', (value) => assert.match(String(value), /\S/)],
  ['BreadcrumbFolderName', (value) => assert.match(String(value), /\S/)],
  ['BreadcrumbDocName', (value) => assert.match(String(value), /^minutes(\.docx)?$/)],
];

function assertHostPage(value: unknown, client: WopiClient): void {
  const url = new URL(String(value));
  assert.equal(url.origin, new URL(client.access.wopiSrc).origin);
  assert.doesNotMatch(url.pathname, /^\/wopi/);
  assert.equal(url.searchParams.get('access_token'), null);
}

const never = [
  'FileUrl',
  'SequenceNumber',
  'SupportsCoauth',
  'AccessTokenExpiry',
  'ServerTime',
  'SupportsCobalt',
  'SupportsContainers',
  'SupportsEcosystem',
  'HostAuthenticationId',
  'PresenceUserId',
  'TenantId',
];

const checkFileInfo: Row[] = [
  ...always.map(([name, check]) => ({
    name: `CheckFileInfo has ${name}`,
    async run(context: RowContext) {
      const client = await context.client();
      const info = await infoOf(client);
      assert.ok(name in info, `${name} is missing`);
      check(info[name], client, context);
    },
  })),
  {
    name: 'CheckFileInfo has no nulls, FileUrl or co-authoring properties',
    async run(context) {
      const info = await infoOf(await context.client());
      for (const name of never) assert.ok(!(name in info), name);
      for (const [name, value] of Object.entries(info))
        assert.ok(value !== null && value !== undefined, name);
    },
  },
  {
    name: 'CheckFileInfo with a read-only token: no write permission in any property',
    async run(context) {
      const info = await infoOf(await context.client({ mode: 'view' }));
      const { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative } = info;
      assert.deepEqual(
        { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative },
        { UserCanWrite: false, ReadOnly: true, UserCanRename: false, UserCanNotWriteRelative: true },
      );
    },
  },
  {
    name: 'CheckFileInfo after a save has the right SHA256',
    async run(context) {
      const client = await context.client();
      await client.lock('mine');
      await client.put('mine', 'edited');
      assert.equal((await infoOf(client))['SHA256'], createHash('sha256').update('edited').digest('base64'));
    },
  },
  {
    name: 'CheckFileInfo after a change on disk has no SHA256, or the right one',
    async run(context) {
      const client = await context.client();
      await client.lock('mine');
      await client.put('mine', 'edited');
      await writeFile(join(context.host.folder, client.path), 'written by another program');
      const { SHA256, Size } = await infoOf(client);
      assert.equal(Size, 26);
      const right = createHash('sha256').update('written by another program').digest('base64');
      assert.ok(SHA256 === undefined || SHA256 === right);
    },
  },
  {
    name: 'CheckFileInfo of a file that another program renamed: same id, new name',
    async run(context) {
      const client = await context.client();
      const { folder } = context.host;
      await rename(join(folder, client.path), join(folder, dirname(client.path), 'moved.docx'));
      assert.equal((await infoOf(client))['BaseFileName'], 'moved.docx');
    },
  },
  {
    name: 'CheckFileInfo and GetFile of a file that another program deleted: 404',
    async run(context) {
      const client = await context.client();
      await rm(join(context.host.folder, client.path));
      assert.equal((await client.checkFileInfo()).status, 404);
      assert.equal((await client.getFile()).status, 404);
    },
  },
];

const getFile: Row[] = [
  {
    name: 'GetFile: 200 with the content, application/octet-stream and the version',
    async run(context) {
      const client = await context.client();
      const fetched = await client.getFile();
      assert.equal(fetched.status, 200);
      assert.equal(fetched.body.toString(), 'as it was');
      assert.equal(fetched.received['content-type'], 'application/octet-stream');
      assert.equal(fetched.received['x-wopi-itemversion'], (await client.info()).Version);
    },
  },
  {
    name: 'GetFile of 0 bytes: 200 with an empty body',
    async run(context) {
      const fetched = await (await context.client({ content: '' })).getFile();
      assert.equal(fetched.status, 200);
      assert.equal(fetched.body.length, 0);
    },
  },
  ...(
    [
      ['bytes=3-4', 'it', 'bytes 3-4/9'],
      ['bytes=6-', 'was', 'bytes 6-8/9'],
      ['bytes=-3', 'was', 'bytes 6-8/9'],
      ['bytes=0-99', 'as it was', 'bytes 0-8/9'],
    ] as const
  ).map(([range, text, contentRange]) => ({
    name: `GetFile with Range ${range}: 206 with that range`,
    async run(context: RowContext) {
      const fetched = await (await context.client()).getFile({ Range: range });
      assert.equal(fetched.status, 206);
      assert.equal(fetched.body.toString(), text);
      assert.equal(fetched.received['content-range'], contentRange);
    },
  })),
  {
    name: 'GetFile with a Range past the end: 416',
    async run(context) {
      assert.equal((await (await context.client()).getFile({ Range: 'bytes=9-' })).status, 416);
    },
  },
  ...(
    [
      [8, 412],
      [9, 200],
      [104_857_600, 200],
    ] as const
  ).map(([limit, status]) => ({
    name: `GetFile of 9 bytes with X-WOPI-MaxExpectedSize ${String(limit)}: ${String(status)}`,
    async run(context: RowContext) {
      const fetched = await (await context.client()).getFile({ 'X-WOPI-MaxExpectedSize': limit });
      assert.equal(fetched.status, status);
    },
  })),
  {
    name: 'GetFile returns one complete content despite a concurrent save',
    async run(context) {
      const size = 24 * 1_048_576;
      const client = await context.client({ content: Buffer.alloc(size, 'a') });
      await client.lock('mine');
      const { url, headers } = client.target('/contents');
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(url, { agent: false, headers }, resolve).on('error', reject);
      });
      response.pause();
      assert.equal((await client.put('mine', Buffer.alloc(1_000, 'b'))).status, 200);
      let received = 0;
      let isPure = true;
      for await (const chunk of response) {
        received += (chunk as Buffer).length;
        isPure &&= (chunk as Buffer).every((byte) => byte === 97);
      }
      assert.equal(received, size);
      assert.ok(isPure);
    },
  },
];

const others: Row[] = [
  {
    name: 'DeleteFile, unlocked: 200; the file is deleted, and its id answers 404 rather than 401',
    async run(context) {
      const client = await context.client();
      const deleted = await client.deleteFile();
      assert.equal(deleted.status, 200);
      await assert.rejects(access(join(context.host.folder, client.path)));
      assert.equal((await client.checkFileInfo()).status, 404);
      assert.equal((await client.lock('mine')).status, 404);
    },
  },
  {
    name: 'DeleteFile, its lock has lapsed: 200',
    async run(context) {
      const client = await context.client();
      await client.lock('mine');
      context.host.clock.advance(31 * 60_000);
      assert.equal((await client.deleteFile()).status, 200);
    },
  },
  ...(
    [
      ['a text', 'state=1;\u00e9\u{1f600}'],
      ['1024 bytes', 'x'.repeat(1024)],
    ] as const
  ).map(([what, text]) => ({
    name: `PutUserInfo of ${what}: 200, returned as UserInfo`,
    async run(context: RowContext) {
      const client = await context.client();
      assert.equal((await client.putUserInfo(text)).status, 200);
      assert.equal((await infoOf(client))['UserInfo'], text);
    },
  })),
  {
    name: 'PutUserInfo of 1025 bytes: rejected, UserInfo unchanged',
    async run(context) {
      const client = await context.client();
      await client.putUserInfo('before');
      const refused = await client.putUserInfo('x'.repeat(1025));
      assert.ok(refused.status === 400 || refused.status === 413, String(refused.status));
      assert.equal((await infoOf(client))['UserInfo'], 'before');
    },
  },
];

export const readRows: Row[] = [...checkFileInfo, ...getFile, ...others];
