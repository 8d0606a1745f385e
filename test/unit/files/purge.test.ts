import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { listFolder } from '../../../app/files/list-folder.ts';
import { unknownSender } from '../../../app/files/recovered-saves.ts';
import { day, openRoom, type Room } from './files-fixture.ts';

async function list(room: Room): Promise<Map<string, string>> {
  const { items } = await listFolder(room.folder, '', { startIndex: 0, count: 10_000 });
  return new Map(items.flatMap((item) => (item.kind === 'document' ? [[item.name, item.id]] : [])));
}

function rowCount(room: Room): number {
  return Number(room.db.prepare('SELECT count(*) FROM files').pluck().get());
}

/** Purges twice, with that much time in between. */
async function purgeOver(room: Room, ms: number): Promise<void> {
  await room.purge();
  room.time.nowMs += ms;
  await room.purge();
}

test('removes the row of a listed document 30 days after its file was deleted', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const ids = await list(room);
  await rm(room.at('a.txt'));
  await purgeOver(room, 29 * day);
  assert.equal(rowCount(room), 2);
  room.time.nowMs += day;
  await room.purge();
  assert.equal(room.files.byId(ids.get('a.txt') ?? ''), undefined);
  assert.equal(room.files.byId(ids.get('b.txt') ?? '')?.path, 'b.txt');
});

test('removes the row of a trashed document after 30 days', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'stays/b.txt': 'b' } });
  await room.documents.trash(await room.open('a.txt'));
  await room.write('a.txt', 'another one at its path');
  await purgeOver(room, 29 * day);
  assert.equal(rowCount(room), 1);
  room.time.nowMs += day;
  await room.purge();
  assert.equal(rowCount(room), 0);
});

test('counts the 30 days of a restored document from its next deletion', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'stays/b.txt': 'b' } });
  await list(room);
  await rename(room.at('a.txt'), `${room.root} a`);
  await purgeOver(room, 20 * day);
  await rename(`${room.root} a`, room.at('a.txt'));
  await room.purge();
  await rm(room.at('a.txt'));
  await purgeOver(room, 20 * day);
  assert.equal(rowCount(room), 1);
  room.time.nowMs += 10 * day;
  await room.purge();
  assert.equal(rowCount(room), 0);
});

test('removes nothing and doesn’t count the time while the hosted folder is missing', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'stays/b.txt': 'b' } });
  await list(room);
  await rename(room.root, `${room.root} away`);
  await mkdir(room.root);
  await purgeOver(room, 60 * day);
  await purgeOver(room, 60 * day);
  await rm(room.root, { recursive: true });
  await rename(`${room.root} away`, room.root);
  await rm(room.at('a.txt'));
  await room.purge();
  assert.equal(rowCount(room), 1, 'the 30 days start now');
});

test('treats an empty folder as a mount point without its drive: removes nothing and doesn’t count the time', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a' } });
  await list(room);
  await rm(room.at('a.txt'));
  await room.restart();
  await purgeOver(room, 60 * day);
  await room.write('b.txt', 'b');
  await room.purge();
  assert.equal(rowCount(room), 1, 'the 30 days start now');
});

test('the 30 days start again after a clock that was ahead is corrected', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'a', 'stays/b.txt': 'b' } });
  await list(room);
  await rm(room.at('a.txt'));
  room.time.nowMs += 400 * day;
  await room.purge();
  room.time.nowMs -= 400 * day;
  await purgeOver(room, 29 * day);
  assert.equal(rowCount(room), 1);
  room.time.nowMs += day;
  await room.purge();
  assert.equal(rowCount(room), 0);
});

function granted(table: string) {
  const columns = 'id, hmac, user_id, file_id, mode, created_at_ms, expires_at_ms';
  return (room: Room, fileId: string) =>
    void room.db
      .prepare(`INSERT INTO ${table} (${columns}) VALUES ('t', x'00', 'u', ?, 'view', 0, 0)`)
      .run(fileId);
}

const references: Record<string, (room: Room, fileId: string) => void | Promise<void>> = {
  'a lock': (room, fileId) => void room.lock(fileId),
  'an access token': granted('access_tokens'),
  'a page session': granted('page_sessions'),
  'a kept version': async (room) => void (await room.save('a.txt', 'newer')),
  'a recovered save': async (room, fileId) => {
    const about = {
      fileId,
      path: 'a.txt',
      ...unknownSender,
      isCopy: false,
      reason: 'recovered.refused' as const,
      isUnreadable: false,
    };
    await room.recoveredSaves.keep(await room.receive('body'), about);
  },
  'a conflict copy': (room, fileId) => {
    room.db.prepare(`INSERT INTO conflicts VALUES (?, 'copy.txt', ?, 0)`).run(room.tenantId, fileId);
  },
  'the list of recent documents': (room, fileId) => {
    room.db.prepare('INSERT INTO recent_documents VALUES (?, 0)').run(fileId);
  },
  'an unfinished rename': (room, fileId) => {
    room.files.setPath(fileId, { path: 'a.txt', renamingFrom: 'b.txt' });
  },
};

for (const [what, refer] of Object.entries(references)) {
  test(`keeps the row if ${what} refers to it`, async (t) => {
    const room = await openRoom(t, { files: { 'a.txt': 'a', 'stays/b.txt': 'b' } });
    room.db.prepare(`INSERT INTO users VALUES ('u', 'anna', 'Anna', 'owner', 'x', NULL, 0)`).run();
    const fileId = (await list(room)).get('a.txt') ?? '';
    await refer(room, fileId);
    await rm(room.at('a.txt'));
    await purgeOver(room, 400 * day);
    assert.equal(room.files.byId(fileId)?.id, fileId);
  });
}

test('leaves rows beyond the limit of one run to the next ones', async (t) => {
  const room = await openRoom(t, { files: { 'stays/a.txt': 'a' } });
  const count = 4_500;
  for (let number = 0; number < count; number += 1) await writeFile(room.at(`${number}.txt`), '');
  assert.equal((await list(room)).size, count);
  for (let number = 0; number < count; number += 1) await rm(room.at(`${number}.txt`));
  for (let run = 0; run < 3; run += 1) await room.purge();
  room.time.nowMs += 30 * day;
  await room.purge();
  assert.equal(rowCount(room), count - 2_000);
  for (let run = 0; run < 2; run += 1) await room.purge();
  assert.equal(rowCount(room), 0);
});
