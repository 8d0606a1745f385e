// `uninstall` in a temporary home: what it removes, what it keeps, and when it refuses.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { runTerminal } from '../../app/terminal/program.ts';
import { outsidePaths, programRemoval } from '../../app/terminal/uninstall.ts';
import { fakeTerminal } from '../unit/terminal/fake-terminal.ts';
import { makePlace, type Ended, type Place } from './processes.ts';
import { replaceEnv } from './run-command.ts';

let place: Place;
let entry: string;
let commonEnv: NodeJS.ProcessEnv;
/** A copy of a data folder after a host ran in it. It contains paths, so all tests use the same place. */
let usedData: string;
before(async () => {
  place = await makePlace();
  commonEnv = { ...place.env };
  usedData = await mkdtemp(join(tmpdir(), 'doctray-used-'));
  await runHost();
  await cp(place.dataDir, usedData, { recursive: true });
});
after(async () => {
  await place.remove();
  await rm(usedData, { recursive: true });
});
beforeEach(async () => {
  for (const name of await readdir(place.root)) await rm(join(place.root, name), { recursive: true });
  replaceEnv(place.env, commonEnv);
  await mkdir(place.folder);
  await writeFile(join(place.folder, 'letter.txt'), 'a letter');
  const autostart = join(place.root, '.config', 'autostart');
  await mkdir(autostart, { recursive: true });
  entry = join(autostart, 'doctray.desktop');
  await writeFile(entry, '[Desktop Entry]\nExec=/opt/DocTray/doctray --hidden\n');
  await writeFile(join(autostart, 'other.desktop'), '');
});

/** Compiled code is cached where it is for a user, instead of where the tests share it. */
function useOwnCodeCache(): void {
  delete place.env['NODE_COMPILE_CACHE'];
}

const argsWith = (args: string[]): string[] => ['uninstall', '--data', place.dataDir, ...args];

function uninstallAsProcess(...args: string[]): Promise<Ended> {
  return place.runProcess(argsWith(args));
}

function uninstall(...args: string[]): Promise<Ended> {
  return place.run(argsWith(args));
}

/** The data folder as `runHost` leaves it, but faster. */
async function copyUsedData(): Promise<void> {
  await cp(usedData, place.dataDir, { recursive: true });
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

test('keeps the data folder, and removes start at login and the cache; deletes no recovered save without --delete-recovered, and nothing while a host runs', async () => {
  useOwnCodeCache();
  await runHost({ hasSaves: true });
  const before = await namesAndSaves();
  const { code, stdout, stderr } = await uninstallAsProcess('--yes');
  assert.equal(code, 0, stderr);
  assert.deepEqual(stdout.split('\n'), [
    `Removed ${entry}.`,
    `Removed ${join(place.root, '.cache', 'doctray', 'compiled')}.`,
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

  const host = await place.serve();
  for (const args of [['--yes'], ['--delete-data', '--delete-recovered', '--yes']]) {
    // oxlint-disable-next-line no-await-in-loop
    const refused = await uninstall(...args);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^Nothing was removed\. DocTray is running .*`npm run cli -- quit --data \S+`/,
    );
  }
  host.child.kill('SIGTERM');
  assert.equal((await host.ended).code, 0, 'the kept data folder still works');

  for (const args of [['--delete-data'], ['--delete-data', '--yes']]) {
    // oxlint-disable-next-line no-await-in-loop
    await refuses(
      args,
      /1 recovered save is only in the data folder: letter\.txt\. .*recovered restore ID.* --delete-recovered/,
    );
  }
  const alone = await uninstall('--delete-recovered', '--yes');
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /--delete-recovered needs --delete-data/);
  const deleted = await uninstall('--delete-data', '--delete-recovered', '--yes');
  assert.equal(deleted.code, 0, deleted.stderr);
  assert.match(deleted.stdout, /^Deleted a recovered save of letter\.txt\.$/m);
  assert.equal(await readFile(join(place.folder, 'letter.txt'), 'utf8'), 'second');
});

test('--delete-data leaves nothing but the documents', async () => {
  useOwnCodeCache();
  await copyUsedData();
  await mkdir(join(place.root, '.cache', 'doctray', 'compiled', 'node'), { recursive: true });
  const { code, stdout, stderr } = await uninstallAsProcess('--delete-data', '--yes', '--json');
  assert.equal(code, 0, stderr);
  const result = JSON.parse(stdout);
  assert.deepEqual(result.dataFolder, { path: place.dataDir, state: 'deleted' });
  assert.deepEqual([result.secrets, result.otherFiles, result.recoveredSaves], ['none', [], []]);
  assert.deepEqual((await readdir(place.root)).toSorted(), ['.cache', '.config', 'documents']);
  assert.deepEqual(
    [...(await everything()).keys()].map((path) => path.slice(place.root.length + 1)).toSorted(),
    ['.config/autostart/other.desktop', 'documents/letter.txt'],
  );
});

test('removes the rest if the standard data folder doesn’t exist, and nothing if a chosen one doesn’t', async () => {
  const missing = join(place.root, 'mistyped');
  await refuses(['--data', missing, '--yes'], /There is no data folder at .*mistyped\./);
  place.env['DOCTRAY_DATA'] = missing;
  const chosen = await place.run(['uninstall', '--yes']);
  assert.equal(chosen.code, 1);
  assert.match(chosen.stderr, /There is no data folder at .*mistyped\./);
  assert.ok((await readdir(join(entry, '..'))).includes('doctray.desktop'));

  place.env['DOCTRAY_DATA'] = '';
  useOwnCodeCache();
  const { code, stdout, stderr } = await place.runProcess(['uninstall', '--delete-data', '--yes']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^There is no data folder at .*doctray\.$/m);
  assert.doesNotMatch(stdout, /compiled/);
  assert.ok(!(await readdir(join(entry, '..'))).includes('doctray.desktop'));
});

test('refuses an empty --data, such as from an unset variable, instead of using the default folder', async () => {
  const standard = join(place.root, '.local', 'share', 'doctray');
  await copyUsedData();
  await mkdir(join(standard, '..'), { recursive: true });
  await rename(place.dataDir, standard);
  for (const args of [
    ['uninstall', '--delete-data', '--yes', '--data', ''],
    ['uninstall', '--delete-data', '--yes', '--data='],
    ['serve', '--port', '0', '--data', ''],
    ['start', '--port', '0', '--data', ''],
    ['locks', '--data', ''],
  ]) {
    // oxlint-disable-next-line no-await-in-loop
    const { code, stdout, stderr } = await place.run(args);
    assert.deepEqual([code, stdout, stderr], [2, '', '--data needs a path.\n'], args.join(' '));
  }
  const { code, stderr } = await place.run(['new', 'a.docx', '--folder', '']);
  assert.deepEqual([code, stderr], [2, '--folder needs a path.\n']);
  assert.ok((await readdir(standard)).includes('doctray.db'));
});

test('keeps data and documents that are in the cache folder', async () => {
  useOwnCodeCache();
  place.env['XDG_CACHE_HOME'] = join(place.root, 'shared');
  const cache = join(place.root, 'shared', 'doctray');
  await copyUsedData();
  // As if XDG_DATA_HOME were XDG_CACHE_HOME.
  await mkdir(join(cache, '..'));
  await rename(place.dataDir, cache);
  await mkdir(join(cache, 'compiled'));
  const before = (await namesAndSaves()).filter((one) => !one.startsWith(entry));
  const { code, stdout, stderr } = await uninstall('--data', cache, '--yes');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Removed .*doctray\/compiled\.$/m);
  assert.deepEqual(await namesAndSaves(), before);
});

test('keeps a cache that contains the data folder or a hosted folder', async () => {
  useOwnCodeCache();
  place.env['XDG_CACHE_HOME'] = join(place.root, 'cache');
  const compiled = join(place.root, 'cache', 'doctray', 'compiled');
  await copyUsedData();
  await mkdir(join(compiled, 'node'), { recursive: true });
  const inside = join(compiled, 'data');
  await rename(place.dataDir, inside);
  const withData = await uninstall('--data', inside, '--yes');
  assert.equal(withData.code, 0, withData.stderr);
  assert.doesNotMatch(withData.stdout, /^Removed .*compiled/m);
  assert.ok((await readdir(inside)).includes('doctray.db'));

  await rename(inside, place.dataDir);
  const settings = join(place.dataDir, 'settings.json');
  for (const folder of [join(compiled, 'node'), compiled]) {
    // oxlint-disable-next-line no-await-in-loop
    await writeFile(settings, JSON.stringify({ folder }));
    // oxlint-disable-next-line no-await-in-loop
    await uninstall('--yes');
    // oxlint-disable-next-line no-await-in-loop
    assert.ok((await readdir(compiled)).includes('node'), folder);
  }
});

test('counts a recovered save whose record was lost', async () => {
  await copyUsedData();
  await writeFile(join(place.dataDir, 'rescued', 'a.unknown'), 'bytes');
  await refuses(['--delete-data'], /1 recovered save is only in the data folder: a\.unknown\./);
});

test('refuses if the recovered saves can’t be listed', async () => {
  await copyUsedData();
  await rm(join(place.dataDir, 'rescued'), { recursive: true });
  await writeFile(join(place.dataDir, 'rescued'), '');
  await refuses(['--delete-data', '--delete-recovered', '--yes'], /couldn’t list the recovered saves/);
});

test('needs --yes where nobody can be asked', async () => {
  await copyUsedData();
  const before = await namesAndSaves();
  for (const args of [[], ['--delete-data']]) {
    const { code, stderr } = await uninstall(...args);
    assert.equal(code, 2);
    assert.match(stderr, /add --yes/);
  }
  assert.deepEqual(await namesAndSaves(), before);
});

test('asks on a terminal', async () => {
  await copyUsedData();
  const { HOME } = process.env;
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
          /Permanently delete .*data, including settings, users and earlier versions\? Your documents stay\..*\[y\/N\]/,
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
  }
});

test('refuses a folder that isn’t a data folder', async () => {
  await refuses(['--data', place.folder, '--yes'], /documents isn’t a DocTray data folder/);
  await refuses(['--data', place.folder, '--delete-data', '--yes'], /documents isn’t a DocTray data folder/);
  // settings alone, such as those of another program
  await writeFile(join(place.folder, 'settings.json'), '{}');
  await refuses(['--data', place.folder, '--delete-data', '--yes'], /documents isn’t a DocTray data folder/);
});

test('refuses if documents are in the data folder, or the data folder is among them', async () => {
  await copyUsedData();
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

test('names what can’t be deleted, and deletes the rest if it runs again', async () => {
  await copyUsedData();
  const stuck = join(place.dataDir, 'versions', 'stuck');
  await mkdir(stuck, { recursive: true });
  await writeFile(join(stuck, 'a'), '');
  const outside = join(place.root, 'outside.txt');
  await writeFile(outside, 'not DocTray’s');
  await symlink(place.root, join(place.dataDir, 'versions', 'link'));
  await chmod(stuck, 0o500);
  const asOthers =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];
  const command = [...asOthers, process.execPath, join(import.meta.dirname, '../../app/cli.ts')];
  const [program = '', ...args] = [...command, ...argsWith(['--delete-data', '--yes'])];
  const child = spawn(program, args, { env: place.env, stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  await chmod(stuck, 0o700);
  assert.equal(code, 1);
  assert.match(stdout, /^Not deleted: .*data\/versions\. /m);
  assert.match(stdout, /then run `npm run cli -- uninstall --delete-data --data \S+` again\.$/m);
  const second = await uninstall('--delete-data', '--yes');
  assert.equal(second.code, 0, second.stderr);
  assert.ok(!(await readdir(place.root)).includes('data'));
  assert.equal(await readFile(outside, 'utf8'), 'not DocTray’s');
});

test('keeps files of others in the data folder', async () => {
  await copyUsedData();
  await writeFile(join(place.dataDir, 'thesis.odt'), 'mine');
  const { code, stdout } = await uninstall('--delete-data', '--yes');
  assert.equal(code, 0);
  assert.match(stdout, /^Other files in .*data were kept: thesis\.odt\.$/m);
  assert.deepEqual(await readdir(place.dataDir), ['thesis.odt']);
});

test('keeps the data if the keychain is unreachable that holds its secrets', async () => {
  await copyUsedData();
  await writeFile(
    join(place.dataDir, 'data-folder.json'),
    `{"id":"${'a'.repeat(32)}","secretStore":"keychain"}`,
  );
  await refuses(['--delete-data', '--yes'], /can’t reach the keychain .*Unlock it and try again, or delete /);
  const kept = await uninstall('--yes');
  assert.equal(kept.code, 0);
  assert.match(kept.stdout, /^Its secrets are still in the keychain\.$/m);
});

test('removes nothing if the names of the keychain entries can’t be read', async () => {
  await copyUsedData();
  await writeFile(join(place.dataDir, 'data-folder.json'), '{');
  const before = await namesAndSaves();
  assert.equal((await uninstall('--delete-data', '--yes')).code, 1);
  assert.deepEqual(await namesAndSaves(), before);
});

test('shows containers that DocTray has started, and how to remove them', async () => {
  await copyUsedData();
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
    '/cache/doctray/compiled',
    '/cache/doctray-updater',
  ]);
  assert.deepEqual(outsidePaths({ LOCALAPPDATA: '/local' }, 'win32', '/users/ada'), [
    '/local/DocTray/compiled',
    '/local/doctray-updater',
  ]);
  assert.deepEqual(outsidePaths({ LOCALAPPDATA: '' }, 'win32', ''), []);
  assert.deepEqual(outsidePaths({ XDG_CACHE_HOME: '/cache' }, 'linux', ''), [
    '/cache/doctray/compiled',
    '/cache/doctray-updater',
  ]);
  const mac = outsidePaths({}, 'darwin', '/Users/ada');
  assert.ok(mac.includes('/Users/ada/Library/Preferences/org.doctray.DocTray.plist'), mac.join());
});

test('names what removes the program', () => {
  const installed = { unregister: () => undefined };
  const removal = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) =>
    programRemoval({ platform, env, installed }, '/opt/DocTray/doctray');
  const appImage = { APPIMAGE: '/home/ada/DocTray.AppImage', APPDIR: '/opt/DocTray' };
  assert.match(removal('linux', appImage), / the file \/home\/ada\/DocTray\.AppImage\.$/);
  // Started in the terminal of another AppImage.
  const other = { APPIMAGE: '/home/ada/Terminal.AppImage', APPDIR: '/tmp/.mount_Termin' };
  assert.match(removal('linux', other), / sudo apt remove doctray, /);
  assert.match(
    removal('linux', { FLATPAK_ID: 'org.doctray.DocTray' }),
    / flatpak uninstall org\.doctray\.DocTray$/,
  );
  assert.match(removal('linux'), / sudo apt remove doctray, /);
  assert.match(removal('darwin'), / to the Trash\.$/);
  assert.match(removal('win32'), / Settings → Apps/);
});
