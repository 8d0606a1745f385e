// A folder of 10,000 files: any of them opens, and a client that pages through the list sees each one once.

import assert from 'node:assert/strict';
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { responseOf } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';

describe('a folder of 10,000 files', () => {
  const fileCount = 10_000;
  const nameOf = (index: number): string => `document ${String(index).padStart(5, '0')}.docx`;
  const names = Array.from({ length: fileCount }, (_, index) => nameOf(index));
  const served = serveHost(({ folder }) => {
    for (const name of names) writeFileSync(join(folder, name), name);
  });
  const { client, inFolder } = served;

  async function page(startIndex: number, count: number) {
    const query = { path: '', startIndex: String(startIndex), count: String(count) };
    const answer = await client.list(served.apiToken, query);
    assert.equal(answer.status, 200, answer.body.toString());
    const { items, total } = responseOf(answer) as { items: { name: string; id: string }[]; total: number };
    return { names: items.map(({ name }) => name), ids: items.map(({ id }) => id), total };
  }

  it('opens, locks, saves and reads the first, the last and one in the middle', async () => {
    for (const index of [0, fileCount - 1, fileCount / 2]) {
      const access = await served.access(nameOf(index));
      assert.equal((await client.getFile(access)).body.toString(), nameOf(index));
      assert.equal((await client.openToEdit(access, 'the lock')).status, 200);
      const bytes = makeContent(`saved ${index}`, 3_000);
      assert.equal((await client.putFile(access, 'the lock', bytes)).status, 200);
      assert.ok(readFileSync(inFolder(nameOf(index))).equals(bytes));
    }
  });

  it('is listed in pages, with each file once and the total on every page', async () => {
    const seen: string[] = [];
    while (seen.length < fileCount) {
      const { names: some, total } = await page(seen.length, 1_000);
      assert.equal(total, fileCount);
      assert.ok(some.length > 0, `no file at ${seen.length}`);
      seen.push(...some);
    }
    assert.equal(seen.length, fileCount);
    assert.deepEqual(seen, names, 'in the order of their names');
    assert.deepEqual((await page(fileCount, 10)).names, []);
    assert.deepEqual((await page(fileCount - 3, 10)).names, names.slice(-3));
  });

  it('returns the same ids for a page again and for its files when they are opened', async () => {
    const { ids, names: some } = await page(4_000, 20);
    assert.equal(new Set(ids).size, 20);
    assert.deepEqual((await page(4_000, 20)).ids, ids);
    assert.equal((await served.access(String(some[7]))).fileId, ids[7]);
  });

  it('shows what other programs add and delete immediately', async () => {
    writeFileSync(inFolder('a new one.docx'), 'new');
    unlinkSync(inFolder(nameOf(3)));
    const { names: some, total } = await page(0, 5);
    assert.equal(total, fileCount);
    assert.deepEqual(some, ['a new one.docx', nameOf(0), nameOf(1), nameOf(2), nameOf(4)]);
  });
});
