// The folder that the window shows, changed by other programs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, readdirSync, watch } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { createFolderWatch } from '../../../app/live-state/folder-watch.ts';
import { until, windowPlace, type WindowPlace } from './window-fixture.ts';

let place: WindowPlace;
const pushes: string[] = [];
before(async () => {
  place = await windowPlace({ files: [] });
  place.window.onPush((name, push) => {
    if (name === 'folder-changed') pushes.push(push.path);
  });
});
after(() => place.close());

const show = (path: string | null) => place.run('documents.watch', { path });
const list = async (path: string) =>
  (await place.run('documents.list', { path, startIndex: 0, count: 10 })).items;
const names = async (path: string) => (await list(path)).map(({ name }) => name);

/** Makes a change and waits for the push that it causes. */
async function pushAfter(change: () => Promise<unknown>): Promise<string | undefined> {
  const before = pushes.length;
  await change();
  await until(() => pushes.length > before);
  return pushes.at(-1);
}

test('pushes the folder’s path when a document is added or written, and lists it as it is', async () => {
  await place.write({ 'sub/a.txt': '1' });
  await show('sub/');
  assert.deepEqual(await names('sub'), ['a.txt']);
  assert.equal(await pushAfter(() => place.write({ 'sub/b.txt': '' })), 'sub');
  assert.deepEqual(await names('sub'), ['a.txt', 'b.txt']);
  // This doesn't change the folder's own times.
  await pushAfter(() => place.write({ 'sub/a.txt': '333' }));
  assert.deepEqual(
    (await list('sub')).map((item) => item.kind === 'document' && item.size),
    [3, 0],
  );
});

test('pushes when the folder is removed, created again, or appears because its parent was moved', async () => {
  await place.write({ 'gone/a.txt': '', 'away/sub/a.txt': '' });
  await show('gone');
  await pushAfter(() => rm(place.at('gone'), { recursive: true }));
  await assert.rejects(list('gone'), { code: 'folder-unknown' });
  await pushAfter(() => mkdir(place.at('gone')));
  await pushAfter(() => place.write({ 'gone/b.txt': '' }));
  assert.deepEqual(await names('gone'), ['b.txt']);
  await show('here/sub');
  await pushAfter(() => rename(place.at('away'), place.at('here')));
  assert.deepEqual(await names('here/sub'), ['a.txt']);
});

/** The number of inotify watches of this process; 0 except on Linux. */
function watchCount(): number {
  if (process.platform !== 'linux') return 0;
  const texts = readdirSync('/proc/self/fdinfo').map((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
    } catch {
      return '';
    }
  });
  return texts.join('\n').match(/^inotify wd:/gmu)?.length ?? 0;
}

/** Makes a change and waits until this process has heard of it. */
async function changeAt(path: string, change: () => Promise<unknown>): Promise<void> {
  const watcher = watch(place.at(path));
  const heard = once(watcher, 'change');
  await change();
  await heard;
  watcher.close();
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

test('watches only the folder that was shown last, without subfolders and hidden files, and none after the end', async (t) => {
  // The check every two seconds would find that a hidden file changed the folder's time.
  t.mock.timers.enable({ apis: ['setInterval'] });
  await show(null);
  await place.write({ 'a/x': '', 'b/deep/x': '', 'slow/x': '' });
  const { jail } = place.host().services.folders.require().folder;
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const changed: string[] = [];
  const folderWatch = createFolderWatch({
    jail: () => ({
      ...jail,
      async resolve(path: string) {
        if (path === 'slow') await isReleased;
        return jail.resolve(path);
      },
    }),
    onDirty: () => undefined,
    onChange: (path) => void changed.push(path),
    pauseMs: () => 0,
  });
  t.after(folderWatch.close);
  const before = watchCount();
  const slow = folderWatch.show('slow');
  await Promise.all([folderWatch.show('a'), folderWatch.show('b')]);
  // The disk answers for a folder that is no longer shown.
  release();
  await slow;
  assert.equal(watchCount(), process.platform === 'linux' ? before + 1 : 0);
  for (const path of ['slow', 'a', 'b/deep']) await changeAt(path, () => place.write({ [`${path}/y`]: '' }));
  await changeAt('b', () => place.write({ 'b/.~lock.x#': '' }));
  assert.deepEqual(changed, []);
  await place.write({ 'b/y': '' });
  await until(() => changed.length > 0);
  await folderWatch.show(null);
  assert.equal(watchCount(), before);
  const sofar = changed.length;
  await changeAt('b', () => place.write({ 'b/z': '' }));
  assert.deepEqual([changed.length, new Set(changed)], [sofar, new Set(['b'])]);
  await folderWatch.show('a');
  folderWatch.close();
  assert.equal(watchCount(), before);
});
