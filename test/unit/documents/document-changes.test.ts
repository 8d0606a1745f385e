// Renaming, moving and trashing documents and folders of a running host. Each test has its own folder inside the hosted one.

import assert from 'node:assert/strict';
import fs, { fstatSync } from 'node:fs';
import { mkdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { HostEvent } from '../../../app/contract/events.ts';
import { AppError } from '../../../app/contract/errors.ts';
import { chosenName } from '../../../app/documents/new-document.ts';
import { replaceBuiltin } from '../../replace-builtin.ts';
import { ignoringSpelling } from '../files/ignoring-spelling.ts';
import { windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
const events: HostEvent[] = [];
before(async () => {
  place = await windowPlace();
  place.keeper.onEvent((event) => void events.push(event));
});
after(() => place.close());

const renameTo = async (path: string, name: string) =>
  (await place.run('documents.rename', { path, name })).path;
const move = (paths: string[], folderPath: string, keepsBoth = false) =>
  place.run('documents.move', { paths, folderPath, keepsBoth });
const trash = (...paths: string[]) => place.run('documents.trash', { paths });
const undo = (id = '') => place.run('documents.undoTrash', { id });
const pathOf = (id: string) => place.host().services.folder()?.rowOf(id)?.path;
const versionsOf = (id: string) => place.host().services.versions.list(id).length;
const pathsOf = (done: readonly { path: string }[]) => done.map(({ path }) => path);
const fileEvents = () => events.filter(({ event }) => event.startsWith('file-'));

test('adds the extension to a typed name once, and numbers only names that had to be changed', () => {
  for (const [typed, extension, name, isAsTyped] of [
    ['Report', '.docx', 'Report.docx', true],
    ['  Report.docx ', '.docx', 'Report.docx', true],
    ['Report.DOCX', '.docx', 'Report.docx', true],
    ['v1.2', '.docx', 'v1.2.docx', true],
    ['Re\u0301sume\u0301', '', 'R\u00e9sum\u00e9', true],
    ['May: 1/2', '.docx', 'May_ 1_2.docx', false],
    ['.hidden', '.docx', 'hidden.docx', false],
    ['CON', '.txt', '_CON.txt', false],
  ] as const) {
    const chosen = chosenName(typed, extension);
    assert.deepEqual([chosen.name, [...chosen.candidates].length === 1], [name, isAsTyped], typed);
  }
  for (const typed of ['', '  ', '...', '.docx', '\u200b'])
    assert.throws(() => chosenName(typed, '.docx'), { code: 'name-invalid' }, JSON.stringify(typed));
});

test('a document keeps its id and extension when it is renamed, and takes no name from another', async () => {
  await place.write({ 'r/a.txt': 'a', 'r/B.txt': 'b' });
  const id = await place.idOf('r/a.txt');
  assert.equal(await renameTo('r/a.txt', 'c'), 'r/c.txt');
  assert.equal(await place.idOf('r/c.txt'), id);
  await assert.rejects(renameTo('r/c.txt', 'b'), {
    code: 'name-taken',
    message: 'The name is taken. Choose another. “B.txt” already exists.',
  });
  assert.equal(await renameTo('r/c.txt', 'C'), 'r/C.txt');
  assert.deepEqual(await place.names('r'), ['B.txt', 'C.txt']);
  assert.equal(await place.read('r/B.txt'), 'b');
  assert.equal(await renameTo('r/C.txt', '../out/x'), 'r/_out_x.txt');
});

test('a rename waits for a running save', async () => {
  await place.write({ 'wait/a.txt': 'a' });
  const names = () => place.names('wait');
  let renaming: Promise<string> | undefined;
  await place.host().services.mutex.run(await place.idOf('wait/a.txt'), async () => {
    renaming = renameTo('wait/a.txt', 'b');
    for (let turn = 0; turn < 30; turn += 1) assert.deepEqual(await names(), ['a.txt']);
  });
  await renaming;
  assert.deepEqual(await names(), ['b.txt']);
});

test('a locked document, and a folder with one in it, stay where they are until the lock expires', async () => {
  await place.write({ 'lock/a.txt': 'a', 'lock/in/deep/b.txt': 'b', 'lock/free.txt': '', 'lock/to/x': '' });
  const { fileId } = await place.lock('lock/a.txt');
  await place.lock('lock/in/deep/b.txt');
  const sentence =
    'The document is being edited. Close it in its editor. If the editor is gone, force-clear the lock.';
  const reasons = [
    ['lock/a.txt', `${sentence} owner has it open.`],
    ['lock/in', `${sentence} It is “b.txt” in this folder, and owner has it open.`],
  ] as const;
  for (const [path, message] of reasons)
    await assert.rejects(renameTo(path, 'c'), { code: 'file-locked', message }, path);
  const expected = reasons.map(([path, message]) => [path, message]);
  const moved = await move(['lock/a.txt', 'lock/in'], 'lock/to');
  assert.deepEqual([moved.done, moved.failed.map(({ path, message }) => [path, message])], [[], expected]);
  const { done, failed, gone } = await trash('lock/a.txt', 'lock/in', 'lock/missing.txt', 'lock/free.txt');
  assert.deepEqual(
    failed.map(({ path, message }) => [path, message]),
    expected,
  );
  assert.deepEqual([failed[0]?.id, pathsOf(done), gone], [fileId, ['lock/free.txt'], ['lock/missing.txt']]);
  assert.deepEqual(await place.names('lock'), ['a.txt', 'in', 'to']);
  place.advance(31 * 60_000);
  assert.equal(await renameTo('lock/a.txt', 'c'), 'lock/c.txt');
  assert.equal(await renameTo('lock/in', 'out'), 'lock/out');
});

test('a desktop program’s lock keeps a document where it is, unless the setting only warns', async (t) => {
  const { settings } = place.host().services;
  t.after(() => settings.update({ desktopLocks: 'block' }));
  await place.write({ 'desk/a.txt': 'a', 'desk/.~lock.a.txt#': ',Ana,other,28.11.2026 06:00,file:///x;' });
  const locked = { code: 'file-locked', message: /open in LibreOffice by Ana/u };
  await assert.rejects(renameTo('desk/a.txt', 'c'), locked);
  assert.equal((await trash('desk/a.txt')).failed[0]?.code, 'file-locked');
  await settings.update({ desktopLocks: 'warn' });
  assert.equal(await renameTo('desk/a.txt', 'c'), 'desk/c.txt');
});

test('a locked document also protects its folder after another program changed the case of the folder’s name', async (t) => {
  const { jail } = place.host().services.folders.require().folder;
  const real = { ...jail };
  t.after(() => Object.assign(jail, real));
  Object.assign(jail, ignoringSpelling(real));
  await place.write({ 'case/in/a.txt': 'a' });
  await place.lock('case/in/a.txt');
  await rename(place.at('case/in'), place.at('case/IN'));
  await assert.rejects(renameTo('case/IN', 'out'), { code: 'file-locked' });
  assert.equal((await trash('case/IN')).failed[0]?.code, 'file-locked');
  assert.deepEqual(await place.names('case/IN'), ['a.txt']);
});

test('documents keep their ids and versions when their folder is renamed or moved, and when they are', async () => {
  await place.write({ 'm/old/a.txt': 'one', 'm/old/deep/b.txt': 'b', 'm/older/c.txt': 'c', 'm/Taken/x': '' });
  await place.save('m/old/a.txt', 'two');
  const paths = ['m/old/a.txt', 'm/old/deep/b.txt', 'm/older/c.txt'];
  const [a = '', b = '', c = ''] = await Promise.all(paths.map(place.idOf));
  events.length = 0;
  assert.equal(await renameTo('m/old', 'New.folder'), 'm/New.folder');
  assert.deepEqual([a, b, c].map(pathOf), ['m/New.folder/a.txt', 'm/New.folder/deep/b.txt', 'm/older/c.txt']);
  assert.deepEqual(fileEvents(), [
    { event: 'file-renamed', fileId: a, path: 'm/New.folder/a.txt', from: 'm/old/a.txt' },
  ]);
  await assert.rejects(renameTo('m/New.folder', 'taken'), { code: 'name-taken' });
  assert.equal(await renameTo('m/New.folder', 'new.folder'), 'm/new.folder');
  assert.equal(await renameTo('m/new.folder', 'in'), 'm/in');
  const moved = await move(['m/in/a.txt', 'm/in', 'm/in/deep/b.txt'], 'm/Taken');
  assert.deepEqual(moved, {
    done: [
      { id: a, path: 'm/Taken/a.txt', from: 'm/in/a.txt' },
      { id: 'm/Taken/in', path: 'm/Taken/in', from: 'm/in' },
    ],
    failed: [],
  });
  assert.equal(await place.idOf('m/Taken/a.txt'), a);
  assert.equal(await place.idOf('m/Taken/in/deep/b.txt'), b);
  assert.equal(versionsOf(a), 1);
  assert.equal(place.host().services.folder()?.rowOf(a)?.version, 2, 'a move is no new content');
});

test('a folder takes the name of a deleted one without the ids in it, and none that differs only in case', async () => {
  await place.write({ 'names/old/a.txt': 'a', 'names/new/a.txt': 'gone', 'names/OLD/b.txt': '' });
  const [moved, former] = [await place.idOf('names/old/a.txt'), await place.idOf('names/new/a.txt')];
  await assert.rejects(renameTo('names/old', 'OLD'), { code: 'name-taken' });
  await rm(place.at('names/new'), { recursive: true });
  await renameTo('names/old', 'new');
  assert.equal(await place.idOf('names/new/a.txt'), moved);
  assert.equal(await place.host().services.folder()?.find(former), undefined);
});

test('a move overwrites nothing, says what is in the way, and keeps both if asked', async () => {
  await place.write({ 'o/a.txt': 'here', 'o/in/b.txt': 'b', 'o/to/A.TXT': 'there', 'o/to/in/c.txt': 'c' });
  for (const path of ['o/empty', 'o/to/empty']) await mkdir(place.at(path));
  const paths = ['o/a.txt', 'o/in', 'o/empty', 'o/to', 'o/missing.txt'];
  const { done, failed } = await move(paths, 'o/to');
  const taken = (name: string) => `“${name}” already exists there. Rename one of them, then try again.`;
  const itself = 'A folder can’t be moved into itself.';
  const missing = 'This document doesn’t exist in the hosted folder.';
  const messages = [...['A.TXT', 'in', 'empty'].map(taken), itself, missing];
  assert.deepEqual([done, failed.map(({ message }) => message)], [[], messages]);
  assert.equal((await move(['o/to'], 'o/to/in')).failed[0]?.code, 'move-into-itself');
  const both = await move(['o/a.txt', 'o/in'], 'o/to', true);
  assert.deepEqual(pathsOf(both.done), ['o/to/a (1).txt', 'o/to/in (1)']);
  assert.deepEqual([await place.read('o/to/a (1).txt'), await place.read('o/to/A.TXT')], ['here', 'there']);
  assert.deepEqual(pathsOf((await move(['o/to/A.TXT'], 'o/to')).done), ['o/to/A.TXT'], 'it stays');
});

test('moves in opposite directions at the same time end, and lose nothing', async () => {
  await place.write({ 'x/a.txt': 'a', 'y/b.txt': 'b', 'x/dx/c': 'c', 'y/dy/d': 'd' });
  const moves = ['x/a.txt y', 'y/b.txt x', 'x/dx y', 'y/dy x'].map((text) => text.split(' '));
  await Promise.all(moves.map(([path = '', folder = '']) => move([path], folder)));
  assert.deepEqual(await place.names('x'), ['b.txt', 'dy']);
  assert.deepEqual(await place.names('y'), ['a.txt', 'dx']);
});

test('links, hidden files, the hosted folder and what is outside it are neither renamed, moved, trashed, copied nor revealed', async () => {
  await place.write({ 'l/a.txt': 'a', 'l/in/b.txt': 'b', 'l/.git/x': '', 'l/to/x': '' });
  await symlink('a.txt', place.at('l/link.txt'));
  await symlink('in', place.at('l/alias'));
  await symlink(place.dataDir, place.at('l/out'));
  const cases = [
    ['l/link.txt', 'link-untouched'],
    ['l/alias', 'link-untouched'],
    ['l/out', 'file-missing'],
    ['l/out/settings.json', 'file-missing'],
    ['l/.git', 'file-missing'],
    ['l/.git/x', 'file-missing'],
    ['.', 'path-invalid'],
    ['..', 'path-invalid'],
    ['/etc/passwd', 'path-invalid'],
  ] as const;
  const before = await place.names('l');
  for (const [path, code] of cases) {
    await assert.rejects(renameTo(path, 'x'), { code }, path);
    for (const { done, failed } of [await move([path], 'l/to'), await trash(path)])
      assert.deepEqual([done, failed.map((one) => one.code)], [[], [code]], path);
    if (code === 'link-untouched') continue;
    await assert.rejects(place.run('documents.duplicate', { path }), AppError, path);
    if (path !== '.') await assert.rejects(place.run('documents.reveal', { path }), { code }, path);
  }
  for (const [folderPath, code] of [
    ['l/out', 'folder-unknown'],
    ['../', 'path-invalid'],
    ['l/.git', 'folder-unknown'],
    ['l/nowhere', 'folder-unknown'],
    ['l/a.txt', 'folder-unknown'],
  ] as const) {
    await assert.rejects(move(['l/in/b.txt'], folderPath), { code }, folderPath);
    const created = { folderPath, name: 'x.docx' };
    await assert.rejects(place.run('documents.create', created), { code }, folderPath);
    await assert.rejects(place.run('documents.createFolder', created), { code }, folderPath);
    const imported = { folderPath, sources: ['/tmp/x'] };
    await assert.rejects(place.run('documents.import', imported), { code }, folderPath);
  }
  assert.deepEqual([await place.names('l'), place.desktop.opened], [before, []]);
  // A path through a linked folder refers to the document itself.
  assert.equal(await renameTo('l/alias/b.txt', 'c'), 'l/in/c.txt');
  for (const path of ['l/a.txt', 'l/in']) await place.run('documents.reveal', { path });
  assert.deepEqual(place.desktop.opened, [place.at('l/a.txt'), place.at('l/in')]);
});

test('puts back what was moved to the trash, with its ids, once and within ten seconds', async () => {
  await place.write({ 't/a.txt': 'one', 't/in/b.txt': 'b', 't/in/deep/c.txt': 'c', 't/inn/d.txt': 'd' });
  await place.save('t/a.txt', 'two');
  const paths = ['t/a.txt', 't/in/b.txt', 't/in/deep/c.txt', 't/inn/d.txt'];
  const ids = await Promise.all(paths.map(place.idOf));
  events.length = 0;
  const trashed = await trash('t/in/b.txt', 't/a.txt', 't/in', 't/in/deep/c.txt');
  assert.deepEqual([trashed.done.length, trashed.failed], [4, []]);
  assert.deepEqual(await place.names('t'), ['inn']);
  assert.deepEqual(ids.map(pathOf), [undefined, undefined, undefined, 't/inn/d.txt']);
  assert.deepEqual(fileEvents()[0], { event: 'file-trashed', fileId: ids[1], path: 't/in/b.txt' });
  const leftMs = (trashed.undo?.untilMs ?? 0) - place.clock();
  assert.ok(leftMs > 5000 && leftMs <= 10_000, String(leftMs));
  assert.deepEqual((await undo(trashed.undo?.id)).failed, []);
  assert.deepEqual(await Promise.all(paths.map(place.idOf)), ids);
  assert.deepEqual([await place.read('t/a.txt'), await place.read('t/in/b.txt')], ['two', 'b']);
  const [saved = ''] = ids;
  assert.equal(place.host().services.folder()?.rowOf(saved)?.version, 2, 'the way back is no new content');
  assert.equal(versionsOf(saved), 1);
  await assert.rejects(undo(trashed.undo?.id), { code: 'undo-over' });

  const late = await trash('t/a.txt');
  place.advance(10_001);
  await assert.rejects(undo(late.undo?.id), { code: 'undo-over' });
  assert.deepEqual(await place.names('t'), ['in', 'inn']);
});

test('undoing a move to the trash overwrites nothing and syncs: what has lost its name gets a number', async (t) => {
  await place.write({ 'u/a.txt': 'old', 'u/in/b.txt': 'b' });
  const fileId = await place.idOf('u/a.txt');
  const trashed = await trash('u/a.txt', 'u/in/b.txt', 'u/in');
  await place.write({ 'u/A.txt': 'new' });
  await mkdir(place.at('u/in'));
  const synced = new Set<number>();
  replaceBuiltin(t, fs, 'fsync', (fd: number, done: (error: null) => void) => {
    synced.add(fstatSync(fd).ino);
    done(null);
  });
  const { done, failed } = await undo(trashed.undo?.id);
  const folders = ['u', 'u/in (1)'].map(async (path) => (await stat(place.at(path))).ino);
  // Windows has no such call for folders.
  if (process.platform !== 'win32') assert.deepEqual(synced, new Set(await Promise.all(folders)));
  const paths = ['u/in → u/in (1)', 'u/in/b.txt → u/in (1)/b.txt', 'u/a.txt → u/a (1).txt'];
  assert.deepEqual([failed, done.map(({ path, from }) => `${from} → ${path}`)], [[], paths]);
  const contents = ['u/A.txt', 'u/a (1).txt', 'u/in (1)/b.txt'].map(place.read);
  assert.deepEqual(await Promise.all(contents), ['new', 'old', 'b']);
  assert.deepEqual([await place.names('u/in'), pathOf(fileId)], [[], 'u/a (1).txt']);
});
