import assert from 'node:assert/strict';
import { mkdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { chosenName } from '../../../app/documents/new-document.ts';
import { day, minute, present, refused } from '../files/files-fixture.ts';
import { ignoringSpelling } from '../files/ignoring-spelling.ts';
import { openDocumentRoom, type DocumentRoom } from './documents-fixture.ts';

/** Inserts an access token for the document, so that it can be locked and saved. */
function mint({ room }: DocumentRoom, fileId: string): void {
  room.db.prepare(`INSERT OR IGNORE INTO users VALUES ('u1', 'anna', 'Anna', 'owner', 'x', NULL, 0)`).run();
  room.db
    .prepare(
      `INSERT INTO access_tokens (id, hmac, user_id, file_id, mode, created_at_ms, expires_at_ms)
       VALUES (@id, @hmac, 'u1', @fileId, 'edit', 0, @expiresAtMs)`,
    )
    .run({ id: `t-${fileId}`, hmac: Buffer.from(fileId), fileId, expiresAtMs: room.time.nowMs + day });
}

function undoOf<Undo>(undo: Undo | null): Undo {
  assert.ok(undo !== null);
  return undo;
}

async function lockedDocument(window: DocumentRoom, path: string): Promise<string> {
  const { row } = await window.room.open(path);
  mint(window, row.id);
  window.room.lock(row.id);
  return row.id;
}

test('adds the extension to a typed name once, and numbers only names that had to be changed', () => {
  const names = (typed: string, extension: string) => {
    const { name, candidates } = chosenName(typed, extension);
    return [name, [...candidates].length === 1];
  };
  assert.deepEqual(names('Report', '.docx'), ['Report.docx', true]);
  assert.deepEqual(names('  Report.docx ', '.docx'), ['Report.docx', true]);
  assert.deepEqual(names('Report.DOCX', '.docx'), ['Report.docx', true]);
  assert.deepEqual(names('v1.2', '.docx'), ['v1.2.docx', true]);
  assert.deepEqual(names('Re\u0301sume\u0301', ''), ['R\u00e9sum\u00e9', true]);
  assert.deepEqual(names('May: 1/2', '.docx'), ['May_ 1_2.docx', false]);
  assert.deepEqual(names('.hidden', '.docx'), ['hidden.docx', false]);
  assert.deepEqual(names('CON', '.txt'), ['_CON.txt', false]);
  for (const typed of ['', '  ', '...', '.docx', '\u200b']) {
    assert.throws(() => chosenName(typed, '.docx'), refused('name-invalid'), JSON.stringify(typed));
  }
});

test('renames a document, keeping its id and extension, and rejects a taken name', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.txt': 'a', 'in/B.txt': 'b' } });
  const { room } = window;
  const { row } = await room.open('in/a.txt');
  assert.deepEqual(await window.run('documents.rename', { path: 'in/a.txt', name: 'c' }), {
    path: 'in/c.txt',
  });
  assert.equal((await room.open('in/c.txt')).row.id, row.id);
  await assert.rejects(window.run('documents.rename', { path: 'in/c.txt', name: 'b' }), (error: unknown) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.message, 'The name is taken. Choose another. “b.txt” already exists.');
    return error.code === 'name-taken';
  });
  assert.deepEqual(await window.run('documents.rename', { path: 'in/c.txt', name: 'C' }), {
    path: 'in/C.txt',
  });
  assert.deepEqual(await room.names('in'), ['B.txt', 'C.txt']);
  assert.equal(await room.read('in/B.txt'), 'b');
  const changed = await window.run('documents.rename', { path: 'in/C.txt', name: '../out/x' });
  assert.equal(changed.path, 'in/_out_x.txt');
});

test('doesn’t rename or trash a locked document until its lock expires', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const id = await lockedDocument(window, 'a.txt');
  await assert.rejects(window.run('documents.rename', { path: 'a.txt', name: 'c' }), refused('file-locked'));
  const outcome = await window.run('documents.trash', { paths: ['a.txt', 'missing.txt', 'b.txt'] });
  assert.deepEqual(
    outcome.failed.map(({ id: failed, path, message }) => [failed, path, message]),
    [
      [
        id,
        'a.txt',
        'The document is being edited. Close it in the editor, or force-clear its lock. Anna has it open.',
      ],
    ],
  );
  assert.deepEqual(
    outcome.done.map(({ path }) => path),
    ['b.txt'],
  );
  assert.deepEqual(outcome.gone, ['missing.txt']);
  assert.deepEqual(await window.room.names(), ['a.txt']);
  window.room.time.nowMs += 31 * minute;
  await window.run('documents.rename', { path: 'a.txt', name: 'c' });
});

test('a desktop program’s lock prevents renaming and trashing, unless the setting only warns', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a' } });
  window.faults.desktopLock = { id: 'desktop:x', program: 'LibreOffice', person: 'Ana' };
  await assert.rejects(window.run('documents.rename', { path: 'a.txt', name: 'c' }), (error: unknown) => {
    assert.ok(error instanceof AppError);
    assert.match(error.message, /open in LibreOffice by Ana/u);
    return error.code === 'file-locked';
  });
  const { failed } = await window.run('documents.trash', { paths: ['a.txt'] });
  assert.equal(failed.length, 1);
  window.settings.desktopLocks = 'warn';
  await window.run('documents.rename', { path: 'a.txt', name: 'c' });
});

test('a rename waits for a running save', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a' } });
  const { row } = await window.room.open('a.txt');
  let release = (): void => undefined;
  const saving = window.room.mutex.run(row.id, () => new Promise<void>((resolve) => (release = resolve)));
  const renaming = window.run('documents.rename', { path: 'a.txt', name: 'b' });
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(await window.room.names(), ['a.txt']);
  release();
  await Promise.all([saving, renaming]);
  assert.deepEqual(await window.room.names(), ['b.txt']);
});

test('trashing a document removes its id, and a document that can’t be trashed stays', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const { room } = window;
  const { row } = await room.open('a.txt');
  const outcome = await window.run('documents.trash', { paths: ['a.txt'] });
  assert.deepEqual([outcome.done, outcome.failed], [[{ id: row.id, path: 'a.txt' }], []]);
  assert.equal(room.folder.rowOf(row.id), undefined);
  assert.deepEqual(room.events.at(-1), { event: 'file-trashed', fileId: row.id, path: 'a.txt' });
  room.faults.failsToTrash = true;
  const refusal = await window.run('documents.trash', { paths: ['b.txt'] });
  assert.match(
    refusal.failed[0]?.message ?? '',
    /“b.txt” couldn’t be moved to the trash\. The disk is full\. Delete it with the file manager\.$/u,
  );
  assert.deepEqual(await room.names(), ['b.txt']);
});

test('renaming a folder keeps the ids and versions of the documents in it, and rejects a taken name', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'in/old/a.txt': 'one', 'in/old/deep/b.txt': 'b', 'in/older/c.txt': 'c', 'in/Taken/x': '' },
  });
  const { room } = window;
  await room.save('in/old/a.txt', 'two');
  const [a, b, c] = await Promise.all(
    ['in/old/a.txt', 'in/old/deep/b.txt', 'in/older/c.txt'].map(
      async (path) => (await room.open(path)).row.id,
    ),
  );
  mint(window, present(a));
  room.events.length = 0;
  const renamed = await window.run('documents.rename', { path: 'in/old', name: 'New.folder' });
  assert.equal(renamed.path, 'in/New.folder');
  assert.deepEqual(await room.names('in'), ['New.folder', 'Taken', 'older']);
  assert.deepEqual(
    [a, b, c].map((id) => room.folder.rowOf(present(id))?.path),
    ['in/New.folder/a.txt', 'in/New.folder/deep/b.txt', 'in/older/c.txt'],
  );
  assert.equal((await room.open('in/New.folder/a.txt')).row.id, a);
  assert.equal(room.versions.list(present(a)).length, 1);
  assert.deepEqual(room.events, [
    { event: 'file-renamed', fileId: a, path: 'in/New.folder/a.txt', from: 'in/old/a.txt' },
  ]);
  await assert.rejects(
    window.run('documents.rename', { path: 'in/New.folder', name: 'taken' }),
    refused('name-taken'),
  );
  const again = await window.run('documents.rename', { path: 'in/New.folder', name: 'new.folder' });
  assert.equal(again.path, 'in/new.folder');
});

test('doesn’t rename a folder over an empty one whose name differs only in case', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'Letters/a.txt': 'a' } });
  const { room } = window;
  await mkdir(room.at('letters'));
  await assert.rejects(
    window.run('documents.rename', { path: 'Letters', name: 'letters' }),
    refused('name-taken'),
  );
  assert.deepEqual(await room.names(), ['Letters', 'letters']);
});

test('renames a folder to the name of a deleted one, without its former document ids', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'old/a.txt': 'a', 'new/a.txt': 'gone' } });
  const { room } = window;
  const [moved, former] = [(await room.open('old/a.txt')).row.id, (await room.open('new/a.txt')).row.id];
  await rename(room.at('new'), `${room.trash}/new`);
  await window.run('documents.rename', { path: 'old', name: 'new' });
  assert.equal((await room.open('new/a.txt')).row.id, moved);
  assert.equal(await room.folder.find(former), undefined);
});

test('doesn’t rename or trash a folder with a locked document, and names the document', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/deep/a.txt': 'a', 'in/b.txt': 'b' } });
  await lockedDocument(window, 'in/deep/a.txt');
  await assert.rejects(window.run('documents.rename', { path: 'in', name: 'out' }), (error: unknown) => {
    assert.ok(error instanceof AppError);
    assert.match(error.message, /It is “a\.txt” in this folder, and Anna has it open\./u);
    return error.code === 'file-locked';
  });
  const { failed } = await window.run('documents.trash', { paths: ['in'] });
  assert.match(failed[0]?.message ?? '', /being edited/u);
  assert.deepEqual(await window.room.names('in'), ['b.txt', 'deep']);
});

test('a locked document also protects its folder after another program changed the case of the folder’s name', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.txt': 'a' }, jail: ignoringSpelling });
  const { room } = window;
  await lockedDocument(window, 'in/a.txt');
  await rename(room.at('in'), room.at('IN'));
  await assert.rejects(window.run('documents.rename', { path: 'IN', name: 'out' }), refused('file-locked'));
  const { failed } = await window.run('documents.trash', { paths: ['IN'] });
  assert.match(failed[0]?.message ?? '', /being edited/u);
  assert.deepEqual(await room.names('IN'), ['a.txt']);
});

test('trashes a folder with everything in it, and reports one that couldn’t be trashed', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'in/a.txt': 'a', 'in/deep/b.txt': 'b', 'inn/c.txt': 'c' },
  });
  const { room } = window;
  const ids = [];
  for (const path of ['in/a.txt', 'in/deep/b.txt', 'inn/c.txt']) ids.push((await room.open(path)).row.id);
  const outcome = await window.run('documents.trash', { paths: ['in', 'in/a.txt'] });
  assert.deepEqual(outcome.failed, []);
  assert.deepEqual(
    outcome.done.map(({ path }) => path),
    ['in', 'in/a.txt'],
  );
  assert.deepEqual(await room.names(), ['inn']);
  assert.equal((await stat(`${room.trash}/in/deep/b.txt`)).isFile(), true);
  assert.deepEqual(
    ids.map((id) => room.folder.rowOf(id)?.path),
    [undefined, undefined, 'inn/c.txt'],
  );
  await mkdir(room.at('keep'));
  window.faults.trash = async () => undefined;
  const refusal = await window.run('documents.trash', { paths: ['keep'] });
  assert.match(refusal.failed[0]?.message ?? '', /“keep” couldn’t be moved to the trash/u);
});

test('doesn’t rename or trash links, hidden files, the hosted folder or anything outside it', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a', 'in/b.txt': 'b', '.git/x': '' } });
  const { room } = window;
  await writeFile(`${room.trash}/secret`, 's');
  await symlink('a.txt', room.at('link.txt'));
  await symlink('in', room.at('alias'));
  await symlink(room.trash, room.at('out'));
  const cases = [
    ['link.txt', 'link-untouched'],
    ['alias', 'link-untouched'],
    ['out', 'file-missing'],
    ['out/secret', 'file-missing'],
    ['.git', 'file-missing'],
    ['.git/x', 'file-missing'],
    ['.', 'path-invalid'],
    ['..', 'path-invalid'],
    ['/etc/passwd', 'path-invalid'],
  ] as const;
  for (const [path, code] of cases) {
    await assert.rejects(window.run('documents.rename', { path, name: 'x' }), refused(code), path);
    const { done, failed, gone } = await window.run('documents.trash', { paths: [path] });
    assert.deepEqual([done, failed.length, gone], [[], 1, []], path);
  }
  assert.deepEqual(await room.names(), ['.git', 'a.txt', 'alias', 'in', 'link.txt', 'out']);
  // A path through a linked folder refers to the document itself.
  const renamed = await window.run('documents.rename', { path: 'alias/b.txt', name: 'c' });
  assert.equal(renamed.path, 'in/c.txt');
});

test('moves documents and folders to another folder, with their ids and versions', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'a.txt': 'one', 'in/deep/b.txt': 'b', 'to/x.txt': 'x' },
  });
  const { room } = window;
  await room.save('a.txt', 'two');
  const [a, b] = [(await room.open('a.txt')).row.id, (await room.open('in/deep/b.txt')).row.id];
  mint(window, b);
  room.events.length = 0;
  const moved = await window.run('documents.move', {
    paths: ['a.txt', 'in', 'in/deep/b.txt'],
    folderPath: 'to',
  });
  assert.deepEqual(moved, {
    done: [
      { id: a, path: 'to/a.txt', from: 'a.txt' },
      { id: 'to/in', path: 'to/in', from: 'in' },
    ],
    failed: [],
  });
  assert.deepEqual(await room.names(), ['to']);
  assert.deepEqual(await room.names('to'), ['a.txt', 'in', 'x.txt']);
  assert.equal((await room.open('to/a.txt')).row.id, a);
  assert.equal((await room.open('to/in/deep/b.txt')).row.id, b);
  assert.equal(room.versions.list(a).length, 1);
  assert.deepEqual(room.events, [
    { event: 'file-renamed', fileId: a, path: 'to/a.txt', from: 'a.txt' },
    { event: 'file-renamed', fileId: b, path: 'to/in/deep/b.txt', from: 'in/deep/b.txt' },
  ]);
  const back = await window.run('documents.move', { paths: ['to/a.txt', 'to/in/deep'], folderPath: '' });
  assert.deepEqual(
    back.done.map(({ path }) => path),
    ['a.txt', 'deep'],
  );
  assert.equal((await room.open('a.txt')).row.version, 2, 'a move is no new content');
});

test('a move overwrites nothing, says what is in the way, and keeps both if asked', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'a.txt': 'here', 'in/b.txt': 'b', 'to/A.TXT': 'there', 'to/in/c.txt': 'c', 'same.txt': 's' },
  });
  const { room } = window;
  await mkdir(room.at('empty'));
  await mkdir(room.at('to/empty'));
  const paths = ['a.txt', 'in', 'empty', 'to', 'missing.txt'];
  const { done, failed } = await window.run('documents.move', { paths, folderPath: 'to' });
  assert.deepEqual(done, []);
  assert.deepEqual(
    failed.map(({ path, code, message }) => [path, code, message]),
    [
      ['a.txt', 'target-taken', '“A.TXT” already exists there. Rename one of them, then try again.'],
      ['in', 'target-taken', '“in” already exists there. Rename one of them, then try again.'],
      ['empty', 'target-taken', '“empty” already exists there. Rename one of them, then try again.'],
      ['to', 'move-into-itself', 'A folder can’t be moved into itself.'],
      ['missing.txt', 'file-missing', 'This document doesn’t exist in the hosted folder.'],
    ],
  );
  const into = await window.run('documents.move', { paths: ['to'], folderPath: 'to/in' });
  assert.equal(into.failed[0]?.code, 'move-into-itself');
  assert.deepEqual([await room.read('a.txt'), await room.read('to/A.TXT')], ['here', 'there']);
  const both = await window.run('documents.move', {
    paths: ['a.txt', 'in'],
    folderPath: 'to',
    keepsBoth: true,
  });
  assert.deepEqual(
    both.done.map(({ path }) => path),
    ['to/a (1).txt', 'to/in (1)'],
  );
  assert.deepEqual([await room.read('to/a (1).txt'), await room.read('to/A.TXT')], ['here', 'there']);
  const stays = await window.run('documents.move', { paths: ['same.txt'], folderPath: '' });
  assert.deepEqual(
    stays.done.map(({ path }) => path),
    ['same.txt'],
  );
});

test('moves no locked document, no link, and nothing out of the hosted folder', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'a.txt': 'a', 'in/b.txt': 'b', 'to/x': '', '.git/y': '' },
  });
  const { room } = window;
  await symlink(room.trash, room.at('out'));
  await symlink('a.txt', room.at('link.txt'));
  await lockedDocument(window, 'a.txt');
  await lockedDocument(window, 'in/b.txt');
  const paths = ['a.txt', 'in', 'link.txt', 'out', '.git', '../x', '/etc/passwd', '.'];
  const { done, failed } = await window.run('documents.move', { paths, folderPath: 'to' });
  assert.deepEqual(done, []);
  assert.deepEqual(
    failed.map(({ code }) => code),
    [
      'file-locked',
      'file-locked',
      'link-untouched',
      'file-missing',
      'file-missing',
      'path-invalid',
      'path-invalid',
      'path-invalid',
    ],
  );
  assert.match(failed[0]?.message ?? '', /Anna has it open/u);
  for (const [folderPath, code] of [
    ['out', 'folder-unknown'],
    ['../', 'path-invalid'],
    ['.git', 'folder-unknown'],
    ['nowhere', 'folder-unknown'],
    ['to/x', 'folder-unknown'],
  ] as const) {
    const moving = window.run('documents.move', { paths: ['in/b.txt'], folderPath });
    await assert.rejects(moving, refused(code), folderPath);
  }
  assert.deepEqual(await room.names(), ['.git', 'a.txt', 'in', 'link.txt', 'out', 'to']);
});

test('moves in opposite directions at the same time end, and lose nothing', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'x/a.txt': 'a', 'y/b.txt': 'b', 'x/dx/c': 'c', 'y/dy/d': 'd' },
  });
  const move = (paths: string[], folderPath: string) => window.run('documents.move', { paths, folderPath });
  const moved = await Promise.all([
    move(['x/a.txt'], 'y'),
    move(['y/b.txt'], 'x'),
    move(['x/dx'], 'y'),
    move(['y/dy'], 'x'),
  ]);
  assert.deepEqual(
    moved.flatMap(({ failed }) => failed),
    [],
  );
  assert.deepEqual(
    [await window.room.names('x'), await window.room.names('y')],
    [
      ['b.txt', 'dy'],
      ['a.txt', 'dx'],
    ],
  );
});

test('puts back what was moved to the trash, with its ids, once and within ten seconds', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'a.txt': 'one', 'in/b.txt': 'b', 'in/deep/c.txt': 'c' },
  });
  const { room } = window;
  await room.save('a.txt', 'two');
  const paths = ['a.txt', 'in/b.txt', 'in/deep/c.txt'];
  const ids: string[] = [];
  for (const path of paths) ids.push((await room.open(path)).row.id);
  const { undo } = await window.run('documents.trash', { paths: ['in/b.txt', 'a.txt', 'in'] });
  assert.deepEqual(await room.names(), []);
  assert.equal(undoOf(undo).untilMs, room.time.nowMs + 10_000);
  const undone = await window.run('documents.undoTrash', { id: undoOf(undo).id });
  assert.deepEqual(undone.failed, []);
  assert.deepEqual(await room.names('in'), ['b.txt', 'deep']);
  assert.deepEqual([await room.read('a.txt'), await room.read('in/b.txt')], ['two', 'b']);
  for (const [index, path] of paths.entries()) {
    const { row } = await room.open(path);
    assert.equal(row.id, ids[index], path);
  }
  assert.equal((await room.open('a.txt')).row.version, 2, 'the way back is no new content');
  assert.equal(room.versions.list(present(ids[0])).length, 1);
  await assert.rejects(window.run('documents.undoTrash', { id: undoOf(undo).id }), refused('undo-over'));

  const late = await window.run('documents.trash', { paths: ['a.txt'] });
  room.time.nowMs += 10_001;
  await assert.rejects(window.run('documents.undoTrash', { id: undoOf(late.undo).id }), refused('undo-over'));
  assert.equal((await stat(`${room.trash}/a.txt`)).isFile(), true);
});

test('undoing a move to the trash overwrites nothing: what has lost its name gets a number', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'old', 'in/b.txt': 'b', 'c.txt': 'c' } });
  const { room } = window;
  const { id: fileId } = (await room.open('a.txt')).row;
  const { undo } = await window.run('documents.trash', { paths: ['a.txt', 'in/b.txt', 'in'] });
  await writeFile(room.at('A.txt'), 'new');
  await mkdir(room.at('in'));
  const { done, failed } = await window.run('documents.undoTrash', { id: undoOf(undo).id });
  assert.deepEqual(failed, []);
  assert.deepEqual(
    done.map(({ path, from }) => [from, path]),
    [
      ['in', 'in (1)'],
      ['in/b.txt', 'in (1)/b.txt'],
      ['a.txt', 'a (1).txt'],
    ],
  );
  assert.equal(await room.read('A.txt'), 'new');
  assert.equal(await room.read('a (1).txt'), 'old');
  assert.equal(await room.read('in (1)/b.txt'), 'b');
  assert.deepEqual(await room.names('in'), []);
  assert.equal(room.folder.rowOf(fileId)?.path, 'a (1).txt');

  // The trash reports a file that isn't the one that was moved there.
  window.faults.trash = undefined;
  room.faults.trashesElsewhere = true;
  assert.equal((await window.run('documents.trash', { paths: ['c.txt'] })).undo, null);
});
