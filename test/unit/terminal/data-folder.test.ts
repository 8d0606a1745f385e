import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cacheFolder } from '../../../app/terminal/cache-folder.ts';
import { assertDisjoint } from '../../../app/files/disjoint-folders.ts';
import { dataFolderOf, isDataFolder, prepareDataFolder } from '../../../app/terminal/data-folder.ts';

let root: string;
before(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'doctray-data-')));
});
after(() => rm(root, { recursive: true, force: true }));

test('uses --data, DOCTRAY_DATA or the system’s folder for application data, in this order', () => {
  const folderFor = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv, data?: string) =>
    dataFolderOf({ data, env, platform, cwd: '/here' });
  assert.equal(folderFor('linux', { DOCTRAY_DATA: '/env' }, 'mine'), '/here/mine');
  assert.equal(folderFor('linux', { DOCTRAY_DATA: '/env', XDG_DATA_HOME: '/xdg' }), '/env');
  assert.equal(folderFor('linux', { XDG_DATA_HOME: '/xdg' }), '/xdg/doctray');
  assert.equal(folderFor('linux', { XDG_DATA_HOME: 'relative' }), join(homedir(), '.local/share/doctray'));
  assert.equal(folderFor('linux', { DOCTRAY_DATA: '' }), join(homedir(), '.local/share/doctray'));
  assert.equal(folderFor('darwin', {}), join(homedir(), 'Library/Application Support/DocTray'));
  assert.equal(folderFor('win32', { LOCALAPPDATA: '/app' }), '/app/DocTray');
});

test('creates a data folder, and restores its mode 0700', async () => {
  const path = join(root, 'new', 'data');
  assert.equal(await prepareDataFolder(path), path);
  await writeFile(join(path, 'doctray.db'), '');
  await chmod(path, 0o755);
  await prepareDataFolder(path);
  assert.equal((await stat(path)).mode & 0o777, 0o700);
  assert.ok(await isDataFolder(path));
});

test('rejects a file, and names the missing target of a link', async () => {
  const file = join(root, 'novel.odt');
  await writeFile(file, '');
  await assert.rejects(prepareDataFolder(file), { code: 'data-folder-invalid' });
  for (const none of [root, join(root, 'nowhere')]) assert.ok(!(await isDataFolder(none)), none);
  const link = join(root, 'dangling');
  await symlink(join(root, 'unplugged'), link);
  await assert.rejects(prepareDataFolder(link), /It’s a link to .*unplugged, which doesn’t exist\./);
});

test('rejects folders for documents and data that contain each other, through links and before they exist', async () => {
  const documents = join(root, 'documents');
  await mkdir(documents);
  await symlink(documents, join(root, 'link'));
  await assertDisjoint(documents, join(root, 'elsewhere'));
  await assertDisjoint(documents, join(root, 'documents-data'));
  await assertDisjoint(documents, join(root, '..documents'));
  for (const [folder, data] of [
    [documents, documents],
    [documents, join(documents, 'data')],
    [join(root, 'link'), join(documents, 'deep', 'data')],
    [documents, join(root, 'link', 'data')],
    [join(documents, 'inner'), documents],
    [root, documents],
  ] as const) {
    await assert.rejects(assertDisjoint(folder, data), { code: 'folder-invalid' }, `${folder} ${data}`);
  }
});

test('caches compiled code only in a folder that no other user can write', async () => {
  const cache = cacheFolder({ XDG_CACHE_HOME: root }, 'linux');
  assert.equal(cache, join(root, 'doctray', 'compiled'));
  assert.equal((await stat(cache)).mode & 0o777, 0o700);
  await chmod(cache, 0o777);
  assert.equal(cacheFolder({ XDG_CACHE_HOME: root }, 'linux'), undefined);
  await writeFile(join(root, 'file'), '');
  assert.equal(cacheFolder({ XDG_CACHE_HOME: join(root, 'file') }, 'linux'), undefined);
});
