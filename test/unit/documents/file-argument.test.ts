import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findPath, targetFolder } from '../../../app/documents/file-argument.ts';
import { openRoom } from '../files/files-fixture.ts';

test('a file that is typed is a path from where the terminal is, or an id; a folder that isn’t typed is where the terminal is', async (t) => {
  const room = await openRoom(t, { files: { 'sub/a.txt': 'a', 'b.txt': 'b' } });
  const services = { folders: { require: () => ({ folder: room.folder }) } } as unknown as Parameters<
    typeof findPath
  >[0];
  const root = room.folder.root;
  const sub = join(root, 'sub');
  const { row } = await room.open('b.txt');
  for (const [path, cwd, found] of [
    ['sub/b.txt', undefined, 'sub/b.txt'],
    ['a.txt', sub, 'sub/a.txt'],
    ['../b.txt', sub, 'b.txt'],
    [join(sub, 'a.txt'), tmpdir(), 'sub/a.txt'],
    [row.id, root, 'b.txt'],
    ['.', root, 'path-invalid'],
    [import.meta.filename, root, 'path-invalid'],
    ['nothing.txt', root, 'file-missing'],
  ] as const)
    assert.equal(await findPath(services, { path, cwd }).catch(({ code }) => String(code)), found, path);
  for (const [folderPath, cwd, found] of [
    ['other', undefined, 'other'],
    ['', sub, 'sub'],
    ['', tmpdir(), ''],
    ['sub', root, 'sub'],
    ['..', sub, ''],
    ['b.txt', root, 'folder-unknown'],
    ['nothing', root, 'folder-unknown'],
  ] as const)
    assert.equal(
      await targetFolder(services, { folderPath, cwd }).catch(({ code }) => String(code)),
      found,
      folderPath,
    );
});
