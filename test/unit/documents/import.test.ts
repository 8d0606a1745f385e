import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, open, readdir, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { clearImportLeftovers } from '../../../app/documents/import.ts';
import { minute, present, refused, temporaryFolder } from '../files/files-fixture.ts';
import { until, windowPlace } from '../live-state/window-fixture.ts';
import { openDocumentRoom, type DocumentRoom } from './documents-fixture.ts';

/** Creates files in a folder outside the hosted one, and returns a function that resolves paths in it. */
async function sourceFolder(
  t: TestContext,
  files: Record<string, string> = {},
): Promise<(path: string) => string> {
  const root = await temporaryFolder(t);
  const at = (path: string): string => join(root, path);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  }
  return at;
}

async function importFiles(window: DocumentRoom, sources: string[], folderPath = '') {
  const { jobId } = await window.run('documents.import', { folderPath, sources });
  return window.ended(jobId);
}

/** Every name below the hosted folder, hidden ones too. */
async function tree(window: DocumentRoom): Promise<string[]> {
  return (await readdir(window.room.root, { recursive: true })).toSorted();
}

test('imports files and folders with their contents and modification times', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/here.txt': 'here' } });
  const from = await sourceFolder(t, {
    'a.txt': 'one',
    'dir/b.txt': 'two',
    'dir/deep/c.txt': 'three',
    'dir/e': '',
  });
  await mkdir(from('dir/empty'));
  await utimes(from('a.txt'), 1000, 2000);
  const job = await importFiles(window, [from('a.txt'), from('dir')], 'in');
  assert.deepEqual([job.state, job.sentence], ['done', '4 files (11 bytes) copied.']);
  assert.deepEqual([job.title, job.done, job.total], ['Copying 2 items into “in”', 11, 11]);
  assert.deepEqual(await tree(window), [
    'in',
    'in/a.txt',
    'in/dir',
    'in/dir/b.txt',
    'in/dir/deep',
    'in/dir/deep/c.txt',
    'in/dir/e',
    'in/dir/empty',
    'in/here.txt',
  ]);
  assert.deepEqual(
    [await window.room.read('in/a.txt'), await window.room.read('in/dir/deep/c.txt')],
    ['one', 'three'],
  );
  assert.equal((await stat(window.room.at('in/a.txt'))).mtimeMs, 2_000_000);
  assert.equal(
    present((await window.list('in')).items.find(({ name }) => name === 'a.txt')).kind,
    'document',
  );
});

test('imports nothing if too little disk space is free, and the job says why', async (t) => {
  const window = await openDocumentRoom(t);
  window.room.limits.minFreeMB = 16_000_000;
  const job = await importFiles(window, [(await sourceFolder(t, { 'a.txt': 'one' }))('a.txt')]);
  assert.equal(job.state, 'failed');
  assert.match(job.sentence ?? '', /almost full.*Free some space/);
  assert.deepEqual(await tree(window), []);
});

test('numbers a name that is taken, ignoring case and Unicode normalization, and keeps both contents', async (t) => {
  const window = await openDocumentRoom(t, {
    files: { 'A.TXT': 'old', 'dir/x.txt': 'old', 'e\u0301': 'old' },
  });
  const from = await sourceFolder(t, {
    'a.txt': 'new',
    'dir/x.txt': 'new',
    '\u00e9': 'new',
    'other/a.txt': 'newer',
  });
  const job = await importFiles(window, [from('a.txt'), from('dir'), from('\u00e9'), from('other/a.txt')]);
  assert.equal(job.state, 'done');
  assert.deepEqual(await tree(window), [
    'A.TXT',
    'a (1).txt',
    'a (2).txt',
    'dir',
    'dir (1)',
    'dir (1)/x.txt',
    'dir/x.txt',
    'e\u0301',
    '\u00e9 (1)',
  ]);
  assert.deepEqual([await window.room.read('A.TXT'), await window.room.read('a (2).txt')], ['old', 'newer']);
});

test('skips links, hidden files and special files', { timeout: 60_000 }, async (t) => {
  const window = await openDocumentRoom(t);
  const from = await sourceFolder(t, {
    'dir/a.txt': 'a',
    'dir/.hidden': 'h',
    'dir/.git/x': 'x',
    'secret.txt': 's',
  });
  await symlink(from('secret.txt'), from('dir/link.txt'));
  await symlink(from(''), from('dir/circle'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [from('dir/pipe'), from('pipe')]);
  const job = await importFiles(window, [from('dir')]);
  assert.equal(job.sentence, '1 file (1 byte) copied. 5 links or hidden files left out.');
  assert.deepEqual(await tree(window), ['dir', 'dir/a.txt']);
  await symlink(from('secret.txt'), from('link.txt'));
  await writeFile(from('.hidden'), '');
  for (const name of ['link.txt', 'pipe', '.hidden', 'missing']) {
    const refusal = await importFiles(window, [from(name)]);
    assert.equal(refusal.state, 'failed', name);
    assert.match(
      refusal.sentence ?? '',
      new RegExp(`^Not everything was copied. “${name.replace('.', '\\.')}”: `),
    );
  }
  assert.deepEqual(await tree(window), ['dir', 'dir/a.txt']);
});

test('rejects devices and files in /proc and /sys', async (t) => {
  if (process.platform !== 'linux') return;
  const window = await openDocumentRoom(t);
  for (const source of ['/dev/zero', '/dev/null', '/proc/self/environ', '/proc/self', '/sys/kernel']) {
    const job = await importFiles(window, [source]);
    assert.equal(job.state, 'failed', source);
  }
  assert.deepEqual(await tree(window), []);
});

test('rejects the hosted folder, the data folder, and anything in or above them as a source', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'a', 'in/b.txt': 'b' } });
  const { root, dataDir } = window.room;
  const from = await sourceFolder(t);
  await symlink(dataDir, from('data'));
  const before = await tree(window);
  const sources = [root, join(root, 'a.txt'), join(root, 'in'), dirname(root)];
  for (const source of [...sources, dataDir, join(dataDir, 'doctray.db'), join(from('data'), 'doctray.db')]) {
    const job = await importFiles(window, [source], 'in');
    assert.equal(job.state, 'failed', source);
    assert.match(job.sentence ?? '', /hosted folder|own data/u);
  }
  assert.deepEqual(await tree(window), before);
});

test('starts no job for invalid sources or target folders', async (t) => {
  const window = await openDocumentRoom(t, { files: { '.git/x': '', 'a.txt': '' } });
  for (const source of ['a.txt', './a.txt', '', '/', '/tmp/a\0b', '../..']) {
    const refusal = window.run('documents.import', { folderPath: '', sources: ['/tmp/x', source] });
    await assert.rejects(refusal, refused('invalid-argument'), source);
  }
  for (const [folderPath, code] of [
    ['..', 'path-invalid'],
    ['.git', 'folder-unknown'],
    ['a.txt', 'folder-unknown'],
    ['missing', 'folder-unknown'],
  ] as const) {
    const refusal = window.run('documents.import', { folderPath, sources: ['/tmp/x'] });
    await assert.rejects(refusal, refused(code), folderPath);
  }
  assert.deepEqual(window.jobs(), []);
});

test('copies the other items if one can’t be read, and a repeated item once', async (t) => {
  const window = await openDocumentRoom(t);
  const from = await sourceFolder(t, { 'a.txt': 'a', 'b.txt': 'b' });
  const job = await importFiles(window, [from('missing.txt'), from('a.txt'), from('b.txt'), from('a.txt')]);
  assert.equal(job.state, 'done');
  assert.equal(
    job.sentence,
    '2 files (2 bytes) copied. 1 item couldn’t be copied: “missing.txt”: It doesn’t exist.',
  );
  assert.deepEqual(await tree(window), ['a.txt', 'b.txt']);
});

test('a canceled import leaves only complete files', async (t) => {
  const window = await openDocumentRoom(t);
  const from = await sourceFolder(t, { 'a.txt': 'whole' });
  const large = await open(from('b.bin'), 'w');
  await large.truncate(512_000_000);
  await large.close();
  const { jobId } = await window.run('documents.import', {
    folderPath: '',
    sources: [from('a.txt'), from('b.bin')],
  });
  const waiting = await window.run('documents.import', { folderPath: '', sources: [from('a.txt')] });
  const item = () => present(window.jobs().find(({ id }) => id === jobId));
  await until(() => item().done > 5);
  // A queued import is canceled immediately.
  await window.run('jobs.cancel', { id: waiting.jobId });
  assert.equal((await window.ended(waiting.jobId)).state, 'canceled');
  assert.equal(item().state, 'running');
  assert.equal((await tree(window)).length, 2);
  await window.run('jobs.cancel', { id: jobId });
  const job = await window.ended(jobId);
  assert.deepEqual([job.state, job.sentence], ['canceled', 'Stopped. 1 of 2 files copied.']);
  assert.deepEqual(await tree(window), ['a.txt']);
  assert.equal(await window.room.read('a.txt'), 'whole');
});

test('leaves no file if the copy can’t get its final name', async (t) => {
  const window = await openDocumentRoom(t);
  const from = await sourceFolder(t, { 'a.txt': 'a' });
  const keyOf = (): string => {
    throw new AppError('disk-refused', { detail: 'No.' });
  };
  window.room.documents = { ...window.room.documents, keyOf };
  const job = await importFiles(window, [from('a.txt')]);
  assert.deepEqual([job.state, job.sentence], ['failed', 'Not everything was copied. “a.txt”: No.']);
  assert.deepEqual(await tree(window), []);
});

test('a host that stops ends a running import', async (t) => {
  const window = await openDocumentRoom(t);
  const from = await sourceFolder(t);
  const large = await open(from('b.bin'), 'w');
  await large.truncate(512_000_000);
  await large.close();
  const { jobId } = await window.run('documents.import', { folderPath: '', sources: [from('b.bin')] });
  await until(() => present(window.jobs()[0]).done > 0);
  window.services().endLongWork();
  await window.room.mutex.idle();
  const job = await window.ended(jobId);
  assert.equal(job.state, 'failed');
  assert.equal(job.sentence, 'Not everything was copied. DocTray stopped. 0 of 1 file copied.');
  assert.deepEqual(await tree(window), []);
});

test('removes the temporary files of a killed import, but not those of the current process', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.txt': 'a', 'out/b.txt': 'b' } });
  const { room } = window;
  const left = room.tempNames.next();
  const rows = room.db.prepare('INSERT INTO import_folders VALUES (?, ?)');
  for (const path of ['in', 'gone']) rows.run(room.tenantId, path);
  await writeFile(room.at(`in/${left}`), 'half');
  await room.restart();
  const current = room.tempNames.next();
  await writeFile(room.at(`in/${current}`), 'of this start');
  await clearImportLeftovers(window.services(), room.folder);
  assert.deepEqual(await room.names('in'), [current, 'a.txt'].toSorted());
  assert.equal(room.db.prepare('SELECT count(*) FROM import_folders').pluck().get(), 0);
  const from = await sourceFolder(t, { 'c.txt': '' });
  await importFiles(window, [from('c.txt')], 'in');
  assert.equal(room.db.prepare('SELECT count(*) FROM import_folders').pluck().get(), 0);
});

test('doesn’t reuse the id of a deleted document with the same name', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': 'old', 'held.txt': 'old' } });
  const { room } = window;
  const [former, held] = [await room.open('a.txt'), await room.open('held.txt')];
  room.lock(held.row.id, { expiresAtMs: room.time.nowMs + minute });
  for (const name of ['a.txt', 'held.txt']) await rename(room.at(name), join(room.trash, name));
  const from = await sourceFolder(t, { 'a.txt': 'new', 'held.txt': 'new' });
  await importFiles(window, [from('a.txt'), from('held.txt')]);
  // The editor that holds the lock may create its document again under this name.
  assert.deepEqual(await tree(window), ['a.txt', 'held (1).txt']);
  assert.notEqual((await room.open('a.txt')).row.id, former.row.id);
  assert.equal(await room.folder.find(former.row.id), undefined);
});

test('writes nothing through a link that replaced the target folder during the import', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'in/a.txt': 'a' } });
  const { room } = window;
  const from = await sourceFolder(t, { 'b.txt': 'b' });
  const { jobId } = await window.run('documents.import', { folderPath: 'in', sources: [from('b.txt')] });
  await rename(room.at('in'), room.at('moved'));
  await symlink(room.trash, room.at('in'));
  const job = await window.ended(jobId);
  assert.equal(job.state, 'failed');
  assert.deepEqual(await readdir(room.trash), []);
  assert.deepEqual(await room.names('moved'), ['a.txt']);
});

test(
  'a host removes the temporary files of a killed import when it starts',
  { timeout: 30_000 },
  async () => {
    const place = await windowPlace();
    try {
      const { importFolders, tempNames, folders } = place.host().services;
      importFolders.add(folders.require().folder.tenantId, '');
      const left = join(place.folder, tempNames.next());
      await writeFile(left, 'half');
      await place.keeper.restart();
      await until(async () => !(await readdir(place.folder)).includes(basename(left)));
    } finally {
      await place.close();
    }
  },
);
