// CheckFileInfo (section 4), GetFile, DeleteFile, PutUserInfo, and the fact that whole reads are whole.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { access, rename, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import type { Desk } from '../desk.ts';
import { jsonOf } from '../wire.ts';
import type { Ground, Row } from './row.ts';

async function infoOf(desk: Desk): Promise<Record<string, unknown>> {
  const exchange = await desk.checkFileInfo();
  assert.equal(exchange.status, 200);
  assert.match(exchange.received['content-type'] ?? '', /^application\/json/);
  return jsonOf(exchange) as Record<string, unknown>;
}

const alphanumeric = /^[A-Za-z0-9]+$/;

/** [property, what it is]: always there. */
const always: [name: string, check: (value: unknown, desk: Desk, ground: Ground) => void][] = [
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
  ['PostMessageOrigin', (value, desk) => assert.equal(value, new URL(desk.access.wopiSrc).origin)],
  ['ClosePostMessage', (value) => assert.equal(typeof value, 'boolean')],
  ['BreadcrumbBrandName', (value) => assert.match(String(value), /\S/)],
  ['BreadcrumbFolderName', (value) => assert.match(String(value), /\S/)],
  ['BreadcrumbDocName', (value) => assert.match(String(value), /^minutes(\.docx)?$/)],
];

function assertHostPage(value: unknown, desk: Desk): void {
  const url = new URL(String(value));
  assert.equal(url.origin, new URL(desk.access.wopiSrc).origin);
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
    name: `CheckFileInfo carries ${name}`,
    async run(ground: Ground) {
      const desk = await ground.desk();
      const info = await infoOf(desk);
      assert.ok(name in info, `${name} is missing`);
      check(info[name], desk, ground);
    },
  })),
  {
    name: 'CheckFileInfo never carries nulls, FileUrl or the co-authoring properties',
    async run(ground) {
      const info = await infoOf(await ground.desk());
      for (const name of never) assert.ok(!(name in info), name);
      for (const [name, value] of Object.entries(info))
        assert.ok(value !== null && value !== undefined, name);
    },
  },
  {
    name: 'CheckFileInfo for a read-only token says so consistently',
    async run(ground) {
      const info = await infoOf(await ground.desk({ mode: 'view' }));
      const { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative } = info;
      assert.deepEqual(
        { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative },
        { UserCanWrite: false, ReadOnly: true, UserCanRename: false, UserCanNotWriteRelative: true },
      );
    },
  },
  {
    name: 'CheckFileInfo after a save carries the right SHA256',
    async run(ground) {
      const desk = await ground.desk();
      await desk.lock('mine');
      await desk.put('mine', 'edited');
      assert.equal((await infoOf(desk))['SHA256'], createHash('sha256').update('edited').digest('base64'));
    },
  },
  {
    name: 'CheckFileInfo after a change on the disk carries no SHA256, or the right one',
    async run(ground) {
      const desk = await ground.desk();
      await desk.lock('mine');
      await desk.put('mine', 'edited');
      await writeFile(join(ground.host.folder, desk.path), 'written by another program');
      const { SHA256, Size } = await infoOf(desk);
      assert.equal(Size, 26);
      const right = createHash('sha256').update('written by another program').digest('base64');
      assert.ok(SHA256 === undefined || SHA256 === right);
    },
  },
  {
    name: 'A file that another program moved inside the folder answers under its id',
    async run(ground) {
      const desk = await ground.desk();
      const { folder } = ground.host;
      await rename(join(folder, desk.path), join(folder, dirname(desk.path), 'moved.docx'));
      assert.equal((await infoOf(desk))['BaseFileName'], 'moved.docx');
    },
  },
  {
    name: 'A file that another program deleted: 404, with and without a lock',
    async run(ground) {
      const desk = await ground.desk();
      await rm(join(ground.host.folder, desk.path));
      assert.equal((await desk.checkFileInfo()).status, 404);
      assert.equal((await desk.getFile()).status, 404);
    },
  },
];

const getFile: Row[] = [
  {
    name: 'GetFile: 200, the bytes, application/octet-stream, the version',
    async run(ground) {
      const desk = await ground.desk();
      const fetched = await desk.getFile();
      assert.equal(fetched.status, 200);
      assert.equal(fetched.body.toString(), 'as it was');
      assert.equal(fetched.received['content-type'], 'application/octet-stream');
      assert.equal(fetched.received['x-wopi-itemversion'], (await desk.info()).Version);
    },
  },
  {
    name: 'GetFile of 0 bytes: 200, nothing',
    async run(ground) {
      const fetched = await (await ground.desk({ content: '' })).getFile();
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
  ).map(([range, text, told]) => ({
    name: `GetFile with Range ${range}: 206 with that part`,
    async run(ground: Ground) {
      const fetched = await (await ground.desk()).getFile({ Range: range });
      assert.equal(fetched.status, 206);
      assert.equal(fetched.body.toString(), text);
      assert.equal(fetched.received['content-range'], told);
    },
  })),
  {
    name: 'GetFile with a Range beyond the end: 416',
    async run(ground) {
      assert.equal((await (await ground.desk()).getFile({ Range: 'bytes=9-' })).status, 416);
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
    async run(ground: Ground) {
      const fetched = await (await ground.desk()).getFile({ 'X-WOPI-MaxExpectedSize': limit });
      assert.equal(fetched.status, status);
    },
  })),
  {
    name: 'GetFile is whole, whatever is saved meanwhile',
    async run(ground) {
      const size = 24 * 1_048_576;
      const desk = await ground.desk({ content: Buffer.alloc(size, 'a') });
      await desk.lock('mine');
      const { url, headers } = desk.target('/contents');
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(url, { agent: false, headers }, resolve).on('error', reject);
      });
      response.pause();
      assert.equal((await desk.put('mine', Buffer.alloc(1_000, 'b'))).status, 200);
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
    name: 'DeleteFile, unlocked: 200; the file leaves the folder, its id answers 404, its token is not refused',
    async run(ground) {
      const desk = await ground.desk();
      const deleted = await desk.deleteFile();
      assert.equal(deleted.status, 200);
      await assert.rejects(access(join(ground.host.folder, desk.path)));
      assert.equal((await desk.checkFileInfo()).status, 404);
      assert.equal((await desk.lock('mine')).status, 404);
    },
  },
  {
    name: 'DeleteFile, its lock lapsed: 200',
    async run(ground) {
      const desk = await ground.desk();
      await desk.lock('mine');
      ground.host.clock.advance(31 * 60_000);
      assert.equal((await desk.deleteFile()).status, 200);
    },
  },
  ...(
    [
      ['a text', 'state=1;\u00e9\u{1f600}'],
      ['1024 bytes', 'x'.repeat(1024)],
    ] as const
  ).map(([what, text]) => ({
    name: `PutUserInfo of ${what}: 200, echoed as UserInfo`,
    async run(ground: Ground) {
      const desk = await ground.desk();
      assert.equal((await desk.putUserInfo(text)).status, 200);
      assert.equal((await infoOf(desk))['UserInfo'], text);
    },
  })),
  {
    name: 'PutUserInfo of 1025 bytes is refused and keeps what was there',
    async run(ground) {
      const desk = await ground.desk();
      await desk.putUserInfo('before');
      const refused = await desk.putUserInfo('x'.repeat(1025));
      assert.ok(refused.status === 400 || refused.status === 413, String(refused.status));
      assert.equal((await infoOf(desk))['UserInfo'], 'before');
    },
  },
];

export const readRows: Row[] = [...checkFileInfo, ...getFile, ...others];
