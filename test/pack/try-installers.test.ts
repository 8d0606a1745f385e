// `npm run installers:try` with recorded commands: it is meant for workflows, because it installs.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { tryInstallers, type TryDeps } from '../../build/try-installers.ts';

function record(platform: NodeJS.Platform, more: Partial<TryDeps> = {}) {
  const commands: string[] = [];
  const files: Partial<Record<string, string>> = {
    '*.deb': 'doctray_1.2.3_amd64.deb',
    'DocTray-Setup-*.exe': 'DocTray-Setup-1.2.3.exe',
    '*.dmg': 'DocTray-1.2.3.dmg',
  };
  const deps: TryDeps = {
    platform,
    arch: 'arm64',
    packages: '/packages',
    version: '1.2.3',
    scratch: '/scratch',
    hasDisplay: false,
    run(program, args) {
      commands.push([program, ...args].join(' '));
      return args.includes('--version') ? '1.2.3\n' : '';
    },
    exists: () => false,
    find: (pattern) => [files[pattern] ?? ''],
    ...more,
  };
  return { deps, commands };
}

test('installs, starts and removes the deb', async () => {
  const { deps, commands } = record('linux');
  await tryInstallers(deps);
  assert.deepEqual(commands, [
    `sudo apt-get install -y -qq ${join('/packages', 'doctray_1.2.3_amd64.deb')}`,
    'xvfb-run --auto-servernum doctray --version',
    'sudo apt-get remove -y -qq doctray',
  ]);
  const seen = record('linux', { hasDisplay: true });
  await tryInstallers(seen.deps);
  assert.equal(seen.commands[1], 'doctray --version');
});

test('installs, starts and uninstalls on Windows', async () => {
  const { deps, commands } = record('win32');
  await tryInstallers(deps);
  const folder = join('/scratch', 'DocTray');
  assert.deepEqual(commands, [
    `${join('/packages', 'DocTray-Setup-1.2.3.exe')} /S /D=${folder}`,
    `${join(folder, 'DocTray.exe')} --version`,
    `${join(folder, 'Uninstall DocTray.exe')} /S`,
  ]);
});

test('verifies the signatures on macOS, and starts the app of this processor', async () => {
  const { deps, commands } = record('darwin');
  await tryInstallers(deps);
  const x64 = join('/packages', 'mac', 'DocTray.app');
  const arm64 = join('/packages', 'mac-arm64', 'DocTray.app');
  assert.deepEqual(commands, [
    `codesign --verify --deep --strict ${x64}`,
    `codesign --verify --deep --strict ${arm64}`,
    `${join(arm64, 'Contents', 'MacOS', 'DocTray')} --version`,
    `hdiutil verify ${join('/packages', 'DocTray-1.2.3.dmg')}`,
  ]);
});

test('fails if there is no package, it prints another version, or something is left', async () => {
  const none = record('linux', { find: () => [] });
  await assert.rejects(tryInstallers(none.deps), /There are 0 files \*\.deb in \/packages instead of 1\./);
  const other = record('linux', { run: () => 'out of order\n' });
  await assert.rejects(tryInstallers(other.deps), /printed "out of order\\n" instead of 1\.2\.3/);
  const left = record('linux', { exists: (path) => path === '/usr/bin/doctray' });
  await assert.rejects(tryInstallers(left.deps), /\/usr\/bin\/doctray is still there/);
});
