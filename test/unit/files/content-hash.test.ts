import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashFd } from '../../../app/files/content-hash.ts';
import { temporaryFolder } from './files-fixture.ts';

const piece = 1024 * 1024;

for (const bytes of [0, 1, piece - 1, piece, piece + 1, 2 * piece + 7]) {
  test(`hashes ${bytes} bytes with SHA-256`, async (t) => {
    const path = join(await temporaryFolder(t), 'a');
    const content = randomBytes(bytes);
    await writeFile(path, content);
    const file = await open(path);
    t.after(() => file.close());
    assert.deepEqual(await hashFd(file.fd), createHash('sha256').update(content).digest());
  });
}

test('stops with the reason of the aborted signal', async (t) => {
  const path = join(await temporaryFolder(t), 'a');
  await writeFile(path, randomBytes(3 * piece));
  const file = await open(path);
  t.after(() => file.close());
  const controller = new AbortController();
  const reason = new Error('closing');
  const hashing = hashFd(file.fd, controller.signal);
  controller.abort(reason);
  await assert.rejects(hashing, reason);
});
