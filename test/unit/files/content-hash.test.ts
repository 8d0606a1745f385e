import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashFile } from '../../../app/files/content-hash.ts';
import { temporaryFolder } from './files-fixture.ts';

const piece = 1024 * 1024;

for (const bytes of [0, 1, piece - 1, piece, piece + 1, 2 * piece + 7]) {
  test(`The hash of ${bytes} bytes is SHA-256 over all of them`, async (t) => {
    const path = join(await temporaryFolder(t), 'a');
    const content = randomBytes(bytes);
    await writeFile(path, content);
    assert.deepEqual(await hashFile(path), createHash('sha256').update(content).digest());
  });
}

test('Hashing ends with the reason of its signal and leaves no file open', async (t) => {
  const path = join(await temporaryFolder(t), 'a');
  await writeFile(path, randomBytes(3 * piece));
  const ending = new AbortController();
  const reason = new Error('closing');
  const hashing = hashFile(path, ending.signal);
  ending.abort(reason);
  await assert.rejects(hashing, reason);
  if (process.platform !== 'linux') return;
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  assert.equal(targets.includes(path), false);
});

test('A file that is missing is the system’s error', async (t) => {
  await assert.rejects(hashFile(join(await temporaryFolder(t), 'missing')), { code: 'ENOENT' });
});
