// `uninstall` in a temporary home: what it removes, what it keeps, and when it refuses.

import assert from 'node:assert/strict';
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
import { commandsOf, makePlace, type Place } from './processes.ts';
import type { Ended } from './running-process.ts';
import { replaceEnv } from './run-command.ts';

let place: Place;
let entry: string;
let commonEnv: NodeJS.ProcessEnv;
/** A copy of a data folder after a host ran in it. It contains paths, so all tests use the same place. */
let usedData: string;
before(async () => {
  place = await makePlace({ 'letter.txt': 'a letter' });
  commonEnv = { ...place.env };
  usedData = await mkdtemp(join(tmpdir(), 'doctray-used-'));
  assert.equal((await (await place.serve()).stop()).code, 0);
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
  await cp(usedData, place.dataDir, { recursive: true });
});

const argsWith = (args: string[]): string[] => ['uninstall', '--data', place.dataDir, ...args];

function uninstall(...args: string[]): Promise<Ended> {
  return place.run(argsWith(args));
}

/**
 * Every file below the place with its content, without the cache of compiled code; of the database, which keeps the time of its last
 * use, only the name.
 */
async function everything(): Promise<string[]> {
  const found = await readdir(place.root, { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const contents = paths
    .filter((path) => !path.includes('.cache'))
    .map(async (path) => (path.includes('doctray.db') ? path : `${path}: ${await readFile(path, 'latin1')}`));
  return (await Promise.all(contents)).toSorted();
}

async function refuses(args: string[], sentence: RegExp): Promise<void> {
  const before = await everything();
  const { code, stdout, stderr } = await uninstall(...args);
  assert.equal(code, 1, stderr);
  assert.match(stderr, sentence);
  assert.match(stderr, /^Nothing was removed\. /);
  assert.equal(stdout, '');
  assert.deepEqual(await everything(), before);
}

test('keeps the data folder, and removes start at login and the cache; deletes no recovered save without --delete-recovered, and nothing while a host runs', async () => {
  // Compiled code is cached where it is for a user, instead of where the tests share it.
  delete place.env['NODE_COMPILE_CACHE'];
  const host = await place.serve();
  const { done, editor } = commandsOf(place);
  const call = await editor('letter.txt');
  assert.equal(await call('LOCK'), 200);
  assert.equal(await call('PUT', 'second'), 200);
  await done(['unlock', 'letter.txt', '--yes']);
  assert.equal(await call('PUT', 'only here'), 409);
  for (const args of [['--yes'], ['--delete-data', '--delete-recovered', '--yes']]) {
    const refused = await uninstall(...args);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^Nothing was removed\. DocTray is running .*`npm run cli -- quit --data \S+`/,
    );
  }
  assert.equal((await host.stop()).code, 0);

  const before = await everything();
  const { code, stdout, stderr } = await place.runProcess(argsWith(['--yes']));
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
    await everything(),
    before.filter((one) => !one.startsWith(entry)),
  );
  assert.deepEqual(await readdir(join(place.root, '.cache')), []);

  await refuses(
    ['--delete-data', '--yes'],
    /1 recovered save is only in the data folder: letter\.txt\. .*recovered restore ID.* --delete-recovered/,
  );
  const alone = await uninstall('--delete-recovered', '--yes');
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /--delete-recovered needs --delete-data/);
  const deleted = await uninstall('--delete-data', '--delete-recovered', '--yes');
  assert.equal(deleted.code, 0, deleted.stderr);
  assert.match(deleted.stdout, /^Deleted a recovered save of letter\.txt\.$/m);
  assert.equal(await readFile(join(place.folder, 'letter.txt'), 'utf8'), 'second');
});

test('--delete-data leaves nothing but the documents', async () => {
  await mkdir(join(place.root, '.cache', 'doctray', 'compiled', 'node'), { recursive: true });
  const { code, stdout, stderr } = await uninstall('--delete-data', '--yes', '--json');
  assert.equal(code, 0, stderr);
  const result = JSON.parse(stdout);
  assert.deepEqual(result.dataFolder, { path: place.dataDir, state: 'deleted' });
  assert.deepEqual([result.secrets, result.otherFiles, result.recoveredSaves], ['none', [], []]);
  assert.deepEqual((await readdir(place.root)).toSorted(), ['.cache', '.config', 'documents']);
  assert.deepEqual(await everything(), [
    `${join(place.root, '.config/autostart/other.desktop')}: `,
    `${join(place.folder, 'letter.txt')}: a letter`,
  ]);
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
  const { code, stdout, stderr } = await place.run(['uninstall', '--delete-data', '--yes']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^There is no data folder at .*doctray\.$/m);
  assert.doesNotMatch(stdout, /compiled/);
  assert.ok(!(await readdir(join(entry, '..'))).includes('doctray.desktop'));
});

test('refuses an empty --data, such as from an unset variable, instead of using the default folder', async () => {
  const standard = join(place.root, '.local', 'share', 'doctray');
  await mkdir(join(standard, '..'), { recursive: true });
  await rename(place.dataDir, standard);
  for (const args of [
    ['uninstall', '--delete-data', '--yes', '--data', ''],
    ['uninstall', '--delete-data', '--yes', '--data='],
    ['serve', '--port', '0', '--data', ''],
    ['start', '--port', '0', '--data', ''],
    ['locks', '--data', ''],
  ]) {
    const { code, stdout, stderr } = await place.run(args);
    assert.deepEqual([code, stdout, stderr], [2, '', '--data needs a path.\n'], args.join(' '));
  }
  assert.ok((await readdir(standard)).includes('doctray.db'));
});

test('keeps data and documents that are in the cache folder, and says which cache it keeps', async () => {
  place.env['XDG_CACHE_HOME'] = join(place.root, 'shared');
  const cache = join(place.root, 'shared', 'doctray');
  const compiled = join(cache, 'compiled');
  // As if XDG_DATA_HOME were XDG_CACHE_HOME.
  await mkdir(join(cache, '..'));
  await rename(place.dataDir, cache);
  await mkdir(compiled);
  const before = (await everything()).filter((one) => !one.startsWith(entry));
  const { code, stdout, stderr } = await uninstall('--data', cache, '--yes');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Removed .*doctray\/compiled\.$/m);
  assert.deepEqual(await everything(), before);

  await mkdir(join(compiled, 'node'), { recursive: true });
  const settings = join(cache, 'settings.json');
  for (const folder of [join(compiled, 'node'), compiled]) {
    await writeFile(settings, JSON.stringify({ folder }));
    const kept = await uninstall('--data', cache, '--yes');
    assert.ok(
      kept.stdout.includes(`Kept ${compiled}, because it contains documents or the data folder.\n`),
      kept.stdout,
    );
    assert.ok((await readdir(compiled)).includes('node'), folder);
  }
  await rename(join(cache, 'doctray.db'), join(compiled, 'doctray.db'));
  const withData = await uninstall('--data', compiled, '--yes');
  assert.ok(withData.stdout.includes(`Kept ${compiled}, because `), withData.stdout + withData.stderr);
  assert.ok((await readdir(compiled)).includes('doctray.db'));
});

test('counts a recovered save whose record was lost', async () => {
  await writeFile(join(place.dataDir, 'rescued', 'a.unknown'), 'bytes');
  await refuses(['--delete-data', '--yes'], /1 recovered save is only in the data folder: a\.unknown\./);
});

test('asks on a terminal, and needs --yes where nobody can be asked', async () => {
  const before = await everything();
  for (const args of [[], ['--delete-data']]) {
    const { code, stderr } = await uninstall(...args);
    assert.equal(code, 2);
    assert.match(stderr, /add --yes/);
  }
  const { HOME } = process.env;
  process.env['HOME'] = place.root;
  try {
    for (const [answer, code] of [
      ['n\n', 130],
      ['y\n', 0],
    ] as const) {
      assert.deepEqual(await everything(), before);
      const typed = fakeTerminal({ isTTY: true });
      const [ended] = await Promise.all([
        runTerminal(argsWith(['--delete-data']), typed.terminal),
        typed.answer(
          /Permanently delete .*data, including settings, users and earlier versions\? Your documents stay\..*\[y\/N\]/,
          answer,
        ),
      ]);
      assert.equal(ended, code, typed.err());
    }
    assert.ok(!(await readdir(place.root)).includes('data'));
  } finally {
    process.env['HOME'] = HOME;
  }
});

test('refuses a folder that isn’t a data folder', async () => {
  // Settings alone may be those of another program.
  await writeFile(join(place.folder, 'settings.json'), '{}');
  for (const args of [['--yes'], ['--delete-data', '--yes']])
    await refuses(['--data', place.folder, ...args], /documents isn’t a DocTray data folder/);
});

test('names what can’t be deleted and the files of others that stay, and deletes the rest if it runs again', async () => {
  await writeFile(join(place.dataDir, 'thesis.odt'), 'mine');
  const stuck = join(place.dataDir, 'versions', 'stuck');
  await mkdir(stuck, { recursive: true });
  await writeFile(join(stuck, 'a'), '');
  const outside = join(place.root, 'outside.txt');
  await writeFile(outside, 'not DocTray’s');
  await symlink(place.root, join(place.dataDir, 'versions', 'link'));
  await chmod(stuck, 0o500);
  /** Root without the capability to ignore file permissions. */
  const prefix =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];
  const other = await makePlace({}, undefined, { prefix });
  const { code, stdout } = await other.run(argsWith(['--delete-data', '--yes']), { env: place.env });
  await other.remove();
  await chmod(stuck, 0o700);
  assert.equal(code, 1);
  assert.match(stdout, /^Not deleted: .*data\/versions\. /m);
  assert.match(stdout, /then run `npm run cli -- uninstall --delete-data --data \S+` again\.$/m);
  const second = await uninstall('--delete-data', '--yes');
  assert.equal(second.code, 0, second.stderr);
  assert.match(second.stdout, /^Other files in .*data were kept: thesis\.odt\.$/m);
  assert.deepEqual(await readdir(place.dataDir), ['thesis.odt']);
  assert.equal(await readFile(outside, 'utf8'), 'not DocTray’s');
});

test('keeps the data if the keychain that holds its secrets is unreachable, or the names of its entries can’t be read', async () => {
  const record = join(place.dataDir, 'data-folder.json');
  await writeFile(record, `{"id":"${'a'.repeat(32)}","secretStore":"keychain"}`);
  await refuses(['--delete-data', '--yes'], /can’t reach the keychain .*Unlock it and try again, or delete /);
  const kept = await uninstall('--yes');
  assert.equal(kept.code, 0);
  assert.match(kept.stdout, /^Its secrets are still in the keychain\.$/m);

  await writeFile(record, '{');
  const before = await everything();
  assert.equal((await uninstall('--delete-data', '--yes')).code, 1);
  assert.deepEqual(await everything(), before);
});

test('shows containers that DocTray has started, and how to remove them', async () => {
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

test('covers what each system keeps outside the data folder, and names what removes the program', () => {
  const linux = ['/c/autostart/doctray.desktop', '/cache/doctray/compiled', '/cache/doctray-updater'];
  const home = { XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/cache' };
  assert.deepEqual(outsidePaths(home, 'linux', '/home/ada'), linux);
  assert.deepEqual(outsidePaths({ XDG_CACHE_HOME: '/cache' }, 'linux', ''), linux.slice(1));
  const windows = ['/local/DocTray/compiled', '/local/doctray-updater'];
  assert.deepEqual(outsidePaths({ LOCALAPPDATA: '/local' }, 'win32', '/users/ada'), windows);
  assert.deepEqual(outsidePaths({ LOCALAPPDATA: '' }, 'win32', ''), []);
  const mac = outsidePaths({}, 'darwin', '/Users/ada');
  assert.ok(mac.includes('/Users/ada/Library/Preferences/org.doctray.DocTray.plist'), mac.join());

  for (const [platform, env, way] of [
    ['linux', {}, / sudo apt remove doctray, /],
    ['darwin', {}, / to the Trash\.$/],
    ['win32', {}, / Settings → Apps/],
    ['linux', { FLATPAK_ID: 'org.doctray.DocTray' }, / flatpak uninstall org\.doctray\.DocTray$/],
    [
      'linux',
      { APPIMAGE: '/home/ada/DocTray.AppImage', APPDIR: '/opt/DocTray' },
      / the file \/home\/ada\/DocTray\.AppImage\.$/,
    ],
    // Started in the terminal of another AppImage.
    [
      'linux',
      { APPIMAGE: '/a/Terminal.AppImage', APPDIR: '/tmp/.mount_Termin' },
      / sudo apt remove doctray, /,
    ],
  ] as const) {
    const installed = { unregister: () => undefined };
    assert.match(programRemoval({ platform, env, installed }, '/opt/DocTray/doctray'), way);
  }
});
