import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { test } from 'node:test';
import { findVisible, isHiddenName, isHiddenPath } from '../../../app/files/visible.ts';
import { openRoom } from './files-fixture.ts';

test('hides names with a leading dot or ~$, system folders, and everything below them', () => {
  for (const name of [
    '.git',
    '.~lock.a.docx#',
    '~$a.docx',
    '.',
    '$RECYCLE.BIN',
    'System Volume Information',
  ]) {
    assert.equal(isHiddenName(name), true, name);
  }
  for (const name of ['a.txt', 'a.~$', '~a', '$a', ' .a', 'RECYCLE.BIN']) {
    assert.equal(isHiddenName(name), false, name);
  }
  for (const path of ['.git/a.txt', 'sub/.a', 'sub/~$x/a', '$Recycle.Bin/S-1/a']) {
    assert.equal(isHiddenPath(path), true, path);
  }
  for (const path of ['', 'sub/a.txt', 'a.b/c.d']) assert.equal(isHiddenPath(path), false, path);
});

test('finds documents, folders and links to them inside the folder, and nothing else', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'a', '.git/config': 'c' } });
  await symlink('sub', room.at('alias'));
  await symlink('.git/config', room.at('config.txt'));
  await symlink(room.dataDir, room.at('out'));
  execFileSync('mkfifo', [room.at('pipe')]);
  const found = async (path: string) => (await findVisible(room.jail, path))?.path;
  assert.deepEqual(await Promise.all(['', 'sub', 'sub/a.txt', 'alias/a.txt'].map(found)), [
    '',
    'sub',
    'sub/a.txt',
    'sub/a.txt',
  ]);
  for (const path of ['.git/config', 'config.txt', 'out', 'pipe', 'missing']) {
    assert.equal(await found(path), undefined, path);
  }
  assert.equal(await findVisible(room.jail, 'alias', 'stat'), undefined, 'a link isn’t a real path');
});
