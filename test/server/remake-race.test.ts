// A save and another program recreate a deleted document at the same time. Both contents are kept.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestHost } from './test-host.ts';

test('a document that another program recreates during a save becomes a conflict copy', async (t) => {
  const host = await startTestHost({ files: { 'a.docx': 'first' } });
  t.after(() => host.stop());
  const { fileId, accessToken: token } = await host.access('a.docx');
  const headers = { 'X-WOPI-Lock': 'the lock' };
  assert.equal((await host.wopi({ fileId, token, override: 'LOCK', headers })).status, 200);
  assert.equal((await host.wopi({ fileId, token, contents: true })).status, 200);
  const path = join(host.folder, 'a.docx');
  rmSync(path);

  // Between the last check, which finds no document, and the creation by the save.
  const { folder } = host.host.services.folders.require();
  const findHeld = folder.findHeld.bind(folder);
  let isCreated = false;
  folder.findHeld = async (id) => {
    const seen = await findHeld(id);
    if (seen === undefined && !isCreated) {
      isCreated = true;
      writeFileSync(path, 'by another program');
    }
    return seen;
  };

  const saved = await host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body: 'mine' });
  assert.ok(isCreated);
  assert.equal(saved.status, 200, `${saved.status} ${saved.headers.get('x-wopi-servererror') ?? ''}`);
  assert.equal(readFileSync(path, 'utf8'), 'mine');
  const [copy, ...more] = readdirSync(host.folder).filter((name) => name !== 'a.docx');
  assert.deepEqual(more, []);
  assert.match(copy ?? '', /^a \(conflict .+\)\.docx$/);
  assert.equal(readFileSync(join(host.folder, copy ?? ''), 'utf8'), 'by another program');
  assert.deepEqual(host.host.services.recoveredSaves.list(), []);
  const again = await host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body: 'again' });
  assert.equal(again.status, 200);
  assert.equal(readdirSync(host.folder).length, 2, 'the next save creates no conflict copy');
});
