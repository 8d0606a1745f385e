// `npm run test:containers` must print one line and exit with 1 if something that it needs is missing.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fakePrograms, type FakePrograms } from '../unit/containers/fake-program.ts';
import { engineEnvironment } from './document-server.ts';

const ready = 'echo \'{"ServerVersion":"27.0.1","OperatingSystem":"Debian","SecurityOptions":[]}\'';

/** A PATH that has only the programs that the test writes. */
async function makePrograms(context: TestContext): Promise<FakePrograms> {
  const programs = await fakePrograms();
  context.after(() => programs.remove());
  return programs;
}

function run({ folder }: FakePrograms, ...args: string[]): { status: number | null; line: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'run.ts'), ...args],
    { encoding: 'utf8', env: { PATH: folder, HOME: folder }, timeout: 60_000 },
  );
  assert.equal(stdout, '');
  assert.match(stderr, /^[^\n]+\n$/);
  return { status, line: stderr.trimEnd() };
}

test('says to install a container engine', async (context) => {
  const { status, line } = run(await makePrograms(context));
  assert.equal(status, 1);
  assert.match(line, /^No container engine is ready\. Neither Docker nor Podman is installed\. Install /);
});

test('says to install Chromium before it downloads an image', async (context) => {
  const programs = await makePrograms(context);
  await programs.write('docker', `[ "$1" = info ] && ${ready} && exit; echo 'No such container' >&2; exit 1`);
  const { status, line } = run(programs);
  assert.equal(status, 1);
  assert.match(line, /^The tests need Chromium.*: sudo apt-get install -y chromium/);
  for (const [verb] of await programs.calls()) assert.ok(['info', 'container'].includes(verb ?? ''), verb);
});

test('never touches a container that the user already has', async (context) => {
  const programs = await makePrograms(context);
  // State, ports, networks, labels, image and restarts, in the order of DocTray's template.
  const facts = JSON.stringify([{ Status: 'running' }, {}, {}, {}, 'collabora/code', 0]);
  await programs.write('docker', `[ "$1" = info ] && ${ready} && exit; echo '${facts}'`);
  const { status, line } = run(programs, 'collabora');
  assert.equal(status, 1);
  assert.match(line, /^The container doctray-collabora is in use\. Remove it first: .* --engine docker$/);
  for (const [verb, what] of await programs.calls())
    assert.ok(verb === 'info' || what === 'inspect', `${verb} ${what}`);
});

test('passes the user’s engine configuration to engines, but no other variables and no session bus', () => {
  const home = homedir();
  const env = engineEnvironment({ DOCKER_HOST: 'tcp://build:2375', SECRET: 'x' }, home);
  assert.equal(env['DOCKER_HOST'], 'tcp://build:2375');
  assert.equal(env['XDG_DATA_HOME'], join(home, '.local', 'share'));
  assert.equal(env['DBUS_SESSION_BUS_ADDRESS'], '');
  assert.ok(!('SECRET' in env) && !('HOME' in env));
});
