// Section 2 of the behaviour page, bodies: too large, too short, or meeting a folder that is not there. Nothing is changed,
// nothing is left behind, and what arrived whole is kept.

import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Desk } from '../desk.ts';
import { rawCall, rawHead } from '../raw-call.ts';
import { withSettings } from './row.ts';
import type { Ground, Row } from './row.ts';

/** The head of a call of this desk, with those headers. */
function headOf(
  desk: Desk,
  suffix: '/contents' | undefined,
  headers: Record<string, string | number>,
): { origin: string; head: string } {
  const { url, headers: own } = desk.target(suffix);
  return { origin: url.origin, head: rawHead('POST', url, { ...own, ...headers }) };
}

const putHead = { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'mine' };

/** Nothing of the upload is left: the file as it was, no temporary file beside it. */
async function assertUntouched(desk: Desk, version: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while ((await desk.neighbours()).length > 1 && Date.now() < deadline) await pause(20);
  assert.deepEqual(await desk.neighbours(), ['minutes.docx']);
  assert.equal(await desk.onDisk(), 'as it was');
  assert.equal((await desk.info()).Version, version);
}

const mebibyte = 1_048_576;

export const bodyRows: Row[] = [
  {
    name: 'A body declared over the limit: 413, temporary file gone',
    async run(ground) {
      const desk = await ground.desk();
      await desk.lock('mine');
      const { Version } = await desk.info();
      await withSettings(ground, { maxUploadMiB: 1 }, async () => {
        const { origin, head } = headOf(desk, '/contents', { ...putHead, 'Content-Length': mebibyte + 1 });
        assert.equal((await rawCall(origin, [head], 'wait')).status, 413);
      });
      await assertUntouched(desk, Version);
    },
  },
  {
    name: 'A body streamed over the limit: 413, temporary file gone',
    async run(ground) {
      const desk = await ground.desk();
      await desk.lock('mine');
      const { Version } = await desk.info();
      await withSettings(ground, { maxUploadMiB: 1 }, async () => {
        const { origin, head } = headOf(desk, '/contents', { ...putHead, 'Transfer-Encoding': 'chunked' });
        const piece = Buffer.concat([
          Buffer.from('40000\r\n'),
          Buffer.alloc(0x40000, 'x'),
          Buffer.from('\r\n'),
        ]);
        const answer = await rawCall(origin, [head, piece, piece, piece, piece, 50, piece], 'wait');
        assert.equal(answer.status, 413);
      });
      await assertUntouched(desk, Version);
    },
  },
  {
    name: 'A body of exactly the limit: 200',
    async run(ground) {
      const desk = await ground.desk();
      await desk.lock('mine');
      await withSettings(ground, { maxUploadMiB: 1 }, async () => {
        assert.equal((await desk.put('mine', Buffer.alloc(mebibyte, 'x'))).status, 200);
      });
      assert.equal((await desk.info()).Size, mebibyte);
    },
  },
  {
    name: 'PutRelativeFile over the limit: 413, nothing created',
    async run(ground) {
      const desk = await ground.desk();
      const { Version } = await desk.info();
      await withSettings(ground, { maxUploadMiB: 1 }, async () => {
        const headers = { 'X-WOPI-Override': 'PUT_RELATIVE', 'X-WOPI-SuggestedTarget': 'copy.docx' };
        const { origin, head } = headOf(desk, undefined, { ...headers, 'Content-Length': mebibyte + 1 });
        assert.equal((await rawCall(origin, [head], 'wait')).status, 413);
      });
      await assertUntouched(desk, Version);
    },
  },
  ...(
    [
      ['shorter than its Content-Length', { 'Content-Length': 1_000 }, ['ten bytes.', 20]],
      ['cut off in the middle of a chunk', { 'Transfer-Encoding': 'chunked' }, ['400\r\nten bytes.', 20]],
      ['cut off after the first chunk', { 'Transfer-Encoding': 'chunked' }, ['a\r\nten bytes.\r\n', 20]],
    ] as [string, Record<string, string | number>, (string | number)[]][]
  ).map(([what, length, parts]) => ({
    name: `A PutFile body ${what}: nothing changed, temporary file gone`,
    async run(ground: Ground) {
      const desk = await ground.desk();
      await desk.lock('mine');
      const { Version } = await desk.info();
      const { origin, head } = headOf(desk, '/contents', { ...putHead, ...length });
      const answer = await rawCall(origin, [head, ...parts], 'hang-up');
      assert.notEqual(answer.status, 200);
      await assertUntouched(desk, Version);
      assert.equal((await desk.put('mine', 'and a whole one')).status, 200);
    },
  })),
  {
    name: 'The hosted folder is gone (a drive unplugged): 500 with X-WOPI-ServerError, the body recovered, nothing deleted',
    async run(ground) {
      const desk = await ground.desk();
      await desk.lock('mine');
      const { recoveredSaves } = ground.host.host.services;
      const away = `${ground.host.folder}-unplugged`;
      await rename(ground.host.folder, away);
      try {
        assert.equal((await desk.checkFileInfo()).status, 500);
        assert.equal((await desk.put('mine', 'edited in vain')).status, 500);
      } finally {
        await rename(away, ground.host.folder);
      }
      assert.equal(await desk.onDisk(), 'as it was');
      const save = recoveredSaves.list().find(({ fileId }) => fileId === desk.fileId);
      assert.equal(save?.size, 'edited in vain'.length);
      assert.equal((await desk.checkFileInfo()).status, 200);
      assert.equal((await desk.put('mine', 'edited')).status, 200);
      assert.equal(await desk.onDisk(), 'edited');
      await recoveredSaves.discard(save.id);
    },
  },
];
