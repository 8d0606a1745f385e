import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { receiveBody } from '../../../app/files/received-body.ts';
import { openJail } from '../../../app/files/jail.ts';
import {
  day,
  nothing,
  openRoom,
  origin,
  pieces,
  present,
  refused,
  otherDisk,
  temporaryFolder,
  type Room,
} from './files-fixture.ts';

const about = {
  fileId: 'file1',
  path: 'sub/a.txt',
  userId: 'u1',
  tokenId: 't1',
  isCopy: false,
  savedBy: 'anna',
  reason: 'recovered.refused' as const,
  isUnreadable: false,
};

async function bodies(room: Room): Promise<string[]> {
  return readdir(room.recoveredDirectory);
}

test('lists a recovered save, emits an event, and keeps it out of the folder', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  await room.recoveredSaves.keep(await room.receive('work', 'sub'), about);
  const [save, ...more] = room.recoveredSaves.list();
  assert.deepEqual(more, []);
  assert.deepEqual(save, {
    id: save?.id,
    fileId: 'file1',
    path: 'sub/a.txt',
    size: 4,
    reason: 'recovered.refused',
    receivedAtMs: room.time.nowMs,
    isUnreadable: false,
  });
  assert.deepEqual(await room.names('sub'), ['a.txt']);
  assert.deepEqual(
    room.events.map(({ event }) => event),
    ['save-recovered'],
  );
});

test('keeps the same bytes once per document', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  await room.recoveredSaves.keep(await room.receive('work'), about);
  await room.recoveredSaves.keep(await room.receive('work'), about);
  assert.equal(room.recoveredSaves.list().length, 1);
  await room.recoveredSaves.keep(await room.receive('work'), { ...about, fileId: 'file2' });
  await room.recoveredSaves.keep(await room.receive('more work'), about);
  assert.equal(room.recoveredSaves.list().length, 3);
  assert.equal((await bodies(room)).length, 3);
  assert.deepEqual(await room.names(), ['sub']);
});

test('keeps the same bytes again if the first copy is missing', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  await room.recoveredSaves.keep(await room.receive('work'), about);
  for (const name of await bodies(room)) await rm(join(room.recoveredDirectory, name));
  await room.recoveredSaves.keep(await room.receive('work'), about);
  const restored: string[] = [];
  for (const { id } of room.recoveredSaves.list()) {
    const path = await room.recoveredSaves.restore(id).catch(nothing);
    if (path !== undefined) restored.push(await room.read(path));
  }
  assert.deepEqual(restored, ['work']);
});

test('copies a body from another disk and removes it there', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  const directory = await temporaryFolder(t, otherDisk);
  const incoming = await receiveBody({
    source: pieces('work'),
    folder: await (await openJail(directory)).openFolder(''),
    fallbackDirectory: room.recoveredDirectory,
    name: 'body.tmp',
    maxBytes: 100,
  });
  await room.recoveredSaves.keep(incoming, about);
  assert.deepEqual(await readdir(directory), []);
  const path = await room.recoveredSaves.restore(present(room.recoveredSaves.list()[0]).id);
  assert.equal(await room.read(path), 'work');
});

test('restores a recovered save as a new document beside the old one, and removes it', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  await room.recoveredSaves.keep(await room.receive('work'), about);
  const path = await room.recoveredSaves.restore(present(room.recoveredSaves.list()[0]).id);
  assert.match(path, /^sub\/a \(recovered .*\)\.txt$/);
  assert.equal(await room.read(path), 'work');
  assert.equal(await room.read('sub/a.txt'), 'old');
  assert.deepEqual(room.recoveredSaves.list(), []);
  assert.deepEqual(await bodies(room), []);
});

test('doesn’t restore a recovered save whose bytes were changed, and keeps it', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  await room.recoveredSaves.keep(await room.receive('work'), about);
  const [name] = await bodies(room);
  await writeFile(join(room.recoveredDirectory, present(name)), 'wrong');
  const { id } = present(room.recoveredSaves.list()[0]);
  await assert.rejects(room.recoveredSaves.restore(id), refused('version-damaged'));
  assert.equal(room.recoveredSaves.list().length, 1);
  assert.deepEqual(await room.names('sub'), ['a.txt']);
});

for (const [what, change] of [
  ['is missing', async () => undefined],
  ['was replaced by a file', async (room: Room) => room.write('sub', 'a file')],
  ['was replaced by a link to elsewhere', async (room: Room) => symlink(tmpdir(), room.at('sub'))],
] as const) {
  test(`restores a recovered save whose folder ${what} to the top of the hosted folder`, async (t) => {
    const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
    await room.recoveredSaves.keep(await room.receive('work'), about);
    await rename(room.at('sub'), room.at('moved'));
    await change(room);
    const path = await room.recoveredSaves.restore(present(room.recoveredSaves.list()[0]).id);
    assert.match(path, /^a \(recovered .*\)\.txt$/);
    assert.equal(await room.read(path), 'work');
    assert.deepEqual(room.recoveredSaves.list(), []);
  });
}

test('keeps a recovered save that can’t be restored anywhere', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
  await room.recoveredSaves.keep(await room.receive('work'), about);
  await rename(room.root, `${room.root}-away`);
  const { id } = present(room.recoveredSaves.list()[0]);
  await assert.rejects(room.recoveredSaves.restore(id), refused('folder-missing'));
  assert.deepEqual(
    room.recoveredSaves.list().map((save) => save.id),
    [id],
  );
  assert.equal((await bodies(room)).length, 1);
  await rename(`${room.root}-away`, room.root);
  assert.equal(await room.read(await room.recoveredSaves.restore(id)), 'work');
});

for (const [what, change] of [
  ['was moved with its folder', async (room: Room) => rename(room.at('sub'), room.at('moved'))],
  ['was deleted by another program', async (room: Room) => rm(room.at('sub'), { recursive: true })],
] as const) {
  test(`keeps a body whose temporary file ${what}`, async (t) => {
    const room = await openRoom(t, { files: { 'sub/a.txt': 'old' } });
    const incoming = await room.receive('work', 'sub');
    await change(room);
    await room.recoveredSaves.keep(incoming, about);
    assert.equal((await bodies(room)).length, 1);
    const path = await room.recoveredSaves.restore(present(room.recoveredSaves.list()[0]).id);
    assert.equal(await room.read(path), 'work');
  });
}

test('restores a late save under the name of its document even if a new document has that path', async (t) => {
  const room = await openRoom(t, { files: { 'sub/Report.docx': 'old' } });
  const { row } = await room.open('sub/Report.docx');
  await rm(room.at('sub/Report.docx'));
  const another = await room.receive('another', 'sub');
  const names = ['Report.docx'];
  await room.documents.create({ folderPath: 'sub', names, incoming: another, origin });
  const { id: fileId, path } = present(room.folder.rowOf(row.id));
  await room.recoveredSaves.keep(await room.receive('late work'), { ...about, fileId, path });
  const restored = await room.recoveredSaves.restore(present(room.recoveredSaves.list()[0]).id);
  assert.match(restored, /Report \(recovered .*\)\.docx$/);
});

test('discarding removes a recovered save, and an unknown one is rejected', async (t) => {
  const room = await openRoom(t);
  await room.recoveredSaves.keep(await room.receive('work'), about);
  const { id } = present(room.recoveredSaves.list()[0]);
  await room.recoveredSaves.discard(id);
  assert.deepEqual(room.events.at(-1), { event: 'recovered-save-ended', recoveredId: id, how: 'discarded' });
  assert.deepEqual(room.recoveredSaves.list(), []);
  assert.deepEqual(await bodies(room), []);
  await assert.rejects(room.recoveredSaves.discard(id), refused('recovered-save-unknown'));
  await assert.rejects(room.recoveredSaves.restore(id), refused('recovered-save-unknown'));
});

test('adopts a body that was kept but never recorded at the next start', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'old' } });
  await writeFile(join(room.recoveredDirectory, 'r1.fileX'), 'work');
  await writeFile(join(room.recoveredDirectory, 'r2.unknown'), 'more');
  await writeFile(join(room.recoveredDirectory, '.~doctray-room0001-x-y.tmp'), 'half');
  await room.recoveredSaves.keep(await room.receive('recorded'), about);
  const recorded = present(room.recoveredSaves.list()[0]).id;
  await room.restart();
  await room.recoveredSaves.adoptOrphans((fileId) => (fileId === 'fileX' ? 'a.txt' : undefined));
  assert.deepEqual(
    room.recoveredSaves
      .list()
      .map(({ id, path, size }) => `${id} ${path} ${size}`)
      .toSorted(),
    [`${recorded} sub/a.txt 8`, 'r1 a.txt 4', 'r2 document 4'].toSorted(),
  );
  const path = await room.recoveredSaves.restore('r1');
  assert.equal(await room.read(path), 'work');
});

test('ignores files that are not recovered bodies when it adopts orphans', async (t) => {
  const room = await openRoom(t);
  await mkdir(join(room.recoveredDirectory, 'some.folder'));
  await writeFile(join(room.recoveredDirectory, 'note'), 'x');
  await writeFile(join(room.recoveredDirectory, 'r1.fileX'), 'work');
  await room.recoveredSaves.adoptOrphans(() => undefined);
  assert.deepEqual(
    room.recoveredSaves.list().map(({ id }) => id),
    ['r1'],
  );
});

test('adopts an unrecorded body once, however often the host starts', async (t) => {
  const room = await openRoom(t);
  await writeFile(join(room.recoveredDirectory, 'stray1.fileX'), 'stray');
  await room.recoveredSaves.adoptOrphans(() => undefined);
  const [first] = room.recoveredSaves.list();
  room.time.nowMs += 1000;
  await room.restart();
  await room.recoveredSaves.adoptOrphans(() => undefined);
  assert.deepEqual(room.recoveredSaves.list(), [first]);
});

/** Bodies of the recovered saves that are listed, newest first. */
async function contents(room: Room): Promise<string[]> {
  return Promise.all(
    room.recoveredSaves
      .list()
      .map(({ id, fileId }) => readFile(join(room.recoveredDirectory, `${id}.${fileId}`), 'utf8')),
  );
}

const megabytes = (letter: string, count: number): string => letter.repeat(count * 1_000_000);

test('logs which save a newer one replaced, and which one had no room', async (t) => {
  const room = await openRoom(t);
  room.limits.recoveredMB = 1;
  for (const letter of 'ab') await room.recoveredSaves.keep(await room.receive(megabytes(letter, 1)), about);
  assert.match(room.logged.join(), /newer recovered save/);
  const incoming = await room.receive('more');
  assert.equal(
    await room.recoveredSaves.keep(incoming, { ...about, userId: 'u2', tokenId: 't2' }),
    undefined,
  );
  assert.match(room.logged.join(), /DocTray refused it\. There is no room/);
});

test('saves that arrive at the same time don’t share the same free space', async (t) => {
  const room = await openRoom(t);
  room.limits.recoveredMB = 1;
  const half = 'x'.repeat(600 * 1024);
  const kept = await Promise.all(
    ['u1', 'u2', 'u3'].map(async (userId) =>
      room.recoveredSaves.keep(await room.receive(userId + half), { ...about, userId, tokenId: userId }),
    ),
  );
  assert.deepEqual(kept.filter(Boolean).length, 1);
});

test('bytes that two users sent belong to neither: a newer save of one doesn’t remove them', async (t) => {
  const room = await openRoom(t);
  room.limits.recoveredMB = 1;
  const same = megabytes('s', 1).slice(1);
  await room.recoveredSaves.keep(await room.receive(same), about);
  await room.recoveredSaves.keep(await room.receive(same), { ...about, userId: 'u2', tokenId: 't2' });
  assert.equal(await room.recoveredSaves.keep(await room.receive('newer'), about), undefined);
  assert.deepEqual(await contents(room), [same]);
});

test('an adopted body counts toward the quota', async (t) => {
  const room = await openRoom(t);
  room.limits.recoveredMB = 1;
  await writeFile(join(room.recoveredDirectory, 'r1.fileX'), megabytes('s', 1));
  await room.recoveredSaves.adoptOrphans(() => undefined);
  assert.equal(await room.recoveredSaves.keep(await room.receive('newer'), about), undefined);
});

test('a recovered save expires with an event and a log entry; receiving the same bytes renews it', async (t) => {
  const room = await openRoom(t);
  await room.recoveredSaves.keep(await room.receive('first'), about);
  await room.recoveredSaves.keep(await room.receive('again'), about);
  room.time.nowMs += 10 * day;
  await room.recoveredSaves.keep(await room.receive('again'), about);
  await room.recoveredSaves.expire(5 * day);
  assert.equal(
    room.recoveredSaves.list().length,
    2,
    'a clock that has been ahead since today expires nothing',
  );
  room.time.nowMs += day;
  await room.recoveredSaves.expire(5 * day);
  assert.deepEqual(await contents(room), ['again']);
  assert.equal((await bodies(room)).length, 1);
  const last = present(room.events.at(-1));
  assert.deepEqual(last.event === 'recovered-save-ended' && last.how, 'expired');
  assert.match(room.logged.join(), /expired/);
});
