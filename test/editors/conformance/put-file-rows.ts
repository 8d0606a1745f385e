// Section 3, PutFile: the content, the version and the times after a save, and what happens if the document changed on disk.

import assert from 'node:assert/strict';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WopiClient } from '../wopi-client.ts';
import { jsonOf } from '../wire.ts';
import type { Exchange, HeaderList } from '../wire.ts';
import type { RowContext, Row } from './row.ts';

const conflictName = /^minutes \(conflict \d{4}-\d\d-\d\d \d{4}\)\.docx$/;
const sevenDecimals = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/;

async function editing(
  context: RowContext,
): Promise<{ client: WopiClient; absolute: string; time: string; version: string }> {
  const client = await context.client();
  const info = await client.info();
  assert.equal((await client.lock('mine')).status, 200);
  await client.getFile();
  return {
    client,
    absolute: join(context.host.folder, client.path),
    time: String(info.LastModifiedTime),
    version: info.Version,
  };
}

/** Saves as another program would, with another content and time. */
async function changeDisk(absolute: string, content = 'written by another program'): Promise<void> {
  await writeFile(absolute, content);
  await utimes(absolute, new Date(), new Date(Date.now() + 5_000));
}

function timeOf(saved: Exchange): string | undefined {
  return (jsonOf(saved) as { LastModifiedTime?: string } | undefined)?.LastModifiedTime;
}

async function conflictCopies(client: WopiClient): Promise<string[]> {
  return (await client.siblings()).filter((name) => name !== 'minutes.docx');
}

const outcome: Row[] = [
  {
    name: 'PutFile, locked with its id: the content and version change, the body has LastModifiedTime only',
    async run(context) {
      const { client, version } = await editing(context);
      const saved = await client.put('mine', 'edited');
      assert.equal(saved.status, 200);
      assert.equal(await client.onDisk(), 'edited');
      const answer = jsonOf(saved) as Record<string, unknown>;
      assert.deepEqual(Object.keys(answer), ['LastModifiedTime']);
      assert.match(String(answer['LastModifiedTime']), sevenDecimals);
      assert.match(saved.received['content-type'] ?? '', /^application\/json/);
      const info = await client.info();
      assert.equal(info.LastModifiedTime, answer['LastModifiedTime']);
      assert.equal(info.Version, saved.received['x-wopi-itemversion']);
      assert.notEqual(info.Version, version);
      assert.equal(info.Size, 6);
    },
  },
  ...[
    ['without a lock id', undefined],
    ['with an empty lock id', ''],
    ['with a lock id that isn’t held', 'mine'],
  ].map(([how = '', id]) => ({
    name: `PutFile ${how}, unlocked and of 0 bytes: 200, still unlocked`,
    async run(context: RowContext) {
      const client = await context.client({ content: '' });
      const saved = await client.put(id, 'from a template');
      assert.equal(saved.status, 200);
      assert.ok(saved.received['x-wopi-itemversion']);
      assert.equal(await client.onDisk(), 'from a template');
      assert.equal(await client.heldLock(), '');
      const again = await client.put(id, 'and once more');
      assert.equal(again.status, 409);
      assert.equal(again.received['x-wopi-lock'], '');
    },
  })),
  {
    name: 'PutFile without a lock id, locked and of 0 bytes: 409 with the lock',
    async run(context) {
      const client = await context.client({ content: '' });
      await client.lock('theirs');
      const refused = await client.put(undefined, 'from a template');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], 'theirs');
      assert.equal(await client.onDisk(), '');
    },
  },
  {
    name: 'PutFile of the same content: 200, a new version, the file and its time unchanged',
    async run(context) {
      const { client, absolute, version, time } = await editing(context);
      const before = await stat(absolute, { bigint: true });
      const saved = await client.put('mine', 'as it was');
      assert.equal(saved.status, 200);
      assert.notEqual(saved.received['x-wopi-itemversion'], version);
      const after = await stat(absolute, { bigint: true });
      assert.equal(after.mtimeNs, before.mtimeNs);
      assert.equal(after.ino, before.ino);
      assert.equal(timeOf(saved), time);
    },
  },
  {
    name: 'PutFile of an empty body: the document is empty',
    async run(context) {
      const { client } = await editing(context);
      assert.equal((await client.put('mine', '')).status, 200);
      assert.equal(await client.onDisk(), '');
    },
  },
  {
    name: 'PutFile of a chunked body: 200',
    async run(context) {
      const { client } = await editing(context);
      const saved = await client.put('mine', 'edited', {
        'Transfer-Encoding': 'chunked',
        'Content-Length': undefined,
      });
      assert.equal(saved.status, 200);
      assert.equal(await client.onDisk(), 'edited');
    },
  },
  {
    name: 'Version never repeats, even if saves or other programs restore an old content',
    async run(context) {
      const { client, absolute } = await editing(context);
      const seen = [(await client.info()).Version];
      for (const content of ['one', 'two', 'one']) {
        await client.put('mine', content);
        seen.push((await client.info()).Version);
        await changeDisk(absolute, `outside ${content}`);
        seen.push((await client.info()).Version);
      }
      assert.equal(new Set(seen).size, seen.length, seen.join(' '));
    },
  },
  {
    name: 'PutFile keeps the replaced contents as versions',
    async run(context) {
      const { client } = await editing(context);
      await client.put('mine', 'first save', {
        'X-WOPI-Editors': 'ana,bjorn',
        'X-LOOL-WOPI-IsExitSave': 'true',
      });
      await client.put('mine', 'second save');
      const sizes = context.host.host.services.versions.list(client.fileId).map((version) => version.size);
      assert.deepEqual(new Set(sizes), new Set(['as it was'.length, 'first save'.length]));
      assert.equal(sizes.length, 2);
    },
  },
];

/** How the host records a save with these headers. The next save makes it a version, whose record can be read. */
async function recordOf(
  context: RowContext,
  headers: HeaderList,
): Promise<{ savedHow: string | null; savedBy: string | null }> {
  const { client } = await editing(context);
  assert.equal((await client.put('mine', 'a recorded save', headers)).status, 200);
  assert.equal((await client.put('mine', 'the next')).status, 200);
  const kept = context.host.host.services.versions.list(client.fileId);
  const { savedHow, savedBy } = kept.find(({ size }) => size === 'a recorded save'.length)!;
  return { savedHow, savedBy };
}

const flagHeaders = (vendor: string, autosave: boolean, exit: boolean): HeaderList => ({
  [`X-${vendor}-WOPI-IsModifiedByUser`]: true,
  [`X-${vendor}-WOPI-IsAutosave`]: autosave,
  [`X-${vendor}-WOPI-IsExitSave`]: exit,
});

const records: Row[] = [
  {
    name: 'The autosave and exit flags are recorded, from X-EXT-, X-LOOL- and X-COOL- headers',
    async run(context) {
      for (const [autosave, exit] of [
        [true, false],
        [false, true],
        [false, false],
      ] as const) {
        const records = [];
        for (const vendor of ['EXT', 'LOOL', 'COOL']) {
          records.push((await recordOf(context, flagHeaders(vendor, autosave, exit))).savedHow);
        }
        assert.equal(new Set(records).size, 1, records.join(' / '));
      }
      const plain = await recordOf(context, {});
      const autosave = await recordOf(context, { 'X-LOOL-WOPI-IsAutosave': 'true' });
      const exit = await recordOf(context, { 'X-LOOL-WOPI-IsExitSave': 'true' });
      assert.equal(new Set([plain.savedHow, autosave.savedHow, exit.savedHow]).size, 3);
    },
  },
  {
    name: 'A flag from two vendors: X-EXT- takes precedence over X-COOL-',
    async run(context) {
      const both = { 'X-EXT-WOPI-IsAutosave': 'false', 'X-COOL-WOPI-IsAutosave': 'true' };
      const first = await recordOf(context, { 'X-EXT-WOPI-IsAutosave': 'false' });
      assert.equal((await recordOf(context, both)).savedHow, first.savedHow);
    },
  },
  {
    name: 'X-WOPI-Editors determines who saved, or the token if it names no user of this host',
    async run(context) {
      const { users } = context.host.host.services;
      const password = 'a long enough password';
      const { id: ana } =
        users.byLogin('ana') ?? (await users.add({ login: 'ana', role: 'editor', password }));
      const owner = users.byLogin('owner')?.id ?? '';
      const savedBy = async (editors: string): Promise<string | null> =>
        (await recordOf(context, { 'X-WOPI-Editors': editors })).savedBy;
      assert.equal(await savedBy(`${ana},${owner}`), `${ana},${owner}`);
      assert.equal(await savedBy(`nobody, ${ana} ,<b>,${ana}`), ana);
      assert.equal(await savedBy('nobody'), owner);
      assert.equal(await savedBy('x,'.repeat(4000)), owner);
      assert.equal((await recordOf(context, {})).savedBy, owner);
    },
  },
];

const sameInstant: [name: string, text: (time: string) => string][] = [
  ['verbatim', (time) => time],
  ['with fewer decimals', (time) => time.replace(/0*Z$/, 'Z').replace('.Z', 'Z')],
  ['with an offset for Z', (time) => time.replace('Z', '+00:00')],
];

const invalidTimes: [name: string, value: string][] = [
  ['empty', ''],
  ['unreadable', 'yesterday'],
];

const disk: Row[] = [
  ...sameInstant.map(([name, text]) => ({
    name: `PutFile with the document’s time ${name} in X-COOL-WOPI-Timestamp: 200`,
    async run(context: RowContext) {
      const { client, time } = await editing(context);
      const saved = await client.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': text(time) });
      assert.equal(saved.status, 200);
      assert.deepEqual(await conflictCopies(client), []);
    },
  })),
  {
    name: 'PutFile with an old X-COOL-WOPI-Timestamp, document changed on disk: 409 with 1010, nothing changed',
    async run(context) {
      const { client, absolute, time } = await editing(context);
      await changeDisk(absolute);
      const refused = await client.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': time });
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], 'mine');
      assert.deepEqual(jsonOf(refused), { COOLStatusCode: 1010, LOOLStatusCode: 1010 });
      assert.match(refused.received['content-type'] ?? '', /^application\/json/);
      assert.equal(await client.onDisk(), 'written by another program');
      assert.deepEqual(await conflictCopies(client), []);
      assert.equal(await client.heldLock(), 'mine');
    },
  },
  {
    name: 'PutFile after that 409 without a timestamp (“overwrite”): 200 and a conflict copy',
    async run(context) {
      const { client, absolute, time } = await editing(context);
      await changeDisk(absolute);
      assert.equal((await client.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': time })).status, 409);
      assert.equal((await client.put('mine', 'edited')).status, 200);
      await assertConflict(context, client);
    },
  },
  {
    name: 'PutFile with an old X-COOL-WOPI-Timestamp, the last saved content on disk: 200',
    async run(context) {
      const { client, absolute } = await editing(context);
      const time = timeOf(await client.put('mine', 'a first save'));
      await utimes(absolute, new Date(), new Date(Date.now() + 60_000));
      assert.equal((await client.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': time })).status, 200);
      assert.deepEqual(await conflictCopies(client), []);
    },
  },
  {
    name: 'PutFile with an old X-COOL-WOPI-Timestamp, the original content on disk: 200',
    async run(context) {
      const { client, absolute, time } = await editing(context);
      await utimes(absolute, new Date(), new Date(Date.now() + 60_000));
      assert.equal((await client.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': time })).status, 200);
      assert.deepEqual(await conflictCopies(client), []);
    },
  },
  ...invalidTimes.map(([name, value]) => ({
    name: `PutFile with an ${name} X-COOL-WOPI-Timestamp, document changed on disk: 200 and a conflict copy`,
    async run(context: RowContext) {
      const { client, absolute } = await editing(context);
      await changeDisk(absolute);
      assert.equal((await client.put('mine', 'edited', { 'X-COOL-WOPI-Timestamp': value })).status, 200);
      await assertConflict(context, client);
    },
  })),
  {
    name: 'PutFile with X-LOOL-WOPI-Timestamp, document changed on disk: 200 and a conflict copy',
    async run(context) {
      const { client, absolute, time } = await editing(context);
      await changeDisk(absolute);
      assert.equal((await client.put('mine', 'edited', { 'X-LOOL-WOPI-Timestamp': time })).status, 200);
      await assertConflict(context, client);
    },
  },
  {
    name: 'PutFile, document changed on disk: 200 and a conflict copy of the other program’s content',
    async run(context) {
      const { client, absolute } = await editing(context);
      await changeDisk(absolute);
      assert.equal((await client.put('mine', 'edited')).status, 200);
      await assertConflict(context, client);
    },
  },
  {
    name: 'PutFile, document changed on disk and read again: 200, no conflict copy',
    async run(context) {
      const { client, absolute } = await editing(context);
      await changeDisk(absolute);
      await client.getFile();
      assert.equal((await client.put('mine', 'edited')).status, 200);
      assert.deepEqual(await conflictCopies(client), []);
      const kept = context.host.host.services.versions.list(client.fileId);
      assert.ok(kept.some((version) => version.size === 'written by another program'.length));
    },
  },
  {
    name: 'PutFile of what another program already wrote: 200, no conflict copy',
    async run(context) {
      const { client, absolute } = await editing(context);
      await changeDisk(absolute, 'edited');
      assert.equal((await client.put('mine', 'edited')).status, 200);
      assert.deepEqual(await conflictCopies(client), []);
    },
  },
  {
    name: 'PutFile after a conflict copy: 200, no second conflict copy',
    async run(context) {
      const { client, absolute } = await editing(context);
      await changeDisk(absolute);
      assert.equal((await client.put('mine', 'edited')).status, 200);
      assert.equal((await client.put('mine', 'edited again')).status, 200);
      assert.equal((await conflictCopies(client)).length, 1);
      assert.equal(await client.onDisk(), 'edited again');
    },
  },
  {
    name: 'PutFile to a deleted file, locked with its id: 200, recreated with the same id',
    async run(context) {
      const { client, absolute } = await editing(context);
      await rm(absolute);
      const saved = await client.put('mine', 'edited');
      assert.equal(saved.status, 200);
      assert.ok(saved.received['x-wopi-itemversion']);
      assert.equal(await client.onDisk(), 'edited');
      assert.equal((await client.info()).Size, 6);
      assert.equal(await client.heldLock(), 'mine');
    },
  },
  {
    name: 'PutFile after the lock was force-cleared: 409 with an empty X-WOPI-Lock, the body is recovered',
    async run(context) {
      const { client } = await editing(context);
      const { locks, recoveredSaves } = context.host.host.services;
      await locks.forceClear(client.fileId, 'owner');
      const refused = await client.put('mine', 'edited in vain');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], '');
      assert.equal(await client.onDisk(), 'as it was');
      const save = recoveredSaves.list().find(({ fileId }) => fileId === client.fileId);
      assert.equal(save?.size, 'edited in vain'.length);
      assert.ok(save.reason.length > 0);
      const restored = await recoveredSaves.restore(save.id);
      assert.equal(await readFile(join(context.host.folder, restored), 'utf8'), 'edited in vain');
      assert.equal(await client.onDisk(), 'as it was');
      assert.equal(
        recoveredSaves.list().some(({ id }) => id === save.id),
        false,
      );
    },
  },
];

async function assertConflict(context: RowContext, client: WopiClient): Promise<void> {
  assert.equal(await client.onDisk(), 'edited');
  const [copy = '', ...others] = await conflictCopies(client);
  assert.deepEqual(others, []);
  assert.match(copy, conflictName);
  const content = await readFile(join(context.host.folder, client.path, '..', copy), 'utf8');
  assert.equal(content, 'written by another program');
}

export const putFileRows: Row[] = [...outcome, ...records, ...disk];
