import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, readFile, readdir, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { copyIn } from '../../../app/files/import-file.ts';
import { openPaths, refused, temporaryFolder } from './files-fixture.ts';

const large = 5 * 1024 * 1024 + 7;

async function openPlace(t: TestContext) {
  const root = await temporaryFolder(t);
  const at = (name: string): string => join(root, name);
  const controller = new AbortController();
  const copy = (onBytes: (bytes: number) => void = () => undefined, to = 'copy') =>
    copyIn({ from: at('source'), to: at(to), mode: 0o640, signal: controller.signal, onBytes });
  return { root, at, controller, copy };
}

test('copies bytes, time and permissions, and reports progress', async (t) => {
  const { at, copy } = await openPlace(t);
  const bytes = Buffer.alloc(large, 'abcdefg');
  await writeFile(at('source'), bytes);
  await utimes(at('source'), 5, 1_234_567);
  let done = 0;
  await copy((more) => (done += more));
  assert.deepEqual(await readFile(at('copy')), bytes);
  const stats = await stat(at('copy'));
  assert.deepEqual([stats.mode & 0o777, stats.mtimeMs, done], [0o640, 1_234_567_000, large]);
  await writeFile(at('source'), '');
  await copy(undefined, 'empty');
  assert.equal((await stat(at('empty'))).size, 0);
  if (process.platform === 'linux')
    assert.ok(!(await openPaths()).includes(at('source')), 'its drive can be removed');
});

test('rejects a file that grows, shrinks or is written while it’s copied, and leaves no copy', async (t) => {
  const changes = [
    (path: string) => appendFile(path, 'more'),
    (path: string) => truncate(path, 1024 * 1024 + 1),
    (path: string) => utimes(path, 1, 1),
  ];
  for (const change of changes) {
    const { root, at, copy } = await openPlace(t);
    await writeFile(at('source'), Buffer.alloc(large));
    let changing: Promise<void> | undefined;
    const copying = copyIn({
      from: at('source'),
      to: at('copy'),
      mode: 0o640,
      signal: new AbortController().signal,
      onBytes: () => {
        changing ??= change(at('source'));
      },
    });
    await assert.rejects(copying, refused('file-changed'));
    await changing;
    assert.deepEqual(await readdir(root), ['source']);
    await copy();
  }
});

test(
  'copies only regular files: rejects links, pipes, folders, missing files and devices',
  { timeout: 60_000 },
  async (t) => {
    const { root, at, copy } = await openPlace(t);
    if (process.platform === 'win32') return;
    const sources = [
      () => symlink('/etc/hostname', at('source')),
      async () => void execFileSync('mkfifo', [at('source')]),
      async () => void execFileSync('mkdir', [at('source')]),
      async () => undefined,
    ];
    for (const make of sources) {
      await make();
      await assert.rejects(copy(), refused('import-failed'));
      execFileSync('rm', ['-rf', at('source')]);
      assert.deepEqual(await readdir(root), []);
    }
    const device = copyIn({
      from: '/dev/zero',
      to: at('copy'),
      mode: 0o600,
      signal: new AbortController().signal,
      onBytes: () => undefined,
    });
    await assert.rejects(device, refused('import-failed'));
    assert.deepEqual(await readdir(root), []);
  },
);

test('doesn’t overwrite an existing file', async (t) => {
  const { at, copy } = await openPlace(t);
  await writeFile(at('source'), 'new');
  await writeFile(at('copy'), 'old');
  await assert.rejects(copy(), refused('disk-refused'));
  assert.equal(await readFile(at('copy'), 'utf8'), 'old');
});

test('an aborted copy leaves nothing behind', async (t) => {
  const { root, at, controller, copy } = await openPlace(t);
  await writeFile(at('source'), Buffer.alloc(large));
  const reason = new Error('enough');
  await assert.rejects(
    copy(() => controller.abort(reason)),
    reason,
  );
  assert.deepEqual(await readdir(root), ['source']);
});
