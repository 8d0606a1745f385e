// What `npm run test:electron` says if real Electron can't run here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { prepareElectron, type RealElectronDeps } from '../real-electron.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'doctray-real-electron-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

/** A computer on which Electron runs, as far as `prepareElectron` can see. */
function computer(changes: Partial<RealElectronDeps> = {}): RealElectronDeps {
  write('dist/electron', '');
  return {
    packageFolder: join(folder, 'package'),
    env: { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'dist') },
    platform: 'linux',
    isRoot: false,
    systemRoot: folder,
    xvfb: write('Xvfb', '#!/bin/sh\necho 77\nexec sleep 60\n'),
    displayLimitMs: 20_000,
    ...changes,
  };
}

test('starts Xvfb without a display, and uses the display that it prints', async () => {
  const electron = await prepareElectron(computer());
  assert.ok('program' in electron);
  try {
    assert.equal(electron.program, join(folder, 'dist', 'electron'));
    assert.deepEqual(electron.env, { ELECTRON: 'real', DISPLAY: ':77', WAYLAND_DISPLAY: '' });
  } finally {
    electron.stop();
  }
});

test('says that the binary is missing, and why it can’t be downloaded', async () => {
  const deps = computer({ env: { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'nowhere') } });
  assert.deepEqual(await prepareElectron(deps), {
    lack: 'The Electron binary is missing (ELECTRON_OVERRIDE_DIST_PATH doesn’t contain it). Connect to the internet, then run this again.',
  });
});

test('says that its sandbox isn’t allowed, except to root, who has none', async () => {
  const deps = computer();
  write('proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1\n');
  assert.deepEqual(await prepareElectron(deps), {
    lack: 'AppArmor blocks Electron’s sandbox on this computer (see docs/help/linux-window.md).',
  });
  const asRoot = await prepareElectron({ ...deps, isRoot: true });
  assert.ok('program' in asRoot);
  asRoot.stop();
});

test('says that there is no display, or that Xvfb doesn’t start', async () => {
  assert.deepEqual(await prepareElectron(computer({ xvfb: undefined })), {
    lack: 'Electron needs a display, and there is neither one nor Xvfb: sudo apt-get install -y xvfb',
  });
  const xvfb = write('broken', '#!/bin/sh\nexec sleep 60\n');
  assert.deepEqual(await prepareElectron(computer({ xvfb, displayLimitMs: 100 })), {
    lack: `Xvfb didn’t start within 0.1 s: run ${xvfb} -displayfd 1 -screen 0 1600x1200x24 -nolisten tcp`,
  });
});

test('`npm run test:electron` prints one line and fails if something is missing', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '..', 'electron.ts'), 'test/stand-in/real-electron.test.ts'],
    { encoding: 'utf8', env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: folder } },
  );
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^The Electron binary is missing [^\n]*\n$/);
});
