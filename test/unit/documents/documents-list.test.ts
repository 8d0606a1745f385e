import assert from 'node:assert/strict';
import { linkSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFolderView } from '../../../app/documents/folder-view.ts';
import { present, refused } from '../files/files-fixture.ts';
import { namesOf, openDocumentRoom } from './documents-fixture.ts';

test('lists folders before documents, each sorted by name ignoring case and numbers by value', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'b.txt': '1', 'A.txt': '22', 'a.txt': '333', 'Z/x': '', 'y/x': '', '10.txt': '', '9.txt': '' },
  });
  const page = await window.list();
  assert.deepEqual(namesOf(page), ['y', 'Z', '9.txt', '10.txt', 'A.txt', 'a.txt', 'b.txt']);
  assert.deepEqual([page.path, page.startIndex, page.total], ['', 0, 7]);
});

test('lists a document with its size, and the number and size of its versions', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'one', 'b.txt': 'b' } });
  await window.room.save('a.txt', 'three');
  await window.room.save('a.txt', 'seven!!');
  const { items } = await window.list();
  const [a, b] = items.map((item) => (item.kind === 'document' ? item : undefined));
  assert.deepEqual([a?.size, a?.versionCount, a?.versionBytes], [7, 2, 8]);
  assert.deepEqual([b?.size, b?.versionCount, b?.versionBytes], [1, 0, 0]);
  assert.equal(a?.fileId, (await window.room.folder.openPath('a.txt')).id);
});

test('omits hidden files, lock files, temporary files, and links to hidden, missing or outside files', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'a.txt': '', '.hidden': '', '.~lock.a.txt#': '', '~$a.txt': '', '$RECYCLE.BIN/x': '' },
  });
  const { room } = window;
  await writeFile(room.at(room.tempNames.next()), '');
  await writeFile(join(room.dataDir, 'secret'), '');
  await symlink(join(room.dataDir, 'secret'), room.at('out.txt'));
  await symlink(room.dataDir, room.at('out'));
  await symlink('.hidden', room.at('in.txt'));
  await symlink('nowhere', room.at('dangling'));
  const page = await window.list();
  assert.deepEqual([namesOf(page), page.total], [['a.txt'], 1]);
});

test('lists a link inside the folder as the document or folder it points to', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'sub/a.txt': 'four', 'b.txt': 'b' } });
  await symlink('sub', window.room.at('alias'));
  await symlink('sub/a.txt', window.room.at('one.txt'));
  const { items } = await window.list();
  assert.deepEqual(
    items.map(({ kind, path }) => [kind, path]),
    [
      ['folder', 'alias'],
      ['folder', 'sub'],
      ['document', 'b.txt'],
      ['document', 'one.txt'],
    ],
  );
  const inside = await window.list('alias');
  assert.deepEqual([inside.path, inside.items[0]?.path], ['alias', 'sub/a.txt']);
});

test('pages add up to the whole list, and a page past the end is empty', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [`${index}.txt`, 'x'.repeat(index)]),
  );
  const window = await openDocumentRoom(t, { files: { ...files, 'p/x': '', 'q/x': '' } });
  const whole = namesOf(await window.list());
  const paged: string[] = [];
  for (let startIndex = 0; startIndex < 12; startIndex += 3) {
    paged.push(...namesOf(await window.list('', { startIndex, count: 3 })));
  }
  assert.deepEqual(paged, whole);
  assert.equal(whole.length, 9);
});

test('the next listing has the documents that were added, deleted, renamed or written', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'bb' } });
  const { room } = window;
  assert.deepEqual(namesOf(await window.list()), ['a.txt', 'b.txt']);
  await room.write('c.txt', '');
  assert.deepEqual(namesOf(await window.list()), ['a.txt', 'b.txt', 'c.txt']);
  await rm(room.at('a.txt'));
  assert.deepEqual(namesOf(await window.list()), ['b.txt', 'c.txt']);
  await rename(room.at('b.txt'), room.at('d.txt'));
  assert.deepEqual(namesOf(await window.list()), ['c.txt', 'd.txt']);
  await room.write('d.txt', 'longer');
  const { items } = await window.list();
  assert.equal(items[1]?.kind === 'document' && items[1].size, 6);
});

test('doesn’t read a folder again while its times are unchanged, unless they are recent', async (t) => {
  const { room } = await openDocumentRoom(t, { files: { 'a.txt': '', 'b.txt': '' } });
  const { jail } = room.folder;
  const root = present(await jail.resolve(''));
  const now = BigInt(Date.now()) * 1_000_000n + 1n;
  const old = now - 60_000_000_000n;
  let times = { mtimeNs: old, ctimeNs: old };
  // A folder's ctime can't be set, so the times are faked.
  const resolve = async () => {
    const now = { ...times };
    const get = (real: object, name: string): unknown =>
      name in now ? now[name as keyof typeof now] : Reflect.get(real, name);
    return { ...root, stats: new Proxy(root.stats, { get: (real, name) => get(real, String(name)) }) };
  };
  const folder = { ...room.folder, jail: { ...jail, resolve } };
  const view = createFolderView();
  const total = async (): Promise<number> =>
    (await view.page(folder, { path: '', startIndex: 0, count: 1 })).total;
  assert.equal(await total(), 2);
  await room.write('c.txt', '');
  assert.equal(await total(), 2);
  view.forget();
  assert.equal(await total(), 3);
  await room.write('d.txt', '');
  times = { mtimeNs: old + 1n, ctimeNs: old };
  assert.equal(await total(), 4);
  await room.write('e.txt', '');
  times = { mtimeNs: old + 1n, ctimeNs: old + 1n };
  assert.equal(await total(), 5);
  // A later change within the resolution of the file system's clock wouldn't change the times.
  times = { mtimeNs: now, ctimeNs: now };
  assert.equal(await total(), 5);
  await room.write('f.txt', '');
  assert.equal(await total(), 6);
});

test('creates ids only for the documents on the page', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index + 10}.txt`, '']));
  const window = await openDocumentRoom(t, { files });
  await window.list('', { startIndex: 5, count: 4 });
  const rows = window.room.db.prepare('SELECT path FROM files ORDER BY path').pluck().all();
  assert.deepEqual(rows, ['15.txt', '16.txt', '17.txt', '18.txt']);
});

test('rejects paths that aren’t a visible folder inside the hosted one', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': '', '.git/x': '' } });
  await symlink(window.room.dataDir, window.room.at('out'));
  await symlink('.git', window.room.at('repository'));
  for (const path of ['missing', 'a.txt', '.git', 'out', 'repository', 'a.txt/x', '.git/x']) {
    await assert.rejects(window.list(path), refused('folder-unknown'), path);
  }
  for (const path of ['..', 'a/../..', '/etc', `a\0b`]) {
    await assert.rejects(window.list(path), refused('path-invalid'), path);
  }
  await assert.rejects(window.list('x'.repeat(5000)), refused('invalid-argument'));
  assert.deepEqual(namesOf(await window.list('./')), ['a.txt']);
});

test('reports a missing hosted folder, and a host that isn’t running', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': '' } });
  await window.list();
  await rename(window.room.root, `${window.room.root}-away`);
  await assert.rejects(window.list(), refused('folder-missing'));
  await mkdir(window.room.root);
  await assert.rejects(window.list(), refused('folder-missing'));
  window.faults.isAway = true;
  await assert.rejects(window.list(), refused('host-away'));
});

test('pages through a folder of 20,000 documents in order', async (t) => {
  const count = 20_000;
  const window = await openDocumentRoom(t);
  // Hard links to two files, which are much faster to create than files.
  const [one, other] = [join(window.room.dataDir, 'one'), join(window.room.dataDir, 'other')];
  for (const path of [one, other]) writeFileSync(path, '');
  for (let index = 0; index < count; index += 1) {
    // Not in the order of the names.
    const name = `Report ${String((index * 7919) % count).padStart(5, '0')}.docx`;
    linkSync(index % 2 === 0 ? one : other, window.room.at(name));
  }
  // Waits until the folder's times are no longer recent, so that the listing can be reused.
  await new Promise((resolve) => setTimeout(resolve, 80));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const startedAtMs = performance.now();
  const first = await window.list('', { count: 200 });
  const firstMs = performance.now() - startedAtMs;
  delay.enable();
  const pages = await Promise.all([
    window.list('', { startIndex: 19_900, count: 200 }),
    window.list('', { startIndex: 10_000, count: 200 }),
  ]);
  delay.disable();
  t.diagnostic(`first page ${firstMs.toFixed(0)} ms; longest turn ${(delay.max / 1e6).toFixed(0)} ms`);
  assert.equal(first.total, count);
  assert.equal(first.items.length, 200);
  assert.deepEqual(
    [first.items[0]?.name, first.items[199]?.name],
    ['Report 00000.docx', 'Report 00199.docx'],
  );
  assert.deepEqual(namesOf(pages[0]).at(-1), 'Report 19999.docx');
  assert.equal(pages[0].items.length, 100);
  assert.deepEqual(namesOf(pages[1])[0], 'Report 10000.docx');
});
