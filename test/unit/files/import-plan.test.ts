import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  assertSource,
  maxImportDepth,
  planImport,
  type PlannedFolder,
} from '../../../app/files/import-plan.ts';
import { refused, temporaryFolder } from './files-fixture.ts';

async function openPlace(t: TestContext, files: Record<string, string> = {}) {
  const root = await temporaryFolder(t);
  const at = (path: string): string => join(root, path);
  for (const path of ['hosted', 'data', 'from']) await mkdir(at(path));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  }
  const controller = new AbortController();
  const deps = { hostedFolder: at('hosted'), dataDir: at('data'), signal: controller.signal };
  return { at, controller, plan: (...sources: string[]) => planImport(sources.map(at), deps) };
}

const shape = ({ name, files, folders }: PlannedFolder): unknown => [
  name,
  files.map((file) => [file.name, file.size]),
  folders.map(shape),
];

test('counts all files, and a source that is given twice only once', async (t) => {
  const { plan, at } = await openPlace(t, {
    'from/a.txt': '1',
    'from/dir/b.txt': '22',
    'from/dir/in/c.txt': '333',
  });
  const planned = await plan('from/a.txt', 'from/dir', 'from/a.txt');
  assert.deepEqual([planned.fileCount, planned.bytes, planned.leftOut, planned.refused], [3, 6, 0, []]);
  assert.deepEqual(planned.files, [{ absolute: at('from/a.txt'), name: 'a.txt', size: 1 }]);
  assert.deepEqual(planned.folders.map(shape), [['dir', [['b.txt', 2]], [['in', [['c.txt', 3]], []]]]]);
});

test('follows a link in the path of a source, and rejects a link as the source', async (t) => {
  const { plan, at } = await openPlace(t, { 'from/a.txt': '1', 'data/secret': 's', 'hosted/h.txt': 'h' });
  await symlink(at('from'), at('way'));
  await symlink(at('data'), at('to-data'));
  await symlink(at('from/a.txt'), at('link.txt'));
  const planned = await plan(
    'way/a.txt',
    'to-data/secret',
    'link.txt',
    'data',
    'hosted',
    'hosted/h.txt',
    'gone',
  );
  assert.deepEqual(
    planned.files.map(({ absolute }) => absolute),
    [at('from/a.txt')],
  );
  assert.deepEqual(planned.refused, [
    { name: 'secret', sentence: 'It belongs to DocTray’s own data.' },
    { name: 'link.txt', sentence: 'Links aren’t imported.' },
    { name: 'data', sentence: 'It belongs to DocTray’s own data.' },
    { name: 'hosted', sentence: 'It is the hosted folder, is inside it, or contains it.' },
    { name: 'h.txt', sentence: 'It is the hosted folder, is inside it, or contains it.' },
    { name: 'gone', sentence: 'It doesn’t exist.' },
  ]);
});

test('rejects folders that are nested too deep', async (t) => {
  const { plan, at } = await openPlace(t);
  await mkdir(at(`from/${'d/'.repeat(maxImportDepth)}`), { recursive: true });
  assert.equal((await plan('from/d')).folders.length, 1);
  await mkdir(at(`from/${'d/'.repeat(maxImportDepth + 1)}`), { recursive: true });
  await assert.rejects(plan('from/d'), refused('import-failed'));
});

test('accepts only absolute paths as sources, and rejects a whole disk', () => {
  assertSource(join(import.meta.dirname, 'a.txt'));
  for (const source of ['a.txt', '', '../a', '/', '/a\0b']) {
    assert.throws(() => assertSource(source), refused('invalid-argument'), JSON.stringify(source));
  }
});

test('an aborted plan rejects with the reason', async (t) => {
  const { plan, controller } = await openPlace(t, { 'from/a.txt': '1' });
  const reason = new Error('enough');
  controller.abort(reason);
  await assert.rejects(plan('from/a.txt'), reason);
});
