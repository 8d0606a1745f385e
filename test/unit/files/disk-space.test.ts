import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDiskSpace } from '../../../app/files/disk-space.ts';
import { refused } from './files-fixture.ts';

const megabyte = 1_000_000;

function spaceOf(free: Record<string, number | undefined>, minFreeMB = 500) {
  return createDiskSpace({
    dataDir: 'data',
    minFreeMB: () => minFreeMB,
    measure: async (folder) => free[folder],
  });
}

test('requires that the minimum stays free on the disk of the hosted folder', async () => {
  const space = spaceOf({ data: 900 * megabyte, hosted: 600 * megabyte });
  await space.requireRoom('hosted', 100 * megabyte);
  await assert.rejects(space.requireRoom('hosted', 100 * megabyte + 1), refused('disk-low'));
});

test('rejects new files while the disk of the data folder is below the minimum', async () => {
  const space = spaceOf({ data: 500 * megabyte - 1, hosted: 900 * megabyte });
  await assert.rejects(space.requireRoom('hosted', 0), refused('disk-low'));
  assert.equal(await space.lowFree(), 500 * megabyte - 1);
});

test('a disk that doesn’t report its free space is never low', async () => {
  const space = spaceOf({});
  await space.requireRoom('hosted', 10 ** 12);
  assert.equal(await space.lowFree(), undefined);
});

test('a minimum of 0 requires room for the bytes only', async () => {
  const space = spaceOf({ data: 0, hosted: 10 }, 0);
  await space.requireRoom('hosted', 10);
  await assert.rejects(space.requireRoom('hosted', 11), refused('disk-low'));
  assert.equal(await space.lowFree(), undefined);
});

test('measures free space, and leaves a missing folder to other checks', async () => {
  const dataDir = tmpdir();
  const space = (minFreeMB: number) => createDiskSpace({ dataDir, minFreeMB: () => minFreeMB });
  await space(0).requireRoom(dataDir, 1);
  await space(0).requireRoom(join(dataDir, 'not-there'), 1);
  await assert.rejects(space(2 ** 40).requireRoom(dataDir, 0), refused('disk-low'));
});
