// What a failed start shows and prints, and that nothing starts without a sandbox.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../app/contract/errors.ts';
import { assertSandboxed, failStart } from '../../../app/desktop/before-ready.ts';
import { UsageError } from '../../../app/terminal/exit-code.ts';

function fakeElectron() {
  const shown: string[] = [];
  const codes: (number | undefined)[] = [];
  const paths: string[] = [];
  const app = {
    setPath: (_name: string, path: string) => void paths.push(path),
    whenReady: () => Promise.resolve(),
    exit: (code?: number) => void codes.push(code),
    getLocale: () => 'en-GB',
  };
  const dialog = { showErrorBox: (title: string, text: string) => void shown.push(`${title}: ${text}`) };
  const stderr = { write: (text: string) => shown.push(text) > 0 };
  return { app, dialog, stderr, shown, codes, paths };
}

for (const [error, sentence, code] of [
  [new UsageError('--port takes a number.'), '--port takes a number.', 2],
  [new AppError('data-folder-invalid', { detail: 'x' }), 'DocTray can’t use the data folder. x', 1],
  [new AppError('folder-invalid'), 'DocTray can’t serve this folder.', 2],
  [new Error('/home/ana/secret'), 'Something went wrong in DocTray. See its log for details.', 1],
] as const) {
  test(`reports a failed start in a dialog and on standard error, and exits with ${code}: ${sentence}`, async () => {
    const { app, dialog, stderr, shown, codes, paths } = fakeElectron();
    failStart(error, { app, dialog, stderr });
    await nextTurn();
    assert.deepEqual(shown, [`${sentence}\n`, `DocTray couldn’t start: ${sentence}`]);
    assert.deepEqual(codes, [code]);
    assert.equal(paths.length, 1);
    await assert.rejects(stat(paths[0]!));
  });
}

test('an AppImage that AppRun starts without a sandbox opens no window, and says why', async (t) => {
  const systemRoot = await mkdtemp(join(tmpdir(), 'dt-sandbox-'));
  t.after(() => rm(systemRoot, { recursive: true, force: true }));
  const env = { APPIMAGE: '/home/ana/DocTray-x86_64.AppImage', APPDIR: '/tmp/.mount_DocTra' };
  const place = { env, execPath: '/tmp/.mount_DocTra/doctray', userId: 1000, systemRoot };
  const unsafe = { switches: ['--disable-gpu', '--no-sandbox'] };
  const sentence = 'DocTray doesn’t open a window without Electron’s sandbox.';
  await assert.rejects(assertSandboxed(unsafe, place), {
    code: 'sandbox-missing',
    message: `${sentence} It was started with --no-sandbox (see docs/help/linux-window.md).`,
  });

  await mkdir(join(systemRoot, 'proc/sys/kernel'), { recursive: true });
  await writeFile(join(systemRoot, 'proc/sys/kernel/apparmor_restrict_unprivileged_userns'), '1\n');
  await assert.rejects(assertSandboxed(unsafe, place), {
    message: `${sentence} AppArmor blocks Electron’s sandbox on this computer (see docs/help/linux-window.md).`,
  });

  // Extracted with --appimage-extract, it has the same AppRun.
  await assert.rejects(assertSandboxed(unsafe, { ...place, env: { ...env, APPIMAGE: undefined } }), {
    code: 'sandbox-missing',
  });

  await assertSandboxed({ switches: ['--disable-gpu'] }, place);
  await assertSandboxed(unsafe, { ...place, userId: 0 });
  // Tests start unpacked and packed apps like this; only AppRun does it to users.
  await assertSandboxed(unsafe, { ...place, env: {} });
});
