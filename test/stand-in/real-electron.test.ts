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

test('says in one line what is missing', async () => {
  const deps = computer();
  const xvfb = write('broken', '#!/bin/sh\nexec sleep 60\n');
  for (const [lack, changes] of [
    ['The Electron binary is missing', { env: { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'nowhere') } }],
    ['Electron needs a display, and there is neither one nor Xvfb', { xvfb: undefined }],
    ['Xvfb didn’t start within 0.1 s', { xvfb, displayLimitMs: 100 }],
  ] as const) {
    const electron = await prepareElectron({ ...deps, ...changes });
    assert.ok('lack' in electron && electron.lack.startsWith(lack), lack);
  }
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
