// `npm start` in a test project, with scripts in place of Electron. Each start ends in the app, or in a host that serves and one line
// that says why. Where signals and exit codes are the subject, it runs as a process.

import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import type { ServeOptions } from '../../app/terminal/serve-options.ts';
import { isUserAtScreen, linkHint, start as startHere, type StartPlace } from '../../app/terminal/start.ts';
import { startDocumentServer } from '../server/document-server.ts';
import { fakeTerminal } from '../unit/terminal/fake-terminal.ts';
import { until } from '../until.ts';
import { commandsOf, isAlive, makePlace, type Place } from './processes.ts';
import type { Running } from './running-process.ts';

let place: Place;
let display: Server;
const running: Running[] = [];

before(async () => {
  place = await makePlace({ 'notes.md': '# Notes\n' });
  // accepts connections as a compositor would
  display = createServer();
  await new Promise<void>((resolve) => void display.listen(join(place.root, 'wayland'), resolve));
  for (const name of ['main/main.js', 'preload/preload.cjs']) {
    const soon = Date.now() / 1000 + 3600;
    await utimes(await write(`out/${name}`, ''), soon, soon);
  }
});
afterEach(async () => {
  for (const host of running.splice(0)) await host.stop('SIGKILL');
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
async function installElectron(script: string, version = '45.4.1'): Promise<void> {
  await write('node_modules/electron/package.json', JSON.stringify({ version: '45.4.1' }));
  await write('node_modules/electron/dist/version', version);
  await write('node_modules/electron/path.txt', 'electron');
  await chmod(await write('node_modules/electron/dist/electron', `#!/bin/sh\n${script}\n`), 0o755);
}

/** What a script wrote to the file `pid`. */
const pid = async (): Promise<number> =>
  Number(await readFile(join(place.root, 'pid'), 'utf8').catch(() => '0'));

interface StartInput {
  options?: ServeOptions;
  place?: Partial<StartPlace>;
  env?: NodeJS.ProcessEnv;
  isTTY?: boolean;
}

function givenOf(input: StartInput): { options: ServeOptions; place: StartPlace; env: NodeJS.ProcessEnv } {
  const systemRoot = join(place.root, 'system');
  return {
    options: { folder: place.folder, data: place.dataDir, port: '0', json: true, ...input.options },
    place: { projectRoot: place.root, userId: 1000, systemRoot, ...input.place },
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

interface Served {
  stdout: string;
  /** What was printed to standard error, without the log. */
  sentences: string[];
}

/** Starts in the test's process, checks that the host serves, and stops it once `isDone`. */
async function serves(
  input: StartInput = {},
  isDone: (served: Served) => boolean | Promise<boolean> = () => true,
): Promise<Served> {
  const { options, place: startPlace, env } = givenOf(input);
  const { terminal, out, err } = fakeTerminal({
    env: { ...place.env, ...env },
    cwd: place.root,
    isTTY: input.isTTY ?? false,
  });
  const served = (): Served => ({
    stdout: out(),
    sentences: err()
      .split('\n')
      .filter((line) => line !== '' && !/^(?:\{"level"|.*\d\d:\d\d:\d\d )/.test(line)),
  });
  let isOver = false;
  const ended = startHere(options, terminal, startPlace).finally(() => (isOver = true));
  try {
    await until('the host', () => isOver || / {2}Next |^\{"event":"listening"/m.test(out()));
    const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(out()) ?? [];
    assert.equal((await fetch(`${baseUrl}/api/2.0/people/@self.json`)).status, 401, err());
    await until('the result', () => isDone(served()));
  } finally {
    terminal.stdout.emit('error', Object.assign(new Error('the reader is gone'), { code: 'EPIPE' }));
    assert.equal(await ended, 0, err());
  }
  return served();
}

const end = ' Serving from the terminal.';

test('without a display, serves from the terminal, and shows how to open the links over SSH or outside a container', async () => {
  const ssh = { SSH_CONNECTION: '10.0.0.2 50000 10.0.0.1 2222', SSH_TTY: '/dev/pts/0' };
  const env = { ...ssh, WAYLAND_DISPLAY: '', LOGNAME: 'ada' };
  const { stdout, sentences } = await serves({ options: { json: false }, env });
  assert.deepEqual(sentences, [`No display is available.${end}`]);
  assert.match(
    stdout,
    /^ {2}Over SSH .* run this command there: ssh -N( -L (\d+):127\.0\.0\.1:\2){2} -p 2222 ada@10\.0\.0\.1$/m,
  );
  const { systemRoot } = givenOf({}).place;
  const container = linkHint({ env: { container: 'podman' } }, { systemRoot }, []);
  assert.match(container?.join(' ') ?? '', /^In a container .* --network host$/);
  const urls = ['http://127.0.0.1', 'http://127.0.0.1:443', 'http://127.0.0.1:91'];
  const odd = { SSH_CONNECTION: 'fd00::2 50000 fd00::1 22', LOGNAME: '$(reboot)' };
  assert.equal(
    linkHint({ env: odd }, { systemRoot }, urls)?.[1]?.split(': ').at(-1),
    'ssh -N -L 80:127.0.0.1:80 -L 443:127.0.0.1:443 -L 91:127.0.0.1:91 fd00::1',
    'a URL leaves out the usual port',
  );
});

test('finds out before it starts or downloads Electron that no window can open', async () => {
  const wasStarted = join(place.root, 'was-started');
  await installElectron(`touch '${wasStarted}'; exit 9`);
  const root = 'Electron’s sandbox doesn’t work as root, and DocTray doesn’t switch it off.';
  assert.deepEqual((await serves({ place: { userId: 0 } })).sentences, [root + end]);

  const restriction = 'system/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  await write(restriction, '1\n');
  const blocked = 'AppArmor blocks Electron’s sandbox on this computer (see docs/help/linux-window.md).';
  assert.deepEqual((await serves()).sentences, [blocked + end]);
  await removeElectron(`require('fs').writeFileSync('${wasStarted}', '')`);
  assert.deepEqual((await serves()).sentences, [blocked + end]);
  await write(restriction, '0\n');

  for (const [env, reason] of [
    [{ ELECTRON_SKIP_BINARY_DOWNLOAD: '1' }, 'ELECTRON_SKIP_BINARY_DOWNLOAD is set'],
    [
      { ELECTRON_OVERRIDE_DIST_PATH: join(place.root, 'elsewhere') },
      'ELECTRON_OVERRIDE_DIST_PATH doesn’t contain it',
    ],
  ] as const)
    assert.deepEqual((await serves({ env })).sentences, [`Electron isn’t available (${reason}).${end}`]);
  assert.ok(!(await readdir(place.root)).includes('was-started'));
});

for (const [name, script, line] of [
  [
    'SIGTRAP, as without user namespaces',
    'echo "[7:1122/080931.3:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on Ubuntu 23.10+" >&2\nkill -TRAP $$',
    'Electron’s sandbox is blocked on this computer (SIGTRAP; see docs/help/linux-window.md).',
  ],
  [
    'exit code 1',
    'echo "something is wrong" >&2\nexit 1',
    'Electron exited before the window opened (exit code 1: something is wrong).',
  ],
] as const) {
  test(`serves when Electron ends with ${name}`, async () => {
    await installElectron(script);
    assert.deepEqual((await serves()).sentences, [`${line}${end}`]);
  });
}

test('serves when Electron can’t be started, and ends one that hangs', async () => {
  await installElectron(`echo $$ > '${place.root}/pid'\nexec sleep 600`);
  const { sentences } = await serves({ place: { startLimitMs: 2000 } });
  assert.deepEqual(sentences, [`The window didn’t open within 2 s.${end}`]);
  assert.equal(isAlive(await pid()), false);
  await chmod(join(place.root, 'node_modules/electron/dist/electron'), 0o644);
  assert.match(
    (await serves()).sentences.join('\n'),
    /^Electron can’t be started \(.*EACCES\)\. Serving from the terminal\.$/,
  );
});

const opens = `echo '{"event":"host-changed"}'`;

test('passes on the exit code, log and events of an app that started, and exits with 0 when it hands over to the running one', async () => {
  await installElectron(
    `echo "a log line" >&2\nprintf '%s\\n' "$@" > '${place.root}/given'\n${opens}\nsleep 0.5\nexit 3`,
  );
  const { code, stdout, stderr } = await start().ended;
  assert.deepEqual([code, stdout, stderr], [3, '{"event":"host-changed"}\n', 'a log line\n']);
  assert.equal(
    await readFile(join(place.root, 'given'), 'utf8'),
    `${place.root}\n--folder=${place.folder}\n--data=${place.dataDir}\n--port=0\n--json\n`,
  );
  const quiet = await start({ options: { json: false } }).ended;
  assert.deepEqual([quiet.code, quiet.stdout], [3, '']);
  await installElectron('exit 0');
  const handedOver = await start().ended;
  assert.deepEqual([handedOver.code, handedOver.stdout, handedOver.stderr], [0, '', '']);
});

test('a signal while Electron starts ends both, without serving', async () => {
  await rm(join(place.root, 'pid'), { force: true });
  await installElectron(`trap 'exit 130' TERM\necho $$ > '${place.root}/pid'\nwhile :; do sleep 0.1; done`);
  const host = start();
  await until('the process', async () => (await pid()) > 0);
  const { code, stderr } = await host.stop();
  assert.deepEqual([code, stderr], [130, '']);
});

/** Not installed, or another version; this is the package's script that downloads it. */
async function removeElectron(install: string, version?: string): Promise<void> {
  if (version === undefined) await write('node_modules/electron/path.txt', '');
  else await installElectron('exit 9', version);
  await write('node_modules/electron/install.js', install);
}

const downloading = `The window needs Electron, which is being downloaded.${end}`;

/** Leaves a file in the temporary folder, as an aborted download does, and then does the rest. */
const download = (rest: string): string => `
  const fs = require('node:fs');
  fs.mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'electron-download-'));
  ${rest}`;
const installs = (version: string): string => `
  fs.mkdirSync('dist', { recursive: true });
  fs.writeFileSync('dist/electron', '');
  fs.writeFileSync('dist/version', 'v${version}');
  fs.writeFileSync('path.txt', 'electron');`;

test('serves while it downloads a missing or other Electron, says when the window is ready, or why not, and leaves nothing behind', async () => {
  const notReady = (reason: string): string =>
    `Electron couldn’t be downloaded (${reason}). DocTray keeps serving from the terminal. To get the window, check your internet connection, then run npm start again.`;
  for (const [install, sentence] of [
    [
      `setTimeout(() => {${installs('45.4.1')}}, 500);`,
      'The window is ready. Run npm start again to open it.',
    ],
    [installs('44.0.0'), notReady('its install script installed no binary')],
    ['process.exit(3);', notReady('its install script failed')],
    [`console.error(new TypeError('fetch failed').stack); process.exit(1);`, notReady('fetch failed')],
  ] as const) {
    await removeElectron(download(install), '44.0.0');
    const { sentences } = await serves({}, (served) => served.sentences.length > 1);
    assert.deepEqual(sentences, [downloading, sentence]);
  }
  const left = (await readdir(tmpdir())).filter((name) => name.includes('electron-'));
  assert.deepEqual(left, []);
});

test('Ctrl+C ends the host and the download', async () => {
  await rm(join(place.root, 'pid'), { force: true });
  await removeElectron(
    `require('fs').writeFileSync('${place.root}/pid', String(process.pid)); setTimeout(() => {}, 600_000);`,
  );
  const host = start({ options: { json: false } });
  await host.printed(/ {2}Next /);
  await until('the process', async () => (await pid()) > 0);
  const { code, stdout, stderr } = await host.stop('SIGINT');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /\nDocTray stopped\.\n$/);
  assert.match(
    stderr,
    /^The window needs Electron, which is being downloaded\. Serving from the terminal\.$/m,
  );
  const child = await pid();
  await until('the end of the process', () => !isAlive(child));
});

test('at a desktop, opens a document in the browser with a link of its own', async (t) => {
  const { url } = await startDocumentServer({ actions: ['md edit', 'docx edit'] }, t);
  await commandsOf(place).done(['editors', 'add', url, '--name', 'Desk']);
  const opened = join(place.root, 'opened');
  const browser = await write('browser', `#!/bin/sh\nprintf '%s\\n' "$1" >> '${opened}'\n`);
  await chmod(browser, 0o755);
  // xdg-open reads these; this is the only default browser, whatever this computer has
  const { WAYLAND_DISPLAY } = givenOf({}).env;
  const desktop = { BROWSER: browser, XDG_DATA_DIRS: place.root, WAYLAND_DISPLAY };
  const { DISPLAY } = process.env;
  t.after(() => {
    for (const name of Object.keys(desktop)) delete process.env[name];
    if (DISPLAY !== undefined) process.env['DISPLAY'] = DISPLAY;
  });
  Object.assign(process.env, desktop);
  delete process.env['DISPLAY'];
  const env = { ELECTRON_SKIP_BINARY_DOWNLOAD: '1' };
  const read = (): Promise<string> => readFile(opened, 'utf8').catch(() => '');
  await serves({ options: { json: false, open: false }, env, isTTY: true });
  await serves({ options: { json: false }, env, isTTY: true }, async ({ stdout }) => {
    const address = (await read()).trimEnd();
    if (address === '') return false;
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/edit\/[\w-]{22}\?ticket=[\w-]{43}$/);
    const [, printed = ''] = / {2}Open a document +(\S+)/.exec(stdout) ?? [];
    assert.notEqual(printed, address);
    for (const link of [address, printed])
      assert.equal((await fetch(link, { redirect: 'manual' })).status, 303, 'each link works');
    return true;
  });
});

test('opens no browser that nobody would see', async () => {
  const { systemRoot } = givenOf({}).place;
  const isAtScreen = (input: Partial<Parameters<typeof isUserAtScreen>[1]>, options = {}, userId = 1000) =>
    isUserAtScreen(
      options,
      { env: {}, platform: 'linux', stdin: { isTTY: true }, stdout: { isTTY: true }, ...input },
      { userId, systemRoot },
    );
  assert.equal(isAtScreen({}), true);
  assert.equal(isAtScreen({ env: { SSH_TTY: '/dev/pts/1' } }), true, 'its display may be the user’s own');
  const others: [string, boolean][] = [
    ['with --no-open', isAtScreen({}, { open: false })],
    ['with --json', isAtScreen({}, { json: true })],
    ['into a pipe', isAtScreen({ stdout: { isTTY: false } })],
    ['without input', isAtScreen({ stdin: { isTTY: false } })],
    ['as root', isAtScreen({}, {}, 0)],
    ['in CI', isAtScreen({ env: { CI: 'true' } })],
    ['over SSH to a Mac', isAtScreen({ platform: 'darwin', env: { SSH_TTY: '/dev/ttys001' } })],
    ['in a systemd container', isAtScreen({ env: { container: 'lxc' } })],
    ['in a pod', isAtScreen({ env: { KUBERNETES_SERVICE_HOST: '10.96.0.1' } })],
  ];
  for (const mark of ['.dockerenv', 'run/.containerenv']) {
    await write(`system/${mark}`, '');
    others.push([`in a container that has ${mark}`, isAtScreen({})]);
    await rm(join(systemRoot, mark));
  }
  for (const [where, isOpened] of others) assert.equal(isOpened, false, where);
});
