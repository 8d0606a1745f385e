// The parts of `npm start`: the Electron binary, the build, the browser. no-window.test.ts runs all of it as processes.

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, it, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServices } from '../../app/host/services.ts';
import { createLogger } from '../../app/log/logger.ts';
import { downloadElectron, findElectron } from '../../app/terminal/start-program.ts';
import { buildWhereNeeded, isBuilt } from '../../app/terminal/start-build.ts';
import { appArguments } from '../../app/terminal/start-app.ts';
import type { ServeOptions } from '../../app/terminal/serve-options.ts';
import { start } from '../../app/terminal/start.ts';
import type { Terminal } from '../../app/terminal/terminal.ts';
import { startTextDiscovery, stopServer, urlOf } from './text-discovery.ts';

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

function stream(): { stream: NodeJS.WriteStream; text(): string } {
  const through = new PassThrough();
  let text = '';
  through.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { stream: through as unknown as NodeJS.WriteStream, text: () => text };
}

function find(env: NodeJS.ProcessEnv = {}) {
  return findElectron({ packageFolder, platform: 'linux', env });
}

function download(stop?: AbortSignal): Promise<string | undefined> {
  const { PATH } = process.env;
  return downloadElectron({ packageFolder, platform: 'linux', env: { PATH } }, stop);
}

const installs = `
  const fs = require('node:fs');
  fs.mkdirSync('dist', { recursive: true });
  fs.writeFileSync('dist/electron', '');
  fs.writeFileSync('dist/version', 'v45.4.1');
  fs.writeFileSync('path.txt', 'electron');`;

const program = () => join(packageFolder, 'dist', 'electron');

test('uses an installed binary only if it has the right version', async () => {
  await write('node_modules/electron/install.js', 'process.exit(1)');
  await write('node_modules/electron/path.txt', 'electron');
  await write('node_modules/electron/dist/electron', '');
  await write('node_modules/electron/dist/version', '45.4.1');
  assert.deepEqual(await find(), { program: program(), isThere: true });

  await write('node_modules/electron/dist/version', '44.0.0');
  assert.deepEqual(await find(), { program: program(), isThere: false });
});

test('downloads a missing binary with the package’s install script', async () => {
  await write('node_modules/electron/install.js', installs);
  assert.deepEqual(await find(), { program: program(), isThere: false });
  assert.equal(await download(), undefined);
  assert.deepEqual(await find(), { program: program(), isThere: true });
});

test('reports why a download failed, and leaves nothing behind', async () => {
  await write(
    'node_modules/electron/install.js',
    `${installs.replace(/fs.writeFileSync\('path.*/, '')}
    fs.mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'electron-download-'));
    console.error(new TypeError('fetch failed').stack); process.exit(1);`,
  );
  const before = await readdir(tmpdir());
  assert.equal(await download(), 'fetch failed');
  assert.deepEqual(await find(), { program: program(), isThere: false });
  const left = (await readdir(tmpdir())).filter((name) => !before.includes(name));
  assert.deepEqual(
    left.filter((name) => /electron/.test(name)),
    [],
  );
});

test('fails when the install script leaves another version or fails', async () => {
  await write('node_modules/electron/install.js', installs.replace('v45.4.1', 'v44.0.0'));
  assert.equal(await download(), 'its install script installed no binary');
  await write('node_modules/electron/install.js', 'process.exit(3)');
  assert.equal(await download(), 'its install script failed');
});

test('a stopped download ends its script', async () => {
  const script = `require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);`;
  await write('node_modules/electron/install.js', script);
  const stop = new AbortController();
  const fault = download(stop.signal);
  const pid = () => readFile(join(packageFolder, 'pid'), 'utf8').catch(() => '');
  while ((await pid()) === '') await sleep(20);
  stop.abort();
  assert.notEqual(await fault, undefined);
  const isAlive = async () => process.kill(Number(await pid()), 0);
  await assert.rejects(async () => {
    for (;;) await isAlive().then(() => sleep(20));
  });
});

test('doesn’t download with ELECTRON_SKIP_BINARY_DOWNLOAD or ELECTRON_OVERRIDE_DIST_PATH', async () => {
  await write('node_modules/electron/install.js', installs);
  const lackIn = async (env: NodeJS.ProcessEnv) => (await find(env)).reason;
  assert.equal(await lackIn({ ELECTRON_SKIP_BINARY_DOWNLOAD: '1' }), 'ELECTRON_SKIP_BINARY_DOWNLOAD is set');
  const elsewhere = { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'elsewhere') };
  assert.equal(await lackIn(elsewhere), 'ELECTRON_OVERRIDE_DIST_PATH doesn’t contain it');
  await write('elsewhere/electron', '');
  assert.deepEqual(await find(elsewhere), { program: join(root, 'elsewhere', 'electron'), isThere: true });
  await rm(join(packageFolder, 'install.js'));
  assert.equal(await lackIn({}), 'the npm package electron isn’t installed');
});

async function writeResults(atSeconds: number): Promise<void> {
  for (const name of ['main/main.js', 'preload/preload.cjs']) {
    await utimes(await write(`out/${name}`, ''), atSeconds, atSeconds);
  }
}

test('the build is current only if every output exists and is newer than every source', async () => {
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

test('concurrent callers build once, also after a build that was killed with its newest results written', async () => {
  await write('app/one.ts', '');
  await writeResults(Date.now() / 1000 + 60);
  await write('out/.building', '');
  await write(
    'node_modules/electron-vite/bin/electron-vite.js',
    `const fs = require('node:fs');
    fs.appendFileSync('builds', 'begin ');
    setTimeout(() => {
      fs.writeFileSync('out/main/main.js', '');
      fs.writeFileSync('out/preload/preload.cjs', '');
      fs.appendFileSync('builds', 'end ');
    }, 200);`,
  );
  const deps = { projectRoot: root, env: process.env };
  const callers = Array.from({ length: 8 }, async (_, index) => {
    await sleep(index);
    return buildWhereNeeded(deps);
  });
  assert.deepEqual(
    await Promise.all(callers),
    callers.map(() => undefined),
  );
  assert.equal(await readFile(join(root, 'builds'), 'utf8'), 'begin end ');
});

test('passes each option to the app as one argument, with absolute paths', () => {
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

interface Sitting {
  options?: ServeOptions;
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  userId?: number;
  isTTY?: boolean;
  hasDisplay?: boolean;
}

/** Starts where no window can be shown; resolves to the addresses that were opened in the browser. */
async function browsed(sitting: Sitting): Promise<string[]> {
  const opened = join(root, 'opened');
  await rm(opened, { force: true });
  const browser = await write('browser', `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`);
  await chmod(browser, 0o755);
  const wayland = createServer();
  await new Promise<void>((resolve) => void wayland.listen(join(root, 'wayland'), resolve));
  const { isTTY = true } = sitting;
  const stdout = stream();
  // xdg-open reads these; this is the only default browser, whatever this computer has
  const ofDesktop = { BROWSER: browser, XDG_DATA_DIRS: root, WAYLAND_DISPLAY: join(root, 'wayland') };
  const before = { ...process.env };
  const own = {
    stdin: { isTTY },
    stdout: Object.assign(stdout.stream, { isTTY }),
    stderr: stream().stream,
    env: {
      PATH: process.env['PATH'],
      DBUS_SESSION_BUS_ADDRESS: '',
      ELECTRON_SKIP_BINARY_DOWNLOAD: '1',
      ...(sitting.hasDisplay === false ? {} : { WAYLAND_DISPLAY: join(root, 'wayland') }),
      ...sitting.env,
    },
    platform: sitting.platform ?? 'linux',
    command: 'doctray',
    cwd: root,
    isNpmScript: false,
  } as unknown as Terminal;
  try {
    Object.assign(process.env, ofDesktop);
    delete process.env['DISPLAY'];
    const options = { folder: 'documents', data: 'data', port: '0', ...sitting.options };
    const systemRoot = join(root, 'system');
    const userId = sitting.userId ?? 1000;
    const ended = start(options, own, { projectRoot: root, userId, systemRoot });
    while (!/ {2}Next |listening/.test(stdout.text())) await new Promise((wait) => setTimeout(wait, 20));
    const read = () => readFile(opened, 'utf8').catch(() => '');
    for (let tries = 0; tries < 60 && (await read()) === ''; tries += 1) {
      await new Promise((wait) => setTimeout(wait, 25));
    }
    const addresses = (await read()).split('\n').filter((line) => line !== '');
    for (const address of addresses) {
      const entered = await fetch(address, { redirect: 'manual' });
      assert.equal(entered.status, 303, 'the link in the browser works');
      const [printed = ''] = / {2}Open a document +(\S+)/.exec(stdout.text())?.slice(1) ?? [];
      assert.notEqual(printed, address);
      assert.equal((await fetch(printed, { redirect: 'manual' })).status, 303, 'the printed link works too');
    }
    own.stdout.emit('error', Object.assign(new Error('nobody reads any more'), { code: 'EPIPE' }));
    assert.equal(await ended, 0);
    return addresses;
  } finally {
    for (const name of Object.keys(ofDesktop)) delete process.env[name];
    Object.assign(process.env, before);
    await new Promise<void>((resolve) => void wayland.close(() => resolve()));
  }
}

describe('a start without a window, on a desktop', () => {
  let editor: Server;
  beforeEach(async () => {
    await mkdir(join(root, 'documents'));
    await writeFile(join(root, 'documents', 'notes.md'), '# Notes\n');
    await write('node_modules/electron/install.js', installs);
    editor = await startTextDiscovery();
    const dataDir = join(root, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    const log = createLogger([]);
    const services = await openServices({ dataDir, log });
    await services.editors.add({ url: urlOf(editor), name: 'Desk' });
    await services.close();
  });
  afterEach(() => stopServer(editor));

  it('opens a document in the browser with its own link', async () => {
    const [address = '', ...others] = await browsed({});
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/edit\/[\w-]{22}\?ticket=[\w-]{43}$/);
    assert.deepEqual(others, []);
  });

  const nobody: [name: string, sitting: Sitting][] = [
    ['with --no-open', { options: { open: false } }],
    ['with --json', { options: { json: true } }],
    ['into a pipe', { isTTY: false }],
    ['as root', { userId: 0 }],
    ['in CI', { env: { CI: 'true' } }],
    ['over SSH without a display', { hasDisplay: false, env: { SSH_CONNECTION: '10.0.0.2 5 10.0.0.1 22' } }],
    ['over SSH to a Mac', { platform: 'darwin', env: { SSH_TTY: '/dev/ttys001' } }],
    ['in a systemd container', { env: { container: 'lxc' } }],
    ['in a pod', { env: { KUBERNETES_SERVICE_HOST: '10.96.0.1' } }],
  ];
  for (const [name, sitting] of nobody) {
    it(`opens nothing ${name}`, async () => {
      assert.deepEqual(await browsed(sitting), []);
    });
  }

  for (const mark of ['.dockerenv', 'run/.containerenv']) {
    it(`opens nothing in a container that has ${mark}`, async () => {
      await write(`system/${mark}`, '');
      assert.deepEqual(await browsed({}), []);
    });
  }
});
