// The installers' configuration, as far as it can be checked without the downloads of electron-builder.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateAppRunScript } from 'app-builder-lib/out/targets/appimage/appImageUtil.js';
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { terminalArguments } from '../../app/desktop/launch.ts';
import { installerArguments } from '../../build/installers.ts';

const root = join(import.meta.dirname, '..', '..');
const config = await getConfig(root, 'electron-builder.yml', null);

test('electron-builder accepts the configuration', async () => {
  await validateConfiguration(config, new DebugLogger(false));
  await assert.rejects(
    validateConfiguration({ ...config, mac: { identiti: '-' } } as never, new DebugLogger(false)),
  );
});

test('signs ad hoc on macOS unless there is a certificate', () => {
  assert.deepEqual(installerArguments('darwin', {}), [
    '--publish',
    'never',
    '--mac',
    '--x64',
    '--arm64',
    '-c.mac.identity=-',
    '-c.mac.hardenedRuntime=false',
  ]);
  for (const env of [{ CSC_LINK: 'developer-id.p12' }, { CSC_NAME: 'Example Ltd' }])
    assert.ok(!installerArguments('darwin', env).some((argument) => argument.startsWith('-c.')));
  assert.deepEqual(installerArguments('win32', {}), ['--publish', 'never', '--win']);
  assert.throws(() => installerArguments('aix', {}), /no installers for aix/);
});

test('keeps the sandbox on, and passes files after --', () => {
  assert.equal(config.toolsets?.appimage, '1.0.3');
  assert.doesNotMatch(JSON.stringify(config), /no-sandbox/);
  const installer = readFileSync(join(root, 'build', 'installer.nsh'), 'utf8');
  const commands = installer.match(/shell\\open\\command.*$/gm) ?? [];
  assert.equal(commands.length, 2);
  for (const command of commands) assert.match(command, /"\$appExe" -- "%1"/);
});

test('a command of the AppImage reaches the terminal where user namespaces are blocked', (t) => {
  const appDir = mkdtempSync(join(tmpdir(), 'doctray-apprun-'));
  t.after(() => rmSync(appDir, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFileSync(join(appDir, name), text, { mode: 0o755 });
  write(
    'AppRun',
    generateAppRunScript({
      DesktopFileName: 'doctray.desktop',
      ExecutableName: 'doctray',
      ProductName: 'DocTray',
      ProductFilename: 'DocTray',
      ResourceName: 'appimagekit-doctray',
    }),
  );
  // AppRun puts its own folder first in the PATH.
  write('unshare', '#!/bin/sh\nexit 1\n');
  write('doctray', '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  const { PATH } = process.env;
  const { stdout } = spawnSync(join(appDir, 'AppRun'), ['locks', '--json'], {
    encoding: 'utf8',
    env: { PATH },
  });
  const args = stdout.trimEnd().split('\n');
  assert.deepEqual(args, ['--no-sandbox', 'locks', '--json']);
  assert.deepEqual(terminalArguments(args), ['locks', '--json']);
});

test('no file in build/ would be shown as a license to accept', () => {
  // electron-builder would show it in the installers, and in the AppImage on the first start.
  const isShown = (name: string): boolean =>
    /^(?:license|eula).*\.(?:txt|rtf|html?|md|json|ya?ml)$/i.test(name);
  assert.ok(isShown('license_de.txt'));
  assert.deepEqual(readdirSync(join(root, 'build')).filter(isShown), []);
  assert.equal(config.nsis?.license, undefined);
});
