import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { documentsIn, prepareDefaultFolder } from '../../../app/files/default-folder.ts';

let home: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'doctray-home-')));
});
afterEach(() => rm(home, { recursive: true, force: true }));

function prepare(
  deps: { env?: NodeJS.ProcessEnv; platform?: NodeJS.Platform; homeDir?: string; dataDir?: string } = {},
): Promise<string> {
  return prepareDefaultFolder({
    env: {},
    platform: 'linux',
    homeDir: home,
    dataDir: join(home, '.local', 'share', 'doctray'),
    ...deps,
  });
}

async function write(path: string, content: string): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

const failed = (code: string, sentence: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AppError);
  assert.equal(error.code, code);
  assert.match(error.message, sentence);
  return true;
};

const sampleNames = ['Shopping list.csv', 'Welcome.docx', 'Welcome.md'];

test('without a documents folder, is created in the home folder with three samples', async () => {
  const folder = await prepare();
  assert.equal(folder, join(home, 'DocTray'));
  assert.deepEqual((await readdir(folder)).toSorted(), sampleNames);
  const text = await readFile(join(folder, 'Welcome.md'), 'utf8');
  assert.match(text, /^# Welcome to DocTray\n/);
  assert.ok(text.endsWith('\n') && !text.includes('\r'));
  assert.match(await readFile(join(folder, 'Shopping list.csv'), 'utf8'), /^Item,Quantity,Unit,Bought\n/);
  assert.equal((await readFile(join(folder, 'Welcome.docx'))).subarray(0, 2).toString(), 'PK');
});

test('is created in the documents folder that the system names, or else in Documents', async () => {
  await mkdir(join(home, 'Documents'));
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    assert.equal(await prepare({ platform }), join(home, 'Documents', 'DocTray'));
  }
  await mkdir(join(home, 'Dokumente'));
  await write('.config/user-dirs.dirs', 'XDG_DOCUMENTS_DIR="$HOME/Dokumente"\n');
  assert.equal(await prepare(), join(home, 'Dokumente', 'DocTray'));
  assert.equal(await prepare({ platform: 'darwin' }), join(home, 'Documents', 'DocTray'));

  await mkdir(join(home, 'Papers'));
  await write('elsewhere/user-dirs.dirs', `XDG_DOCUMENTS_DIR="${home}/Papers"\n`);
  const env = { XDG_CONFIG_HOME: join(home, 'elsewhere') };
  assert.equal(await prepare({ env }), join(home, 'Papers', 'DocTray'));
  const XDG_DOCUMENTS_DIR = join(home, 'Dokumente');
  assert.equal(await prepare({ env: { ...env, XDG_DOCUMENTS_DIR } }), join(XDG_DOCUMENTS_DIR, 'DocTray'));
  // A missing documents folder isn't created.
  const gone = { XDG_DOCUMENTS_DIR: join(home, 'gone') };
  assert.equal(await prepare({ env: gone }), join(home, 'Documents', 'DocTray'));
});

for (const [text, folder] of [
  ['XDG_DOCUMENTS_DIR="$HOME/Documents"\n', '/home/ada/Documents'],
  ['# XDG_DOCUMENTS_DIR="$HOME/Comment"\nXDG_MUSIC_DIR="$HOME/Music"\n', undefined],
  ['XDG_DOCUMENTS_DIR="/srv/with \\"quotes\\" and \\$"\n', '/srv/with "quotes" and $'],
  ['XDG_DOCUMENTS_DIR="$HOME/One"\n  XDG_DOCUMENTS_DIR = "$HOME/Two"', '/home/ada/Two'],
  ['XDG_DOCUMENTS_DIR="$HOME/"\n', '/home/ada/'],
  ['XDG_DOCUMENTS_DIR="$HOMEWARD/x"\n', undefined],
  ['XDG_DOCUMENTS_DIR="relative"\n', undefined],
  ['XDG_DOCUMENTS_DIR=$HOME/unquoted\n', undefined],
  ['', undefined],
] as const) {
  test(`reads ${folder} from user-dirs.dirs ${JSON.stringify(text)}`, () => {
    assert.equal(documentsIn(text, '/home/ada'), folder);
  });
}

test('uses an existing folder of that name without adding or overwriting anything', async () => {
  await write('DocTray/Welcome.md', 'mine');
  assert.equal(await prepare(), join(home, 'DocTray'));
  assert.deepEqual(await readdir(join(home, 'DocTray')), ['Welcome.md']);
  assert.equal(await readFile(join(home, 'DocTray', 'Welcome.md'), 'utf8'), 'mine');
});

test('deleted samples stay deleted', async () => {
  const folder = await prepare();
  await rm(join(folder, 'Welcome.md'));
  await prepare();
  assert.deepEqual((await readdir(folder)).toSorted(), ['Shopping list.csv', 'Welcome.docx']);
});

test('a file or dangling link in its place and a missing home folder are errors that say what to do', async () => {
  await write('DocTray', 'a file');
  const inTheWay = /Choose another with --folder DIR\. .*DocTray: A file with this name already exists\.$/;
  await assert.rejects(prepare(), failed('default-folder-failed', inTheWay));
  assert.equal(await readFile(join(home, 'DocTray'), 'utf8'), 'a file');

  await rm(join(home, 'DocTray'));
  await symlink(join(home, 'nowhere'), join(home, 'DocTray'));
  await assert.rejects(prepare(), failed('default-folder-failed', inTheWay));

  const homeDir = join(home, 'nobody');
  const missing = /nobody\/DocTray: The home folder doesn’t exist\.$/;
  await assert.rejects(prepare({ homeDir }), failed('default-folder-failed', missing));
  assert.deepEqual((await readdir(home)).toSorted(), ['DocTray']);
});

test('is never created in the data folder', async () => {
  await assert.rejects(prepare({ dataDir: home }), failed('folder-invalid', /data folder/));
  assert.deepEqual(await readdir(home), []);
});
