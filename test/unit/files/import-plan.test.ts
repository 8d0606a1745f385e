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
  const ending = new AbortController();
  const deps = { hostedFolder: at('hosted'), dataDir: at('data'), signal: ending.signal };
  return { at, ending, plan: (...sources: string[]) => planImport(sources.map(at), deps) };
}

const shape = ({ name, files, folders }: PlannedFolder): unknown => [
  name,
  files.map((file) => [file.name, file.size]),
  folders.map(shape),
];

test('Everything is counted before anything is copied, a source that is given twice once', async (t) => {
  const { plan, at } = await openPlace(t, {
    'from/a.txt': '1',
    'from/dir/b.txt': '22',
    'from/dir/in/c.txt': '333',
  });
  const made = await plan('from/a.txt', 'from/dir', 'from/a.txt');
  assert.deepEqual([made.fileCount, made.bytes, made.leftOut, made.refused], [3, 6, 0, []]);
  assert.deepEqual(made.files, [{ absolute: at('from/a.txt'), name: 'a.txt', size: 1 }]);
  assert.deepEqual(made.folders.map(shape), [['dir', [['b.txt', 2]], [['in', [['c.txt', 3]], []]]]]);
});

test('follows a link in the path of a source, and rejects a link as the source', async (t) => {
  const { plan, at } = await openPlace(t, { 'from/a.txt': '1', 'data/secret': 's', 'hosted/h.txt': 'h' });
  await symlink(at('from'), at('way'));
  await symlink(at('data'), at('to-data'));
  await symlink(at('from/a.txt'), at('link.txt'));
  const made = await plan(
    'way/a.txt',
    'to-data/secret',
    'link.txt',
    'data',
    'hosted',
    'hosted/h.txt',
    'gone',
  );
  assert.deepEqual(
    made.files.map(({ absolute }) => absolute),
    [at('from/a.txt')],
  );
  assert.deepEqual(made.refused, [
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

test('Only absolute paths of this machine are sources, and no whole disk', () => {
  assertSource(join(import.meta.dirname, 'a.txt'));
  for (const source of ['a.txt', '', '../a', '/', '/a\0b']) {
    assert.throws(() => assertSource(source), refused('invalid-argument'), JSON.stringify(source));
  }
});

test('A plan that is given up ends with its reason', async (t) => {
  const { plan, ending } = await openPlace(t, { 'from/a.txt': '1' });
  const reason = new Error('enough');
  ending.abort(reason);
  await assert.rejects(plan('from/a.txt'), reason);
});
