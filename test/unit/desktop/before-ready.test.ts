// Nothing starts without a sandbox. test/cli/app-entry.test.ts has other starts that fail.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertSandboxed } from '../../../app/desktop/before-ready.ts';

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
