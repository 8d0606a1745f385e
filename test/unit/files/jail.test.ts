import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import promises, { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { joinPath, parentOf, nameOf } from '../../../app/contract/names.ts';
import { hasLastingInodes } from '../../../app/files/file-signature.ts';
import { openJail, type Jail } from '../../../app/files/jail.ts';
import { replaceBuiltin } from '../../replace-builtin.ts';
import { openPaths, refused, temporaryFolder } from './files-fixture.ts';

type Access = 'descriptors' | 'real-paths';
/** Only Linux has descriptors; real paths are tested everywhere. */
const accessModes: Access[] = process.platform === 'linux' ? ['descriptors', 'real-paths'] : ['real-paths'];

/** Only with descriptors. */
const isPeeking = process.platform === 'linux';
const onLinux = { skip: process.platform !== 'linux' };

/** A hosted folder with `sub/a.txt`, and a folder with `secret.txt` beside it. */
async function openTestJail(
  t: TestContext,
  access?: Access,
): Promise<{ jail: Jail; outside: string; at: (path: string) => string }> {
  const base = await temporaryFolder(t);
  const outside = join(base, 'outside');
  const root = join(base, 'documents');
  for (const path of [outside, join(root, 'sub')]) await mkdir(path, { recursive: true });
  await writeFile(join(outside, 'secret.txt'), 'secret');
  await writeFile(join(root, 'sub', 'a.txt'), 'text');
  return { jail: await openJail(root, access && { access }), outside, at: (path) => join(root, path) };
}

/** The same folder on a disk of that type. Until mocks are restored, every disk has it. */
async function openRemoteJail(t: TestContext, root: string, type: number): Promise<Jail> {
  const { statfs } = promises;
  replaceBuiltin(t, promises, 'statfs', async (path: string) => Object.assign(await statfs(path), { type }));
  return openJail(root);
}

test('refuses to host anything but a folder', async (t) => {
  const { at } = await openTestJail(t);
  await assert.rejects(openJail(at('sub/a.txt')), refused('folder-invalid'));
  await assert.rejects(openJail(at('missing')), refused('folder-invalid'));
  await symlink(at('circle'), at('circle'));
  await assert.rejects(openJail(at('circle')), refused('folder-invalid'));
});

test('a folder hosted through a link has its real path as the root', async (t) => {
  const { at, jail } = await openTestJail(t);
  const link = join(jail.root, '..', 'link');
  await symlink(at('sub'), link);
  const linked = await openJail(link);
  assert.equal(linked.root, at('sub'));
  assert.equal((await linked.resolve('a.txt'))?.path, 'a.txt');
});

for (const [system, type] of [
  ['CIFS', 0xff534d42],
  ['SMB 2', 0xfe534d42],
] as const) {
  test(`recognizes ${system} as another computer’s disk, also if its type is reported as a negative number`, async (t) => {
    if (process.platform !== 'linux') return;
    const { jail } = await openTestJail(t);
    assert.deepEqual([jail.isRemote, await hasLastingInodes(jail.root)], [false, true]);
    for (const reported of [type, type - 2 ** 32]) {
      const remote = await openRemoteJail(t, jail.root, reported);
      assert.deepEqual([remote.isRemote, await hasLastingInodes(remote.root)], [true, false]);
      t.mock.restoreAll();
      assert.equal((await remote.stat('sub/a.txt'))?.path, 'sub/a.txt');
    }
  });
}

for (const [given, path] of [
  ['sub/a.txt', 'sub/a.txt'],
  ['./sub//./a.txt/', 'sub/a.txt'],
  ['', ''],
  ['.', ''],
  ['..a/b..', '..a/b..'],
  ['...', '...'],
  ['a\\b', 'a\\b'],
  ['ä'.repeat(2048), 'ä'.repeat(2048)],
] as const) {
  const isForWindows = given.includes('\\');
  if (!isForWindows || process.platform !== 'win32') {
    test(`parses ${JSON.stringify(given.slice(0, 20))} as ${JSON.stringify(path.slice(0, 20))}`, async (t) => {
      const { jail } = await openTestJail(t);
      assert.equal(jail.parse(given), path);
    });
  }
}

test('parses an absolute path inside the folder as a relative one', async (t) => {
  const { jail, at } = await openTestJail(t);
  assert.equal(jail.parse(at('sub/a.txt')), 'sub/a.txt');
  assert.equal(jail.parse(jail.root), '');
});

test('rejects paths that contain .., lead out of the folder, contain NUL or are too long', async (t) => {
  const { jail, outside } = await openTestJail(t);
  const invalid = [
    '..',
    '../outside/secret.txt',
    'sub/../../outside',
    'sub/../sub/a.txt',
    'sub/..',
    join(outside, 'secret.txt'),
    '/',
    '/etc/passwd',
    `${jail.root}-away/a.txt`,
    'a\0.txt',
    'ä'.repeat(2049),
  ];
  for (const path of invalid)
    assert.throws(() => jail.parse(path), refused('path-invalid'), path.slice(0, 40));
});

test('resolves a path to the real one inside the folder, with its stats', async (t) => {
  const { jail, at } = await openTestJail(t);
  await symlink('sub', at('alias'));
  await symlink(at('sub/a.txt'), at('direct'));
  for (const path of ['sub/a.txt', 'alias/a.txt', 'direct']) {
    const place = await jail.resolve(path);
    assert.deepEqual([place?.path, place?.stats.size], ['sub/a.txt', 4n]);
  }
  assert.equal((await jail.resolve(''))?.path, '');
  assert.equal((await jail.resolve(''))?.stats.isDirectory(), true);
});

test('doesn’t resolve links that lead out of the folder, in circles or nowhere, nor missing paths', async (t) => {
  const { jail, outside, at } = await openTestJail(t);
  await symlink(outside, at('out'));
  await symlink('../outside/secret.txt', at('secret.txt'));
  await symlink('out', at('twice'));
  await symlink('..', at('up'));
  await symlink(at('ring b'), at('ring a'));
  await symlink(at('ring a'), at('ring b'));
  await symlink(`${jail.root}-away`, at('dangling'));
  const paths = ['out', 'out/secret.txt', 'secret.txt', 'twice/secret.txt', 'up', 'up/outside/secret.txt'];
  for (const path of [...paths, 'ring a', 'dangling', 'missing', 'sub/a.txt/b.txt', 'x'.repeat(300)]) {
    assert.equal(await jail.resolve(path), undefined, path);
  }
});

test('a sibling folder whose name starts with the folder’s name is outside', async (t) => {
  const { jail, at } = await openTestJail(t);
  await mkdir(`${jail.root}-more`);
  await writeFile(join(`${jail.root}-more`, 'a.txt'), 'text');
  await symlink(`${jail.root}-more`, at('more'));
  assert.equal(await jail.resolve('more/a.txt'), undefined);
  assert.equal(await jail.resolve('more'), undefined);
});

test('stat and peek don’t follow a link that replaced a recorded path', async (t) => {
  const { jail, outside, at } = await openTestJail(t);
  const isFile = async (path: string): Promise<boolean> => {
    const place = await jail.stat(path);
    if (isPeeking) assert.equal(jail.peek(path)?.isFile() ?? false, place?.stats.isFile() ?? false, path);
    return place !== undefined;
  };
  if (isPeeking) assert.deepEqual(jail.peek('sub/a.txt'), (await jail.stat('sub/a.txt'))?.stats);
  assert.equal((await openJail(jail.root, { access: 'real-paths' })).peek('sub/a.txt'), undefined);
  assert.equal((await jail.stat('sub/a.txt'))?.stats.size, 4n);
  assert.equal((await jail.stat(''))?.stats.isDirectory(), true);
  assert.equal(await isFile('sub/missing.txt'), false);
  assert.equal(await isFile('sub/a.txt/b.txt'), false);

  await rename(at('sub'), at('moved'));
  assert.equal(await isFile('sub/a.txt'), false);
  await symlink('moved', at('sub'));
  assert.equal(await isFile('sub/a.txt'), false, 'a link inside the folder counts too');
  await rm(at('sub'));
  await symlink(outside, at('sub'));
  assert.equal(await isFile('sub/secret.txt'), false);
  await symlink(join(outside, 'secret.txt'), at('moved/b.txt'));
  assert.equal(await isFile('moved/b.txt'), false);
});

test(
  'on another computer’s disk, follows no link that replaced a folder of a recorded path',
  onLinux,
  async (t) => {
    const { jail, outside, at } = await openTestJail(t);
    await mkdir(at('sub/deep'));
    await writeFile(at('sub/deep/secret.txt'), 'text');
    const remote = await openRemoteJail(t, jail.root, 0xff534d42);
    const isThere = async (): Promise<boolean[]> => {
      const folder = await remote.openFolder('sub/deep');
      folder?.close();
      return [folder !== undefined, (await remote.stat('sub/deep/secret.txt')) !== undefined];
    };
    assert.deepEqual(await isThere(), [true, true]);
    await rm(at('sub/deep'), { recursive: true });
    await symlink(outside, at('sub/deep'));
    assert.deepEqual(await isThere(), [false, false]);
    assert.equal(await remote.openFile('sub/deep/secret.txt'), undefined);
  },
);

test('without descriptors, closes a file that another program swaps in while it is opened, and doesn’t read it', async (t) => {
  const { jail, at, outside } = await openTestJail(t, 'real-paths');
  const { openSync } = fs;
  const swapped: number[] = [];
  replaceBuiltin(t, fs, 'openSync', (path: string, flags: number) => {
    if (path !== at('sub/a.txt')) return openSync(path, flags);
    swapped.push(openSync(join(outside, 'secret.txt'), flags));
    return swapped.at(-1);
  });
  assert.equal(await jail.openFile('sub/a.txt'), undefined);
  for (const fd of swapped) assert.throws(() => fs.fstatSync(fd), { code: 'EBADF' });
  assert.equal(swapped.length, 1);
});

test('requires the hosted folder to exist and to be the one that was opened', async (t) => {
  const { jail } = await openTestJail(t);
  await jail.requireRoot();
  await rename(jail.root, `${jail.root}-away`);
  await assert.rejects(jail.requireRoot(), refused('folder-missing'));
  await mkdir(jail.root);
  await assert.rejects(
    jail.requireRoot(),
    refused('folder-missing'),
    'an empty mount point is another folder',
  );
  await rm(jail.root, { recursive: true });
  await rename(`${jail.root}-away`, jail.root);
  await jail.requireRoot();
});

test('doesn’t find documents of a replaced folder from the next turn of the event loop on', async (t) => {
  const { jail } = await openTestJail(t);
  const isThere = async (): Promise<boolean> => (await jail.stat('sub/a.txt')) !== undefined;
  assert.equal(await isThere(), true);
  await rename(jail.root, `${jail.root}-away`);
  await mkdir(join(jail.root, 'sub'), { recursive: true });
  await writeFile(join(jail.root, 'sub', 'a.txt'), 'another');
  assert.equal(jail.peek('sub/a.txt'), undefined);
  await nextTurn();
  assert.equal(await isThere(), false);
  assert.equal(await jail.openFile('sub/a.txt'), undefined);
});

test('closes the folder after the turn, so that its drive can be unmounted', onLinux, async (t) => {
  const { jail } = await openTestJail(t);
  for (const path of ['sub/a.txt', 'sub', 'missing.txt']) await jail.stat(path);
  (await jail.openFolder(''))?.close();
  await nextTurn();
  const held = (await openPaths()).filter((path) => path.startsWith(jail.root));
  assert.deepEqual(held, []);
});

test('requires a folder to exist and not to be reached through a link', async (t) => {
  const { jail, outside, at } = await openTestJail(t);
  await mkdir(at('sub/deep'));
  for (const path of ['', 'sub', 'sub/deep']) await jail.requireFolder(path);
  await symlink(outside, at('out'));
  await symlink('sub', at('alias'));
  for (const path of ['out', 'alias', 'alias/deep', 'missing', 'sub/a.txt', 'sub/a.txt/deep']) {
    await assert.rejects(jail.requireFolder(path), refused('folder-missing'), path);
  }
});

test('joins and splits paths, including those at the top level', () => {
  assert.deepEqual([joinPath('', 'a'), joinPath('b/c', 'a')], ['a', 'b/c/a']);
  assert.deepEqual([parentOf('a'), parentOf('b/c/a'), parentOf('')], ['', 'b/c', '']);
  assert.deepEqual([nameOf('a'), nameOf('b/c/a')], ['a', 'a']);
});

for (const access of accessModes) {
  test(`with ${access}, an open folder gives access to its own entries only`, async (t) => {
    const { jail, at, outside } = await openTestJail(t, access);
    await symlink(join(outside, 'secret.txt'), at('sub/link.txt'));
    await mkdir(at('sub/deep'));
    await jail.inFolder('sub', async (folder) => {
      assert.equal((await folder.stat('a.txt'))?.size, 4n);
      assert.equal(await folder.stat('missing'), undefined);
      assert.deepEqual((await folder.list()).map(({ name }) => name).toSorted(), [
        'a.txt',
        'deep',
        'link.txt',
      ]);
      for (const name of ['link.txt', 'deep', 'missing'])
        assert.equal(await folder.openFile(name), undefined, name);
      for (const name of ['', '..', 'deep/a.txt', '../outside', 'a\0']) {
        assert.throws(() => folder.at(name), refused('path-invalid'), JSON.stringify(name));
      }
      await folder.sync();
    });
    await assert.rejects(
      jail.inFolder('missing', async () => undefined),
      refused('folder-missing'),
    );
  });

  test(`with ${access}, doesn’t read a file through a link that replaced its folder`, async (t) => {
    // Linux uses descriptors without being told.
    const { jail, at, outside } = await openTestJail(t, access === 'descriptors' ? undefined : access);
    await writeFile(join(outside, 'a.txt'), 'secret');
    const folder = await jail.openFolder('sub');
    if (folder === undefined) throw new Error('The folder exists.');
    await rename(at('sub'), at('away'));
    await symlink(outside, at('sub'));
    assert.equal(await jail.openFile('sub/a.txt'), undefined);
    assert.equal(await jail.stat('sub/a.txt'), undefined);
    assert.equal(await jail.openFolder('sub'), undefined);
    if (access === 'descriptors')
      assert.equal((await folder.stat('a.txt'))?.size, 4n, 'the folder itself was opened');
    else assert.throws(() => folder.at('a.txt'), refused('folder-missing'));
    folder.close();
  });

  test(`with ${access}, doesn’t open a pipe or a socket`, async (t) => {
    if (process.platform === 'win32') return;
    const { jail, at } = await openTestJail(t, access);
    execFileSync('mkfifo', [at('sub/pipe')]);
    const server = createServer().listen(at('sub/socket'));
    t.after(() => server.close());
    await once(server, 'listening');
    for (const name of ['pipe', 'socket']) assert.equal(await jail.openFile(`sub/${name}`), undefined, name);
  });
}
