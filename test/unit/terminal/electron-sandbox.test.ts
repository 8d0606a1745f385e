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
const lack = () => findSandboxProblem({ program, systemRoot });

test('reports nothing if the kernel has no restrictions', async () => {
  assert.equal(await lack(), undefined);
  await write(restriction, '0\n');
  await write('proc/sys/kernel/unprivileged_userns_clone', '1\n');
  await write('proc/sys/user/max_user_namespaces', '96365\n');
  assert.equal(await lack(), undefined);
});

test('reports AppArmor’s restriction of Ubuntu 24.04 with its help page', async () => {
  await write(restriction, '1\n');
  const blocked = 'AppArmor blocks Electron’s sandbox on this computer (see docs/help/linux-window.md).';
  assert.equal(await lack(), blocked);
  assert.ok(existsSync(join(import.meta.dirname, '../../../docs/help/linux-window.md')));
  await write(
    'etc/apparmor.d/code',
    'profile vscode /usr/share/code{/bin,}/code flags=(unconfined) {\n  userns,\n}\n',
  );
  assert.equal(await lack(), blocked);
});

test('an AppArmor profile for this Electron, or for that of every project, removes the restriction', async () => {
  await write(restriction, '1\n');
  const profile = (path: string) => `profile doctray ${path} flags=(unconfined) {\n  userns,\n}\n`;
  await write('etc/apparmor.d/doctray', profile(program));
  assert.equal(await lack(), undefined);
  await write('etc/apparmor.d/doctray', profile('/home/*/**/node_modules/electron/dist/electron'));
  assert.equal(await lack(), undefined);
  program = '/opt/electron/electron';
  assert.notEqual(await lack(), undefined);
});

for (const [name, path] of [
  ['Debian’s kernel setting', 'proc/sys/kernel/unprivileged_userns_clone'],
  ['a maximum of 0', 'proc/sys/user/max_user_namespaces'],
] as const) {
  test(`reports user namespaces that ${name} disables`, async () => {
    await write(path, '0\n');
    assert.match((await lack()) ?? '', /^User namespaces are disabled on this computer/);
  });
}

test('the helper of Chromium’s older sandbox removes the restriction only if it belongs to root and is setuid', async () => {
  await write(restriction, '1\n');
  const helper = await write('home/ada/doctray/node_modules/electron/dist/chrome-sandbox', '');
  await chmod(helper, 0o755);
  assert.notEqual(await lack(), undefined);
  await chmod(helper, 0o4755);
  const isRoot = process.getuid?.() === 0;
  assert.equal((await lack()) === undefined, isRoot, 'only root can install one');
  if (!isRoot) return;
  await chown(helper, 65_534, 65_534);
  await chmod(helper, 0o4755);
  assert.notEqual(await lack(), undefined);
});
