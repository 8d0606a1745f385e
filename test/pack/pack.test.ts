// The packed app and its updates, in one file because packing takes long.

import assert from 'node:assert/strict';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, sign, createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createPackageWithOptions, extractAll } from '@electron/asar';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import type { ElectronApplication, Page } from 'playwright';
import { buildApp } from '../e2e/running-app.ts';
import { launchElectron } from '../stand-in/launch.ts';

const projectRoot = join(import.meta.dirname, '..', '..');
let output: string;
before(() => {
  output = mkdtempSync(join(tmpdir(), 'doctray-packed-'));
});
after(() => rmSync(output, { recursive: true, force: true, maxRetries: 5 }));

// Of the bundles that the app's own start builds; in the workflow, `npm run pack` builds them.
test('the packed app passes all checks of build/pack.ts', async () => {
  await buildApp();
  const args = ['--output', output, '--built', join(projectRoot, 'out')];
  const run = spawnSync(process.execPath, [join(projectRoot, 'build', 'pack.ts'), ...args], {
    cwd: projectRoot,
    encoding: 'utf8',
    timeout: 240_000,
  });
  const text = `${run.stdout}\n${run.stderr}`;
  assert.equal(run.status, 0, text);
  assert.match(run.stdout, /^\d+ checks passed, 0 failed$/m, text);
  assert.match(run.stdout, /MiB {2}the whole$/m, text);
});

test('an AppImage rejects an unsigned, an older or a damaged update, and installs a signed one on quit or on request, but not at a shutdown', async () => {
  const place = preparePlace();
  const feed = await startFeed();
  try {
    await createAppWithFeed(place, feed);
    const publish = publisher(place, feed);

    await publish({ version: '9.0.0', isSigned: false });
    let app = await start(place);
    let page = await openAbout(app);
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('isn’t signed').waitFor();
    assert.ok(!feed.requests.some((url) => url.endsWith('.AppImage')), feed.requests.join('\n'));

    await publish({ version: '0.0.1', isSigned: true });
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('up to date').waitFor();
    assert.ok(!feed.requests.some((url) => url.endsWith('.AppImage')), feed.requests.join('\n'));

    await publish({ version: '9.0.0', isSigned: true });
    const whole = feed.files.get('DocTray-9.0.0.AppImage');
    assert.ok(whole);
    for (const bytes of [whole.subarray(0, 100), Buffer.concat([whole.subarray(0, -1), Buffer.from('#')])]) {
      feed.files.set('DocTray-9.0.0.AppImage', bytes);
      await page.getByRole('button', { name: 'Check for updates' }).click();
      await page.getByText('couldn’t be downloaded').waitFor();
      assert.equal(installedVersion(place), place.ownVersion);
      // The next check must report it again.
      await publish({ version: '0.0.1', isSigned: true });
      await page.getByRole('button', { name: 'Check for updates' }).click();
      await page.getByText('up to date').waitFor();
      await publish({ version: '9.0.0', isSigned: true });
    }
    await quit(app);
    assert.equal(installedVersion(place), place.ownVersion, 'nothing damaged is installed at the next quit');
    app = await start(place);
    page = await openAbout(app);
    assert.deepEqual([...new Set(starts(place))], [place.ownVersion]);
    writeFileSync(place.started, `${place.ownVersion}\n`);
    feed.files.set('DocTray-9.0.0.AppImage', whole);
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('DocTray 9.0.0 is ready').waitFor();
    await page.getByText('What’s new in DocTray 9.0.0').click();
    await page.getByText('- A faster start.').waitFor();
    assert.equal(installedVersion(place), place.ownVersion, 'nothing is installed before the app quits');
    await quit(app);
    assert.equal(installedVersion(place), '9.0.0');
    assert.deepEqual(starts(place), [place.ownVersion, '9.0.0 after install'], 'it isn’t opened');

    await publish({ version: '9.1.0', isSigned: true });
    app = await start(place);
    page = await openAbout(app);
    await page.getByText('DocTray 9.0.0', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('DocTray 9.1.0 is ready').waitFor();
    const ended = once(app.process(), 'exit');
    await page.getByRole('button', { name: 'Restart to update' }).click();
    await ended;
    assert.equal(installedVersion(place), '9.1.0');
    // Starts the packed app only when there is something to ask, because each start takes a second of processor time.
    const data = join(place.env['XDG_DATA_HOME'] ?? '', 'doctray');
    await waitFor(() => ['control.sock', 'control.path'].some((name) => existsSync(join(data, name))));
    let stop = runCommand(place, '9.1.0', 'quit');
    await waitFor(() => stop.status === 0 || (stop = runCommand(place, '9.1.0', 'quit')).status === 0);
    assert.equal(stop.stdout, 'DocTray was stopped.\n', stop.stderr);
    assert.deepEqual(starts(place).slice(2, 4), ['9.0.0', '9.1.0']);

    await publish({ version: '9.2.0', isSigned: true });
    app = await start(place);
    page = await openAbout(app);
    await page.getByText('DocTray 9.1.0', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('DocTray 9.2.0 is ready').waitFor();
    const stopped = once(app.process(), 'exit');
    app.process().kill('SIGTERM');
    await stopped;
    assert.equal(installedVersion(place), '9.1.0', 'nothing is installed at a shutdown');
  } finally {
    for (const child of children) child.kill('SIGKILL');
    // A failed test may leave the version that electron-updater started.
    if (existsSync(appFolder(place, '9.1.0'))) runCommand(place, '9.1.0', 'quit');
    feed.server.closeAllConnections();
    feed.server.close();
    rmSync(place.folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

test('an AppImage that electron-updater runs after an installation exits at once', () => {
  const run = spawnSync(join(unpacked(), 'doctray'), process.getuid?.() === 0 ? ['--no-sandbox'] : [], {
    env: { ...process.env, APPIMAGE_EXIT_AFTER_INSTALL: 'true' },
    timeout: 20_000,
  });
  assert.equal(run.status, 0, String(run.stderr));
});

interface Place {
  folder: string;
  /** Stands for the AppImage that an update replaces: a script that starts the packed app of its version, in a folder of its own. */
  appImage: string;
  ownVersion: string;
  /** A file to which each start of the AppImage adds a line. */
  started: string;
  env: Record<string, string>;
}

interface Feed {
  server: Server;
  url: string;
  files: Map<string, Buffer>;
  requests: string[];
}

function unpacked(): string {
  return join(output, process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`);
}

function preparePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-update-'));
  const appImage = join(folder, 'DocTray.AppImage');
  const manifest = readFileSync(join(projectRoot, 'package.json'), 'utf8');
  const { version: ownVersion } = JSON.parse(manifest) as { version: string };
  const env: Record<string, string> = { APPIMAGE: appImage, APPDIR: folder, DBUS_SESSION_BUS_ADDRESS: '' };
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'DOCUMENTS']) {
    env[name] = join(folder, name);
    mkdirSync(env[name], { mode: 0o700 });
  }
  const data = join(folder, 'XDG_DATA_HOME', 'doctray');
  mkdirSync(data, { mode: 0o700 });
  const settings = { windowFirstRunDone: true, folder: join(folder, 'DOCUMENTS'), port: 0 };
  writeFileSync(join(data, 'settings.json'), JSON.stringify(settings));
  return { folder, appImage, ownVersion, started: join(folder, 'started'), env };
}

async function startFeed(): Promise<Feed> {
  const files = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://feed').pathname;
    requests.push(path);
    const bytes = files.get(path.slice(1));
    if (bytes === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, files, requests };
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

const appFolder = ({ folder }: Place, version: string): string => join(folder, `app-${version}`);

/** Creates the packed app as build/installers.ts does: with the feed's URL and key in package.json, and with electron-updater's file. */
async function createAppWithFeed(place: Place, { url }: Feed): Promise<void> {
  const app = appFolder(place, place.ownVersion);
  cpSync(unpacked(), app, { recursive: true });
  writeFileSync(
    join(app, 'resources', 'app-update.yml'),
    `provider: generic\nurl: ${url}\nupdaterCacheDirName: doctray-updater\n`,
  );
  // Playwright needs this.
  await flipFuses(join(app, 'doctray'), {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  extractAll(join(app, 'resources', 'app.asar'), join(place.folder, 'source'));
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  await packVersion(place, place.ownVersion, { updates: { url, publicKey: key } });
  writeFileSync(place.appImage, appImageOf(place, place.ownVersion), { mode: 0o755 });
}

/** Creates app.asar of a version, with changes of its package.json that later versions keep. */
async function packVersion(place: Place, version: string, changes: object = {}): Promise<void> {
  const source = join(place.folder, 'source');
  const manifestFile = join(source, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as object;
  writeFileSync(manifestFile, JSON.stringify({ ...manifest, ...changes, version }));
  const archive = join(appFolder(place, version), 'resources', 'app.asar');
  for (const path of [archive, `${archive}.unpacked`]) rmSync(path, { recursive: true });
  await createPackageWithOptions(source, archive, { unpack: '**/*.node' });
}

function appImageOf(place: Place, version: string): string {
  const sandbox = process.getuid?.() === 0 ? '--no-sandbox ' : '';
  return `#!/bin/sh
# version ${version}
echo "${version}\${APPIMAGE_EXIT_AFTER_INSTALL:+ after install}" >> '${place.started}'
exec '${join(appFolder(place, version), 'doctray')}' ${sandbox}"$@"
`;
}

function installedVersion({ appImage }: Place): string | undefined {
  return /^# version (.*)$/m.exec(readFileSync(appImage, 'utf8'))?.[1];
}

const starts = ({ started }: Place): string[] => readFileSync(started, 'utf8').trimEnd().split('\n');

/** Packs a version and puts it into the feed, as electron-builder and build/update-feed.ts do. */
function publisher(
  place: Place,
  { files }: Feed,
): (release: { version: string; isSigned: boolean }) => Promise<void> {
  return async ({ version, isSigned }) => {
    const app = appFolder(place, version);
    if (!existsSync(app)) {
      // Hard links, except for what differs.
      assert.equal(spawnSync('cp', ['-al', appFolder(place, place.ownVersion), app]).status, 0);
      await packVersion(place, version);
    }
    const bytes = Buffer.from(appImageOf(place, version));
    const sha512 = createHash('sha512').update(bytes).digest('base64');
    const name = `DocTray-${version}.AppImage`;
    const metadata = Buffer.from(
      `version: ${version}\nfiles:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${bytes.length}\npath: ${name}\nsha512: ${sha512}\nreleaseNotes: |-\n  ### Added\n  - A faster start.\nreleaseDate: '2026-01-01T00:00:00.000Z'\n`,
    );
    const key = isSigned ? privateKey : generateKeyPairSync('ed25519').privateKey;
    const metadataName = process.arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${process.arch}.yml`;
    files.set(name, bytes);
    files.set(metadataName, metadata);
    files.set(`${metadataName}.sig`, Buffer.from(sign(null, metadata, key).toString('base64')));
  };
}

/** Playwright doesn't return the process of an app that has exited. */
const children: ChildProcess[] = [];

async function start({ appImage, env }: Place): Promise<ElectronApplication> {
  const app = await launchElectron({ appDir: '', executablePath: appImage, env });
  children.push(app.process());
  return app;
}

/** Runs a command in the terminal. */
function runCommand(place: Place, version: string, command: string) {
  const env = { ...process.env, ...place.env };
  const app = join(appFolder(place, version), 'doctray');
  return spawnSync(app, [command], { env, encoding: 'utf8', timeout: 30_000 });
}

async function openAbout(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow();
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: /^Settings/ })
    .click();
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('button', { name: 'About', exact: true })
    .click();
  await page.getByText('Check for updates once a day').waitFor();
  return page;
}

async function quit(app: ElectronApplication): Promise<void> {
  const ended = once(app.process(), 'exit');
  await app.evaluate(({ app: electronApp }) => electronApp.quit()).catch(() => undefined);
  await ended;
}

async function waitFor(isSo: () => boolean): Promise<void> {
  const endMs = Date.now() + 20_000;
  while (!isSo()) {
    assert.ok(Date.now() < endMs, 'The condition wasn’t met in time.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
