import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findSandboxProblem } from '../../../app/terminal/electron-sandbox.ts';

let systemRoot: string;
let program: string;
beforeEach(async () => {
  systemRoot = await mkdtemp(join(tmpdir(), 'dt-sandbox-'));
  program = join(systemRoot, 'home/ada/doctray/node_modules/electron/dist/electron');
});
afterEach(() => rm(systemRoot, { recursive: true, force: true }));

async function write(path: string, content: string): Promise<string> {
  const file = join(systemRoot, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

const restriction = 'proc/sys/kernel/apparmor_restrict_unprivileged_userns';
const problem = () => findSandboxProblem({ program, systemRoot });

test('reports the kernel’s restrictions with their help page, and nothing without one', async () => {
  assert.equal(await problem(), undefined);
  const settings = ['proc/sys/kernel/unprivileged_userns_clone', 'proc/sys/user/max_user_namespaces'];
  for (const [index, path] of [restriction, ...settings].entries()) {
    await write(path, index === 0 ? '1\n' : '0\n');
    const sentence =
      index === 0
        ? 'AppArmor blocks Electron’s sandbox on this computer (see docs/help/linux-window.md).'
        : 'User namespaces are disabled on this computer, and Electron’s sandbox needs them (see docs/help/linux-window.md).';
    assert.equal(await problem(), sentence, path);
    await write(path, index === 0 ? '0\n' : '96365\n');
    assert.equal(await problem(), undefined, path);
  }
  assert.ok(existsSync(join(import.meta.dirname, '../../../docs/help/linux-window.md')));
});

test('only an AppArmor profile for this Electron, or for that of every project, removes the restriction', async () => {
  await write(restriction, '1\n');
  const profile = (path: string) => `profile some ${path} flags=(unconfined) {\n  userns,\n}\n`;
  await write('etc/apparmor.d/code', profile('/usr/share/code{/bin,}/code'));
  assert.notEqual(await problem(), undefined);
  for (const path of [program, '/home/*/**/node_modules/electron/dist/electron']) {
    await write('etc/apparmor.d/doctray', profile(path));
    assert.equal(await problem(), undefined);
  }
  program = '/opt/electron/electron';
  assert.notEqual(await problem(), undefined);
});

test('the helper of Chromium’s older sandbox removes the restriction only if it belongs to root and is setuid', async () => {
  await write(restriction, '1\n');
  const helper = await write('home/ada/doctray/node_modules/electron/dist/chrome-sandbox', '');
  await chmod(helper, 0o755);
  assert.notEqual(await problem(), undefined);
  await chmod(helper, 0o4755);
  const isRoot = process.getuid?.() === 0;
  assert.equal((await problem()) === undefined, isRoot, 'only root can install one');
  if (!isRoot) return;
  await chown(helper, 65_534, 65_534);
  await chmod(helper, 0o4755);
  assert.notEqual(await problem(), undefined);
});
