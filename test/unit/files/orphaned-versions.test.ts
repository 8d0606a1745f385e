import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pruneOrphanedVersions } from '../../../app/files/orphaned-versions.ts';
import { day, openRoom, type Room } from './files-fixture.ts';

function prune(room: Room): Promise<number> {
  const { versionsTable: table, versionFiles, mutex, clock } = room;
  const log = { info: () => undefined, warn: () => undefined };
  const directory = join(room.dataDir, 'versions');
  return pruneOrphanedVersions({ directory, table, versionFiles, mutex, clock, log }, 30 * day);
}

/** Content in the versions folder of that document that no row names. */
async function leave(room: Room, fileId: string, id: string): Promise<void> {
  await mkdir(room.versionFiles.folderOf(fileId), { recursive: true });
  await writeFile(room.versionFiles.pathOf(fileId, id), 'kept');
}

async function openUsed(t: Parameters<typeof openRoom>[0]) {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  room.time.nowMs = Date.now();
  const { row } = await room.save('a.txt', 'two');
  await leave(room, row.id, '7-zz-lstray');
  await leave(room, 'of-a-lost-database', '3-zz-cstray');
  return { room, id: row.id };
}

test('removes version files without a record once they expire, and keeps recorded ones', async (t) => {
  const { room, id } = await openUsed(t);
  const [recorded] = room.versions.list(id);
  room.time.nowMs += 29 * day;
  assert.equal(await prune(room), 0);
  room.time.nowMs += 2 * day;
  await room.save('a.txt', 'three');
  assert.equal(await prune(room), 0, 'what was kept today may be under a wrong clock');
  room.time.nowMs += day;
  assert.equal(await prune(room), 2);
  assert.equal(room.versions.list(id).length, 2);
  assert.ok((await readdir(room.versionFiles.folderOf(id))).includes(recorded?.id ?? ''));
  await prune(room);
  assert.equal(
    existsSync(room.versionFiles.folderOf('of-a-lost-database')),
    false,
    'an empty folder goes too',
  );
});

test('A clock that is far ahead removes no kept file while nothing newer was kept', async (t) => {
  const { room } = await openUsed(t);
  room.time.nowMs += 400 * day;
  assert.equal(await prune(room), 0);
});

test('keeps files the host did not create, and accepts a missing folder', async (t) => {
  const { room, id } = await openUsed(t);
  await leave(room, id, 'note.txt');
  room.time.nowMs += 31 * day;
  await room.save('a.txt', 'three');
  await prune(room);
  assert.ok(existsSync(room.versionFiles.pathOf(id, 'note.txt')));
  assert.equal(await prune(await openRoom(t)), 0);
});

test('A document whose empty folder was removed keeps its next version', async (t) => {
  const { room, id } = await openUsed(t);
  const folder = room.versionFiles.folderOf('empty');
  await mkdir(folder);
  await prune(room);
  assert.equal(existsSync(folder), false);
  await room.save('a.txt', 'three');
  assert.equal(room.versions.list(id).length, 2);
});
