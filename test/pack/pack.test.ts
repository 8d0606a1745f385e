// The packed app and its updates, in one file because packing takes long.

import assert from 'node:assert/strict';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, sign, createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createPackageWithOptions, extractAll } from '@electron/asar';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import type { ElectronApplication, Page } from 'playwright';
import { launchElectron } from '../stand-in/launch.ts';

const projectRoot = join(import.meta.dirname, '..', '..');
let output: string;
before(() => {
  output = mkdtempSync(join(tmpdir(), 'doctray-packed-'));
});
after(() => rmSync(output, { recursive: true, force: true, maxRetries: 5 }));

test('the packed app passes all checks of build/pack.ts', () => {
  const run = spawnSync(process.execPath, [join(projectRoot, 'build', 'pack.ts'), '--output', output], {
    cwd: projectRoot,
    encoding: 'utf8',
    timeout: 240_000,
  });
  const text = `${run.stdout}\n${run.stderr}`;
  assert.equal(run.status, 0, text);
  assert.match(run.stdout, /^\d+ checks passed, 0 failed$/m, text);
  assert.match(run.stdout, /MiB {2}the whole$/m, text);
});

test('an AppImage rejects an unsigned update, and installs a signed one on quit or on request, but not at a shutdown', async () => {
  const place = preparePlace();
  const feed = await startFeed();
  try {
    await createAppWithFeed(place, feed);
    const publish = publisher(place, feed);

    publish({ version: '9.0.0', isSigned: false });
    let app = await start(place);
    let page = await openAbout(app);
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('isn’t signed').waitFor();
    assert.ok(!feed.requests.some((url) => url.endsWith('.AppImage')), feed.requests.join('\n'));

    publish({ version: '9.0.0', isSigned: true });
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('DocTray 9.0.0 is ready').waitFor();
    await page.getByText('What’s new in DocTray 9.0.0').click();
    await page.getByText('- A faster start.').waitFor();
    assert.equal(
      readFileSync(place.appImage, 'utf8'),
      'the old version',
      'nothing is installed before the app quits',
    );
    await quit(app);
    assert.match(readFileSync(place.appImage, 'utf8'), /version 9\.0\.0/);
    assert.equal(readFileSync(place.started, 'utf8'), 'after install: true\n', 'it isn’t opened');

    publish({ version: '9.1.0', isSigned: true });
    app = await start(place);
    page = await openAbout(app);
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('DocTray 9.1.0 is ready').waitFor();
    const ended = once(app.process(), 'exit');
    await page.getByRole('button', { name: 'Restart to update' }).click();
    await ended;
    assert.match(readFileSync(place.appImage, 'utf8'), /version 9\.1\.0/);
    await waitFor(() => readFileSync(place.started, 'utf8').split('\n').length === 3);
    assert.equal(readFileSync(place.started, 'utf8'), 'after install: true\nafter install: \n');

    publish({ version: '9.2.0', isSigned: true });
    app = await start(place);
    page = await openAbout(app);
    await page.getByRole('button', { name: 'Check for updates' }).click();
    await page.getByText('DocTray 9.2.0 is ready').waitFor();
    const stopped = once(app.process(), 'exit');
    app.process().kill('SIGTERM');
    await stopped;
    assert.match(
      readFileSync(place.appImage, 'utf8'),
      /version 9\.1\.0/,
      'nothing is installed at a shutdown',
    );
  } finally {
    for (const child of children) child.kill('SIGKILL');
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
  app: string;
  executable: string;
  /** The AppImage that an update replaces. */
  appImage: string;
  /** A file to which each start of an installed version adds a line. */
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
  const app = join(folder, 'app');
  const env: Record<string, string> = { APPIMAGE: appImage, APPDIR: app, DBUS_SESSION_BUS_ADDRESS: '' };
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'DOCUMENTS']) {
    env[name] = join(folder, name);
    mkdirSync(env[name], { mode: 0o700 });
  }
  const data = join(folder, 'XDG_DATA_HOME', 'doctray');
  mkdirSync(data, { mode: 0o700 });
  const settings = { windowFirstRunDone: true, folder: join(folder, 'DOCUMENTS'), port: 0 };
  writeFileSync(join(data, 'settings.json'), JSON.stringify(settings));
  return { folder, app, executable: join(app, 'doctray'), appImage, started: join(folder, 'started'), env };
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

/** Creates an app as build/installers.ts does: with the feed's URL and key in package.json, and with electron-updater's file. */
async function createAppWithFeed(place: Place, { url }: Feed): Promise<void> {
  cpSync(unpacked(), place.app, { recursive: true });
  const archive = join(place.app, 'resources', 'app.asar');
  const source = join(place.folder, 'source');
  extractAll(archive, source);
  const manifestFile = join(source, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as object;
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  writeFileSync(manifestFile, JSON.stringify({ ...manifest, updates: { url, publicKey: key } }));
  rmSync(archive);
  await createPackageWithOptions(source, archive, { unpack: '**/*.node' });
  writeFileSync(
    join(place.app, 'resources', 'app-update.yml'),
    `provider: generic\nurl: ${url}\nupdaterCacheDirName: doctray-updater\n`,
  );
  // Playwright needs this.
  await flipFuses(place.executable, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}

/** Puts a version into the feed, as electron-builder and build/update-feed.ts do. */
function publisher(place: Place, { files }: Feed): (release: { version: string; isSigned: boolean }) => void {
  writeFileSync(place.appImage, 'the old version');
  return ({ version, isSigned }) => {
    const script = `#!/bin/sh\n# version ${version}\necho "after install: $APPIMAGE_EXIT_AFTER_INSTALL" >> '${place.started}'\n`;
    const bytes = Buffer.from(script);
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
    chmodSync(place.appImage, 0o755);
  };
}

/** Playwright doesn't return the process of an app that has exited. */
const children: ChildProcess[] = [];

async function start({ executable, env }: Place): Promise<ElectronApplication> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = await launchElectron({ appDir: '', executablePath: executable, args, env });
  children.push(app.process());
  return app;
}

async function openAbout(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow();
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: /^Settings/ })
    .click();
  await page.getByText('Check for updates once a day').scrollIntoViewIfNeeded();
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
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
