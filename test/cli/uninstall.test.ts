// `uninstall` in a temporary home: what it removes, what it keeps, and when it refuses.

import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { runTerminal } from '../../app/terminal/program.ts';
import { programRemoval } from '../../app/terminal/program-removal.ts';
import { outsidePaths } from '../../app/terminal/uninstall.ts';
import { fakeTerminal } from '../unit/terminal/fake-terminal.ts';
import { makePlace, type Ended, type Place } from './processes.ts';

let place: Place;
let entry: string;
beforeEach(async () => {
  place = await makePlace({ 'letter.txt': 'a letter' });
  const autostart = join(place.root, '.config', 'autostart');
  await mkdir(autostart, { recursive: true });
  entry = join(autostart, 'doctray.desktop');
  await writeFile(entry, '[Desktop Entry]\nExec=/opt/DocTray/doctray --hidden\n');
  await writeFile(join(autostart, 'other.desktop'), '');
});
afterEach(() => place.remove());

async function uninstall(...args: string[]): Promise<Ended> {
  return place.run(['uninstall', '--data', place.dataDir, ...args]);
}

/** Resolves when a host has run once, with a version and a recovered save of letter.txt if wanted. */
async function runHost({ hasSaves = false } = {}): Promise<void> {
  const host = await place.serve();
  if (hasSaves) {
    const opened = await place.run(['open', 'letter.txt', '--json', '--data', place.dataDir, '--print']);
    const { wopiSrc, accessToken } = JSON.parse(opened.stdout);
    const wopi = async (override: string, body?: string): Promise<number> => {
      const path = body === undefined ? '' : '/contents';
      const response = await fetch(`${wopiSrc}${path}?access_token=${accessToken}`, {
        method: 'POST',
        headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': 'lock' },
        ...(body !== undefined && { body }),
      });
      return response.status;
    };
    assert.equal(await wopi('LOCK'), 200);
    assert.equal(await wopi('PUT', 'second'), 200);
    await place.run(['unlock', 'letter.txt', '--yes', '--data', place.dataDir]);
    assert.equal(await wopi('PUT', 'only here'), 409);
  }
  host.child.kill('SIGTERM');
  assert.equal((await host.ended).code, 0);
}

/** Every file below the place, without the cache of compiled code. */
async function everything(): Promise<Map<string, string>> {
  const found = await readdir(place.root, { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const own = paths.filter((path) => !path.includes('.cache'));
  return new Map(await Promise.all(own.map(async (path) => [path, await readFile(path, 'latin1')] as const)));
}

/** Without the time of the last use, which the database keeps. */
async function namesAndSaves(): Promise<string[]> {
  return [...(await everything())].map(([path, text]) =>
    path.includes('doctray.db') ? path : `${path}: ${text}`,
  );
}

async function refuses(args: string[], sentence: RegExp): Promise<void> {
  const before = await namesAndSaves();
  const { code, stdout, stderr } = await uninstall(...args);
  assert.equal(code, 1, stderr);
  assert.match(stderr, sentence);
  assert.match(stderr, /^Nothing was removed\. /);
  assert.equal(stdout, '');
  assert.deepEqual(await namesAndSaves(), before);
}

test('keeps the data folder, and removes start at login and the cache', async () => {
  await runHost({ hasSaves: true });
  const before = await namesAndSaves();
  const { code, stdout, stderr } = await uninstall('--yes');
  assert.equal(code, 0, stderr);
  assert.deepEqual(stdout.split('\n'), [
    `Removed ${entry}.`,
    `Removed ${join(place.root, '.cache', 'doctray')}.`,
    `DocTray’s data is still in ${place.dataDir}.`,
    `The documents in ${place.folder} weren’t changed.`,
    `To remove the program, delete the folder ${join(import.meta.dirname, '..', '..')}.`,
    '',
  ]);
  assert.deepEqual(
    await namesAndSaves(),
    before.filter((one) => !one.startsWith(entry)),
  );
  assert.deepEqual(await readdir(join(place.root, '.cache')), []);
  await runHost();
});

test('--delete-data leaves nothing but the documents', async () => {
  await runHost();
  const { code, stdout, stderr } = await uninstall('--delete-data', '--yes', '--json');
  assert.equal(code, 0, stderr);
  const result = JSON.parse(stdout);
  assert.deepEqual(result.dataFolder, { path: place.dataDir, state: 'deleted' });
  assert.deepEqual([result.secrets, result.notOurs, result.recoveredSaves], ['none', [], []]);
  assert.deepEqual((await readdir(place.root)).toSorted(), ['.cache', '.config', 'documents']);
  assert.deepEqual(
    [...(await everything()).keys()].map((path) => path.slice(place.root.length + 1)).toSorted(),
    ['.config/autostart/other.desktop', 'documents/letter.txt'],
  );
  // a second time, nothing is left to remove
  const again = await uninstall('--delete-data', '--yes');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /^There is no data folder at /m);
});

test('refuses to delete recovered saves without --yes, and lists those it deletes with it', async () => {
  await runHost({ hasSaves: true });
  await refuses(
    ['--delete-data'],
    /1 recovered save is only in the data folder: letter\.txt\. .*recovered restore ID/,
  );
  const { code, stdout, stderr } = await uninstall('--delete-data', '--yes');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Deleted a recovered save of letter\.txt\.$/m);
  assert.equal(await readFile(join(place.folder, 'letter.txt'), 'utf8'), 'second');
});

test('counts a recovered save whose record was lost', async () => {
  await runHost();
  await writeFile(join(place.dataDir, 'rescued', 'a.unknown'), 'bytes');
  await refuses(['--delete-data'], /1 recovered save is only in the data folder: a\.unknown\./);
});

test('needs --yes where nobody can be asked', async () => {
  await runHost();
  const before = await namesAndSaves();
  for (const args of [[], ['--delete-data']]) {
    const { code, stderr } = await uninstall(...args);
    assert.equal(code, 2);
    assert.match(stderr, /add --yes/);
  }
  assert.deepEqual(await namesAndSaves(), before);
});

test('asks on a terminal', async () => {
  await runHost();
  const { HOME, XDG_CACHE_HOME } = process.env;
  process.env['HOME'] = place.root;
  try {
    const before = await namesAndSaves();
    const args = ['uninstall', '--delete-data', '--data', place.dataDir];
    for (const [answer, code] of [
      ['n\n', 130],
      ['y\n', 0],
    ] as const) {
      const typed = fakeTerminal({ isTTY: true });
      // oxlint-disable-next-line no-await-in-loop
      const [ended] = await Promise.all([
        runTerminal(args, typed.terminal),
        typed.answer(
          /Delete .*data with settings, users and earlier versions permanently\?.*\[y\/N\]/,
          answer,
        ),
      ]);
      assert.equal(ended, code, typed.err());
      // oxlint-disable-next-line no-await-in-loop
      if (code === 130) assert.deepEqual(await namesAndSaves(), before);
    }
    assert.ok(!(await readdir(place.root)).includes('data'));
  } finally {
    process.env['HOME'] = HOME;
    if (XDG_CACHE_HOME !== undefined) process.env['XDG_CACHE_HOME'] = XDG_CACHE_HOME;
  }
});

test('refuses while a host runs, and while a window is open whose host couldn’t start', async () => {
  const host = await place.serve();
  for (const args of [['--yes'], ['--delete-data', '--yes']]) {
    // oxlint-disable-next-line no-await-in-loop
    const { code, stderr } = await uninstall(...args);
    assert.equal(code, 1);
    assert.match(stderr, /^Nothing was removed\. DocTray is running .*`npm run cli -- quit`/);
  }
  assert.ok((await readdir(join(entry, '..'))).includes('doctray.desktop'));
  host.child.kill('SIGTERM');
  await host.ended;
  await mkdir(join(place.dataDir, 'window'));
  await symlink(`host-${process.pid}`, join(place.dataDir, 'window', 'SingletonLock'));
  await refuses(['--delete-data', '--yes'], /DocTray is running/);
});

test('refuses a folder that isn’t a data folder', async () => {
  await refuses(['--data', place.folder, '--yes'], /documents isn’t a DocTray data folder/);
  await refuses(['--data', place.folder, '--delete-data', '--yes'], /documents isn’t a DocTray data folder/);
  // settings alone, such as those of another program
  await writeFile(join(place.folder, 'settings.json'), '{}');
  await refuses(['--data', place.folder, '--delete-data', '--yes'], /documents isn’t a DocTray data folder/);
});

test('refuses if documents are in the data folder, or the data folder is among them', async () => {
  await runHost();
  const settings = join(place.dataDir, 'settings.json');
  const inside = join(place.dataDir, 'versions');
  await mkdir(inside, { recursive: true });
  for (const folder of [inside, place.dataDir, place.root]) {
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(settings, JSON.stringify({ folder }));
    // oxlint-disable-next-line no-await-in-loop
    await refuses(['--delete-data', '--yes'], /contain each other/);
  }
  // one that was hosted before
  await writeFile(settings, '{}');
  await rename(place.dataDir, join(place.folder, 'data'));
  await refuses(['--data', join(place.folder, 'data'), '--delete-data', '--yes'], /contain each other/);
});

test('keeps files of others in the data folder', async () => {
  await runHost();
  await writeFile(join(place.dataDir, 'thesis.odt'), 'mine');
  const { code, stdout } = await uninstall('--delete-data', '--yes');
  assert.equal(code, 0);
  assert.match(stdout, /^Other files in .*data were kept: thesis\.odt\.$/m);
  assert.deepEqual(await readdir(place.dataDir), ['thesis.odt']);
});

test('deletes the data although the keychain is unreachable only with --yes, and shows what to do', async () => {
  await runHost();
  await writeFile(
    join(place.dataDir, 'data-folder.json'),
    `{"id":"${'a'.repeat(32)}","secretStore":"keychain"}`,
  );
  const kept = await uninstall('--yes');
  assert.equal(kept.code, 1);
  assert.match(
    kept.stdout,
    /couldn’t reach the keychain\. Unlock it, then run `npm run cli -- uninstall` again\./,
  );
  await refuses(['--delete-data'], /can’t reach the keychain .*Unlock it and try again, or add --yes/);
  const { code, stdout } = await uninstall('--delete-data', '--yes');
  assert.equal(code, 1);
  assert.match(stdout, /couldn’t reach the keychain\. Delete the entries “DocTray” in your keychain app\./);
  assert.ok(!(await readdir(place.root)).includes('data'));
});

test('shows containers that DocTray has started, and how to remove them', async () => {
  await runHost();
  const bin = join(place.root, 'bin');
  await mkdir(bin);
  const facts = [{ Status: 'running' }, {}, {}, { 'doctray.document-server': 'onlyoffice' }, 'image', 0];
  const script = [
    '#!/bin/sh',
    `case "$*" in`,
    `info*) echo '{"ServerVersion":"27.0"}' ;;`,
    `*doctray-onlyoffice) echo '${JSON.stringify(facts)}' ;;`,
    '*) echo "No such container" >&2; exit 1 ;;',
    'esac',
  ];
  await writeFile(join(bin, 'docker'), script.join('\n'), { mode: 0o755 });
  place.env['PATH'] = `${bin}:${place.env['PATH']}`;
  const { stdout } = await uninstall('--yes');
  assert.match(
    stdout,
    /^The container doctray-onlyoffice still exists\. To remove it, run: docker rm --force doctray-onlyoffice && docker volume rm doctray-onlyoffice$/m,
  );
  assert.doesNotMatch(stdout, /collabora/);
});

test('covers what each system keeps outside the data folder', () => {
  assert.deepEqual(outsidePaths({ XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/cache' }, 'linux', '/home/ada'), [
    '/c/autostart/doctray.desktop',
    '/cache/doctray',
    '/cache/doctray-updater',
  ]);
  assert.deepEqual(outsidePaths({ LOCALAPPDATA: '/local' }, 'win32', '/users/ada'), [
    '/local/DocTray/compiled',
    '/local/doctray-updater',
  ]);
  const mac = outsidePaths({}, 'darwin', '/Users/ada');
  assert.ok(mac.includes('/Users/ada/Library/Preferences/org.doctray.DocTray.plist'), mac.join());
});

test('names what removes the program', async () => {
  const installed = { unregister: () => undefined };
  const removal = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}, owner = '') =>
    programRemoval(
      { platform, env, installed },
      async (program) => program === owner,
      '/opt/DocTray/doctray',
    );
  assert.match(await removal('linux', {}, 'dpkg-query'), / sudo apt remove doctray$/);
  assert.match(await removal('linux', {}, 'rpm'), / sudo dnf remove doctray$/);
  assert.match(
    await removal('linux', { APPIMAGE: '/home/ada/DocTray.AppImage' }),
    / the file \/home\/ada\/DocTray\.AppImage\.$/,
  );
  assert.match(
    await removal('linux', { FLATPAK_ID: 'org.doctray.DocTray' }),
    / flatpak uninstall org\.doctray\.DocTray$/,
  );
  assert.match(await removal('linux'), / the folder \/opt\/DocTray\.$/);
  assert.match(await removal('darwin'), / to the Trash\.$/);
  assert.match(await removal('win32'), / Settings → Apps/);
});
