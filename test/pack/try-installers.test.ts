// `npm run installers:try` with recorded commands: workflows run it, because it installs.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { tryInstallers, type TryDeps } from '../../build/try-installers.ts';

function record(more: Partial<TryDeps> = {}) {
  const commands: string[] = [];
  const deps: TryDeps = {
    platform: 'linux',
    arch: 'x64',
    packages: '/packages',
    version: '1.2.3',
    scratch: '/scratch',
    hasDisplay: false,
    run(program, args) {
      commands.push([program, ...args].join(' '));
      return args.includes('--version') ? '1.2.3\n' : '';
    },
    exists: () => false,
    find: () => ['doctray_1.2.3_amd64.deb'],
    ...more,
  };
  return { deps, commands };
}

test('installs, starts and removes the deb', async () => {
  const { deps, commands } = record();
  await tryInstallers(deps);
  assert.deepEqual(commands, [
    `sudo apt-get install -y -qq ${join('/packages', 'doctray_1.2.3_amd64.deb')}`,
    'xvfb-run --auto-servernum doctray --version',
    'sudo apt-get remove -y -qq doctray',
  ]);
});

test('fails if there is no package, it prints another version, or something is left', async () => {
  const none = record({ find: () => [] });
  await assert.rejects(tryInstallers(none.deps), /There are 0 files \*\.deb in \/packages instead of 1\./);
  const other = record({ run: () => 'out of order\n' });
  await assert.rejects(tryInstallers(other.deps), /printed "out of order\\n" instead of 1\.2\.3/);
  const left = record({ exists: (path) => path === '/usr/bin/doctray' });
  await assert.rejects(tryInstallers(left.deps), /\/usr\/bin\/doctray is still there/);
});
