// Checks files in the installers with the validators that Debian has.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Arch, type LinuxTargetSpecificOptions } from 'app-builder-lib';
import flatpak from 'app-builder-lib/out/targets/FlatpakTarget.js';
import { LinuxTargetHelper } from 'app-builder-lib/out/targets/LinuxTargetHelper.js';
import { getConfig } from 'app-builder-lib/out/util/config/config.js';
import { deepAssign } from 'builder-util-runtime';
import { autostartEntry } from '../../app/desktop/autostart.ts';

const root = join(import.meta.dirname, '..', '..');
const config = await getConfig(root, 'electron-builder.yml', null);
const productName = config.productName ?? '';
const executableName = config.linux?.executableName ?? '';

interface FlatpakBuilder {
  getFlatpakBuilderOptions(
    app: string,
    stage: string,
    name: string,
    arch: Arch,
  ): {
    manifest: { id: string; base: string; baseVersion: string; runtimeVersion: string; finishArgs: string[] };
    buildOptions: { symlinks: string[][] };
  };
}

/** The desktop entry that electron-builder writes into deb, rpm and AppImage, or into a Flatpak with its options. */
async function packagedEntry(
  options = (config.linux ?? {}) as LinuxTargetSpecificOptions,
  command?: string,
  extra?: Record<string, string>,
): Promise<string> {
  const metadata = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  const packager = {
    appInfo: { productName, sanitizedProductName: productName },
    executableName,
    fileAssociations: [],
    platformSpecificBuildOptions: config.linux,
    info: { metadata },
    config,
  };
  return new LinuxTargetHelper(packager as never).computeDesktopEntry(options, command, extra);
}

function validate(command: string, ...args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  assert.equal(status, 0, error?.message ?? `${stdout}${stderr}`);
}

test('the packaged desktop entry is valid and opens doctray: links', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-desktop-files-'));
  try {
    const entry = await packagedEntry();
    assert.ok(entry.includes(`\nExec=/opt/${productName}/${executableName} %U\n`), entry);
    assert.ok(entry.includes(`\nStartupWMClass=${executableName}\n`), entry);
    assert.match(entry, /^MimeType=.*x-scheme-handler\/doctray;$/m);
    const path = join(folder, 'doctray.desktop');
    // Debian 12's validator doesn't know this key.
    writeFileSync(path, entry.replace('SingleMainWindow=true\n', ''));
    validate('desktop-file-validate', path);
    writeFileSync(path, '[Desktop Entry]\nType=Application\nName=DocTray\nTerminal=perhaps\n');
    assert.throws(() => validate('desktop-file-validate', path), 'the validator rejects an invalid entry');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the autostart entry is valid, even if the program’s path has special characters', () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-desktop-files-'));
  try {
    for (const program of ['/opt/DocTray/doctray', '/home/ana/My Apps/Doc$Tray "2" 100%.AppImage']) {
      const path = join(folder, 'doctray.desktop');
      writeFileSync(path, autostartEntry([program, '--hidden', '--data=/home/ana/a b']));
      validate('desktop-file-validate', path);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the AppStream metainfo is valid', () => {
  validate('appstreamcli', 'validate', '--no-net', join(root, 'build', 'org.doctray.DocTray.metainfo.xml'));
});

test('the Flatpak may access what DocTray needs, and its desktop entry is valid and starts it in its sandbox', async () => {
  const appId = config.appId ?? '';
  const options = deepAssign({}, config.linux, config.flatpak);
  const packager = { appInfo: { id: appId }, executableName, config };
  const target = Object.assign(Object.create(flatpak.default.prototype) as object, {
    packager,
    options,
    outDir: '/out',
  });
  const { manifest, buildOptions } = (target as unknown as FlatpakBuilder).getFlatpakBuilderOptions(
    '/app',
    '/stage',
    'DocTray.flatpak',
    Arch.x64,
  );
  assert.equal(manifest.id, appId);
  assert.equal(manifest.base, 'org.electronjs.Electron2.BaseApp');
  assert.equal(manifest.runtimeVersion, manifest.baseVersion);
  // Nothing else: no other folders, no sound, no other services of the session.
  assert.deepEqual(manifest.finishArgs, [
    '--share=network',
    '--share=ipc',
    '--socket=wayland',
    '--socket=fallback-x11',
    '--device=dri',
    '--filesystem=home',
    '--talk-name=org.freedesktop.secrets',
    '--talk-name=org.freedesktop.Notifications',
    '--talk-name=org.kde.StatusNotifierWatcher',
  ]);
  assert.deepEqual(buildOptions.symlinks, [[`/lib/${appId}/${executableName}`, `/bin/${executableName}`]]);

  const folder = mkdtempSync(join(tmpdir(), 'doctray-desktop-files-'));
  try {
    const entry = await packagedEntry(options, 'electron-wrapper %U', { Icon: appId });
    const commands = [...entry.matchAll(/^Exec=(\S+)/gm)].map(([, command]) => command);
    // Without the wrapper, Chromium finds no sandbox in a Flatpak.
    assert.deepEqual(commands, [
      'electron-wrapper',
      'electron-wrapper',
      'electron-wrapper',
      'electron-wrapper',
    ]);
    const path = join(folder, `${appId}.desktop`);
    writeFileSync(path, entry.replace('SingleMainWindow=true\n', ''));
    validate('desktop-file-validate', path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
