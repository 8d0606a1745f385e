// Headers that describe the body of a save.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startTestHost } from './test-host.ts';

async function locked(t: TestContext) {
  const host = await startTestHost({ files: { 'a.txt': 'old' } });
  t.after(() => host.stop());
  const { fileId, accessToken: token } = await host.access('a.txt');
  const lock = { 'X-WOPI-Lock': 'L' };
  await host.wopi({ fileId, token, override: 'LOCK', headers: lock });
  const save = (body: string | Buffer, headers: Record<string, string>) =>
    host.wopi({ fileId, token, contents: true, override: 'PUT', headers: { ...lock, ...headers }, body });
  const content = (): Promise<string> => readFile(join(host.folder, 'a.txt'), 'utf8');
  return { host, save, content };
}

test('answers 415 to a compressed body', async (t) => {
  const { save, content } = await locked(t);
  assert.equal((await save(gzipSync('new'), { 'Content-Encoding': 'gzip' })).status, 415);
  assert.equal(await content(), 'old');
  assert.equal((await save('new', { 'Content-Encoding': 'identity' })).status, 200);
  assert.equal(await content(), 'new');
});

test('answers 400 to a wrong X-WOPI-Size and changes nothing; saves with the right one', async (t) => {
  const { host, save, content } = await locked(t);
  for (const size of ['9', '2', 'abc', '-3']) {
    assert.equal((await save('new', { 'X-WOPI-Size': size })).status, 400, size);
  }
  assert.equal(await content(), 'old');
  assert.deepEqual(await readdir(host.folder), ['a.txt']);
  assert.equal((await save('new', { 'X-WOPI-Size': '3' })).status, 200);
  assert.equal(await content(), 'new');
});
