// The app's own entry, run as a process: terminal commands, and starts that fail before a window opens.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildWhereNeeded } from '../../app/terminal/start-build.ts';
import { electronPath } from '../stand-in/launch.ts';
import { makePlace, type Place } from './processes.ts';

const projectRoot = join(import.meta.dirname, '..', '..');

let place: Place;
before(async () => {
  assert.equal(await buildWhereNeeded({ projectRoot, env: process.env }), undefined);
  place = await makePlace();
});
after(() => place.remove());

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `doctray ARGS` from the sources. */
function doctray(...args: string[]): Promise<Ended> {
  const child = spawn(electronPath(), [projectRoot, ...args], {
    cwd: place.root,
    env: { ...place.env, DBUS_SESSION_BUS_ADDRESS: '', TMPDIR: tmpdir() },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

test('runs terminal commands in the app binary, without a window, and passes on the exit code', async () => {
  const host = await place.serve();
  const { code, stdout } = await doctray('locks', '--data', place.dataDir, '--json');
  assert.deepEqual([code, JSON.parse(stdout)], [0, []]);
  const missing = await doctray('unlock', 'no such.docx', '--yes', '--data', place.dataDir);
  assert.equal(missing.code, 3);
  assert.equal(missing.stdout, '');
  assert.ok(!(await readdir(place.dataDir)).includes('window'), 'Chromium created no profile');
  host.child.kill('SIGTERM');
  await host.ended;
});

test('suggests the right command or option for a mistyped one, without a window', async () => {
  for (const [typed, sentence] of [
    ['locsk', /^Unknown command “locsk” \(Did you mean locks\?\); see --help\.$/m],
    ['--flder=x', /^Unknown option “--flder=x” \(Did you mean --folder\?\); see --help\.$/m],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    const { code, stderr } = await doctray(typed);
    assert.match(stderr, sentence);
    assert.equal(code, 2);
  }
});

test('shows its help under the name doctray', async () => {
  const { code, stdout } = await doctray('--help');
  assert.equal(code, 0);
  assert.match(stdout, /^Usage: doctray /);
});

test('npm start runs the app, passes on its events from the first one, and exits with it', async (t) => {
  const display = createServer();
  await new Promise<void>((resolve) => void display.listen(join(place.root, 'wayland'), resolve));
  t.after(() => display.close());
  const folder = join(place.root, 'documents of npm start');
  await mkdir(folder);
  const given = {
    options: { folder, data: join(place.root, 'data of npm start'), port: '0', json: true },
    place: { projectRoot, userId: 1000, systemRoot: place.root },
  };
  const app = place.start([JSON.stringify(given)], {
    script: join(import.meta.dirname, 'start-process.ts'),
    env: {
      WAYLAND_DISPLAY: join(place.root, 'wayland'),
      DBUS_SESSION_BUS_ADDRESS: '',
      ELECTRON_OVERRIDE_DIST_PATH: dirname(electronPath()),
      TMPDIR: tmpdir(),
    },
  });
  assert.equal((await app.event('listening'))['folder'], folder);
  app.child.kill('SIGTERM');
  const { code, stderr } = await app.ended;
  assert.equal(code, 0, stderr);
  assert.ok(app.events().some(({ event }) => event === 'stopped'));
  assert.doesNotMatch(stderr, /Serving from the terminal/);
});

test('serves without a window', async () => {
  const child = spawn(
    electronPath(),
    [projectRoot, 'serve', '--folder', place.folder, '--data', place.dataDir, '--port', '0', '--json'],
    { cwd: place.root, env: place.env, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  let stdout = '';
  for await (const chunk of child.stdout) {
    const isFirst = stdout === '';
    stdout += String(chunk);
    // only once: a second signal would abort the shutdown
    if (isFirst) child.kill('SIGTERM');
  }
  assert.equal(await ended, 0);
  assert.match(stdout, /"event":"stopped"/);
});

for (const [name, args, sentence, code] of [
  ['an option without a value', ['--data'], '--data needs a value.', 2],
  ['an invalid value', ['--port=x'], '--port takes a whole number from 0 to 65535.', 2],
] as const) {
  test(`reports ${name} and exits`, async () => {
    const ended = await doctray(...args);
    assert.ok(ended.stderr.split('\n').includes(sentence), ended.stderr);
    assert.equal(ended.code, code);
  });
}

test('reports a data folder that is a file, and creates nothing', async () => {
  const root = await mkdtemp(join(tmpdir(), 'doctray-no-folder-'));
  try {
    const file = join(root, 'a-file');
    await writeFile(file, 'mine');
    const ended = await doctray(`--data=${file}`);
    assert.match(ended.stderr, /DocTray can’t use the data folder\. .*It isn’t a folder\./);
    assert.equal(ended.code, 1);
    assert.deepEqual(await readdir(root), ['a-file']);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
