// Documents that a desktop program has open, as shown by its lock file.

import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startTestHost } from './test-host.ts';

/** From another computer, so the host can't check whether its program still runs and must honor it. */
const foreignLock = ',ada,other-machine,21.11.2026 06:00,file:///home/ada/profile;';

async function openIn(t: TestContext, desktopLocks: 'block' | 'warn' | 'ignore') {
  const host = await startTestHost({ files: { 'other.docx': 'other' }, settings: { desktopLocks } }, t);
  const other = await host.document('other.docx');
  const target = { 'X-WOPI-RelativeTarget': 'held.docx', 'X-WOPI-OverwriteRelativeTarget': 'True' };
  // A session can only overwrite documents that it created.
  const overwrite = (body = 'new') => other.copy(body, target);
  assert.equal((await overwrite('held')).status, 200);
  const lockFile = join(host.folder, '.~lock.held.docx#');
  const held = await host.document('held.docx');
  const program = {
    open: () => writeFile(lockFile, foreignLock),
    close: () => rm(lockFile),
  };
  await program.open();
  const rename = (headers = {}) =>
    held.call('RENAME_FILE', { 'X-WOPI-RequestedName': 'renamed', ...headers });
  return { host, held, overwrite, program, rename };
}

test('rejects locking, renaming, deleting and overwriting the document, and names the program', async (t) => {
  const { host, held, overwrite, rename } = await openIn(t, 'block');
  for (const answer of [await held.lock(), await rename(), await held.call('DELETE'), await overwrite()]) {
    assert.equal(answer.status, 409);
    assert.match(answer.headers.get('X-WOPI-Lock') ?? '', /^desktop:/);
    assert.match(answer.headers.get('X-WOPI-LockFailureReason') ?? '', /LibreOffice by ada/);
  }
  assert.equal(await readFile(join(host.folder, 'held.docx'), 'utf8'), 'held');
});

test('an editor that could lock it, because the program had closed it, can rename and save it after the program opens it again', async (t) => {
  const { held, program, rename } = await openIn(t, 'block');
  await program.close();
  assert.equal((await held.lock()).status, 200);
  await program.open();
  for (const answer of [
    await held.refresh(),
    await held.save('edited'),
    await rename({ 'X-WOPI-Lock': 'L' }),
  ])
    assert.equal(answer.status, 200);
});

for (const setting of ['ignore', 'warn'] as const)
  test(`allows all of that if desktopLocks is ${setting}`, async (t) => {
    const { held, overwrite, rename } = await openIn(t, setting);
    for (const call of [overwrite, held.lock, held.unlock, rename]) assert.equal((await call()).status, 200);
  });

test('a program that opened a document in a subfolder counts', async (t) => {
  const host = await startTestHost(
    { files: { 'a/b/held.docx': 'held' }, settings: { desktopLocks: 'block' } },
    t,
  );
  const held = await host.document('a/b/held.docx');
  assert.equal((await held.lock()).status, 200);
  assert.equal((await held.unlock()).status, 200);
  await writeFile(join(host.folder, 'a/b/.~lock.held.docx#'), foreignLock);
  assert.equal((await held.lock()).status, 409);
});
