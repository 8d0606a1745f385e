// What a failed start shows and prints, and that nothing starts without a sandbox.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { assertSandboxed, failStart } from '../../../app/desktop/before-ready.ts';
import { UsageError } from '../../../app/terminal/exit-code.ts';

test('shows why it couldn’t start in a dialog, without a stranger’s text, and leaves no profile', async () => {
  for (const [error, sentence, code] of [
    [new UsageError('--port takes a number.'), '--port takes a number.', 2],
    [new AppError('data-folder-invalid', { detail: 'x' }), 'DocTray can’t use the data folder. x', 1],
    [new Error('/home/ana/secret'), 'Something went wrong in DocTray. See its log for details.', 1],
  ] as const) {
    const shown: string[] = [];
    const exited = Promise.withResolvers<number | undefined>();
    let profile = '';
    failStart(error, {
      app: {
        setPath: (_name, path) => void (profile = path),
        whenReady: () => Promise.resolve(),
        exit: exited.resolve,
        getLocale: () => 'en-GB',
      },
      dialog: { showErrorBox: (title, text) => void shown.push(`${title}: ${text}`) },
      stderr: { write: (text: string) => shown.push(text) > 0 },
    });
    assert.equal(await exited.promise, code);
    assert.deepEqual(shown, [`${sentence}\n`, `DocTray couldn’t start: ${sentence}`]);
    await assert.rejects(stat(profile));
  }
});

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
