import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { present, refused } from '../files/files-fixture.ts';
import { until } from '../live-state/window-fixture.ts';
import { openDocumentRoom, owner, type DocumentRoom } from './documents-fixture.ts';

const create = (window: DocumentRoom, name: string, folderPath = '', template = 'word') =>
  window.run('documents.create', { folderPath, template, name });

test('documents.open returns what an editor needs, and adds the document to the recent ones', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.txt': 'a' } });
  const opened = await window.run('documents.open', { path: 'in//a.txt', mode: 'view' });
  const { id } = await window.room.folder.openPath('in/a.txt');
  assert.deepEqual(opened, {
    fileId: id,
    path: 'in/a.txt',
    mode: 'view',
    wopiSrc: `http://127.0.0.1/wopi/files/${id}`,
    accessToken: 'token-view',
    expiresAtMs: window.room.time.nowMs + 60_000,
  });
  assert.deepEqual(window.recent(), [{ path: 'in/a.txt', openedAtMs: window.room.time.nowMs }]);
  assert.deepEqual(window.changed, ['recent']);
  window.pause();
  await assert.rejects(window.run('documents.open', { path: 'in/a.txt', mode: 'edit' }), refused('paused'));
});

test('documents.createFolder creates a folder, and refuses a name that is taken, also in another case', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.txt': 'a' } });
  const run = (name: string, folderPath = '') => window.run('documents.createFolder', { folderPath, name });
  assert.deepEqual(await run('Letters', 'in'), { path: 'in/Letters' });
  assert.ok((await stat(join(window.room.root, 'in', 'Letters'))).isDirectory());
  await assert.rejects(run('LETTERS', 'in'), refused('name-taken'));
  await assert.rejects(run('A.txt', 'in'), refused('name-taken'));
  assert.deepEqual(await run('Plan: B'), { path: 'Plan_ B' });
  await assert.rejects(run(' . '), refused('name-invalid'));
  await assert.rejects(run('x', '..'), refused('path-invalid'));
  await assert.rejects(run('x', 'missing'), refused('folder-unknown'));
});

test('documents.duplicate copies what is on disk, and finds a free name', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.txt': 'content', 'empty.txt': '' } });
  const run = (path: string) => window.run('documents.duplicate', { path });
  assert.deepEqual(await run('in/a.txt'), { path: 'in/a copy.txt' });
  assert.deepEqual(await run('in//a.txt'), { path: 'in/a copy (1).txt' });
  assert.deepEqual(await run('empty.txt'), { path: 'empty copy.txt' });
  const contents = await Promise.all(
    ['a.txt', 'a copy.txt', 'a copy (1).txt'].map((name) =>
      readFile(join(window.room.root, 'in', name), 'utf8'),
    ),
  );
  assert.deepEqual(contents, ['content', 'content', 'content']);
  const [original, copy] = await Promise.all(
    ['in/a.txt', 'in/a copy.txt'].map((path) => window.room.folder.openPath(path)),
  );
  assert.notEqual(original?.id, copy?.id);
  await symlink('/etc/hostname', join(window.room.root, 'out.txt'));
  for (const path of ['missing.txt', 'out.txt']) await assert.rejects(run(path), refused('file-missing'));
  await assert.rejects(run('in'), refused('not-a-document'));
  await assert.rejects(run('../x'), refused('path-invalid'));
});

test('documents.duplicate creates no copy of a document that another program changes meanwhile', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'content' } });
  const { diskSpace, root } = window.room;
  const { requireRoom } = diskSpace;
  t.after(() => Object.assign(diskSpace, { requireRoom }));
  // This runs after the document was opened and before it is read.
  const changing = async (): Promise<void> => writeFile(join(root, 'a.txt'), 'CONTENT');
  Object.assign(diskSpace, { requireRoom: changing });
  await assert.rejects(window.run('documents.duplicate', { path: 'a.txt' }), refused('file-changed'));
  assert.deepEqual(await window.room.names(), ['a.txt']);
});

test('documents.openInEditor opens the page, and doesn’t return its ticket', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.docx': 'a', 'in/b.txt': 'b' } });
  const args = { path: 'in//a.docx', mode: 'edit', editorId: null } as const;
  const opening = await window.run('documents.openInEditor', args);
  const { id } = await window.room.folder.openPath('in/a.docx');
  assert.deepEqual(opening, {
    fileId: id,
    path: 'in/a.docx',
    mode: 'edit',
    editorId: 'default',
    editorName: 'Office',
    openedIn: 'browser',
  });
  assert.deepEqual(window.desktop.pages, [[`http://127.0.0.1/edit/${id}?ticket=of-owner`, 'a.docx']]);
  assert.deepEqual(window.recent(), [{ path: 'in/a.docx', openedAtMs: window.room.time.nowMs }]);
  const other = await window.run('documents.openInEditor', { ...args, mode: 'view', editorId: 'e2' });
  assert.deepEqual([other.mode, other.editorId], ['view', 'e2']);
});

test('doesn’t add a document to the recent ones if it couldn’t be opened in an editor', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.docx': 'a', 'b.txt': 'b' } });
  const open = (path: string) => window.run('documents.openInEditor', { path, mode: 'edit', editorId: null });
  await assert.rejects(open('b.txt'), refused('no-editor'));
  await assert.rejects(open('c.docx'), refused('file-missing'));
  window.desktop.openDocumentPage = () => Promise.reject(new AppError('browser-refused'));
  await assert.rejects(open('a.docx'), refused('browser-refused'));
  window.pause();
  await assert.rejects(open('a.docx'), refused('paused'));
  window.faults.isAway = true;
  await assert.rejects(open('a.docx'), refused('host-away'));
  window.faults.isAway = false;
  assert.deepEqual(window.recent(), []);
});

test('keeps fifteen recent documents across a restart, with current names and without trashed ones', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`${index}.txt`, '']));
  const window = await openDocumentRoom(t, { files });
  const { room } = window;
  for (let index = 0; index < 17; index += 1) {
    room.time.nowMs += 1000;
    await window.run('documents.open', { path: `${index}.txt`, mode: 'edit' });
  }
  room.time.nowMs += 1000;
  await window.run('documents.open', { path: '5.txt', mode: 'edit' });
  await room.restart();
  const paths = () => window.recent().map(({ path }) => path);
  assert.deepEqual(paths().slice(0, 3), ['5.txt', '16.txt', '15.txt']);
  assert.equal(paths().length, 15);
  assert.equal(paths().at(-1), '2.txt');
  await window.run('documents.rename', { path: '16.txt', name: 'renamed' });
  await window.run('documents.trash', { paths: ['15.txt'] });
  assert.deepEqual(paths().slice(0, 3), ['5.txt', 'renamed.txt', '14.txt']);
  assert.ok(window.changed.includes('recent'));
  window.faults.problem = new AppError('folder-missing');
  assert.deepEqual(paths(), []);
});

test('creates a blank document from a template, with the typed name and the template’s extension', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/x': '' } });
  assert.deepEqual(await create(window, 'Letter', 'in'), { path: 'in/Letter.docx' });
  assert.deepEqual(await create(window, 'Letter 2.docx', ''), { path: 'Letter 2.docx' });
  assert.equal(await window.room.read('in/Letter.docx'), 'blank word');
  const { row } = await window.room.open('in/Letter.docx');
  assert.deepEqual([row.savedBy, row.savedHow], [owner.id, 'created']);
  assert.deepEqual(await window.run('documents.templates', {}), [
    { id: 'word', title: 'Word document', extension: 'docx' },
  ]);
});

test('rejects a taken name and quotes it, but numbers a name that had to be changed', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'LETTER.docx': 'old', 'a_b.docx': 'old' } });
  await assert.rejects(create(window, 'Letter'), (error: unknown) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.message, 'The name is taken. Choose another. “LETTER.docx” already exists.');
    return error.code === 'name-taken';
  });
  assert.deepEqual(await create(window, 'a:b'), { path: 'a_b (1).docx' });
  assert.equal(await window.room.read('LETTER.docx'), 'old');
  assert.deepEqual(await window.room.names(), ['LETTER.docx', 'a_b (1).docx', 'a_b.docx']);
});

test('rejects an unknown template, an invalid name and an invalid folder', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': '' } });
  await symlink(window.room.trash, window.room.at('out'));
  await assert.rejects(create(window, 'x', '', 'nothing'), refused('invalid-argument'));
  await assert.rejects(create(window, '...'), refused('name-invalid'));
  await assert.rejects(create(window, 'x', '..'), refused('path-invalid'));
  for (const folderPath of ['out', 'missing', '.git', 'a.txt']) {
    await assert.rejects(create(window, 'x', folderPath), refused('folder-unknown'), folderPath);
  }
  assert.deepEqual(await window.room.names(), ['a.txt', 'out']);
  assert.deepEqual(await window.room.names('../data/rescued'), []);
});

test('creates no document if too little disk space is free', async (t) => {
  const window = await openDocumentRoom(t);
  window.room.limits.minFreeMB = 16_000_000;
  await assert.rejects(create(window, 'A'), refused('disk-low'));
  assert.deepEqual(await window.room.names(), []);
});

test('creates a sample as text, or as a Word document if an editor can edit it, and never replaces it', async (t) => {
  const window = await openDocumentRoom(t);
  const { room } = window;
  const path = 'Welcome.md';
  assert.deepEqual(await window.run('documents.createSample', {}), { path });
  assert.equal(await room.read(path), 'welcome');
  await writeFile(room.at(path), 'mine');
  assert.deepEqual(await window.run('documents.createSample', {}), { path });
  assert.equal(await room.read(path), 'mine');
  await rm(room.at(path));
  await mkdir(room.at(path));
  assert.deepEqual(await window.run('documents.createSample', {}), { path: 'Welcome (1).md' });
  window.faults.editsWord = true;
  assert.deepEqual(await window.run('documents.createSample', {}), { path: 'Welcome.docx' });
  assert.equal(await room.read('Welcome.docx'), 'welcome to Word');
});

test('reports that all similar names are taken', async (t) => {
  const window = await openDocumentRoom(t);
  const { room } = window;
  await mkdir(room.at('Welcome.md'));
  for (let number = 1; number < 10_000; number += 1) {
    writeFileSync(room.at(`Welcome (${number}).md`), '');
  }
  await assert.rejects(window.run('documents.createSample', {}), refused('no-free-name'));
  const source = join(room.trash, 'Welcome.md');
  await writeFile(source, 'x');
  const { jobId } = await window.run('documents.import', { folderPath: '', sources: [source] });
  const { state, sentence } = await window.ended(jobId);
  assert.equal(state, 'failed');
  assert.equal(
    sentence,
    'Not everything was copied. “Welcome.md”: Similar names are all taken. Rename or remove some of those documents.',
  );
});

test('reveals only visible documents and folders inside the hosted folder', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.txt': '', '.git/x': '' } });
  await symlink(window.room.trash, window.room.at('out'));
  await symlink('.git', window.room.at('repository'));
  await symlink('in', window.room.at('.alias'));
  await window.run('documents.reveal', { path: 'in/a.txt' });
  await window.run('documents.reveal', { path: 'in' });
  for (const path of ['out', '.git/x', 'repository/x', '.alias', 'missing']) {
    await assert.rejects(window.run('documents.reveal', { path }), refused('file-missing'), path);
  }
  await assert.rejects(window.run('documents.reveal', { path: '../data' }), refused('path-invalid'));
  assert.deepEqual(window.desktop.opened, [window.room.at('in/a.txt'), window.room.at('in')]);
});

test('lists versions with the display names of users, and restores one', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'one' } });
  const { room } = window;
  const found = await room.open('a.txt');
  const incoming = await room.receive('two');
  const origin = { savedAtMs: 5, savedBy: `${owner.id},stranger`, savedHow: 'explicit' };
  await room.content.replace({ found, incoming, origin, record: () => undefined });
  await room.save('a.txt', 'three');
  const { fileId, versions } = await window.run('versions.list', { path: 'a.txt' });
  assert.equal(fileId, found.row.id);
  assert.deepEqual(
    versions.map(({ size, savedBy }) => [size, savedBy]),
    [
      [3, ['Olga Owner', 'stranger']],
      [3, null],
    ],
  );
  assert.deepEqual(Object.keys(present(versions[0])).toSorted(), [
    'id',
    'itemVersion',
    'keptAtMs',
    'kind',
    'savedAtMs',
    'savedBy',
    'savedHow',
    'size',
    'writtenAtMs',
  ]);
  const oldest = present(versions.at(-1));
  const restored = await window.run('versions.restore', { path: 'a.txt', versionId: oldest.id });
  assert.equal(await room.read('a.txt'), 'one');
  assert.equal(restored.path, 'a.txt');
  assert.match(restored.itemVersion, /^4\./u);
  await assert.rejects(
    window.run('versions.restore', { path: 'a.txt', versionId: 'nothing' }),
    refused('version-unknown'),
  );
});

test('reports the usage of versions, and removes those beyond the limits in a job', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': '1' } });
  for (const body of ['22', '333', '4444']) await window.room.save('a.txt', body);
  assert.deepEqual(await window.run('versions.usage', {}), { count: 3, bytes: 6 });
  const { jobId } = await window.run('versions.cleanUp', {});
  const job = await window.ended(jobId);
  assert.deepEqual(
    [job.state, job.sentence, job.done, job.total],
    ['done', '2 versions (3 bytes) removed.', 2, 2],
  );
  assert.deepEqual(await window.run('versions.usage', {}), { count: 1, bytes: 3 });
  const again = await window.ended((await window.run('versions.cleanUp', {})).jobId);
  assert.equal(again.sentence, 'There was nothing to remove.');
  await window.run('jobs.dismiss', { id: jobId });
  assert.equal(window.jobs().length, 1);
});

test('restores or discards a recovered save, and emits an event', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a' } });
  const { room } = window;
  const { row } = await room.open('a.txt');
  for (const body of ['one', 'two']) {
    const about = {
      fileId: row.id,
      path: 'a.txt',
      tokenId: null,
      userId: 'u',
      savedBy: null,
      reason: 'recovered.locked' as const,
    };
    await room.recoveredSaves.keep(await room.receive(body), about);
  }
  const [first, second] = room.recoveredSaves.list();
  const { path } = await window.run('recovered.restore', { id: present(first).id });
  assert.match(path, /^a \(recovered .*\)\.txt$/u);
  await window.run('recovered.discard', { id: present(second).id });
  assert.deepEqual(room.recoveredSaves.list(), []);
  const ends = room.events.filter(({ event }) => event === 'recovered-save-ended');
  assert.deepEqual(
    ends.map((event) => 'how' in event && event.how),
    ['restored', 'discarded'],
  );
  await assert.rejects(window.run('recovered.restore', { id: 'x' }), refused('recovered-save-unknown'));
});

test('lists conflict copies across a restart until they are dismissed or deleted', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.txt': 'a', 'b.txt': 'b' } });
  const { room } = window;
  const [a, b] = [(await room.open('in/a.txt')).row.id, (await room.open('b.txt')).row.id];
  for (const copy of ['in/a (conflict 1).txt', 'in/a (conflict 2).txt', 'b (conflict).txt']) {
    await room.write(copy, 'other');
  }
  room.events.push({
    event: 'conflict-copy-made',
    fileId: a,
    path: 'in/a.txt',
    copy: 'in/a (conflict 1).txt',
  });
  room.time.nowMs += 10;
  room.events.push({
    event: 'conflict-copy-made',
    fileId: a,
    path: 'in/a.txt',
    copy: 'in/a (conflict 2).txt',
  });
  room.time.nowMs += 10;
  room.events.push({ event: 'conflict-copy-made', fileId: b, path: 'b.txt', copy: 'b (conflict).txt' });
  room.events.push({ event: 'conflict-copy-made', fileId: 'nobody', path: 'x', copy: 'y' });
  await room.restart();
  const copies = () => window.conflicts().map(({ id, path }) => [id, path]);
  assert.deepEqual(copies(), [
    ['b (conflict).txt', 'b.txt'],
    ['in/a (conflict 2).txt', 'in/a.txt'],
    ['in/a (conflict 1).txt', 'in/a.txt'],
  ]);
  assert.equal(window.conflicts()[0]?.madeAtMs, room.time.nowMs);
  await window.run('conflicts.dismiss', { id: 'b (conflict).txt' });
  await window.run('conflicts.dismiss', { id: 'nothing' });
  // Renaming the folder changes the copy's path, too.
  await window.run('documents.rename', { path: 'in', name: 'out' });
  assert.deepEqual(copies(), [
    ['out/a (conflict 2).txt', 'out/a.txt'],
    ['out/a (conflict 1).txt', 'out/a.txt'],
  ]);
  window.changed.length = 0;
  await window.run('documents.trash', { paths: ['out/a (conflict 1).txt'] });
  await until(() => copies().length === 1);
  assert.ok(window.changed.includes('conflicts'));
  await rm(room.at('out/a (conflict 2).txt'));
  // For example by an editor.
  window.emit({ event: 'file-trashed', fileId: 'x', path: 'out/a (conflict 2).txt' });
  await until(() => copies().length === 0);
});

test('keeps conflict copies in the list while the drive is missing', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a', 'copy.txt': 'c' } });
  const { room } = window;
  const { row } = await room.open('a.txt');
  room.events.push({ event: 'conflict-copy-made', fileId: row.id, path: 'a.txt', copy: 'copy.txt' });
  await rename(room.root, `${room.root}-away`);
  await window.services().conflictCopies.check();
  assert.equal(window.conflicts().length, 1);
  await mkdir(room.root);
  await window.services().conflictCopies.check();
  assert.equal(window.conflicts().length, 1);
});

test('rejects commands without a host or a folder, and lists nothing', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a' } });
  window.faults.problem = new AppError('folder-not-chosen');
  await assert.rejects(window.list(), refused('folder-not-chosen'));
  await assert.rejects(create(window, 'x'), refused('folder-not-chosen'));
  window.faults.problem = new AppError('folder-missing');
  await assert.rejects(window.run('versions.list', { path: 'a.txt' }), refused('folder-missing'));
  await assert.rejects(
    window.run('versions.restore', { path: 'a.txt', versionId: 'x' }),
    refused('folder-missing'),
  );
  window.emit({ event: 'host-changed' });
  window.faults.isAway = true;
  window.emit({ event: 'stopped' });
  await assert.rejects(window.run('documents.open', { path: 'a.txt', mode: 'edit' }), refused('host-away'));
  await assert.rejects(window.run('versions.usage', {}), refused('host-away'));
  assert.deepEqual([window.recent(), window.conflicts()], [[], []]);
  assert.deepEqual(window.failures, []);
});

test('creates documents with the permissions of a new file', async (t) => {
  const window = await openDocumentRoom(t, { newFileMode: 0o604 });
  await create(window, 'Letter');
  assert.equal((await stat(window.room.at('Letter.docx'))).mode & 0o777, 0o604);
});
