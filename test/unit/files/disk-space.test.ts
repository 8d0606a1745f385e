import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDiskSpace } from '../../../app/files/disk-space.ts';
import { refused } from './files-fixture.ts';

const mebibyte = 1024 * 1024;

function spaceOf(free: Record<string, number | undefined>, minFreeMiB = 512) {
  return createDiskSpace({
    dataDir: 'data',
    minFreeMiB: () => minFreeMiB,
    measure: async (folder) => free[folder],
  });
}

test('requires that the minimum stays free on the disk of the hosted folder', async () => {
  const space = spaceOf({ data: 900 * mebibyte, hosted: 600 * mebibyte });
  await space.requireRoom('hosted', 88 * mebibyte);
  await assert.rejects(space.requireRoom('hosted', 88 * mebibyte + 1), refused('disk-low'));
});

test('rejects new files while the disk of the data folder is below the minimum', async () => {
  const space = spaceOf({ data: 512 * mebibyte - 1, hosted: 900 * mebibyte });
  await assert.rejects(space.requireRoom('hosted', 0), refused('disk-low'));
  assert.equal(await space.lowFree(), 512 * mebibyte - 1);
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
  const space = (minFreeMiB: number) => createDiskSpace({ dataDir, minFreeMiB: () => minFreeMiB });
  await space(0).requireRoom(dataDir, 1);
  await space(0).requireRoom(join(dataDir, 'not-there'), 1);
  await assert.rejects(space(2 ** 40).requireRoom(dataDir, 0), refused('disk-low'));
});
