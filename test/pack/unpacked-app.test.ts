import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { getConfig } from 'app-builder-lib/out/util/config/config.js';
import { Arch, getArchSuffix } from 'builder-util';
import { electronFolder, unpackedApp, unpackedArguments } from '../../build/unpacked-app.ts';

const root = join(import.meta.dirname, '..', '..');
const config = await getConfig(root, 'electron-builder.yml', null);

test('knows where electron-builder puts the app of each system', () => {
  const { linux } = config;
  const productName = config.productName ?? '';
  for (const arch of ['x64', 'arm64'] as const) {
    const suffix = getArchSuffix(Arch[arch]);
    const onLinux = unpackedApp('/out', 'linux', arch);
    assert.equal(onLinux.executable, join('/out', `linux${suffix}-unpacked`, linux?.executableName ?? ''));
    assert.equal(onLinux.resources, join('/out', `linux${suffix}-unpacked`, 'resources'));
    const onWindows = unpackedApp('/out', 'win32', arch);
    assert.equal(onWindows.executable, join('/out', `win${suffix}-unpacked`, `${productName}.exe`));
    const onMac = unpackedApp('/out', 'darwin', arch);
    assert.equal(onMac.folder, join('/out', `mac${suffix}`, `${productName}.app`));
    assert.equal(onMac.executable, join(onMac.folder, 'Contents/MacOS', productName));
    assert.equal(onMac.resources, join(onMac.folder, 'Contents/Resources'));
  }
});

test('packs for this system and processor; signs ad hoc on macOS', () => {
  const common = ['--publish', 'never'];
  assert.deepEqual(unpackedArguments('linux', 'x64'), ['--linux', 'dir', '--x64', ...common]);
  assert.deepEqual(unpackedArguments('win32', 'x64'), ['--win', 'dir', '--x64', ...common]);
  assert.deepEqual(unpackedArguments('darwin', 'arm64'), [
    '--mac',
    'dir',
    '--arm64',
    ...common,
    '-c.mac.identity=-',
    '-c.mac.hardenedRuntime=false',
  ]);
  assert.throws(() => unpackedArguments('freebsd', 'x64'), /can’t be packed for freebsd/);
});

test('finds the folder of Electron from its executable, as the npm package has it', () => {
  const dist = join(root, 'node_modules', 'electron', 'dist');
  const paths = readFileSync(join(root, 'node_modules', 'electron', 'install.js'), 'utf8');
  for (const [platform, name] of [
    ['darwin', 'Electron.app/Contents/MacOS/Electron'],
    ['linux', 'electron'],
    ['win32', 'electron.exe'],
  ] as const) {
    assert.ok(paths.includes(`'${name}'`), name);
    assert.equal(electronFolder(join(dist, name), platform), dist);
  }
});
