// Documents that a desktop program has open, as shown by its lock file.

import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startTestHost } from './test-host.ts';

/** From another computer, so the host can't check whether its program still runs and must honor it. */
const lockFile = ',ada,other-machine,21.11.2026 06:00,file:///home/ada/profile;';

async function openIn(t: TestContext, desktopLocks: 'block' | 'ignore') {
  const host = await startTestHost({
    files: { 'other.docx': 'other' },
    settings: { desktopLocks },
  });
  t.after(() => host.stop());
  const other = await host.access('other.docx');
  // A session can only overwrite documents that it created.
  const overwrite = (body = 'new') =>
    host.wopi({
      fileId: other.fileId,
      token: other.accessToken,
      override: 'PUT_RELATIVE',
      headers: { 'X-WOPI-RelativeTarget': 'held.docx', 'X-WOPI-OverwriteRelativeTarget': 'True' },
      body,
    });
  assert.equal((await overwrite('held')).status, 200);
  await writeFile(join(host.folder, '.~lock.held.docx#'), lockFile);
  const held = await host.access('held.docx');
  const onHeld = (override: string, headers: Record<string, string> = {}) =>
    host.wopi({ fileId: held.fileId, token: held.accessToken, override, headers });
  return { host, onHeld, overwrite };
}

test('rejects locking, renaming, deleting and overwriting the document, and names the program', async (t) => {
  const { host, onHeld, overwrite } = await openIn(t, 'block');
  for (const answer of [
    await onHeld('LOCK', { 'X-WOPI-Lock': 'L' }),
    await onHeld('RENAME_FILE', { 'X-WOPI-RequestedName': 'renamed' }),
    await onHeld('DELETE'),
    await overwrite(),
  ]) {
    assert.equal(answer.status, 409);
    assert.match(answer.headers.get('X-WOPI-Lock') ?? '', /^desktop:/);
    assert.match(answer.headers.get('X-WOPI-LockFailureReason') ?? '', /LibreOffice by ada/);
  }
  assert.equal(await readFile(join(host.folder, 'held.docx'), 'utf8'), 'held');
});

test('allows all of that once the lock file is removed, or if desktopLocks is ignore', async (t) => {
  const blocking = await openIn(t, 'block');
  await rm(join(blocking.host.folder, '.~lock.held.docx#'));
  assert.equal((await blocking.onHeld('LOCK', { 'X-WOPI-Lock': 'L' })).status, 200);
  const ignoring = await openIn(t, 'ignore');
  assert.equal((await ignoring.overwrite()).status, 200);
  assert.equal((await ignoring.onHeld('RENAME_FILE', { 'X-WOPI-RequestedName': 'renamed' })).status, 200);
});

test('an editor that locked the document first can still rename it', async (t) => {
  const { host, onHeld } = await openIn(t, 'block');
  await rm(join(host.folder, '.~lock.held.docx#'));
  await onHeld('LOCK', { 'X-WOPI-Lock': 'L' });
  await writeFile(join(host.folder, '.~lock.held.docx#'), lockFile);
  const headers = { 'X-WOPI-Lock': 'L', 'X-WOPI-RequestedName': 'renamed' };
  assert.equal((await onHeld('RENAME_FILE', headers)).status, 200);
});
