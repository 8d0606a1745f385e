// The hosted folder disappears while a document is open, like an unplugged drive, and reappears. In between, everything is an error,
// and nothing counts as deleted.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { fileInfo, header } from '../crash/host-client.ts';
import type { Access } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';
import { recoveredSaves, restoreRecovered } from './terminal.ts';

describe('a hosted folder that disappears', () => {
  const original = makeContent('original', 30_000);
  const served = serveHost(({ folder }) => {
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'sub', 'a.docx'), original);
  });
  const { scratch, client, inFolder } = served;
  const away = `${scratch.folder} away`;
  const mine = makeContent('saved while it was away', 40_000);
  let access: Access;
  let version: string;

  before(async () => {
    access = await served.edit('sub/a.docx');
    version = fileInfo(await client.checkFileInfo(access)).Version;
  });

  async function assertAllErrors(): Promise<void> {
    const answers = [
      await client.checkFileInfo(access),
      await client.getFile(access),
      await client.operate(access, 'RENAME_FILE', { 'X-WOPI-Lock': 'the lock', 'X-WOPI-RequestedName': 'b' }),
      await client.operate(access, 'PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': 'copy.docx' }, 'copy'),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 500, `${answer.status} ${answer.body.toString()}`);
      assert.ok(header(answer, 'x-wopi-servererror').length > 0);
      assert.ok(!JSON.stringify(answer.headers).includes(scratch.folder));
    }
    for (const answer of [
      await client.list(served.apiToken, { path: '' }),
      await client.post('/api/2.0/files/access', { path: 'sub/a.docx', mode: 'edit' }, served.apiToken),
    ]) {
      assert.equal(answer.status, 500, answer.body.toString());
      assert.ok(!answer.body.toString().includes(scratch.folder));
    }
  }

  async function assertAllRestored(): Promise<void> {
    const info = fileInfo(await client.checkFileInfo(access));
    assert.equal(info.Version, version, 'the item version is the one from before');
    assert.ok((await client.getFile(access)).body.equals(original));
    assert.equal(await client.lockId(access), 'the lock', 'the lock was kept');
    assert.equal((await served.access('sub/a.docx')).fileId, access.fileId, 'the id was kept');
  }

  it('is an error, not a deletion, and its save is recovered', async () => {
    renameSync(scratch.folder, away);
    await assertAllErrors();
    const answer = await client.putFile(access, 'the lock', mine);
    assert.equal(answer.status, 500, answer.body.toString());
    assert.ok(header(answer, 'x-wopi-servererror').length > 0);
    assert.deepEqual(
      (await recoveredSaves(scratch.dataDir)).map(({ size }) => size),
      [mine.length, 'copy'.length],
      'the copy is, too',
    );
    assert.ok(!existsSync(scratch.folder), 'the folder isn’t recreated');
    renameSync(away, scratch.folder);
    await assertAllRestored();
  });

  it('is also an error if an empty mount point is in its place', async () => {
    renameSync(scratch.folder, away);
    mkdirSync(scratch.folder);
    try {
      const answer = await client.putFile(access, 'the lock', makeContent('into the void', 20_000));
      assert.equal(answer.status, 500, answer.body.toString());
      await assertAllErrors();
      assert.deepEqual(readdirSync(scratch.folder), [], 'nothing is written to the empty folder');
    } finally {
      rmSync(scratch.folder, { recursive: true });
      renameSync(away, scratch.folder);
    }
    await assertAllRestored();
  });

  it('accepts saves again when it reappears, and restores the recovered one', async () => {
    const later = makeContent('later', 30_000);
    assert.equal((await client.putFile(access, 'the lock', later)).status, 200);
    assert.ok(readFileSync(inFolder('sub', 'a.docx')).equals(later));
    const recovered = (await recoveredSaves(scratch.dataDir)).find(({ size }) => size === mine.length);
    assert.ok(recovered !== undefined);
    const path = await restoreRecovered(scratch.dataDir, recovered.id);
    assert.ok(readFileSync(inFolder(path)).equals(mine));
  });

  it('keeps a host from starting, with an error, and nothing is lost', async () => {
    await served.host.stop();
    renameSync(scratch.folder, away);
    await assert.rejects(served.start(), /folder/i);
    assert.ok(!existsSync(scratch.folder), 'the folder isn’t recreated');
    renameSync(away, scratch.folder);
    await served.start();
    assert.equal(await client.lockId(access), 'the lock');
    assert.equal(fileInfo(await client.checkFileInfo(access)).BaseFileName, 'a.docx');
  });
});
