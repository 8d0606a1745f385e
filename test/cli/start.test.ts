// `npm start` on the way to the window, in a project of its own whose Electron is a script that says what it was given.

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, test } from 'node:test';
import { findElectron } from '../../app/terminal/start-program.ts';
import { buildWhereNeeded, isBuilt } from '../../app/terminal/start-build.ts';
import { appArguments } from '../../app/terminal/start-app.ts';
import { start } from '../../app/terminal/start.ts';
import type { Terminal } from '../../app/terminal/terminal.ts';

let root: string;
let packageFolder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'doctray-start-'));
  packageFolder = join(root, 'node_modules', 'electron');
  await write('node_modules/electron/package.json', JSON.stringify({ version: '45.4.1' }));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, content: string): Promise<string> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

/** What an Electron of this project prints is its arguments; it ends with `code`. */
async function writeProgram(path: string, code = 0): Promise<void> {
  const file = await write(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${root}/given'\nexit ${code}\n`);
  await chmod(file, 0o755);
}

function stream(): { stream: NodeJS.WriteStream; text(): string } {
  const through = new PassThrough();
  let text = '';
  through.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { stream: through as unknown as NodeJS.WriteStream, text: () => text };
}

function find(env: NodeJS.ProcessEnv = {}, limitMs = 20_000) {
  const stderr = stream();
  const deps = { packageFolder, nodePath: process.execPath, platform: 'linux', limitMs } as const;
  return {
    found: findElectron({ ...deps, env: { PATH: process.env['PATH'], ...env }, stderr: stderr.stream }),
    told: stderr.text,
  };
}

const installs = `
  const fs = require('node:fs');
  fs.mkdirSync('dist', { recursive: true });
  fs.writeFileSync('dist/electron', '');
  fs.writeFileSync('dist/version', 'v45.4.1');
  fs.writeFileSync('path.txt', 'electron');`;

test('a program that is there is taken, one of another version is not', async () => {
  await write('node_modules/electron/install.js', 'process.exit(1)');
  await write('node_modules/electron/path.txt', 'electron');
  await write('node_modules/electron/dist/electron', '');
  await write('node_modules/electron/dist/version', '45.4.1');
  assert.deepEqual(await find().found, { program: join(packageFolder, 'dist', 'electron') });

  await write('node_modules/electron/dist/version', '44.0.0');
  assert.ok('lack' in (await find({ ELECTRON_SKIP_BINARY_DOWNLOAD: '1' }).found));
});

test('a missing program is fetched by the package’s own script, and progress is told', async () => {
  await write('node_modules/electron/install.js', installs);
  const { found, told } = find();
  assert.deepEqual(await found, { program: join(packageFolder, 'dist', 'electron') });
  assert.match(told(), /^Fetching Electron's program, for at most 20 s\.\n/);
});

test('a fetch that fails says why in a few words and leaves nothing', async () => {
  await write(
    'node_modules/electron/install.js',
    `${installs.replace(/fs.writeFileSync\('path.*/, '')}
    fs.mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'electron-download-'));
    console.error(new TypeError('fetch failed').stack); process.exit(1);`,
  );
  const before = await readdir(tmpdir());
  assert.deepEqual(await find().found, { lack: 'fetch failed' });
  assert.deepEqual((await readdir(packageFolder)).toSorted(), ['install.js', 'package.json']);
  const left = (await readdir(tmpdir())).filter((name) => !before.includes(name));
  assert.deepEqual(
    left.filter((name) => /electron/.test(name)),
    [],
  );
});

test('a fetch that takes too long is ended and leaves nothing', async () => {
  await write('node_modules/electron/install.js', `${installs} setInterval(() => {}, 1000);`);
  assert.deepEqual(await find({}, 1000).found, { lack: 'it took longer than 1 s' });
  assert.deepEqual((await readdir(packageFolder)).toSorted(), ['install.js', 'package.json']);
});

test('nothing is fetched where ELECTRON_SKIP_BINARY_DOWNLOAD or another place for it is set', async () => {
  await write('node_modules/electron/install.js', installs);
  const skipped = await find({ ELECTRON_SKIP_BINARY_DOWNLOAD: '1' }).found;
  assert.deepEqual(skipped, { lack: 'ELECTRON_SKIP_BINARY_DOWNLOAD is set' });
  const elsewhere = { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'elsewhere') };
  assert.deepEqual(await find(elsewhere).found, { lack: 'ELECTRON_OVERRIDE_DIST_PATH does not hold it' });
  await write('elsewhere/electron', '');
  assert.deepEqual(await find(elsewhere).found, { program: join(root, 'elsewhere', 'electron') });
  assert.deepEqual((await readdir(packageFolder)).toSorted(), ['install.js', 'package.json']);
});

async function writeResults(atSeconds: number): Promise<void> {
  for (const name of ['main/main.js', 'preload/preload.cjs', 'renderer/index.html']) {
    await utimes(await write(`out/${name}`, ''), atSeconds, atSeconds);
  }
}

test('the build is current only while every result is there and newer than every source', async () => {
  const source = await write('app/deep/one.ts', '');
  for (const path of [source, ...['', 'deep'].map((name) => join(root, 'app', name))])
    await utimes(path, 100, 100);
  assert.equal(await isBuilt(root), false);
  await writeResults(200);
  assert.equal(await isBuilt(root), true);
  await utimes(source, 300, 300);
  assert.equal(await isBuilt(root), false);
  await writeResults(400);
  await rm(join(root, 'out', 'preload', 'preload.cjs'));
  assert.equal(await isBuilt(root), false);
});

test('two that need the build at once build it once, and the lock of one that was killed is passed over', async () => {
  await write('app/one.ts', '');
  await mkdir(join(root, 'out', '.building'), { recursive: true });
  await utimes(join(root, 'out', '.building'), 100, 100);
  await write(
    'node_modules/electron-vite/bin/electron-vite.js',
    `const fs = require('node:fs');
    fs.appendFileSync('builds', 'once ');
    for (const name of ['main/main.js', 'preload/preload.cjs', 'renderer/index.html']) {
      fs.mkdirSync('out/' + name.split('/')[0], { recursive: true });
      fs.writeFileSync('out/' + name, '');
    }`,
  );
  const deps = { projectRoot: root, nodePath: process.execPath, env: process.env, stderr: stream().stream };
  assert.deepEqual(await Promise.all([buildWhereNeeded(deps), buildWhereNeeded(deps)]), [
    undefined,
    undefined,
  ]);
  assert.equal(await readFile(join(root, 'builds'), 'utf8'), 'once ');
  assert.deepEqual((await readdir(join(root, 'out'))).toSorted(), ['main', 'preload', 'renderer']);
});

test('the app gets each option in one argument, with paths as they were meant where it was typed', () => {
  const options = {
    folder: 'documents',
    data: '/srv/data',
    port: '0',
    publicUrl: 'https://a.example',
    json: true,
  };
  assert.deepEqual(appArguments(options, '/home/ana'), [
    '--folder=/home/ana/documents',
    '--data=/srv/data',
    '--port=0',
    '--public-url=https://a.example',
    '--json',
  ]);
});

function terminal(env: NodeJS.ProcessEnv): { terminal: Terminal; told(): string } {
  const stderr = stream();
  return {
    terminal: {
      stdin: process.stdin,
      stdout: stream().stream,
      stderr: stderr.stream,
      env: { PATH: process.env['PATH'], ...env },
      platform: 'linux',
      command: 'doctray',
      cwd: root,
      isNpmScript: false,
    },
    told: stderr.text,
  };
}

test('with a display and a program the app is started with the project, and its exit code is passed on', async () => {
  await writeResults(Date.now() / 1000 + 60);
  await writeProgram('elsewhere/electron', 3);
  const { terminal: own } = terminal({ DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: join(root, 'elsewhere') });
  const place = { projectRoot: root, nodePath: process.execPath, userId: 1000 };
  assert.equal(await start({ folder: 'documents', json: true }, own, place), 3);
  const given = await readFile(join(root, 'given'), 'utf8');
  assert.deepEqual(given.trimEnd().split('\n'), [root, `--folder=${join(root, 'documents')}`, '--json']);
});

for (const [name, env, userId, line] of [
  ['without a display', {}, 1000, 'No display here'],
  [
    'as root',
    { WAYLAND_DISPLAY: 'wayland-0' },
    0,
    'Electron runs as root only with its sandbox switched off, which DocTray does not do',
  ],
  [
    'without a program',
    { DISPLAY: ':9', ELECTRON_SKIP_BINARY_DOWNLOAD: '1' },
    1000,
    "Electron's program could not be fetched (ELECTRON_SKIP_BINARY_DOWNLOAD is set)",
  ],
  [
    'without a build',
    { DISPLAY: ':9', ELECTRON_OVERRIDE_DIST_PATH: 'elsewhere' },
    1000,
    'The window could not be built (see above)',
  ],
] as const) {
  test(`${name} one line says so and the host serves from the terminal`, async () => {
    await write('node_modules/electron/install.js', installs);
    await writeProgram('elsewhere/electron');
    await mkdir(join(root, 'documents'));
    const override = 'ELECTRON_OVERRIDE_DIST_PATH' in env && {
      ELECTRON_OVERRIDE_DIST_PATH: join(root, 'elsewhere'),
    };
    const { terminal: own, told } = terminal({ ...env, ...override, DBUS_SESSION_BUS_ADDRESS: '' });
    const place = { projectRoot: root, nodePath: process.execPath, userId };
    const ended = start(
      { folder: 'documents', data: join(root, 'data'), port: '0', owner: 'ana' },
      own,
      place,
    );
    while (!told().includes('serving from the terminal')) await new Promise((wait) => setTimeout(wait, 20));
    own.stdout.emit('error', new Error('nobody reads any more'));
    assert.equal(await ended, 0);
    const lines = told()
      .split('\n')
      .filter((text) => text.includes('serving from the terminal'));
    assert.deepEqual(lines, [`${line}: serving from the terminal.`]);
  });
}
