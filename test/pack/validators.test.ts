// Checks files in the installers with the validators that Debian has.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LinuxTargetSpecificOptions } from 'app-builder-lib';
import { LinuxTargetHelper } from 'app-builder-lib/out/targets/LinuxTargetHelper.js';
import { getConfig } from 'app-builder-lib/out/util/config/config.js';
import { deepAssign } from 'builder-util-runtime';
import { autostartEntry } from '../../app/desktop/autostart.ts';

const root = join(import.meta.dirname, '..', '..');
const config = await getConfig(root, 'electron-builder.yml', null);
const productName = config.productName ?? '';
const executableName = config.linux?.executableName ?? '';

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

/** Debian 12's validator doesn't know the key SingleMainWindow. */
function validateEntry(entry: string, name = 'doctray'): void {
  const path = join(tmpdir(), `${name}.desktop`);
  writeFileSync(path, entry.replace('SingleMainWindow=true\n', ''));
  try {
    validate('desktop-file-validate', path);
  } finally {
    rmSync(path);
  }
}

test('the packaged desktop entry is valid and opens doctray: links', async () => {
  const entry = await packagedEntry();
  assert.ok(entry.includes(`\nExec=/opt/${productName}/${executableName} %U\n`), entry);
  assert.ok(entry.includes(`\nStartupWMClass=${executableName}\n`), entry);
  assert.match(entry, /^MimeType=.*x-scheme-handler\/doctray;$/m);
  validateEntry(entry);
  const invalid = '[Desktop Entry]\nType=Application\nName=DocTray\nTerminal=perhaps\n';
  assert.throws(() => validateEntry(invalid), 'the validator rejects an invalid entry');
});

test('the autostart entry is valid, even if the program’s path has special characters', () => {
  for (const program of ['/opt/DocTray/doctray', '/home/ana/My Apps/Doc$Tray "2" 100%.AppImage'])
    validateEntry(autostartEntry([program, '--hidden', '--data=/home/ana/a b']));
});

test('the AppStream metainfo is valid', () => {
  validate('appstreamcli', 'validate', '--no-net', join(root, 'build', 'org.doctray.DocTray.metainfo.xml'));
});

test('the desktop entry of the Flatpak is valid, and starts the app in its sandbox', async () => {
  const appId = config.appId ?? '';
  const options = deepAssign({}, config.linux, config.flatpak) as LinuxTargetSpecificOptions;
  const entry = await packagedEntry(options, 'electron-wrapper %U', { Icon: appId });
  // Without the wrapper, Chromium finds no sandbox in a Flatpak.
  const commands = [...entry.matchAll(/^Exec=(\S+)/gm)].map(([, command]) => command);
  assert.deepEqual([...new Set(commands)], ['electron-wrapper']);
  validateEntry(entry, appId);
});
