// The folder's disk is full: the document doesn't change, the editor gets an error, and the save is kept where there is still room.
// If there is none, the editor gets an error and nothing is left behind.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { fileInfo, header } from '../crash/host-client.ts';
import type { Access, Answer } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';
import { eventually } from './eventually.ts';
import { recoveredSaves, restoreRecovered } from './terminal.ts';

const mebibyte = 1024 * 1024;

function assertDiskError(answer: Answer, ...secrets: string[]): void {
  const summary = `${answer.status} ${JSON.stringify(answer.headers)} ${answer.body.toString()}`;
  assert.equal(answer.status, 500, summary);
  const reason = header(answer, 'x-wopi-servererror');
  assert.ok(reason.length > 0 && reason.length < 200, summary);
  for (const secret of secrets) assert.ok(!summary.includes(secret), summary);
}

describe('a full disk of the folder, with the data folder on another disk', () => {
  const served = serveHost(({ folder }) => ({
    ownMounts: true,
    before: `mount -t tmpfs -o size=16m tmpfs '${folder}'`,
  }));
  const { scratch, client } = served;
  const original = makeContent('original', mebibyte);
  const filler = 'filler.bin';
  const inFolder = (path: string): string => served.host.inside(served.inFolder(path));
  let access: Access;
  let version: string;

  before(async () => {
    writeFileSync(inFolder('a.docx'), original);
    writeFileSync(inFolder(filler), Buffer.alloc(12 * mebibyte, 1));
    access = await served.edit('a.docx');
    version = fileInfo(await client.checkFileInfo(access)).Version;
  });

  async function assertUntouched(): Promise<void> {
    await eventually('only the two files are in the folder', () => {
      assert.deepEqual(readdirSync(inFolder('')).toSorted(), ['a.docx', filler]);
    });
    assert.ok(readFileSync(inFolder('a.docx')).equals(original));
    assert.equal(fileInfo(await client.checkFileInfo(access)).Version, version);
    assert.equal(await client.lockId(access), 'the lock');
  }

  const large = makeContent('too large for the disk', 7 * mebibyte);

  it('is a 500 with X-WOPI-ServerError, and the document doesn’t change', async () => {
    assertDiskError(await client.putFile(access, 'the lock', large), scratch.folder, scratch.dataDir);
    await assertUntouched();
  });

  it('keeps the save once, also after a second attempt', async () => {
    assertDiskError(await client.putFile(access, 'the lock', large));
    const recovered = await recoveredSaves(scratch.dataDir);
    assert.deepEqual(
      recovered.map(({ path, size, fileId }) => ({ path, size, fileId })),
      [{ path: 'a.docx', size: large.length, fileId: access.fileId }],
    );
    assert.match(recovered[0]?.reason ?? '', /full/i);
    await assertUntouched();
  });

  it('creates no copy', async () => {
    const headers = { 'X-WOPI-SuggestedTarget': 'copy.docx' };
    const answer = await client.operate(access, 'PUT_RELATIVE', headers, large);
    assertDiskError(answer, scratch.folder);
    await assertUntouched();
  });

  it('accepts what still fits, and restores the recovered save when there is room', async () => {
    const fits = makeContent('fits', mebibyte);
    const saved = await client.putFile(access, 'the lock', fits);
    assert.equal(saved.status, 200, saved.body.toString());
    assert.ok(readFileSync(inFolder('a.docx')).equals(fits));

    served.host.runInside(['truncate', '-s', '0', join(scratch.folder, filler)]);
    const recovered = await recoveredSaves(scratch.dataDir);
    const own = recovered.find(({ fileId }) => fileId === access.fileId);
    assert.ok(own !== undefined);
    const path = await restoreRecovered(scratch.dataDir, own.id);
    assert.ok(readFileSync(inFolder(path)).equals(large), 'every byte is restored');
    assert.ok(!(await recoveredSaves(scratch.dataDir)).some(({ id }) => id === own.id));
    assert.ok(readFileSync(inFolder('a.docx')).equals(fits), 'the document itself doesn’t change');

    const again = await client.putFile(access, 'the lock', large);
    assert.equal(again.status, 200, again.body.toString());
  });
});

describe('a data folder on a separate, almost full disk, where versions are copies', () => {
  const served = serveHost(({ dataDir }) => ({
    ownMounts: true,
    before: `mount -t tmpfs -o size=16m tmpfs '${dataDir}'`,
  }));
  const { scratch, client, inFolder } = served;
  let access: Access;

  before(async () => {
    writeFileSync(inFolder('a.docx'), present);
    access = await served.edit('a.docx');
  });

  let present = makeContent('as it was', 4 * mebibyte);

  const save = (content: Buffer): Promise<Answer> => client.putFile(access, 'the lock', content);
  const versions = (): Buffer[] => {
    const folder = served.host.inside(join(scratch.dataDir, 'versions', access.fileId));
    return readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  };

  it('accepts every save, which replaces the oldest version with the previous content', async () => {
    for (let number = 1; number <= 8; number += 1) {
      const [former, next] = [present, makeContent(`save ${number}`, 4 * mebibyte)];
      present = next;
      const saved = await save(next);
      assert.equal(saved.status, 200, `save ${number}: ${JSON.stringify(saved.headers)}`);
      const [kept, ...older] = versions();
      assert.ok(kept?.equals(former));
      assert.deepEqual(older, []);
    }
  });

  it('creates no copy, and says what to do', async () => {
    const headers = { 'X-WOPI-SuggestedTarget': 'copy.docx' };
    const refused = await client.operate(access, 'PUT_RELATIVE', headers, makeContent('copy', 1000));
    assertDiskError(refused, scratch.folder, scratch.dataDir);
    assert.match(header(refused, 'x-wopi-servererror'), /almost full.*Free some space/);
    assert.deepEqual(readdirSync(scratch.folder), ['a.docx']);
  });

  it('rejects a save if it can’t keep the content that would be replaced', async () => {
    const large = makeContent('larger than the disk of the versions', 17 * mebibyte);
    assert.equal((await save(large)).status, 200);
    assertDiskError(await save(makeContent('one more', mebibyte)), scratch.folder, scratch.dataDir);
    assert.ok(readFileSync(inFolder('a.docx')).equals(large));
    const [kept, ...others] = versions();
    assert.ok(kept?.equals(present), 'no version is removed without need');
    assert.deepEqual(others, []);
  });
});

describe('a process that can’t write files larger than 2 MiB', () => {
  const original = makeContent('original', 100_000);
  const served = serveHost(({ folder }) => {
    writeFileSync(join(folder, 'a.docx'), original);
    // In units of 1024 bytes.
    return { before: 'ulimit -f 2048' };
  });
  const { scratch, client } = served;
  let access: Access;

  before(async () => {
    access = await served.edit('a.docx');
  });

  it('reports an error, changes nothing and leaves nothing in the folder or the data folder', async () => {
    const { Version: version } = fileInfo(await client.checkFileInfo(access));
    const large = makeContent('too large', 5 * mebibyte);
    const headers = { 'X-WOPI-SuggestedTarget': 'copy.docx' };
    for (let attempt = 0; attempt < 3; attempt += 1) {
      assertDiskError(await client.putFile(access, 'the lock', large), scratch.folder, scratch.dataDir);
      assertDiskError(await client.operate(access, 'PUT_RELATIVE', headers, large), scratch.folder);
    }
    await eventually('only the document is in the folder', () => {
      assert.deepEqual(readdirSync(scratch.folder), ['a.docx']);
    });
    await eventually('no part of a body is in the data folder', () => {
      const large = filesOver(scratch.dataDir, mebibyte);
      assert.deepEqual(large, []);
    });
    assert.deepEqual(await recoveredSaves(scratch.dataDir), []);
    assert.ok(readFileSync(join(scratch.folder, 'a.docx')).equals(original));
    assert.equal(fileInfo(await client.checkFileInfo(access)).Version, version);
  });

  it('still saves what is small enough', async () => {
    const small = makeContent('small', 1_500_000);
    assert.equal((await client.putFile(access, 'the lock', small)).status, 200);
    assert.ok(readFileSync(join(scratch.folder, 'a.docx')).equals(small));
  });
});

function filesOver(folder: string, bytes: number): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > bytes)
    .map((entry) => entry.name);
}
