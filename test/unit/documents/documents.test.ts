// Listing, creating and remembering documents of a running host. Each test has its own folder inside the hosted one.

import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { CommandArgs } from '../../../app/commands/commands.ts';
import type { DocumentItem } from '../../../app/contract/results.ts';
import { createFolderView } from '../../../app/documents/folder-view.ts';
import { documentServer } from '../editors/editors-fixture.ts';
import { until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
before(async () => {
  place = await windowPlace({ files: [] });
});
after(() => place.close());

const list = (path: string, change: Partial<CommandArgs<'documents.list'>> = {}) =>
  place.run('documents.list', { path, startIndex: 0, count: 1000, ...change });
const namesOf = ({ items }: { items: DocumentItem[] }) => items.map(({ name }) => name);
const create = (name: string, folderPath: string) => place.run('documents.create', { folderPath, name });
const services = () => place.host().services;

test('lists folders before documents, by name, in pages that add up to the whole list', async () => {
  const hidden = ['.hidden', '.~lock.a.txt#', '~$a.txt'];
  const names = ['b.txt', 'A.txt', 'a.txt', 'Z/x', 'y/x', '10.txt', '9.txt', ...hidden];
  await place.write(Object.fromEntries(names.map((name) => [`o/${name}`, ''])));
  await writeFile(place.at(`o/${services().tempNames.next()}`), '');
  await symlink(place.dataDir, place.at('o/out'));
  await symlink(`${place.dataDir}/settings.json`, place.at('o/out.txt'));
  await symlink('.hidden', place.at('o/in.txt'));
  await symlink('nowhere', place.at('o/dangling'));
  const expected = ['y', 'Z', '9.txt', '10.txt', 'A.txt', 'a.txt', 'b.txt'];
  const idsBefore = services().store.db.prepare<[], number>('SELECT count(*) FROM files').pluck();
  const [rows = 0, middle] = [idsBefore.get(), await list('o', { startIndex: 3, count: 2 })];
  assert.deepEqual(namesOf(middle), ['10.txt', 'A.txt']);
  assert.equal(idsBefore.get(), rows + 2, 'ids are only created for the documents on the page');
  const whole = await list('./o');
  assert.deepEqual([namesOf(whole), whole.path, whole.total], [expected, 'o', 7]);
  const pages = [];
  for (let startIndex = 0; startIndex < 12; startIndex += 3)
    pages.push(...namesOf(await list('o', { startIndex, count: 3 })));
  assert.deepEqual(pages, expected);
});

test('lists a document with its size and versions, a link inside the folder as what it points to, and changes at once', async () => {
  await place.write({ 's/sub/a.txt': 'one', 's/b.txt': 'b' });
  await place.save('s/sub/a.txt', 'three', 'seven!!');
  await symlink('sub', place.at('s/alias'));
  await symlink('sub/a.txt', place.at('s/one.txt'));
  const items = async (path: string) =>
    (await list(path)).items.map((item) =>
      item.kind === 'folder' ? [item.path] : [item.path, item.size, item.versionCount, item.versionBytes],
    );
  const a = [7, 2, 8];
  const other = [1, 0, 0];
  assert.deepEqual(await items('s'), [['s/alias'], ['s/sub'], ['s/b.txt', ...other], ['s/one.txt', ...a]]);
  assert.deepEqual(await items('s/alias'), [['s/sub/a.txt', ...a]]);
  await place.write({ 's/c.txt': '' });
  await rm(place.at('s/one.txt'));
  await rename(place.at('s/b.txt'), place.at('s/d.txt'));
  assert.deepEqual(namesOf(await list('s')), ['alias', 'sub', 'c.txt', 'd.txt']);
  await place.write({ 's/d.txt': 'longer' });
  assert.deepEqual((await items('s')).at(-1), ['s/d.txt', 6, 0, 0]);
});

test('lists and watches only visible folders inside the hosted one', async () => {
  await place.write({ 'v/a.txt': '', 'v/.git/x': '' });
  await symlink(place.dataDir, place.at('v/out'));
  await symlink('.git', place.at('v/repository'));
  for (const path of ['missing', 'a.txt', '.git', 'out', 'repository', 'a.txt/x', '.git/x'])
    await assert.rejects(list(`v/${path}`), { code: 'folder-unknown' }, path);
  for (const path of ['..', 'a/../..', '/etc', 'a\0b'])
    await assert.rejects(list(path), { code: 'path-invalid' }, path);
  await assert.rejects(list('x'.repeat(5000)), { code: 'invalid-argument' });
  await assert.rejects(place.run('documents.watch', { path: 'v/.git' }), { code: 'folder-unknown' });
  await assert.rejects(place.run('documents.watch', { path: '../x' }), { code: 'path-invalid' });
});

test('doesn’t read a folder again while its times are unchanged, unless they are recent', async () => {
  await place.write({ 'c/a.txt': '', 'c/b.txt': '' });
  const real = services().folders.require().folder;
  const stats = (await real.jail.resolve('c'))!.stats;
  const old = BigInt(Date.now() - 60_000) * 1_000_000n + 1n;
  // Still recent when it is read, however busy the computer is.
  const now = old + 120_000_000_000n;
  let times: Record<string, bigint> = { mtimeNs: old, ctimeNs: old };
  // A folder's ctime can't be set, so the times are faked.
  const resolve = async () => {
    const shown = times;
    const get = (_: object, name: string): unknown => shown[name] ?? Reflect.get(stats, name);
    return { path: 'c', stats: new Proxy(stats, { get: (target, name) => get(target, String(name)) }) };
  };
  const folder = { ...real, jail: { ...real.jail, resolve } };
  const view = createFolderView();
  const totalAfter = async (name: string, change: Record<string, bigint> = times): Promise<number> => {
    times = change;
    await place.write({ [`c/${name}`]: '' });
    return (await view.page(folder, { path: 'c', startIndex: 0, count: 1 })).total;
  };
  assert.equal(await totalAfter('b.txt'), 2);
  assert.equal(await totalAfter('c.txt'), 2);
  view.forget();
  assert.equal(await totalAfter('c.txt'), 3);
  assert.equal(await totalAfter('d.txt', { mtimeNs: old + 1n, ctimeNs: old }), 4);
  assert.equal(await totalAfter('e.txt', { mtimeNs: old + 1n, ctimeNs: old + 1n }), 5);
  // A later change within the resolution of the file system's clock wouldn't change the times.
  assert.equal(await totalAfter('e.txt', { mtimeNs: now, ctimeNs: now }), 5);
  assert.equal(await totalAfter('f.txt'), 6);
});

test('creates a document from the template of its extension, by the owner, and overwrites nothing', async () => {
  await place.write({ 'n/LETTER.docx': 'old', 'n/a_b.docx': 'old' });
  assert.deepEqual(await create('Plan.docx', 'n'), { path: 'n/Plan.docx' });
  const id = await place.idOf('n/Plan.docx');
  const row = services().folder()?.rowOf(id);
  assert.deepEqual([row?.savedBy, row?.savedHow], [services().users.ownerId(), 'created']);
  await assert.rejects(create('Letter.docx', 'n'), {
    code: 'name-taken',
    message: 'The name is taken. Choose another. “LETTER.docx” already exists.',
  });
  assert.deepEqual(await create('a:b.docx', 'n'), { path: 'n/a_b (1).docx' }, 'it had to be changed anyway');
  const createFolder = (name: string) => place.run('documents.createFolder', { folderPath: 'n', name });
  await assert.rejects(createFolder('plan.DOCX'), { code: 'name-taken' });
  await assert.rejects(createFolder(' . '), { code: 'name-invalid' });
  assert.deepEqual(await createFolder('Plan: B'), { path: 'n/Plan_ B' });
  assert.equal(await place.read('n/LETTER.docx'), 'old');
});

test('creates nothing if too little disk space is free', async (t) => {
  await mkdir(place.at('low'));
  await services().settings.update({ minFreeMB: 16_000_000 });
  t.after(() => services().settings.update({ minFreeMB: 500 }));
  await assert.rejects(create('A.docx', 'low'), { code: 'disk-low' });
  const sources = [import.meta.filename];
  const { jobId } = await place.run('documents.import', { folderPath: 'low', sources });
  const { state, sentence } = await place.ended(jobId);
  assert.equal(state, 'failed');
  assert.match(sentence ?? '', /almost full.*Free some space/);
  assert.deepEqual(await place.names('low'), []);
});

test('creates no copy of a document that another program changes meanwhile', async (t) => {
  await place.write({ 'copy/a.txt': 'content', 'copy/empty.txt': '' });
  const duplicate = (path: string) => place.run('documents.duplicate', { path });
  assert.deepEqual(await duplicate('copy/empty.txt'), { path: 'copy/empty copy.txt' });
  // This runs after the document was opened and before it is read.
  t.mock.method(services().diskSpace, 'requireRoom', () => place.write({ 'copy/a.txt': 'CONTENT' }));
  await assert.rejects(duplicate('copy/a.txt'), { code: 'file-changed' });
  assert.deepEqual(await place.names('copy'), ['a.txt', 'empty copy.txt', 'empty.txt']);
});

test('creates the sample that can be edited, never replaces it, and says when all similar names are taken', async (t) => {
  const sample = () => place.run('documents.createSample', {});
  assert.deepEqual(await sample(), { path: 'Welcome.md' });
  assert.match(await place.read('Welcome.md'), /Welcome/u);
  await place.write({ 'Welcome.md': 'mine' });
  assert.deepEqual(await sample(), { path: 'Welcome.md' });
  assert.equal(await place.read('Welcome.md'), 'mine');
  await rm(place.at('Welcome.md'));
  await mkdir(place.at('Welcome.md'));
  assert.deepEqual(await sample(), { path: 'Welcome (1).md' });
  t.mock.method(services().folders.require().documents, 'create', async () => undefined);
  await assert.rejects(sample(), { code: 'no-free-name' });
  t.mock.restoreAll();
  const { url } = await documentServer(t, ['docx edit', 'docx view']);
  const { id } = await place.run('editors.add', { url });
  assert.deepEqual(await sample(), { path: 'Welcome.docx' });
  await place.run('editors.remove', { id });
});

test('keeps fifteen recent documents across a restart, with current names, and none that was trashed or didn’t open', async () => {
  const recent = () => place.window.state().recent.map(({ path }) => path);
  const open = (path: string) => place.run('documents.open', { path, mode: 'edit' });
  for (const index of [...Array(17).keys(), 5]) {
    await place.write({ [`recent/${index}.txt`]: '' });
    place.advance(1000);
    await open(`recent//${index}.txt`);
  }
  await place.run('host.pause', { minutes: null });
  await assert.rejects(open('recent/0.txt'), { code: 'paused' });
  await place.run('host.resume', {});
  await assert.rejects(open('recent/missing.txt'), { code: 'file-missing' });
  const inEditor = { path: 'recent/0.txt', mode: 'edit', editorId: null } as const;
  await assert.rejects(place.run('documents.openInEditor', inEditor), { code: 'no-editor' });
  await place.keeper.restart();
  await until(() => recent()[0] === 'recent/5.txt');
  assert.equal(recent().length, 15);
  assert.deepEqual(recent().slice(0, 3), ['recent/5.txt', 'recent/16.txt', 'recent/15.txt']);
  assert.equal(recent().at(-1), 'recent/2.txt');
  await place.run('documents.rename', { path: 'recent/16.txt', name: 'renamed' });
  await place.run('documents.trash', { paths: ['recent/15.txt'] });
  await until(() => recent().length === 14 && recent()[1] === 'recent/renamed.txt');
  assert.deepEqual(recent().slice(0, 3), ['recent/5.txt', 'recent/renamed.txt', 'recent/14.txt']);
});

test('conflict copies stay listed across a restart, a rename and a missing drive, until they are dismissed or deleted', async () => {
  const copies = () => place.window.state().conflicts.map(({ id, path }) => [id, path]);
  const count = (wanted: number) => until(() => copies().length === wanted);
  await place.write({ 'conflict/a.txt': 'a' });
  // It was saved without having been read.
  for (const lock of ['one', 'two', 'three']) {
    const access = await place.lock('conflict/a.txt', lock);
    await place.wopi(access, 'PUT', { 'X-WOPI-Lock': lock }, lock);
    await place.wopi(access, 'UNLOCK', { 'X-WOPI-Lock': lock });
    place.advance(60_000);
  }
  await count(3);
  const [[latest = ''] = [], [middle = ''] = [], [oldest = ''] = []] = copies();
  assert.ok(latest > middle && middle > oldest, String(copies()));
  await rename(place.folder, `${place.folder}-away`);
  await services().conflictCopies.check();
  await rename(`${place.folder}-away`, place.folder);
  await place.keeper.restart();
  await count(3);
  await place.run('conflicts.dismiss', { id: oldest });
  await place.run('conflicts.dismiss', { id: 'nothing' });
  await count(2);
  await place.run('documents.rename', { path: 'conflict', name: 'renamed' });
  const renamed = (copy: string) => copy.replace('conflict/', 'renamed/');
  await until(() => copies().every(([, path]) => path === 'renamed/a.txt'));
  assert.equal(
    copies()
      .map(([id]) => id)
      .join(),
    [latest, middle].map(renamed).join(),
  );
  await place.run('documents.trash', { paths: [renamed(middle)] });
  await count(1);
  const copy = await place.access(renamed(latest));
  assert.equal(await place.wopi(copy, 'DELETE'), 200, 'by an editor');
  await count(0);
});
