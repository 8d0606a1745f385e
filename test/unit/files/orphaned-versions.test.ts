import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
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

/** Writes a version file of that document without a row for it. */
async function writeOrphan(room: Room, fileId: string, id: string): Promise<void> {
  await mkdir(room.versionFiles.folderOf(fileId), { recursive: true });
  const path = room.versionFiles.pathOf(fileId, id);
  await writeFile(path, 'kept');
  // A link keeps the time of its content.
  await utimes(path, 0, 0);
}

async function openWithOrphans(t: Parameters<typeof openRoom>[0]) {
  const room = await openRoom(t, { files: { 'a.txt': 'one' } });
  room.time.nowMs = Date.now();
  const { row } = await room.save('a.txt', 'two');
  await writeOrphan(room, row.id, '7-zz-lstray');
  await writeOrphan(room, 'of-a-lost-database', '3-zz-cstray');
  return { room, id: row.id };
}

test('removes version files without a record once they expire, and keeps recorded ones', async (t) => {
  const { room, id } = await openWithOrphans(t);
  const [recorded] = room.versions.list(id);
  room.time.nowMs += 29 * day;
  assert.equal(await prune(room), 0);
  room.time.nowMs += 2 * day;
  await room.save('a.txt', 'three');
  assert.equal(await prune(room), 0, 'today’s version may have been kept under a wrong clock');
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

test('a clock that is far ahead removes nothing until a newer version was kept', async (t) => {
  const { room } = await openWithOrphans(t);
  room.time.nowMs += 400 * day;
  assert.equal(await prune(room), 0);
});

test('keeps files the host did not create, and accepts a missing folder', async (t) => {
  const { room, id } = await openWithOrphans(t);
  await writeOrphan(room, id, 'note.txt');
  room.time.nowMs += 31 * day;
  await room.save('a.txt', 'three');
  await prune(room);
  assert.ok(existsSync(room.versionFiles.pathOf(id, 'note.txt')));
  assert.equal(await prune(await openRoom(t)), 0);
});

test('removes an empty versions folder, and a later save still keeps its version', async (t) => {
  const { room, id } = await openWithOrphans(t);
  const folder = room.versionFiles.folderOf('empty');
  await mkdir(folder);
  await prune(room);
  assert.equal(existsSync(folder), false);
  await room.save('a.txt', 'three');
  assert.equal(room.versions.list(id).length, 2);
});
