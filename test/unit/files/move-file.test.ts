// File systems without links are played by a `link` that fails as theirs does.

import assert from 'node:assert/strict';
import fs, { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { moveWithoutOverwrite, type NamedIn } from '../../../app/files/move-file.ts';
import { temporaryFolder } from './files-fixture.ts';

async function openFolder(t: TestContext) {
  const folder = await temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  await writeFile(at('from'), 'content');
  return {
    at,
    named: (name: string): NamedIn => ({ folder: { at, isRemote: false }, name }),
    names: async () => (await readdir(folder)).toSorted(),
    read: (name: string) => readFile(at(name), 'utf8'),
  };
}

/** Lets one function of the file system fail with that code for the rest of the test. */
function failing(t: TestContext, method: 'link' | 'rm' | 'rename', code: string, times = Infinity): void {
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
    const { at, named, names, read } = await openFolder(t);
    const { ino } = await stat(at('from'));
    if (code !== undefined) failing(t, 'link', code);
    await moveWithoutOverwrite(named('from'), named('to'));
    assert.deepEqual(await names(), ['to']);
    assert.equal(await read('to'), 'content');
    assert.equal((await stat(at('to'))).ino, ino);
  });

  test(`On a disk ${disk} a file never moves over another`, async (t) => {
    const { at, named, names, read } = await openFolder(t);
    await writeFile(at('to'), 'theirs');
    if (code !== undefined) failing(t, 'link', code);
    await assert.rejects(moveWithoutOverwrite(named('from'), named('to')), { code: 'EEXIST' });
    assert.deepEqual(await names(), ['from', 'to']);
    assert.deepEqual([await read('from'), await read('to')], ['content', 'theirs']);
  });
}

test('leaves the file only under its old name if a move fails', async (t) => {
  const { named, names, read } = await openFolder(t);
  await assert.rejects(moveWithoutOverwrite(named('missing'), named('to')), { code: 'ENOENT' });
  assert.deepEqual(await names(), ['from']);
  // Held by another program, as on Windows.
  failing(t, 'rm', 'EBUSY', 1);
  await assert.rejects(moveWithoutOverwrite(named('from'), named('to')), { code: 'EBUSY' });
  assert.deepEqual(await names(), ['from']);
  assert.equal(await read('from'), 'content');
});

test('Without links, a move that fails gives the name back', async (t) => {
  const { named, names } = await openFolder(t);
  failing(t, 'link', 'EPERM');
  failing(t, 'rename', 'EBUSY');
  await assert.rejects(moveWithoutOverwrite(named('from'), named('to')), { code: 'EBUSY' });
  assert.deepEqual(await names(), ['from']);
});

test('An error that speaks of no missing links is not worked around', async (t) => {
  const { named, names } = await openFolder(t);
  failing(t, 'link', 'EIO');
  await assert.rejects(moveWithoutOverwrite(named('from'), named('to')), { code: 'EIO' });
  assert.deepEqual(await names(), ['from']);
});
