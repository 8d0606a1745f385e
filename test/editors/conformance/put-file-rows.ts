// Section 3, PutFile: the content, the version and the times after a save, and what happens if the document changed on disk.

import assert from 'node:assert/strict';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonOf } from '../wire.ts';
import type { WopiClient } from '../wopi-client.ts';
import { answerOf, row, take, type Row, type RowContext } from './row.ts';

interface Editing {
  client: WopiClient;
  context: RowContext;
  /** The document on disk. */
  absolute: string;
  /** As CheckFileInfo reported them before. */
  time: string;
  version: string;
}

/** A row with a document that is locked as `mine` and was read. */
const editingRow = (name: string, run: (editing: Editing) => Promise<void>): Row =>
  row(name, async (client, context) => {
    const { LastModifiedTime = '', Version: version } = await client.info();
    await take(client);
    await client.getFile();
    const absolute = join(context.host.folder, client.path);
    await run({ client, context, absolute, time: LastModifiedTime, version });
  });

const byOther = 'written by another program';

/** Saves as another program would, with another content and time. */
async function changeDisk(absolute: string, content = byOther): Promise<void> {
  await writeFile(absolute, content);
  await touch(absolute);
}

const touch = (absolute: string): Promise<void> =>
  utimes(absolute, new Date(), new Date(Date.now() + 60_000));

const cool = (time: string) => ({ 'X-COOL-WOPI-Timestamp': time });

/** The document was saved, and what another program had written is a conflict copy. */
async function assertConflictCopy(client: WopiClient, content = 'edited'): Promise<void> {
  assert.equal(await client.onDisk(), content);
  const [copy = '', ...others] = (await client.siblings()).filter((name) => name !== 'minutes.docx');
  assert.deepEqual(others, []);
  assert.match(copy, /^minutes \(conflict \d{4}-\d\d-\d\d \d{4}\)\.docx$/);
  assert.equal(await readFile(client.beside(copy), 'utf8'), byOther);
}

async function assertNoCopy(client: WopiClient): Promise<void> {
  assert.deepEqual(await client.siblings(), ['minutes.docx']);
}

const outcome: Row[] = [
  editingRow(
    'PutFile, locked with its id: the content and version change, the body has LastModifiedTime only',
    async ({ client, version }) => {
      const saved = await client.put('mine', 'edited');
      assert.equal(await client.onDisk(), 'edited');
      const { LastModifiedTime, ...others } = answerOf(saved);
      assert.deepEqual(others, {});
      assert.match(LastModifiedTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
      const info = await client.info();
      assert.deepEqual([info.LastModifiedTime, info.Size], [LastModifiedTime, 6]);
      assert.equal(info.Version, saved.received['x-wopi-itemversion']);
      assert.notEqual(info.Version, version);
    },
  ),
  ...(
    [
      ['without a lock id', undefined],
      ['with an empty lock id', ''],
      ['with a lock id that isn’t held', 'mine'],
    ] as const
  ).map(([how, id]) =>
    row(
      `PutFile ${how}, unlocked and of 0 bytes: 200, still unlocked`,
      async (client) => {
        const saved = await client.put(id, 'from a template');
        assert.equal(saved.status, 200);
        assert.ok(saved.received['x-wopi-itemversion']);
        assert.equal(await client.heldLock(), '');
        const again = await client.put(id, 'and once more');
        assert.deepEqual([again.status, again.received['x-wopi-lock']], [409, '']);
        assert.equal(await client.onDisk(), 'from a template');
      },
      { content: '' },
    ),
  ),
  editingRow(
    'PutFile of the same content: 200, a new version, the file and its time unchanged',
    async ({ client, absolute, version, time }) => {
      const before = await stat(absolute, { bigint: true });
      const saved = await client.put('mine', 'as it was');
      assert.equal(answerOf(saved).LastModifiedTime, time);
      assert.notEqual(saved.received['x-wopi-itemversion'], version);
      const after = await stat(absolute, { bigint: true });
      assert.deepEqual([after.mtimeNs, after.ino], [before.mtimeNs, before.ino]);
    },
  ),
  editingRow('PutFile of a chunked body: 200', async ({ client }) => {
    assert.equal((await client.put('mine', 'edited', { 'Transfer-Encoding': 'chunked' })).status, 200);
    assert.equal(await client.onDisk(), 'edited');
  }),
  editingRow(
    'Version never repeats, even if saves or other programs restore an old content',
    async ({ client, absolute, version }) => {
      const seen = [version];
      for (const content of ['one', 'two', 'one']) {
        await client.put('mine', content);
        seen.push((await client.info()).Version);
        await changeDisk(absolute, `outside ${content}`);
        seen.push((await client.info()).Version);
      }
      assert.equal(new Set(seen).size, seen.length, seen.join(' '));
    },
  ),
  editingRow(
    'X-WOPI-Editors determines who saved, or the token if it names no user of this host',
    async ({ client, context }) => {
      const { users, versions } = context.host.host.services;
      const password = 'a long enough password';
      const { id: ana } =
        users.byLogin('ana') ?? (await users.add({ login: 'ana', role: 'editor', password }));
      const owner = users.byLogin('owner')?.id ?? '';
      // The next save makes a save a version, whose record can be read.
      const expected: [editors: string | undefined, savedBy: string][] = [
        [`${ana},${owner}`, `${ana},${owner}`],
        [`nobody, ${ana} ,<b>,${ana}`, ana],
        ['nobody', owner],
        ['x,'.repeat(4000), owner],
        [undefined, owner],
      ];
      for (const [index, [editors]] of expected.entries()) {
        await client.put('mine', 'x'.repeat(20 + index), { 'X-WOPI-Editors': editors });
      }
      await client.put('mine', 'the last');
      const kept = versions.list(client.fileId).filter(({ size }) => size >= 20);
      const savedBy = kept.toSorted((one, other) => one.size - other.size).map((version) => version.savedBy);
      assert.deepEqual(
        savedBy,
        expected.map(([, by]) => by),
      );
    },
  ),
];

const disk: Row[] = [
  editingRow(
    'PutFile with the document’s time in X-COOL-WOPI-Timestamp, verbatim or with an offset: 200',
    async ({ client, time }) => {
      const saved = await client.put('mine', 'edited', cool(time));
      const { LastModifiedTime } = answerOf(saved);
      const again = await client.put('mine', 'again', cool(LastModifiedTime.replace('Z', '+00:00')));
      assert.equal(again.status, 200);
      await assertNoCopy(client);
    },
  ),
  editingRow(
    'PutFile with an old X-COOL-WOPI-Timestamp, document changed on disk: 409 with 1010, nothing changed; “overwrite” then makes a conflict copy, but no second one',
    async ({ client, absolute, time }) => {
      await changeDisk(absolute);
      const refused = await client.put('mine', 'edited', cool(time));
      assert.deepEqual([refused.status, refused.received['x-wopi-lock']], [409, 'mine']);
      assert.deepEqual(jsonOf(refused), { COOLStatusCode: 1010, LOOLStatusCode: 1010 });
      assert.match(refused.received['content-type'] ?? '', /^application\/json/);
      assert.equal(await client.onDisk(), byOther);
      await assertNoCopy(client);
      assert.equal(await client.heldLock(), 'mine');

      assert.equal((await client.put('mine', 'edited')).status, 200);
      await assertConflictCopy(client);
      assert.equal((await client.put('mine', 'edited again')).status, 200);
      await assertConflictCopy(client, 'edited again');
    },
  ),
  editingRow(
    'PutFile with an old X-COOL-WOPI-Timestamp, the original or the last saved content on disk: 200',
    async ({ client, absolute, time }) => {
      await touch(absolute);
      assert.equal((await client.put('mine', 'a first save', cool(time))).status, 200);
      await touch(absolute);
      assert.equal((await client.put('mine', 'edited', cool(time))).status, 200);
      await assertNoCopy(client);
    },
  ),
  ...[cool(''), cool('yesterday'), {}, { 'X-LOOL-WOPI-Timestamp': '2020-01-01T00:00:00.0000000Z' }].map(
    (headers) =>
      editingRow(
        `PutFile with ${JSON.stringify(headers)}, document changed on disk: 200 and a conflict copy`,
        async ({ client, absolute }) => {
          await changeDisk(absolute);
          assert.equal((await client.put('mine', 'edited', headers)).status, 200);
          await assertConflictCopy(client);
        },
      ),
  ),
  editingRow(
    'PutFile of what another program already wrote: 200, no conflict copy',
    async ({ client, absolute }) => {
      await changeDisk(absolute, 'edited');
      assert.equal((await client.put('mine', 'edited')).status, 200);
      await assertNoCopy(client);
    },
  ),
];

export const putFileRows: Row[] = [...outcome, ...disk];
