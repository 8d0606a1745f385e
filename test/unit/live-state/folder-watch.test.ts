import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createFolderWatch } from '../../../app/live-state/folder-watch.ts';
import { refused } from '../files/files-fixture.ts';
import { namesOf, openDocumentRoom, until, type DocumentRoom } from '../documents/documents-fixture.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const show = (window: DocumentRoom, path: string | null) => window.run('documents.watch', { path });

/** Whatever the set-up did is told before, or never. */
async function calm(window: DocumentRoom): Promise<void> {
  await pause(250);
  window.pushes.length = 0;
}

test('A change by another program is told by the path that is shown', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'sub/a.txt': '' } });
  await show(window, 'sub/');
  await calm(window);
  await window.room.write('sub/b.txt', '');
  await until(() => window.pushes.length > 0);
  assert.deepEqual(window.pushes[0], 'sub');
  assert.deepEqual(namesOf(await window.list('sub')), ['a.txt', 'b.txt']);
});

test('What is below the shown folder, or hidden, is not told; nor is anything after the end', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'sub/deep/a.txt': '', 'b.txt': '' } });
  await show(window, '');
  await calm(window);
  await window.room.write('sub/deep/c.txt', '');
  await writeFile(window.room.at('.~lock.b.txt#'), 'x');
  await pause(200);
  assert.deepEqual(window.pushes, []);
  await show(window, null);
  await window.room.write('d.txt', '');
  await pause(200);
  assert.deepEqual(window.pushes, []);
});

test('A burst is told a few times, the last time after its end', async (t) => {
  const window = await openDocumentRoom(t);
  await show(window, '');
  await calm(window);
  const startedAtMs = performance.now();
  let seen = 0;
  for (let index = 0; index < 300; index += 1) {
    await window.room.write(`${index}.txt`, '');
    await pause(1);
  }
  const tookMs = performance.now() - startedAtMs;
  seen = window.pushes.length;
  await until(() => window.pushes.length > seen);
  assert.ok(window.pushes.length <= tookMs / 100 + 2, `${window.pushes.length} in ${tookMs} ms`);
});

test('A document that was written counts with its new size from then on', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': '1', 'b.txt': '22' } });
  await show(window, '');
  await calm(window);
  assert.deepEqual(namesOf(await window.list('', { sort: 'size' })), ['a.txt', 'b.txt']);
  // Its folder does not change by this.
  await writeFile(window.room.at('a.txt'), '333');
  await until(() => window.pushes.length > 0);
  assert.deepEqual(namesOf(await window.list('', { sort: 'size' })), ['b.txt', 'a.txt']);
});

test('A slow disk that answers for a folder that is shown no more changes nothing', async (t) => {
  const { room } = await openDocumentRoom(t, { files: { 'a/x': '', 'b/x': '' } });
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const jail = {
    ...room.jail,
    async resolve(path: string) {
      if (path === 'a') await isReleased;
      return room.jail.resolve(path);
    },
  };
  const told: string[] = [];
  const watch = createFolderWatch({
    jail: () => jail,
    onDirty: () => undefined,
    onChange: (path) => void told.push(path),
    pauseMs: () => 0,
  });
  t.after(watch.close);
  const slow = watch.show('a');
  await watch.show('b');
  release();
  await slow;
  await room.write('a/y', '');
  await pause(200);
  assert.deepEqual(told, []);
  await room.write('b/y', '');
  await until(() => told.length > 0);
  assert.deepEqual(told, ['b']);
});

test('Another folder is watched instead of the one before, never both', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a/x': '', 'b/x': '' } });
  await Promise.all([show(window, 'a'), show(window, 'b')]);
  await calm(window);
  await window.room.write('a/y', '');
  await pause(200);
  assert.deepEqual(window.pushes, []);
  await window.room.write('b/y', '');
  await until(() => window.pushes.length > 0);
  assert.deepEqual([...new Set(window.pushes)], ['b']);
});

/** How many folders and files this process has the system watch; undefined where it does not tell. */
function watchCount(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const texts = readdirSync('/proc/self/fdinfo').map((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
    } catch {
      return '';
    }
  });
  return texts.join('\n').match(/^inotify wd:/gmu)?.length ?? 0;
}

test('The system watches one folder at most, and none after the end', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a/x': '', 'b/x': '' } });
  const before = watchCount();
  if (before === undefined) return;
  for (const path of ['a', 'b', 'a', '']) await show(window, path);
  assert.equal(watchCount(), before + 1);
  await show(window, null);
  assert.equal(watchCount(), before);
  await show(window, 'b');
  window.folderWatch.close();
  assert.equal(watchCount(), before);
});

test('The folder goes and comes back: both are told, and it is watched again', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'sub/a.txt': '' } });
  const { room } = window;
  await show(window, 'sub');
  await calm(window);
  await rm(room.at('sub'), { recursive: true });
  await until(() => window.pushes.length > 0);
  await assert.rejects(window.list('sub'), refused('folder-unknown'));
  await calm(window);
  await mkdir(room.at('sub'));
  await until(() => window.pushes.length > 0);
  await calm(window);
  await room.write('sub/b.txt', '');
  await until(() => window.pushes.length > 0);
  assert.deepEqual(namesOf(await window.list('sub')), ['b.txt']);
});

test('A folder that is not there yet is told when it comes, also where a folder above it was moved', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'away/sub/a.txt': '' } });
  await show(window, 'here/sub');
  await calm(window);
  await rename(window.room.at('away'), window.room.at('here'));
  await until(() => window.pushes.length > 0);
  assert.deepEqual(namesOf(await window.list('here/sub')), ['a.txt']);
});

test('What lies outside or is hidden cannot be watched', async (t) => {
  const window = await openDocumentRoom(t, { files: { '.git/x': '' } });
  await assert.rejects(show(window, '../x'), refused('path-invalid'));
  await assert.rejects(show(window, '.git'), refused('folder-unknown'));
});
