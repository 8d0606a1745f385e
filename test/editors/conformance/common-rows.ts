// What all calls share: which operation a request is, and which hosts and addresses are accepted. Then what editors call without a
// lock: CheckFileInfo, GetFile, DeleteFile and PutUserInfo.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { access, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerOf, lapse, row, take, withSettings, type Row } from './row.ts';

const unknown = 'COBALT ADD_ACTIVITIES GET_SHARE_URL GET_RESTRICTED_LINK READ_SECURE_STORE NONSENSE'.split(
  ' ',
);

const requests: Row[] = [
  row('Other values of X-WOPI-Override: 501, and none: 400', async (client) => {
    for (const value of unknown) {
      const headers = { 'X-WOPI-Override': value };
      assert.equal((await client.call({ operation: value, headers })).status, 501);
    }
    assert.equal((await client.call({ operation: 'none' })).status, 400);
    assert.equal((await client.call({ operation: 'none', suffix: '/contents' })).status, 400);
  }),
  row('The value of X-WOPI-Override is case-insensitive', async (client) => {
    const lock = { 'X-WOPI-Override': 'lock', 'X-WOPI-Lock': 'mine' };
    assert.equal((await client.call({ operation: 'Lock', headers: lock })).status, 200);
    assert.equal((await client.put('mine', 'a', { 'X-WOPI-Override': 'Put' })).status, 200);
  }),
  row('The journal has the correlation id of a call, but not its token', async (client, { host }) => {
    const correlationId = randomUUID();
    // GetFile, because calls that editors poll are journaled only once a minute.
    await client.getFile({ 'X-WOPI-CorrelationId': correlationId });
    const entry = host.host.services.journal
      .newest(Infinity)
      .findLast((line) => line.correlationId === correlationId);
    assert.deepEqual([entry?.status, entry?.fileId], [200, client.fileId]);
    assert.ok(!JSON.stringify(entry).includes(client.access.accessToken));
  }),
  row('A Host header that isn’t allowed: 421; in allowedHosts: 200', async (client, context) => {
    const check = async (host: string): Promise<number> =>
      (await client.call({ operation: 'CheckFileInfo', headers: { Host: host } })).status;
    assert.equal(await check('evil.example'), 421);
    await withSettings(context, { allowedHosts: ['docs.example'], ...context.reachable }, async () => {
      assert.equal(await check('docs.example'), 200);
    });
  }),
  row('A client address that isn’t in allowedAddresses: 403', async (client, context) => {
    await withSettings(context, { allowedAddresses: ['192.0.2.1'] }, async () => {
      assert.equal((await client.checkFileInfo()).status, 403);
    });
    assert.equal((await client.checkFileInfo()).status, 200);
  }),
  row(
    'Order: a missing file is reported before a missing permission and a malformed header',
    async (client, { host }) => {
      await rm(join(host.folder, client.path));
      assert.equal((await client.put('mine', 'edited')).status, 404);
      assert.equal((await client.rename('agenda')).status, 404);
      assert.equal((await client.lock('')).status, 404);
    },
    { mode: 'view' },
  ),
];

const reading: Row[] = [
  row('CheckFileInfo after a change on disk has no SHA256, or the right one', async (client, { host }) => {
    await take(client);
    await client.put('mine', 'edited');
    await writeFile(join(host.folder, client.path), 'written by another program');
    const { SHA256, Size } = await client.info();
    assert.equal(Size, 26);
    const right = createHash('sha256').update('written by another program').digest('base64');
    assert.ok(SHA256 === undefined || SHA256 === right);
  }),
  row('CheckFileInfo of a file that another program renamed: same id, new name', async (client, { host }) => {
    await rename(join(host.folder, client.path), client.beside('moved.docx'));
    assert.equal((await client.info()).BaseFileName, 'moved.docx');
  }),
  row('GetFile: a range is 206, a file over X-WOPI-MaxExpectedSize 412', async (client) => {
    const part = await client.getFile({ Range: 'bytes=3-4' });
    assert.deepEqual(
      [part.status, part.body.toString(), part.received['content-range']],
      [206, 'it', 'bytes 3-4/9'],
    );
    assert.equal((await client.getFile({ 'X-WOPI-MaxExpectedSize': 8 })).status, 412);
    const whole = await client.getFile({ 'X-WOPI-MaxExpectedSize': 9 });
    assert.deepEqual([whole.status, whole.body.toString()], [200, 'as it was']);
    assert.equal(whole.received['x-wopi-itemversion'], (await client.info()).Version);
  }),
  row(
    'DeleteFile, unlocked: 200; the file is deleted, and its id answers 404 rather than 401',
    async (client, { host }) => {
      assert.equal((await client.deleteFile()).status, 200);
      await assert.rejects(access(join(host.folder, client.path)));
      assert.equal((await client.checkFileInfo()).status, 404);
      assert.equal((await client.lock('mine')).status, 404);
      assert.equal((await client.rename('agenda')).status, 404);
    },
  ),
  row('DeleteFile, its lock has lapsed: 200', async (client, { host }) => {
    await take(client);
    host.clock.advance(lapse);
    assert.equal((await client.deleteFile()).status, 200);
  }),
  row('PutUserInfo of up to 1024 bytes: 200, returned as UserInfo; of more: unchanged', async (client) => {
    for (const text of ['state=1;\u00e9\u{1f600}', 'x'.repeat(1024)]) {
      assert.equal((await client.putUserInfo(text)).status, 200);
      assert.equal(answerOf(await client.checkFileInfo()).UserInfo, text);
    }
    assert.equal((await client.putUserInfo('y'.repeat(1025))).status, 400);
    assert.equal((await client.info()).UserInfo, 'x'.repeat(1024));
  }),
];

export const commonRows: Row[] = [...requests, ...reading];
