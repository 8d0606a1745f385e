// Importing into the folder of a running host. Each test has its own folder inside the hosted one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { replaceBuiltin } from '../../replace-builtin.ts';
import { until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
/** Outside the hosted folder. */
let elsewhere: string;
before(async () => {
  place = await windowPlace({ files: [] });
  elsewhere = await mkdtemp(join(tmpdir(), 'doctray-import-'));
});
after(async () => {
  await place.close();
  await rm(elsewhere, { recursive: true });
});

/** Creates files outside the hosted folder, and returns a function that resolves paths there. */
async function sourceFolder(name: string, files: Record<string, string> = {}) {
  const at = (path: string): string => join(elsewhere, name, path);
  await mkdir(at(''));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  }
  return at;
}

const start = async (sources: string[], folderPath: string) =>
  (await place.run('documents.import', { folderPath, sources })).jobId;
const importFiles = async (sources: string[], folderPath: string) =>
  place.ended(await start(sources, folderPath));
/** Every name below a folder, hidden ones too. */
const tree = async (path: string) => (await readdir(place.at(path), { recursive: true })).toSorted();
const jobs = () => place.host().services.jobs;
const jobOf = (id: string, list = jobs()) => list.items('window').find((job) => job.id === id)!;

test('imports files and folders with their contents and modification times, and none twice', async () => {
  await place.write({ 'in/here.txt': 'here' });
  const files = { 'a.txt': 'one', 'dir/b.txt': 'two', 'dir/deep/c.txt': 'three', 'dir/e': '' };
  const from = await sourceFolder('plain', files);
  await mkdir(from('dir/empty'));
  await utimes(from('a.txt'), 1000, 2000);
  const job = await importFiles([from('a.txt'), from('dir'), from('a.txt')], 'in');
  assert.deepEqual([job.state, job.sentence], ['done', '4 files (11 bytes) copied.']);
  assert.deepEqual([job.title, job.done, job.total], ['Copying 3 items into “in”', 11, 11]);
  const copied = 'a.txt dir dir/b.txt dir/deep dir/deep/c.txt dir/e dir/empty here.txt';
  assert.equal((await tree('in')).join(' '), copied);
  for (const [path, content] of Object.entries(files)) assert.equal(await place.read(`in/${path}`), content);
  assert.equal((await stat(place.at('in/a.txt'))).mtimeMs, 2_000_000);
});

test('numbers a name that is taken, ignoring case and Unicode normalization, and keeps both contents', async () => {
  await place.write({ 'taken/A.TXT': 'old', 'taken/dir/x.txt': 'old', 'taken/e\u0301': 'old' });
  const files = { 'a.txt': 'new', 'dir/x.txt': 'new', '\u00e9': 'new', 'other/a.txt': 'newer' };
  const from = await sourceFolder('taken', files);
  await importFiles([from('a.txt'), from('dir'), from('\u00e9'), from('other/a.txt')], 'taken');
  const numbered = ['a (1).txt', 'a (2).txt', 'dir', 'dir (1)', 'dir (1)/x.txt', 'dir/x.txt'];
  assert.deepEqual(await tree('taken'), ['A.TXT', ...numbered, 'e\u0301', '\u00e9 (1)']);
  assert.deepEqual([await place.read('taken/A.TXT'), await place.read('taken/a (2).txt')], ['old', 'newer']);
});

test('skips links, hidden and special files inside a folder, and fails if such a one is all there is', async () => {
  await mkdir(place.at('skip'));
  const files = { 'dir/a.txt': 'a', 'dir/.hidden': 'h', 'dir/.git/x': 'x', 'secret.txt': 's', '.hidden': '' };
  const from = await sourceFolder('skip', files);
  for (const path of ['dir/link.txt', 'link.txt']) await symlink(from('secret.txt'), from(path));
  await symlink(from(''), from('dir/circle'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [from('dir/pipe'), from('pipe')]);
  const job = await importFiles([from('dir')], 'skip');
  assert.equal(job.sentence, '1 file (1 byte) copied. 5 links or hidden files left out.');
  for (const name of ['link.txt', 'pipe', '.hidden', 'missing']) {
    const { state, sentence } = await importFiles([from(name)], 'skip');
    assert.equal(state, 'failed', name);
    assert.ok(sentence?.startsWith(`Not everything was copied. “${name}”: `), sentence ?? '');
  }
  assert.deepEqual(await tree('skip'), ['dir', 'dir/a.txt']);
});

test('rejects devices, files in /proc and /sys, the hosted folder, the data folder, and anything in or above them', async () => {
  await place.write({ 'no/a.txt': 'a' });
  const { folder, dataDir } = place;
  const from = await sourceFolder('no');
  await symlink(dataDir, from('data'));
  const own = [folder, place.at('no/a.txt'), place.at('no'), dirname(folder)];
  const data = [dataDir, join(dataDir, 'doctray.db'), join(from('data'), 'doctray.db')];
  for (const source of [...own, ...data]) {
    const job = await importFiles([source], 'no');
    assert.equal(job.state, 'failed', source);
    assert.match(job.sentence ?? '', /hosted folder|own data/u);
  }
  if (process.platform === 'linux')
    for (const source of ['/dev/zero', '/dev/null', '/proc/self/environ', '/proc/self', '/sys/kernel'])
      assert.equal((await importFiles([source], 'no')).state, 'failed', source);
  for (const source of ['a.txt', './a.txt', '', '/', '/tmp/a\0b', '../..'])
    await assert.rejects(start(['/tmp/x', source], 'no'), { code: 'invalid-argument' }, source);
  assert.deepEqual(await tree('no'), ['a.txt']);
});

test('a canceled import, and one that ends with the host, leave only complete files; one that waits ends at once', async () => {
  await mkdir(place.at('cancel'));
  const from = await sourceFolder('cancel', { 'a.txt': 'whole', 'b.bin': '' });
  await truncate(from('b.bin'), 512_000_000);
  const running = await start([from('a.txt'), from('b.bin')], 'cancel');
  const waiting = await start([from('a.txt')], 'cancel');
  await until(() => jobOf(running).done > 5);
  await place.run('jobs.cancel', { id: waiting });
  assert.equal((await place.ended(waiting)).state, 'canceled');
  assert.equal(jobOf(running).state, 'running');
  await place.run('jobs.cancel', { id: running });
  const job = await place.ended(running);
  assert.deepEqual([job.state, job.sentence], ['canceled', 'Stopped. 1 of 2 files copied.']);
  assert.deepEqual(await tree('cancel'), ['a.txt']);
  assert.equal(await place.read('cancel/a.txt'), 'whole');

  const last = await start([from('b.bin')], 'cancel');
  await until(() => jobOf(last).done > 0);
  const stopping = jobs();
  await place.keeper.stop();
  const { state, sentence } = jobOf(last, stopping);
  const stopped = 'Stopped. 0 of 1 file copied.';
  assert.deepEqual([state, sentence, await tree('cancel')], ['canceled', stopped, ['a.txt']]);
  await place.keeper.start();
});

test('leaves no file if the copy can’t get its final name, and copies the other ones; says if the disk may not have them yet', async (t) => {
  await mkdir(place.at('final'));
  const from = await sourceFolder('final', { 'a.txt': 'a', 'b.txt': 'b' });
  const { documents } = place.host().services.folders.require();
  const { keyOf } = documents;
  t.mock.method(documents, 'keyOf', (name: string) => {
    if (name === 'a.txt') throw new AppError('disk-refused', { detail: 'No.' });
    return keyOf(name);
  });
  const job = await importFiles([from('a.txt'), from('b.txt')], 'final');
  assert.equal(job.sentence, '1 file (1 byte) copied. 1 item couldn’t be copied: “a.txt”: No.');
  assert.deepEqual(await tree('final'), ['b.txt']);

  const error = Object.assign(new Error('I/O'), { code: 'EIO' });
  replaceBuiltin(t, fs, 'fsync', (_fd: number, done: (error: Error) => void) => done(error));
  const { sentence, isPartial } = await importFiles([from('b.txt')], 'final');
  assert.match(String(sentence), /^1 file \(1 byte\) copied\. DocTray couldn’t confirm that the copies/);
  assert.equal(isPartial, true);
});

test('a host removes the temporary files of a killed import when it starts, but not its own', async () => {
  const hosted = () => place.host().services.folders.require();
  const record = (path: string) => place.host().services.importFolders.add(hosted().folder.tenantId, path);
  const recorded = () =>
    place.host().services.store.db.prepare('SELECT count(*) FROM import_folders').pluck().get();
  await place.write({ 'left/a.txt': 'a', [`left/${place.host().services.tempNames.next()}`]: 'half' });
  for (const path of ['left', 'gone']) record(path);
  await place.keeper.restart();
  await until(() => recorded() === 0);
  assert.deepEqual(await place.names('left'), ['a.txt']);
  const current = place.host().services.tempNames.next();
  await place.write({ [`left/${current}`]: 'of this start' });
  record('left');
  await hosted().recover();
  await until(() => recorded() === 0);
  assert.deepEqual(await place.names('left'), [current, 'a.txt'].toSorted());
  const from = await sourceFolder('left', { 'c.txt': '' });
  await importFiles([from('c.txt')], 'left');
  assert.equal(recorded(), 0);
});

test('doesn’t reuse the id of a deleted document, nor its name while an editor may create it again', async () => {
  await place.write({ 'ids/a.txt': 'old', 'ids/held.txt': 'old' });
  const former = await place.idOf('ids/a.txt');
  await place.lock('ids/held.txt');
  for (const name of ['a.txt', 'held.txt']) await rm(place.at(`ids/${name}`));
  const from = await sourceFolder('ids', { 'a.txt': 'new', 'held.txt': 'new' });
  await importFiles([from('a.txt'), from('held.txt')], 'ids');
  assert.deepEqual(await tree('ids'), ['a.txt', 'held (1).txt']);
  assert.notEqual(await place.idOf('ids/a.txt'), former);
  assert.equal(await place.host().services.folder()?.find(former), undefined);
});

test('writes nothing through a link that replaced the target folder during the import', async () => {
  await place.write({ 'swap/a.txt': 'a' });
  const from = await sourceFolder('swap', { 'b.txt': 'b', 'trap/x': '' });
  const jobId = await start([from('b.txt')], 'swap');
  await rename(place.at('swap'), place.at('moved'));
  await symlink(from('trap'), place.at('swap'));
  assert.equal((await place.ended(jobId)).state, 'failed');
  assert.deepEqual([await readdir(from('trap')), await place.names('moved')], [['x'], ['a.txt']]);
});
