// A `link` that fails with their error codes simulates file systems without hard links.

import assert from 'node:assert/strict';
import syncFs from 'node:fs';
import fs, { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { moveWithoutOverwrite, renameOver, type NameInFolder } from '../../../app/files/move-file.ts';
import { replaceBuiltin } from '../../replace-builtin.ts';
import { temporaryFolder } from './files-fixture.ts';

async function openFolder(t: TestContext) {
  const folder = await temporaryFolder(t);
  const at = (name: string): string => join(folder, name);
  await writeFile(at('from'), 'content');
  return {
    at,
    named: (name: string): NameInFolder => ({ folder: { at, isRemote: false }, name }),
    names: async () => (await readdir(folder)).toSorted(),
    read: (name: string) => readFile(at(name), 'utf8'),
  };
}

/** Makes one function of node:fs fail with that code, for the rest of the test or that many times. */
function failCalls(t: TestContext, method: 'link' | 'rm' | 'rename', code: string, times = Infinity): void {
  const real = fs[method] as (...given: unknown[]) => Promise<unknown>;
  let calls = 0;
  const refuse = (...given: unknown[]): Promise<unknown> => {
    calls += 1;
    return calls > times ? real(...given) : Promise.reject(Object.assign(new Error(code), { code }));
  };
  replaceBuiltin(t, fs, method, refuse);
}

for (const [disk, code] of [
  ['with hard links', undefined],
  ['without hard links', 'EPERM'],
  ['that doesn’t implement hard links', 'ENOSYS'],
  ['where the file has the maximum number of hard links', 'EMLINK'],
] as const) {
  test(`moves a file to a free name on a disk ${disk}`, async (t) => {
    const { at, named, names, read } = await openFolder(t);
    const { ino } = await stat(at('from'));
    if (code !== undefined) failCalls(t, 'link', code);
    await moveWithoutOverwrite(named('from'), named('to'));
    assert.deepEqual(await names(), ['to']);
    assert.equal(await read('to'), 'content');
    assert.equal((await stat(at('to'))).ino, ino);
  });

  test(`doesn’t move a file over another on a disk ${disk}`, async (t) => {
    const { at, named, names, read } = await openFolder(t);
    await writeFile(at('to'), 'theirs');
    if (code !== undefined) failCalls(t, 'link', code);
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
  failCalls(t, 'rm', 'EBUSY', 1);
  await assert.rejects(moveWithoutOverwrite(named('from'), named('to')), { code: 'EBUSY' });
  assert.deepEqual(await names(), ['from']);
  assert.equal(await read('from'), 'content');
});

test('replaces a file as soon as another program no longer uses it', async (t) => {
  const { at, named, read } = await openFolder(t);
  await writeFile(at('to'), 'old');
  const { renameSync } = syncFs;
  let isUsed = true;
  replaceBuiltin(t, syncFs, 'renameSync', (from: string, to: string) => {
    // Only if the retries leave others a turn.
    setImmediate(() => (isUsed = false));
    if (isUsed) throw Object.assign(new Error('in use'), { code: 'EBUSY' });
    renameSync(from, to);
  });
  await renameOver(named('from'), named('to'));
  assert.equal(await read('to'), 'content');
});

test('without hard links, a failed move releases the new name', async (t) => {
  const { named, names } = await openFolder(t);
  failCalls(t, 'link', 'EPERM');
  failCalls(t, 'rename', 'EBUSY');
  await assert.rejects(moveWithoutOverwrite(named('from'), named('to')), { code: 'EBUSY' });
  assert.deepEqual(await names(), ['from']);
});

test('rejects with an error that isn’t about missing hard links', async (t) => {
  const { named, names } = await openFolder(t);
  failCalls(t, 'link', 'EIO');
  await assert.rejects(moveWithoutOverwrite(named('from'), named('to')), { code: 'EIO' });
  assert.deepEqual(await names(), ['from']);
});
