// The folder becomes read-only while a document is open. Root can write despite permission bits, so the disk itself becomes
// read-only, in a mount namespace that only this host sees.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { fileInfo, header } from '../crash/host-client.ts';
import type { Access } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';
import { recoveredSaves, restoreRecovered } from './terminal.ts';

describe('a folder that becomes read-only while a document is open', () => {
  const original = makeContent('original', 100_000);
  const served = serveHost(({ folder }) => {
    writeFileSync(join(folder, 'a.docx'), original);
    return { ownMounts: true, before: `mount --bind '${folder}' '${folder}'` };
  });
  const { scratch, client, inFolder } = served;
  const edit = makeContent('edit', 200_000);
  let access: Access;

  const remount = (how: 'ro' | 'rw'): void => {
    served.host.runInside(['mount', '-o', `remount,bind,${how}`, scratch.folder]);
  };

  before(async () => {
    access = await served.edit('a.docx');
    remount('ro');
  });

  it('rejects the save with 500 and X-WOPI-ServerError, and keeps it as a recovered save', async () => {
    const { Version: version } = fileInfo(await client.checkFileInfo(access));
    const answer = await client.putFile(access, 'the lock', edit);
    assert.equal(answer.status, 500, answer.body.toString());
    assert.ok(header(answer, 'x-wopi-servererror').length > 0);
    assert.ok(!JSON.stringify(answer.headers).includes(scratch.folder));
    assert.ok(readFileSync(inFolder('a.docx')).equals(original));
    assert.deepEqual(readdirSync(scratch.folder), ['a.docx']);
    assert.equal(fileInfo(await client.checkFileInfo(access)).Version, version);
    const recovered = await recoveredSaves(scratch.dataDir);
    assert.deepEqual(
      recovered.map(({ path, size }) => ({ path, size })),
      [{ path: 'a.docx', size: edit.length }],
    );
  });

  it('rejects copies, renames and deletion with 500, and still reads and locks', async () => {
    const lock = { 'X-WOPI-Lock': 'the lock' };
    const copy = await client.operate(access, 'PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': '.docx' }, edit);
    assert.equal(copy.status, 500, copy.body.toString());
    const renamed = await client.operate(access, 'RENAME_FILE', { ...lock, 'X-WOPI-RequestedName': 'b' });
    assert.equal(renamed.status, 500, renamed.body.toString());
    assert.ok(header(renamed, 'x-wopi-servererror').length > 0);
    assert.ok((await client.getFile(access)).body.equals(original));
    assert.equal((await client.operate(access, 'REFRESH_LOCK', lock)).status, 200);
    assert.equal((await client.unlock(access, 'the lock')).status, 200);
    const deleted = await client.operate(access, 'DELETE');
    assert.equal(deleted.status, 500, deleted.body.toString());
    assert.equal((await client.openToEdit(access, 'the lock')).status, 200);
    assert.deepEqual(readdirSync(scratch.folder), ['a.docx']);
    assert.equal(fileInfo(await client.checkFileInfo(access)).BaseFileName, 'a.docx');
  });

  it('saves again when it’s writable, and restores the recovered save', async () => {
    remount('rw');
    const later = makeContent('later', 300_000);
    assert.equal((await client.putFile(access, 'the lock', later)).status, 200);
    assert.ok(readFileSync(inFolder('a.docx')).equals(later));
    const recovered = (await recoveredSaves(scratch.dataDir)).find(({ size }) => size === edit.length);
    assert.ok(recovered !== undefined);
    const path = await restoreRecovered(scratch.dataDir, recovered.id);
    assert.ok(readFileSync(inFolder(path)).equals(edit));
  });
});
