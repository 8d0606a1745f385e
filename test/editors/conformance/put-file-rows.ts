// Section 3, PutFile: what becomes of the bytes, the version and the times, and what happens when the disk is not as the
// editor left it.

import assert from 'node:assert/strict';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Desk } from '../desk.ts';
import { jsonOf } from '../wire.ts';
import type { Exchange, HeaderList } from '../wire.ts';
import type { Ground, Row } from './row.ts';

const conflictName = /^minutes \(conflict \d{4}-\d\d-\d\d \d{4}\)\.docx$/;
const sevenDecimals = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/;

async function editing(
  ground: Ground,
): Promise<{ desk: Desk; absolute: string; time: string; version: string }> {
  const desk = await ground.desk();
  const info = await desk.info();
  assert.equal((await desk.lock('mine')).status, 200);
  await desk.getFile();
  return {
    desk,
    absolute: join(ground.host.folder, desk.path),
    time: String(info.LastModifiedTime),
    version: info.Version,
  };
}

/** Another program saves: other bytes, another time. */
async function changeDisk(absolute: string, content = 'written by another program'): Promise<void> {
  await writeFile(absolute, content);
  await utimes(absolute, new Date(), new Date(Date.now() + 5_000));
}

function timeOf(saved: Exchange): string | undefined {
  return (jsonOf(saved) as { LastModifiedTime?: string } | undefined)?.LastModifiedTime;
}

async function conflictCopies(desk: Desk): Promise<string[]> {
  return (await desk.neighbours()).filter((name) => name !== 'minutes.docx');
}

const outcome: Row[] = [
  {
    name: 'PutFile, locked with its id: the bytes become the file, the version changes, the body holds LastModifiedTime alone',
    async run(ground) {
      const { desk, version } = await editing(ground);
      const saved = await desk.put('mine', 'edited');
      assert.equal(saved.status, 200);
      assert.equal(await desk.onDisk(), 'edited');
      const answer = jsonOf(saved) as Record<string, unknown>;
      assert.deepEqual(Object.keys(answer), ['LastModifiedTime']);
      assert.match(String(answer['LastModifiedTime']), sevenDecimals);
      assert.match(saved.received['content-type'] ?? '', /^application\/json/);
      const info = await desk.info();
      assert.equal(info.LastModifiedTime, answer['LastModifiedTime']);
      assert.equal(info.Version, saved.received['x-wopi-itemversion']);
      assert.notEqual(info.Version, version);
      assert.equal(info.Size, 6);
    },
  },
  ...[
    ['without a lock id', undefined],
    ['with an empty lock id', ''],
    ['with a lock id nobody holds', 'mine'],
  ].map(([how = '', id]) => ({
    name: `PutFile ${how}, unlocked and of 0 bytes: 200, still unlocked`,
    async run(ground: Ground) {
      const desk = await ground.desk({ content: '' });
      const saved = await desk.put(id, 'from a template');
      assert.equal(saved.status, 200);
      assert.ok(saved.received['x-wopi-itemversion']);
      assert.equal(await desk.onDisk(), 'from a template');
      assert.equal(await desk.heldLock(), '');
      const again = await desk.put(id, 'and once more');
      assert.equal(again.status, 409);
      assert.equal(again.received['x-wopi-lock'], '');
    },
  })),
  {
    name: 'PutFile without a lock id, locked and of 0 bytes: 409 with the lock',
    async run(ground) {
      const desk = await ground.desk({ content: '' });
      await desk.lock('theirs');
      const refused = await desk.put(undefined, 'from a template');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], 'theirs');
      assert.equal(await desk.onDisk(), '');
    },
  },
  {
    name: 'PutFile of the bytes that are there: 200, a new version, the file and its time untouched',
    async run(ground) {
      const { desk, absolute, version, time } = await editing(ground);
      const before = await stat(absolute, { bigint: true });
      const saved = await desk.put('mine', 'as it was');
      assert.equal(saved.status, 200);
      assert.notEqual(saved.received['x-wopi-itemversion'], version);
      const after = await stat(absolute, { bigint: true });
      assert.equal(after.mtimeNs, before.mtimeNs);
      assert.equal(after.ino, before.ino);
      assert.equal(timeOf(saved), time);
    },
  },
  {
    name: 'PutFile of nothing: a document can be emptied',
    async run(ground) {
      const { desk } = await editing(ground);
      assert.equal((await desk.put('mine', '')).status, 200);
      assert.equal(await desk.onDisk(), '');
    },
  },
  {
    name: 'PutFile of a body in chunks without a Content-Length: 200',
    async run(ground) {
      const { desk } = await editing(ground);
      const saved = await desk.put('mine', 'edited', {
        'Transfer-Encoding': 'chunked',
        'Content-Length': undefined,
      });
      assert.equal(saved.status, 200);
      assert.equal(await desk.onDisk(), 'edited');
    },
  },
  {
    name: 'Version never repeats, over saves and changes by other programs that bring back old bytes',
    async run(ground) {
      const { desk, absolute } = await editing(ground);
      const seen = [(await desk.info()).Version];
      for (const content of ['one', 'two', 'one']) {
        await desk.put('mine', content);
        seen.push((await desk.info()).Version);
        await changeDisk(absolute, `outside ${content}`);
        seen.push((await desk.info()).Version);
      }
      assert.equal(new Set(seen).size, seen.length, seen.join(' '));
    },
  },
  {
    name: 'Replaced contents are kept as versions',
    async run(ground) {
      const { desk } = await editing(ground);
      await desk.put('mine', 'first save', {
        'X-WOPI-Editors': 'ana,bjorn',
        'X-LOOL-WOPI-IsExitSave': 'true',
      });
      await desk.put('mine', 'second save');
      const sizes = ground.host.host.services.versions.list(desk.fileId).map((version) => version.size);
      assert.deepEqual(new Set(sizes), new Set(['as it was'.length, 'first save'.length]));
      assert.equal(sizes.length, 2);
    },
  },
];

/** How the host records a save that carried these headers: read off the version that the next save keeps. */
async function recordOf(
  ground: Ground,
  headers: HeaderList,
): Promise<{ savedHow: string | null; savedBy: string | null }> {
  const { desk } = await editing(ground);
  assert.equal((await desk.put('mine', 'a recorded save', headers)).status, 200);
  assert.equal((await desk.put('mine', 'the next')).status, 200);
  const kept = ground.host.host.services.versions.list(desk.fileId);
  const { savedHow, savedBy } = kept.find(({ size }) => size === 'a recorded save'.length)!;
  return { savedHow, savedBy };
}

const flagHeaders = (word: string, autosave: boolean, exit: boolean): HeaderList => ({
  [`X-${word}-WOPI-IsModifiedByUser`]: true,
  [`X-${word}-WOPI-IsAutosave`]: autosave,
  [`X-${word}-WOPI-IsExitSave`]: exit,
});

const records: Row[] = [
  {
    name: 'The three flags are read under X-EXT-, X-LOOL- and X-COOL- alike, and tell saves apart',
    async run(ground) {
      for (const [autosave, exit] of [
        [true, false],
        [false, true],
        [false, false],
      ] as const) {
        const hows = [];
        for (const word of ['EXT', 'LOOL', 'COOL']) {
          hows.push((await recordOf(ground, flagHeaders(word, autosave, exit))).savedHow);
        }
        assert.equal(new Set(hows).size, 1, hows.join(' / '));
      }
      const plain = await recordOf(ground, {});
      const autosave = await recordOf(ground, { 'X-LOOL-WOPI-IsAutosave': 'true' });
      const exit = await recordOf(ground, { 'X-LOOL-WOPI-IsExitSave': 'true' });
      assert.equal(new Set([plain.savedHow, autosave.savedHow, exit.savedHow]).size, 3);
    },
  },
  {
    name: 'Of a flag under two vendor words the first counts',
    async run(ground) {
      const both = { 'X-EXT-WOPI-IsAutosave': 'false', 'X-COOL-WOPI-IsAutosave': 'true' };
      const first = await recordOf(ground, { 'X-EXT-WOPI-IsAutosave': 'false' });
      assert.equal((await recordOf(ground, both)).savedHow, first.savedHow);
    },
  },
  {
    name: 'X-WOPI-Editors says which users of this host saved; without one of them the token does',
    async run(ground) {
      const { users } = ground.host.host.services;
      const password = 'a long enough password';
      const { id: ana } =
        users.byLogin('ana') ?? (await users.add({ login: 'ana', role: 'editor', password }));
      const owner = users.byLogin('owner')?.id ?? '';
      const savedBy = async (editors: string): Promise<string | null> =>
        (await recordOf(ground, { 'X-WOPI-Editors': editors })).savedBy;
      assert.equal(await savedBy(`${ana},${owner}`), `${ana},${owner}`);
      assert.equal(await savedBy(`nobody, ${ana} ,<b>,${ana}`), ana);
      assert.equal(await savedBy('nobody'), owner);
      assert.equal(await savedBy('x,'.repeat(4000)), owner);
      assert.equal((await recordOf(ground, {})).savedBy, owner);
    },
  },
];

const sameInstant: [name: string, text: (time: string) => string][] = [
  ['verbatim', (time) => time],
  ['with fewer decimals', (time) => time.replace(/0*Z$/, 'Z').replace('.Z', 'Z')],
  ['with an offset for Z', (time) => time.replace('Z', '+00:00')],
];

const noInstant: [name: string, value: string][] = [
  ['empty', ''],
  ['unreadable', 'yesterday'],
];

const disk: Row[] = [
  ...sameInstant.map(([name, text]) => ({
    name: `PutFile with the disk's time ${name} in X-COOL-WOPI-Timestamp: 200`,
    async run(ground: Ground) {
      const { desk, time } = await editing(ground);
      const saved = await desk.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': text(time) });
      assert.equal(saved.status, 200);
      assert.deepEqual(await conflictCopies(desk), []);
    },
  })),
  {
    name: 'PutFile with another X-COOL-WOPI-Timestamp, the bytes on the disk changed too: 409, 1010, nothing touched',
    async run(ground) {
      const { desk, absolute, time } = await editing(ground);
      await changeDisk(absolute);
      const refused = await desk.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': time });
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], 'mine');
      assert.deepEqual(jsonOf(refused), { COOLStatusCode: 1010, LOOLStatusCode: 1010 });
      assert.match(refused.received['content-type'] ?? '', /^application\/json/);
      assert.equal(await desk.onDisk(), 'written by another program');
      assert.deepEqual(await conflictCopies(desk), []);
      assert.equal(await desk.heldLock(), 'mine');
    },
  },
  {
    name: 'PutFile after that 409 without a timestamp ("overwrite"): 200, the disk\'s bytes become a conflict copy',
    async run(ground) {
      const { desk, absolute, time } = await editing(ground);
      await changeDisk(absolute);
      assert.equal((await desk.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': time })).status, 409);
      assert.equal((await desk.put('mine', 'edited')).status, 200);
      await assertConflict(ground, desk);
    },
  },
  {
    name: 'PutFile with another X-COOL-WOPI-Timestamp, the bytes on the disk those saved before: 200',
    async run(ground) {
      const { desk, absolute } = await editing(ground);
      const time = timeOf(await desk.put('mine', 'a first save'));
      await utimes(absolute, new Date(), new Date(Date.now() + 60_000));
      assert.equal((await desk.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': time })).status, 200);
      assert.deepEqual(await conflictCopies(desk), []);
    },
  },
  {
    name: 'PutFile with another X-COOL-WOPI-Timestamp, the bytes on the disk the same: 200',
    async run(ground) {
      const { desk, absolute, time } = await editing(ground);
      await utimes(absolute, new Date(), new Date(Date.now() + 60_000));
      assert.equal((await desk.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': time })).status, 200);
      assert.deepEqual(await conflictCopies(desk), []);
    },
  },
  ...noInstant.map(([name, value]) => ({
    name: `PutFile with an ${name} X-COOL-WOPI-Timestamp over a changed disk: as without one, 200 and a conflict copy`,
    async run(ground: Ground) {
      const { desk, absolute } = await editing(ground);
      await changeDisk(absolute);
      assert.equal((await desk.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': value })).status, 200);
      await assertConflict(ground, desk);
    },
  })),
  {
    name: 'PutFile with X-LOOL-WOPI-Timestamp over a changed disk: never 409, a conflict copy',
    async run(ground) {
      const { desk, absolute, time } = await editing(ground);
      await changeDisk(absolute);
      assert.equal((await desk.put('mine', 'edited', { 'X-LOOL-WOPI-Timestamp': time })).status, 200);
      await assertConflict(ground, desk);
    },
  },
  {
    name: "PutFile over a changed disk: 200, the editor's bytes are the file, the disk's are beside it",
    async run(ground) {
      const { desk, absolute } = await editing(ground);
      await changeDisk(absolute);
      assert.equal((await desk.put('mine', 'edited')).status, 200);
      await assertConflict(ground, desk);
    },
  },
  {
    name: 'PutFile over a disk that changed and was read again: no conflict',
    async run(ground) {
      const { desk, absolute } = await editing(ground);
      await changeDisk(absolute);
      await desk.getFile();
      assert.equal((await desk.put('mine', 'edited')).status, 200);
      assert.deepEqual(await conflictCopies(desk), []);
      const kept = ground.host.host.services.versions.list(desk.fileId);
      assert.ok(kept.some((version) => version.size === 'written by another program'.length));
    },
  },
  {
    name: 'PutFile over a disk that changed into the very bytes that are saved: 200, no conflict',
    async run(ground) {
      const { desk, absolute } = await editing(ground);
      await changeDisk(absolute, 'edited');
      assert.equal((await desk.put('mine', 'edited')).status, 200);
      assert.deepEqual(await conflictCopies(desk), []);
    },
  },
  {
    name: 'PutFile after a conflict copy goes on without another',
    async run(ground) {
      const { desk, absolute } = await editing(ground);
      await changeDisk(absolute);
      assert.equal((await desk.put('mine', 'edited')).status, 200);
      assert.equal((await desk.put('mine', 'edited again')).status, 200);
      assert.equal((await conflictCopies(desk)).length, 1);
      assert.equal(await desk.onDisk(), 'edited again');
    },
  },
  {
    name: 'PutFile under a matching lock makes a deleted file again: 200, same id',
    async run(ground) {
      const { desk, absolute } = await editing(ground);
      await rm(absolute);
      const saved = await desk.put('mine', 'edited');
      assert.equal(saved.status, 200);
      assert.ok(saved.received['x-wopi-itemversion']);
      assert.equal(await desk.onDisk(), 'edited');
      assert.equal((await desk.info()).Size, 6);
      assert.equal(await desk.heldLock(), 'mine');
    },
  },
  {
    name: 'PutFile after the lock was force-cleared: 409 with an empty lock, the whole body is a recovered save',
    async run(ground) {
      const { desk } = await editing(ground);
      const { locks, recoveredSaves } = ground.host.host.services;
      await locks.forceClear(desk.fileId, 'owner');
      const refused = await desk.put('mine', 'edited in vain');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], '');
      assert.equal(await desk.onDisk(), 'as it was');
      const save = recoveredSaves.list().find(({ fileId }) => fileId === desk.fileId);
      assert.equal(save?.size, 'edited in vain'.length);
      assert.ok(save.reason.length > 0);
      const restored = await recoveredSaves.restore(save.id);
      assert.equal(await readFile(join(ground.host.folder, restored), 'utf8'), 'edited in vain');
      assert.equal(await desk.onDisk(), 'as it was');
      assert.equal(
        recoveredSaves.list().some(({ id }) => id === save.id),
        false,
      );
    },
  },
];

async function assertConflict(ground: Ground, desk: Desk): Promise<void> {
  assert.equal(await desk.onDisk(), 'edited');
  const [copy = '', ...others] = await conflictCopies(desk);
  assert.deepEqual(others, []);
  assert.match(copy, conflictName);
  const content = await readFile(join(ground.host.folder, desk.path, '..', copy), 'utf8');
  assert.equal(content, 'written by another program');
}

export const putFileRows: Row[] = [...outcome, ...records, ...disk];
