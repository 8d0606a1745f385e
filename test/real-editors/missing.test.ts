// `npm run test:containers` must print one line and exit with 1 if something that it needs is missing.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakePrograms } from '../unit/containers/fake-program.ts';
import { engineEnvironment } from './document-server.ts';

const ready = 'echo \'{"ServerVersion":"27.0.1","OperatingSystem":"Debian","SecurityOptions":[]}\'';

const isReady = `[ "$1" = info ] && ${ready} && exit`;
// State, ports, networks, labels, image and restarts, in the order of DocTray's template.
const facts = JSON.stringify([{ Status: 'running' }, {}, {}, {}, 'collabora/code', 0]);

for (const [what, docker, args, line] of [
  [
    'says to install a container engine',
    undefined,
    [],
    /^No container engine is ready\. Neither Docker nor Podman is installed\. Install /,
  ],
  [
    'says to install Chromium before it downloads an image',
    `${isReady}; echo 'No such container' >&2; exit 1`,
    [],
    /^The tests need Chromium.*: sudo apt-get install -y chromium/,
  ],
  [
    'never touches a container that the user already has',
    `${isReady}; echo '${facts}'`,
    ['collabora'],
    /^The container doctray-collabora is in use\. Remove it first: .* --engine docker$/,
  ],
] as const)
  test(what, async (context) => {
    // A PATH that has only this program.
    const programs = await fakePrograms();
    context.after(() => programs.remove());
    const { folder } = programs;
    if (docker !== undefined) await programs.write('docker', docker);
    const run = join(import.meta.dirname, 'run.ts');
    const env = { PATH: folder, HOME: folder };
    const ended = spawnSync(process.execPath, [run, ...args], { encoding: 'utf8', env, timeout: 60_000 });
    assert.deepEqual([ended.status, ended.stdout], [1, '']);
    assert.match(ended.stderr, /^[^\n]+\n$/);
    assert.match(ended.stderr.trimEnd(), line);
    for (const call of docker === undefined ? [] : await programs.calls())
      assert.match(call.join(' '), /^(?:info|(?:container )?inspect)\b/);
  });

test('passes the user’s engine configuration to engines, but no other variables and no session bus', () => {
  const home = homedir();
  const env = engineEnvironment({ DOCKER_HOST: 'tcp://build:2375', SECRET: 'x' }, home);
  assert.equal(env['DOCKER_HOST'], 'tcp://build:2375');
  assert.equal(env['XDG_DATA_HOME'], join(home, '.local', 'share'));
  assert.equal(env['DBUS_SESSION_BUS_ADDRESS'], '');
  assert.ok(!('SECRET' in env) && !('HOME' in env));
});
