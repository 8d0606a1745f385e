// The packed app and its updates, in one file because packing takes long.

import assert from 'node:assert/strict';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, sign, createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { extractAll } from '@electron/asar';
import type { ElectronApplication, Page } from 'playwright';
import { callHost } from '../../app/control/control-client.ts';
import { buildApp, projectRoot } from '../cli/built-program.ts';
import { listen, type Site } from '../listen.ts';
import { launchElectron } from '../stand-in/launch.ts';
import { until } from '../until.ts';

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
    createAppWithFeed(place, feed);
    let app = await start(place);
    let page = await openAbout(app);
    const check = async (shows: string): Promise<void> => {
      await page.getByRole('button', { name: 'Check for updates' }).click();
      await page.getByText(shows).waitFor();
    };
    publish(place, feed, { version: '9.0.0', isSigned: false });
    await check('isn’t signed');
    publish(place, feed, { version: '0.0.1', isSigned: true });
    await check('up to date');
    assert.ok(!feed.requests.some((url) => url.endsWith('.AppImage')), feed.requests.join('\n'));

    publish(place, feed, { version: '9.0.0', isSigned: true });
    const whole = feed.files.get('DocTray-9.0.0.AppImage');
    assert.ok(whole);
    feed.files.set('DocTray-9.0.0.AppImage', Buffer.concat([whole.subarray(0, -1), Buffer.from('#')]));
    await check('couldn’t be downloaded');
    feed.files.set('DocTray-9.0.0.AppImage', whole);
    await check('DocTray 9.0.0 is ready');
    await page.getByText('What’s new in DocTray 9.0.0').click();
    await page.getByText('- A faster start.').waitFor();
    await ended(app, () => app.process().kill('SIGTERM'));
    assert.equal(installedVersion(place), place.ownVersion, 'nothing is installed at a shutdown');

    app = await start(place);
    page = await openAbout(app);
    await check('DocTray 9.0.0 is ready');
    assert.equal(installedVersion(place), place.ownVersion, 'nothing is installed before the app quits');
    await ended(app, () => app.evaluate(({ app: electronApp }) => electronApp.quit()));
    assert.equal(installedVersion(place), '9.0.0');
    assert.equal(
      starts(place).at(-1),
      '9.0.0 after install',
      'it isn’t opened, or the next start would only hand over to it',
    );

    publish(place, feed, { version: '9.1.0', isSigned: true });
    app = await start(place);
    page = await openAbout(app);
    await page.getByText('DocTray 9.0.0', { exact: true }).waitFor();
    await check('DocTray 9.1.0 is ready');
    await ended(app, () => page.getByRole('button', { name: 'Restart to update' }).click());
    assert.equal(installedVersion(place), '9.1.0');
    await until('the new version', () => quitRunning(place));
    assert.deepEqual(starts(place).slice(-2), ['9.0.0', '9.1.0']);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    // A failed test may leave the version that electron-updater started.
    await quitRunning(place);
    await feed.close();
    rmSync(place.folder, { recursive: true, force: true, maxRetries: 5 });
  }
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

interface Feed extends Site {
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
  const site = await listen((request, response) => {
    const path = new URL(request.url ?? '', 'http://feed').pathname;
    requests.push(path);
    const bytes = files.get(path.slice(1));
    if (bytes === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  });
  return { ...site, files, requests };
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

const appFolder = ({ folder }: Place, version: string): string => join(folder, `app-${version}`);

/**
 * Creates the packed app as build/installers.ts does: with the feed's URL and key in package.json, and with electron-updater's file. Its
 * archive is unpacked, because the stand-in would do that at every start.
 */
function createAppWithFeed(place: Place, { url }: Feed): void {
  const app = appFolder(place, place.ownVersion);
  cpSync(unpacked(), app, { recursive: true });
  const resources = join(app, 'resources');
  writeFileSync(
    join(resources, 'app-update.yml'),
    `provider: generic\nurl: ${url}/\nupdaterCacheDirName: doctray-updater\n`,
  );
  extractAll(join(resources, 'app.asar'), join(resources, 'app'));
  for (const name of ['app.asar', 'app.asar.unpacked']) rmSync(join(resources, name), { recursive: true });
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  changeManifest(app, { updates: { url: `${url}/`, publicKey: key } });
  writeFileSync(place.appImage, appImageOf(place, place.ownVersion), { mode: 0o755 });
}

function changeManifest(app: string, changes: object): void {
  const file = join(app, 'resources', 'app', 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
  // It may be a hard link.
  rmSync(file);
  writeFileSync(file, JSON.stringify({ ...manifest, ...changes }));
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

/** Puts a version into the feed, as electron-builder and build/update-feed.ts do. */
function publish(
  place: Place,
  { files }: Feed,
  { version, isSigned }: { version: string; isSigned: boolean },
): void {
  const app = appFolder(place, version);
  if (!existsSync(app)) {
    assert.equal(spawnSync('cp', ['-al', appFolder(place, place.ownVersion), app]).status, 0);
    changeManifest(app, { version });
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
}

/** Playwright doesn't return the process of an app that has exited. */
const children: ChildProcess[] = [];

async function start({ appImage, env }: Place): Promise<ElectronApplication> {
  const app = await launchElectron({ appDir: '', executablePath: appImage, env });
  children.push(app.process());
  return app;
}

/** Quits the app that was started by an update. @returns false if there is none, or if it has only just started */
async function quitRunning({ env }: Place): Promise<boolean> {
  const data = join(env['XDG_DATA_HOME'] ?? '', 'doctray');
  const answer = await callHost<'host.quit'>(data, 'host.quit', {}).catch(() => undefined);
  if (answer === undefined) return false;
  await until('the end of the new version', () => !existsSync(`/proc/${answer.pid}`));
  return true;
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

async function ended(app: ElectronApplication, end: () => unknown): Promise<void> {
  const exit = once(app.process(), 'exit');
  await Promise.resolve(end()).catch(() => undefined);
  await exit;
}
