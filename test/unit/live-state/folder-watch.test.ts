import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createFolderWatch } from '../../../app/live-state/folder-watch.ts';
import { refused } from '../files/files-fixture.ts';
import { namesOf, openDocumentRoom, type DocumentRoom } from '../documents/documents-fixture.ts';
import { until } from './window-fixture.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const watchFolder = (window: DocumentRoom, path: string | null) => window.run('documents.watch', { path });

/** Waits for pushes that the setup caused, and drops them. */
async function dropPushes(window: DocumentRoom): Promise<void> {
  await pause(250);
  window.pushes.length = 0;
}

test('pushes the path of the shown folder after a change by another program', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'sub/a.txt': '' } });
  await watchFolder(window, 'sub/');
  await dropPushes(window);
  await window.room.write('sub/b.txt', '');
  await until(() => window.pushes.length > 0);
  assert.deepEqual(window.pushes[0], 'sub');
  assert.deepEqual(namesOf(await window.list('sub')), ['a.txt', 'b.txt']);
});

test('pushes nothing for changes in subfolders, hidden files, or after the watch ended', async (t) => {
  // The check every two seconds would find the hidden file's change of the folder's time.
  t.mock.timers.enable({ apis: ['setInterval'] });
  const window = await openDocumentRoom(t, { files: { 'sub/deep/a.txt': '', 'b.txt': '' } });
  await watchFolder(window, '');
  await dropPushes(window);
  await window.room.write('sub/deep/c.txt', '');
  await writeFile(window.room.at('.~lock.b.txt#'), 'x');
  await pause(200);
  assert.deepEqual(window.pushes, []);
  await watchFolder(window, null);
  await window.room.write('d.txt', '');
  await pause(200);
  assert.deepEqual(window.pushes, []);
});

test('limits the pushes during a burst, and pushes after its end', async (t) => {
  const window = await openDocumentRoom(t);
  await watchFolder(window, '');
  await dropPushes(window);
  const startedAtMs = performance.now();
  let seen = 0;
  for (let index = 0; index < 300; index += 1) {
    // The push for the last one may come during the pause.
    seen = window.pushes.length;
    await window.room.write(`${index}.txt`, '');
    await pause(1);
  }
  const tookMs = performance.now() - startedAtMs;
  await until(() => window.pushes.length > seen);
  assert.ok(window.pushes.length <= tookMs / 100 + 2, `${window.pushes.length} in ${tookMs} ms`);
});

test('lists a document with its new size after it was written', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a.txt': '1', 'b.txt': '22' } });
  await watchFolder(window, '');
  await dropPushes(window);
  const sizes = async () =>
    (await window.list()).items.map((item) => (item.kind === 'document' ? item.size : null));
  assert.deepEqual(await sizes(), [1, 2]);
  // This doesn't change the folder's own times.
  await writeFile(window.room.at('a.txt'), '333');
  await until(() => window.pushes.length > 0);
  assert.deepEqual(await sizes(), [3, 2]);
});

test('ignores a slow disk’s response for a folder that is no longer shown', async (t) => {
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
  const changed: string[] = [];
  const watch = createFolderWatch({
    jail: () => jail,
    onDirty: () => undefined,
    onChange: (path) => void changed.push(path),
    pauseMs: () => 0,
  });
  t.after(watch.close);
  const slow = watch.show('a');
  await watch.show('b');
  release();
  await slow;
  await room.write('a/y', '');
  await pause(200);
  assert.deepEqual(changed, []);
  await room.write('b/y', '');
  await until(() => changed.length > 0);
  assert.deepEqual(changed, ['b']);
});

test('watches only the folder that was shown last', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a/x': '', 'b/x': '' } });
  await Promise.all([watchFolder(window, 'a'), watchFolder(window, 'b')]);
  await dropPushes(window);
  await window.room.write('a/y', '');
  await pause(200);
  assert.deepEqual(window.pushes, []);
  await window.room.write('b/y', '');
  await until(() => window.pushes.length > 0);
  assert.deepEqual([...new Set(window.pushes)], ['b']);
});

/** The number of inotify watches of this process; undefined except on Linux. */
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

test('uses one inotify watch at most, and none after the end', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'a/x': '', 'b/x': '' } });
  const before = watchCount();
  if (before === undefined) return;
  for (const path of ['a', 'b', 'a', '']) await watchFolder(window, path);
  assert.equal(watchCount(), before + 1);
  await watchFolder(window, null);
  assert.equal(watchCount(), before);
  await watchFolder(window, 'b');
  window.folderWatch.close();
  assert.equal(watchCount(), before);
});

test('pushes when the folder is removed and created again, and then watches it again', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'sub/a.txt': '' } });
  const { room } = window;
  await watchFolder(window, 'sub');
  await dropPushes(window);
  await rm(room.at('sub'), { recursive: true });
  await until(() => window.pushes.length > 0);
  await assert.rejects(window.list('sub'), refused('folder-unknown'));
  await dropPushes(window);
  await mkdir(room.at('sub'));
  await until(() => window.pushes.length > 0);
  await dropPushes(window);
  await room.write('sub/b.txt', '');
  await until(() => window.pushes.length > 0);
  assert.deepEqual(namesOf(await window.list('sub')), ['b.txt']);
});

test('pushes when a missing folder appears because its parent was moved', async (t) => {
  const window = await openDocumentRoom(t, { files: { 'away/sub/a.txt': '' } });
  await watchFolder(window, 'here/sub');
  await dropPushes(window);
  await rename(window.room.at('away'), window.room.at('here'));
  await until(() => window.pushes.length > 0);
  assert.deepEqual(namesOf(await window.list('here/sub')), ['a.txt']);
});

test('rejects watching a hidden folder or one outside', async (t) => {
  const window = await openDocumentRoom(t, { files: { '.git/x': '' } });
  await assert.rejects(watchFolder(window, '../x'), refused('path-invalid'));
  await assert.rejects(watchFolder(window, '.git'), refused('folder-unknown'));
});
