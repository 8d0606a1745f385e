// The way with links is tried on this disk, the way without them across two disks where the machine has a second one, and
// for a rename, which cannot cross disks, with a `link` that answers as a file system without links does.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import fs, { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { copyToNew, moveToNew } from '../../../app/files/new-name.ts';
import { temporaryFolder } from './files-fixture.ts';

const otherDisk = existsSync('/dev/shm') ? '/dev/shm' : undefined;

async function openFolder(t: TestContext) {
  const folder = await temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  await writeFile(at('from'), 'content');
  return {
    at,
    names: async () => (await readdir(folder)).toSorted(),
    read: (name: string) => readFile(at(name), 'utf8'),
  };
}

/** Lets one function of the file system fail with that code for the rest of the test. */
function failing(
  t: TestContext,
  method: 'link' | 'rm' | 'rename' | 'copyFile',
  code: string,
  times = Infinity,
): void {
  const real = fs[method] as (...given: unknown[]) => Promise<unknown>;
  let calls = 0;
  const refuse = (...given: unknown[]): Promise<unknown> => {
    calls += 1;
    return calls > times ? real(...given) : Promise.reject(Object.assign(new Error(code), { code }));
  };
  t.mock.method(fs, method, refuse as never);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}

for (const [disk, code] of [
  ['with links', undefined],
  ['without links', 'EPERM'],
  ['where links are not implemented', 'ENOSYS'],
  ['where a file has all the links it can have', 'EMLINK'],
] as const) {
  test(`On a disk ${disk} a file moves to a name that nothing has`, async (t) => {
    const { at, names, read } = await openFolder(t);
    const { ino } = await stat(at('from'));
    if (code !== undefined) failing(t, 'link', code);
    await moveToNew(at('from'), at('to'));
    assert.deepEqual(await names(), ['to']);
    assert.equal(await read('to'), 'content');
    assert.equal((await stat(at('to'))).ino, ino);
  });

  test(`On a disk ${disk} a file never moves over another`, async (t) => {
    const { at, names, read } = await openFolder(t);
    await writeFile(at('to'), 'theirs');
    if (code !== undefined) failing(t, 'link', code);
    await assert.rejects(moveToNew(at('from'), at('to')), { code: 'EEXIST' });
    assert.deepEqual(await names(), ['from', 'to']);
    assert.deepEqual([await read('from'), await read('to')], ['content', 'theirs']);
  });

  test(`On a disk ${disk} a content gets a second name that nothing has`, async (t) => {
    const { at, names, read } = await openFolder(t);
    await chmod(at('from'), 0o604);
    if (code !== undefined) failing(t, 'link', code);
    await copyToNew(at('from'), at('to'), at('temporary'));
    assert.deepEqual(await names(), ['from', 'to']);
    assert.deepEqual([await read('from'), await read('to')], ['content', 'content']);
    assert.equal((await stat(at('to'))).mode & 0o777, 0o604);
  });

  test(`On a disk ${disk} a second name is never one that is taken`, async (t) => {
    const { at, names, read } = await openFolder(t);
    await writeFile(at('to'), 'theirs');
    if (code !== undefined) failing(t, 'link', code);
    await assert.rejects(copyToNew(at('from'), at('to'), at('temporary')), { code: 'EEXIST' });
    assert.deepEqual(await names(), ['from', 'to']);
    assert.equal(await read('to'), 'theirs');
  });
}

test('On a disk with links the second name is a link, so that it costs no bytes', async (t) => {
  const { at } = await openFolder(t);
  await copyToNew(at('from'), at('to'), at('temporary'));
  assert.equal((await stat(at('to'))).ino, (await stat(at('from'))).ino);
});

test('A content on another disk gets its second name here as a copy', async (t) => {
  const { at, names, read } = await openFolder(t);
  const far = join(await temporaryFolder(t, otherDisk), 'far');
  await writeFile(far, 'from afar');
  await copyToNew(far, at('to'), at('temporary'));
  assert.deepEqual(await names(), ['from', 'to']);
  assert.equal(await read('to'), 'from afar');
});

test('A move that fails leaves the file under its old name alone', async (t) => {
  const { at, names, read } = await openFolder(t);
  await assert.rejects(moveToNew(at('missing'), at('to')), { code: 'ENOENT' });
  assert.deepEqual(await names(), ['from']);
  // Held by another program, as on Windows.
  failing(t, 'rm', 'EBUSY', 1);
  await assert.rejects(moveToNew(at('from'), at('to')), { code: 'EBUSY' });
  assert.deepEqual(await names(), ['from']);
  assert.equal(await read('from'), 'content');
});

test('Without links, a move that fails gives the name back', async (t) => {
  const { at, names } = await openFolder(t);
  failing(t, 'link', 'EPERM');
  failing(t, 'rename', 'EBUSY');
  await assert.rejects(moveToNew(at('from'), at('to')), { code: 'EBUSY' });
  assert.deepEqual(await names(), ['from']);
});

for (const method of ['copyFile', 'rename'] as const) {
  test(`Without links, a copy whose ${method} fails leaves neither name nor half a file`, async (t) => {
    const { at, names } = await openFolder(t);
    failing(t, 'link', 'EPERM');
    failing(t, method, 'ENOSPC');
    await assert.rejects(copyToNew(at('from'), at('to'), at('temporary')), { code: 'ENOSPC' });
    assert.deepEqual(await names(), ['from']);
  });
}

test('An error that speaks of no missing links is not worked around', async (t) => {
  const { at, names } = await openFolder(t);
  failing(t, 'link', 'EIO');
  await assert.rejects(moveToNew(at('from'), at('to')), { code: 'EIO' });
  await assert.rejects(copyToNew(at('from'), at('to'), at('temporary')), { code: 'EIO' });
  assert.deepEqual(await names(), ['from']);
});
