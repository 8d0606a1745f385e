// `npm start` where no window can open, with scripts in place of Electron. Each start ends in a host that serves, and one line that says
// why. Where signals, exit codes and downloads are the subject, it runs as a process.

import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServeOptions } from '../../app/terminal/serve-options.ts';
import { linkHint, start as startHere, type StartPlace } from '../../app/terminal/start.ts';
import { makePlace, type Ended, type Place, type Running } from './processes.ts';
import { pipedTerminal } from './run-command.ts';

let place: Place;
let display: Server;
const running: Running[] = [];

before(async () => {
  place = await makePlace();
  // accepts connections as a compositor would
  display = createServer();
  await new Promise<void>((resolve) => void display.listen(join(place.root, 'wayland'), resolve));
  await write('node_modules/electron/package.json', JSON.stringify({ version: '45.4.1' }));
  for (const name of ['main/main.js', 'preload/preload.cjs', 'renderer/index.html']) {
    const soon = Date.now() / 1000 + 3600;
    await utimes(await write(`out/${name}`, ''), soon, soon);
  }
});
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});
after(async () => {
  await place.remove();
  await new Promise<void>((resolve) => void display.close(() => resolve()));
});

async function write(path: string, content: string): Promise<string> {
  const file = join(place.root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

/** Installs this shell script as the project's Electron; it gets Electron's arguments. */
async function installElectron(script: string): Promise<void> {
  await write('node_modules/electron/dist/version', '45.4.1');
  await write('node_modules/electron/path.txt', 'electron');
  await chmod(await write('node_modules/electron/dist/electron', `#!/bin/sh\n${script}\n`), 0o755);
}

interface StartInput {
  options?: ServeOptions;
  place?: Partial<StartPlace>;
  env?: NodeJS.ProcessEnv;
}

function givenOf(input: StartInput): { options: ServeOptions; place: StartPlace; env: NodeJS.ProcessEnv } {
  return {
    options: { folder: place.folder, data: place.dataDir, port: '0', json: true, ...input.options },
    place: {
      projectRoot: place.root,
      userId: 1000,
      systemRoot: join(place.root, 'system'),
      ...input.place,
    },
    env: { WAYLAND_DISPLAY: join(place.root, 'wayland'), DBUS_SESSION_BUS_ADDRESS: '', ...input.env },
  };
}

function start(input: StartInput = {}): Running {
  const { env, ...given } = givenOf(input);
  const script = join(import.meta.dirname, 'start-process.ts');
  const host = place.start([JSON.stringify(given)], { script, env });
  running.push(host);
  return host;
}

/** What was printed to standard error, without the log. */
function sentences(stderr: string): string[] {
  return stderr.split('\n').filter((line) => line !== '' && !/^(?:\{"level"|\d\d:\d\d:\d\d )/.test(line));
}

async function stop(host: Running): Promise<Ended> {
  host.child.kill('SIGTERM');
  const ended = await host.ended;
  assert.equal(ended.code, 0, ended.stderr);
  return ended;
}

/** Starts in the test's process, checks that the host serves, and stops it. */
async function serves(input: StartInput = {}): Promise<{ stdout: string; stderr: string }> {
  const given = givenOf(input);
  const { terminal, out, err } = pipedTerminal({ env: { ...place.env, ...given.env }, cwd: place.root });
  let isOver = false;
  const ended = startHere(given.options, terminal, given.place).finally(() => (isOver = true));
  while (!/ {2}Next |^\{"event":"listening"/m.test(out()) && !isOver) await sleep(20);
  const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(out()) ?? [];
  assert.equal((await fetch(`${baseUrl}/api/2.0/people/@self.json`)).status, 401);
  terminal.stdout.emit('error', Object.assign(new Error('the reader is gone'), { code: 'EPIPE' }));
  assert.equal(await ended, 0, err());
  return { stdout: out(), stderr: err() };
}

const end = ' Serving from the terminal.';

test('serves without a window when there is no display', async () => {
  const env = { WAYLAND_DISPLAY: '', SSH_CONNECTION: '10.0.0.2 50000 10.0.0.1 22', SSH_TTY: '/dev/pts/0' };
  const remote = await serves({ env });
  assert.deepEqual(sentences(remote.stderr), [`No display is available.${end}`]);
});

test('shows how to open the links over SSH and outside a container', async () => {
  for (const [env, line] of [
    [
      { SSH_CONNECTION: '10.0.0.2 50000 10.0.0.1 2222', LOGNAME: 'ada' },
      /^ {2}Over SSH .* run this command there: ssh -N( -L (\d+):127\.0\.0\.1:\2){2} -p 2222 ada@10\.0\.0\.1$/m,
    ],
    [{ container: 'podman' }, /^ {2}In a container .* --network host$/m],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    const { stdout } = await serves({ options: { json: false }, env: { WAYLAND_DISPLAY: '', ...env } });
    assert.match(stdout, line);
  }
  const urls = ['http://127.0.0.1', 'http://127.0.0.1:443', 'http://127.0.0.1:91'];
  const env = { SSH_CONNECTION: 'fd00::2 50000 fd00::1 22', LOGNAME: '$(reboot)' };
  assert.equal(
    linkHint({ env }, { systemRoot: '/' }, urls)?.[1].split(': ').at(-1),
    'ssh -N -L 80:127.0.0.1:80 -L 443:127.0.0.1:443 -L 91:127.0.0.1:91 fd00::1',
    'a URL leaves out the usual port',
  );
});

test('serves without a window as root', async () => {
  const { stderr } = await serves({ place: { userId: 0 } });
  assert.deepEqual(sentences(stderr), [
    `Electron’s sandbox doesn’t work as root, and DocTray doesn’t switch it off.${end}`,
  ]);
});

test('detects AppArmor’s restriction before Electron is started or downloaded', async () => {
  await write('system/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1\n');
  const blocked = `AppArmor blocks Electron’s sandbox on this computer (see docs/help/linux-window.md).${end}`;
  await installElectron(`touch '${place.root}/was-started'; exit 9`);
  assert.deepEqual(sentences((await serves()).stderr), [blocked]);
  await write('node_modules/electron/path.txt', '');
  await write(
    'node_modules/electron/install.js',
    `require('fs').writeFileSync('${place.root}/was-started', '')`,
  );
  assert.deepEqual(sentences((await serves()).stderr), [blocked]);
  assert.ok(!(await readdir(place.root)).includes('was-started'));
  await write('system/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '0\n');
});

for (const [name, script, line] of [
  [
    'SIGTRAP, as without user namespaces',
    'echo "[7:1122/080931.3:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on Ubuntu 23.10+" >&2\nkill -TRAP $$',
    'Electron’s sandbox is blocked on this computer (SIGTRAP; see docs/help/linux-window.md).',
  ],
  ['SIGABRT', 'kill -ABRT $$', 'Electron exited before the window opened (SIGABRT).'],
  [
    'exit code 1',
    'echo "something is wrong" >&2\nexit 1',
    'Electron exited before the window opened (exit code 1: something is wrong).',
  ],
  [
    'a missing library',
    'echo "electron: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2\nexit 127',
    'Electron needs the library libnss3.so, which isn’t installed.',
  ],
  [
    'a refused display connection',
    'echo "Authorization required, but no authorization protocol specified" >&2\necho "[1:ERROR:ozone_platform_x11.cc(256)] Missing X server or \\$DISPLAY" >&2\nexit 1',
    'The display server refused Electron (exit code 1).',
  ],
] as const) {
  test(`serves when Electron ends with ${name}`, async () => {
    await installElectron(script);
    const { stderr } = await serves();
    assert.deepEqual(sentences(stderr), [`${line}${end}`]);
  });
}

test('serves when Electron can’t be started', async () => {
  await installElectron('exit 0');
  await chmod(join(place.root, 'node_modules/electron/dist/electron'), 0o644);
  const { stderr } = await serves();
  assert.match(
    sentences(stderr).join('\n'),
    /^Electron can’t be started \(.*EACCES\)\. Serving from the terminal\.$/,
  );
});

test('ends Electron when it hangs, and serves', async () => {
  await installElectron(`echo $$ > '${place.root}/pid'\nexec sleep 600`);
  const { stderr } = await serves({ place: { startLimitMs: 6000 } });
  assert.deepEqual(sentences(stderr), [`The window didn’t open within 6 s.${end}`]);
  const pid = Number(await readFile(join(place.root, 'pid'), 'utf8'));
  assert.throws(() => process.kill(pid, 0), 'its process has ended');
});

const opens = `echo '{"event":"host-changed"}'`;

test('passes on the exit code, log and events of an app that started', async () => {
  await installElectron(
    `echo "a log line" >&2\nprintf '%s\\n' "$@" > '${place.root}/given'\n${opens}\nsleep 0.5\nexit 3`,
  );
  const first = await start().ended;
  assert.deepEqual([first.code, first.stderr], [3, 'a log line\n']);
  assert.equal(first.stdout, '{"event":"host-changed"}\n');
  const given = (await readFile(join(place.root, 'given'), 'utf8')).trimEnd().split('\n');
  assert.deepEqual(given, [
    place.root,
    `--folder=${place.folder}`,
    `--data=${place.dataDir}`,
    '--port=0',
    '--json',
  ]);
  const quiet = await start({ options: { json: false } }).ended;
  assert.deepEqual([quiet.code, quiet.stdout], [3, '']);
});

test('exits with 0 when Electron hands over to the running app', async () => {
  await installElectron('exit 0');
  const { code, stdout, stderr } = await start().ended;
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
});

test('a signal while Electron starts ends both, without serving', async () => {
  await installElectron(`trap 'exit 130' TERM\necho $$ > '${place.root}/pid'\nwhile :; do sleep 0.1; done`);
  await rm(join(place.root, 'pid'), { force: true });
  const host = start();
  while (!(await readFile(join(place.root, 'pid'), 'utf8').catch(() => '')).endsWith('\n')) await sleep(20);
  await sleep(200);
  host.child.kill('SIGTERM');
  const { code, stderr } = await host.ended;
  assert.deepEqual([code, stderr], [130, '']);
});

/** An install script that downloads a megabyte every so often, as over a slow connection. */
function dripping(megabytes: number, everyMs: number): string {
  return `
    const fs = require('node:fs');
    const os = require('node:os');
    const path = require('node:path');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'electron-download-'));
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      if (count <= ${megabytes}) return fs.appendFileSync(path.join(folder, 'electron.zip'), Buffer.alloc(1e6));
      clearInterval(timer);
      fs.rmSync(folder, { recursive: true });
      fs.mkdirSync('dist', { recursive: true });
      fs.writeFileSync('dist/electron', '');
      fs.writeFileSync('dist/version', 'v45.4.1');
      fs.writeFileSync('path.txt', 'electron');
    }, ${everyMs});`;
}

async function removeElectron(install: string): Promise<void> {
  await write('node_modules/electron/path.txt', '');
  await write('node_modules/electron/install.js', install);
}

const downloading = `The window needs Electron, which is being downloaded.${end}`;

test('serves during a slow download of Electron, and says when the window is ready', async () => {
  await removeElectron(dripping(3, 1000));
  const host = start();
  const { baseUrl } = await host.event('listening');
  const startedAtMs = performance.now();
  while (!host.stderr().includes('The window is ready')) {
    assert.equal((await fetch(`${String(baseUrl)}/api/2.0/people/@self.json`)).status, 401);
    assert.ok(performance.now() - startedAtMs < 120_000, host.stderr());
    await sleep(250);
  }
  const { stderr } = await stop(host);
  assert.deepEqual(sentences(stderr), [downloading, 'The window is ready. Run npm start again to open it.']);
});

test('reports a failed download in one line with the reason, and keeps serving', async () => {
  await removeElectron(`console.error(new TypeError('fetch failed').stack); process.exit(1);`);
  const host = start();
  const { baseUrl } = await host.event('listening');
  while (sentences(host.stderr()).length < 2) await sleep(20);
  assert.equal((await fetch(`${String(baseUrl)}/api/2.0/people/@self.json`)).status, 401);
  const { stderr } = await stop(host);
  assert.deepEqual(sentences(stderr), [
    downloading,
    'Electron couldn’t be downloaded (fetch failed). DocTray keeps serving from the terminal. To get the window, check your internet connection, then run npm start again.',
  ]);
});

test('Ctrl+C ends the host and the download', async () => {
  await removeElectron(
    `require('fs').writeFileSync('${place.root}/pid', process.pid + '\\n'); ${dripping(600, 200)}`,
  );
  const host = start({ options: { json: false } });
  const pid = async () => Number(await readFile(join(place.root, 'pid'), 'utf8').catch(() => '0'));
  const before = await pid();
  while (!host.stdout().includes('  Next ') || (await pid()) === before) await sleep(20);
  await sleep(1500);
  const startedAtMs = performance.now();
  host.child.kill('SIGINT');
  const { code, stdout, stderr } = await host.ended;
  const tookMs = performance.now() - startedAtMs;
  assert.equal(code, 0, stderr);
  // Far less than the download would take, even while other tests keep the processors busy.
  assert.ok(tookMs < 30_000, `it took ${Math.round(tookMs)} ms`);
  assert.match(stdout, /\nDocTray stopped\.\n$/);
  assert.deepEqual(sentences(stderr), [downloading]);
  const child = await pid();
  assert.throws(() => process.kill(child, 0), 'the download has ended');
});
