// The app's own entry, run as a process: terminal commands, and starts that fail before a window opens.

import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { electronPath } from '../stand-in/launch.ts';
import { buildApp, projectRoot } from './built-program.ts';
import { makePlace, type Place } from './processes.ts';

let place: Place;
before(async () => {
  await buildApp();
  place = await makePlace();
});
after(() => place.remove());

const env = { DBUS_SESSION_BUS_ADDRESS: '', TMPDIR: tmpdir() };

/** Runs `doctray ARGS` from the sources. */
const start = (...args: string[]) => place.start(args, { program: electronPath(), script: projectRoot, env });

test('serves and runs terminal commands in the app binary, without a window, and passes on the exit code', async () => {
  const data = ['--data', place.dataDir];
  const host = start('serve', '--folder', place.folder, ...data, '--port', '0', '--json');
  await host.event('listening');
  const { code, stdout } = await start('locks', ...data, '--json').ended;
  assert.deepEqual([code, JSON.parse(stdout)], [0, []]);
  const missing = await start('unlock', 'no such.docx', '--yes', ...data).ended;
  assert.deepEqual([missing.code, missing.stdout], [3, '']);
  assert.ok(!(await readdir(place.dataDir)).includes('window'), 'Chromium created no profile');
  const ended = await host.stop();
  assert.equal(ended.code, 0);
  assert.match(ended.stdout, /"event":"stopped"/);
});

test('reports a mistyped command, and in a dialog an invalid value and a data folder that is a file, without a window', async () => {
  await writeFile(join(place.root, 'a-file'), 'mine');
  const before = await readdir(place.root);
  for (const [typed, sentence, code] of [
    ['locsk', /^Unknown command “locsk” \(Did you mean locks\?\); see --help\.$/m, 2],
    ['--port=x', /^(--port takes a whole number from 0 to 65535\.)\nDocTray couldn’t start: \1$/m, 2],
    [
      '--data=a-file',
      /^(DocTray can’t use the data folder\. .*a-file: It isn’t a folder\..*)\nDocTray couldn’t start: \1$/m,
      1,
    ],
  ] as const) {
    const ended = await start(typed).ended;
    assert.match(ended.stderr, sentence);
    assert.equal(ended.code, code);
  }
  assert.deepEqual(await readdir(place.root), before);
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
      ...env,
      WAYLAND_DISPLAY: join(place.root, 'wayland'),
      ELECTRON_OVERRIDE_DIST_PATH: dirname(electronPath()),
    },
  });
  assert.equal((await app.event('listening'))['folder'], folder);
  const { code, stderr } = await app.stop();
  assert.equal(code, 0, stderr);
  assert.ok(app.events().some(({ event }) => event === 'stopped'));
  assert.doesNotMatch(stderr, /Serving from the terminal/);
});
