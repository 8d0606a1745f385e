// Bodies: too large, too short, or while the folder is missing. Nothing may change, no temporary
// file may remain, and complete bodies must be recovered.

import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { WopiClient } from '../wopi-client.ts';
import { rawCall, rawHead } from '../raw-call.ts';
import { withSettings } from './row.ts';
import type { RowContext, Row } from './row.ts';

/** The request head of a call by this client. */
function headOf(
  client: WopiClient,
  suffix: '/contents' | undefined,
  headers: Record<string, string | number>,
): { origin: string; head: string } {
  const { url, headers: own } = client.target(suffix);
  return { origin: url.origin, head: rawHead('POST', url, { ...own, ...headers }) };
}

const putHead = { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'mine' };

/** The document is unchanged, and there is no temporary file beside it. */
async function assertUntouched(client: WopiClient, version: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while ((await client.siblings()).length > 1 && Date.now() < deadline) await pause(20);
  assert.deepEqual(await client.siblings(), ['minutes.docx']);
  assert.equal(await client.onDisk(), 'as it was');
  assert.equal((await client.info()).Version, version);
}

const megabyte = 1_000_000;

/** A call over a limit of 1 MB is answered with 413 and changes nothing. */
async function assertTooLarge(
  context: RowContext,
  client: WopiClient,
  call: { suffix?: '/contents'; headers: Record<string, string | number>; parts?: (Buffer | number)[] },
): Promise<void> {
  const { Version } = await client.info();
  await withSettings(context, { maxUploadMB: 1 }, async () => {
    const { origin, head } = headOf(client, call.suffix, call.headers);
    assert.equal((await rawCall(origin, [head, ...(call.parts ?? [])], 'wait')).status, 413);
  });
  await assertUntouched(client, Version);
}

export const bodyRows: Row[] = [
  {
    name: 'A body with a Content-Length over the limit: 413, no temporary file left',
    async run(context) {
      const client = await context.client();
      await client.lock('mine');
      const headers = { ...putHead, 'Content-Length': megabyte + 1 };
      await assertTooLarge(context, client, { suffix: '/contents', headers });
    },
  },
  {
    name: 'A chunked body over the limit: 413, no temporary file left',
    async run(context) {
      const client = await context.client();
      await client.lock('mine');
      const headers = { ...putHead, 'Transfer-Encoding': 'chunked' };
      const piece = Buffer.concat([
        Buffer.from('40000\r\n'),
        Buffer.alloc(0x40000, 'x'),
        Buffer.from('\r\n'),
      ]);
      const parts = [piece, piece, piece, piece, 50, piece];
      await assertTooLarge(context, client, { suffix: '/contents', headers, parts });
    },
  },
  {
    name: 'A body of exactly the limit: 200',
    async run(context) {
      const client = await context.client();
      await client.lock('mine');
      await withSettings(context, { maxUploadMB: 1 }, async () => {
        assert.equal((await client.put('mine', Buffer.alloc(megabyte, 'x'))).status, 200);
      });
      assert.equal((await client.info()).Size, megabyte);
    },
  },
  {
    name: 'PutRelativeFile over the limit: 413, nothing created',
    async run(context) {
      const client = await context.client();
      const headers = { 'X-WOPI-Override': 'PUT_RELATIVE', 'X-WOPI-SuggestedTarget': 'copy.docx' };
      await assertTooLarge(context, client, { headers: { ...headers, 'Content-Length': megabyte + 1 } });
    },
  },
  ...(
    [
      ['shorter than its Content-Length', { 'Content-Length': 1_000 }, ['ten bytes.', 20]],
      ['cut off in the middle of a chunk', { 'Transfer-Encoding': 'chunked' }, ['400\r\nten bytes.', 20]],
      ['cut off after the first chunk', { 'Transfer-Encoding': 'chunked' }, ['a\r\nten bytes.\r\n', 20]],
    ] as [string, Record<string, string | number>, (string | number)[]][]
  ).map(([what, length, parts]) => ({
    name: `A PutFile body ${what}: nothing changed, no temporary file left`,
    async run(context: RowContext) {
      const client = await context.client();
      await client.lock('mine');
      const { Version } = await client.info();
      const { origin, head } = headOf(client, '/contents', { ...putHead, ...length });
      const answer = await rawCall(origin, [head, ...parts], 'hang-up');
      assert.notEqual(answer.status, 200);
      await assertUntouched(client, Version);
      assert.equal((await client.put('mine', 'and a whole one')).status, 200);
    },
  })),
  {
    name: 'The hosted folder is missing (an unplugged drive): 500, the body recovered, nothing deleted',
    async run(context) {
      const client = await context.client();
      await client.lock('mine');
      const { recoveredSaves } = context.host.host.services;
      const away = `${context.host.folder}-unplugged`;
      await rename(context.host.folder, away);
      try {
        assert.equal((await client.checkFileInfo()).status, 500);
        assert.equal((await client.put('mine', 'edited in vain')).status, 500);
      } finally {
        await rename(away, context.host.folder);
      }
      assert.equal(await client.onDisk(), 'as it was');
      const save = recoveredSaves.list().find(({ fileId }) => fileId === client.fileId);
      assert.equal(save?.size, 'edited in vain'.length);
      assert.equal((await client.checkFileInfo()).status, 200);
      assert.equal((await client.put('mine', 'edited')).status, 200);
      assert.equal(await client.onDisk(), 'edited');
      await recoveredSaves.discard(save.id);
    },
  },
];
