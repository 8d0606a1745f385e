import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { engineUnavailable, findEngines as find, type EnginesDeps } from '../../../app/containers/engines.ts';
import { fakePrograms } from './fake-program.ts';

interface Scripts {
  docker?: string;
  podman?: string;
}

async function findEngines(context: TestContext, scripts: Scripts, options: Partial<EnginesDeps> = {}) {
  const programs = await fakePrograms();
  context.after(programs.remove);
  for (const [name, script] of Object.entries(scripts))
    await programs.write(name as keyof Scripts, script as string);
  const env = { PATH: programs.folder };
  const { states, ready } = await find({ env, platform: 'linux', uid: 1000, ...options });
  const [docker, podman] = states;
  assert.ok(docker !== undefined && podman !== undefined);
  return { docker, podman, ready: ready.map(({ name, mode }) => `${name} ${mode}`).join(), programs };
}

/** The output of Docker 28. */
const noDaemon = `echo '{"ServerVersion":"","SecurityOptions":null}'; echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' >&2; exit 1`;
const noPermission = `echo 'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.50/info": dial unix /var/run/docker.sock: connect: permission denied' >&2; exit 1`;
const dockerOf = (system: string, ...options: string[]): string =>
  `echo '${JSON.stringify({ ServerVersion: '28.2.2', OperatingSystem: system, SecurityOptions: options })}'`;
const podmanOf = (server: unknown): string =>
  `[ "$1" = version ] && echo '${JSON.stringify({ Client: { Version: '5.4.0' }, Server: server })}'; exit 0`;

const noMachine = `[ "$1" = version ] && exit 0; echo 'Cannot connect to Podman. Please verify your connection to the Linux system using "podman system connection list", or try "podman machine init" and "podman machine start" to manage a new Linux VM' >&2; exit 125`;
const noLocks = `echo 'Error: failed to get new shm lock manager: failed to create 2048 locks in /libpod_rootless_lock_1000: permission denied' >&2; exit 125`;
const hung = 'exec /bin/sleep 30';
const flood = 'while :; do echo 0123456789012345678901234567890123456789; done';

test('without Docker and Podman, says what to install, with a help page for each', async (context) => {
  const { docker, podman, ready } = await findEngines(context, {});
  assert.equal(ready, '');
  assert.deepEqual([docker.status, docker.help], ['missing', 'docker-install']);
  assert.deepEqual([podman.status, podman.help], ['missing', 'podman-install']);
  const error = engineUnavailable([docker, podman]);
  assert.equal(error.help, 'docker-install');
  const neither = /^No container engine is ready\. Neither Docker nor Podman is installed\. Install /;
  assert.match(error.message, neither);
  assert.match(engineUnavailable([podman]).message, /Podman isn’t installed\. Install Podman/);
});

const troubles: [what: string, name: 'docker' | 'podman', script: string, status: string, says: RegExp][] = [
  ['a stopped Docker', 'docker', noDaemon, 'stopped docker-start', /Start the Docker service or Docker De/],
  ['a Docker that this user may not use', 'docker', noPermission, 'forbidden docker-permission', /./],
  ['a Docker that hangs', 'docker', hung, 'failed', /^Docker .*doesn’t work: It didn’t respond in time\./],
  ['a Podman that hangs', 'podman', hung, 'failed', /^Podman .*doesn’t work: It didn’t respond in time\./],
  ['another failure', 'docker', "echo 'no' >&2; exit 3", 'failed', /^Docker .*doesn’t work: no\./],
  ['endless output', 'docker', flood, 'failed', /./],
  ['a stopped Podman machine', 'podman', noMachine, 'stopped podman-start', /./],
  ['a Podman without its locks', 'podman', noLocks, 'forbidden', /create 2048 locks.*permission denied\./],
];
for (const [what, name, script, expected, says] of troubles) {
  test(`reports ${what}, and what to do`, async (context) => {
    const limitMs = script === hung ? 200 : 5000;
    const { docker, podman, ready } = await findEngines(context, { [name]: script }, { limitMs });
    const { status, help, sentence, remedy } = name === 'docker' ? docker : podman;
    assert.equal(ready, '');
    assert.ok(`${status} ${help}`.startsWith(expected), `${status} ${help}`);
    assert.match(`${sentence} ${remedy}`, says);
    assert.equal(engineUnavailable([docker, podman]).help, help, 'the installed one counts');
  });
}

const modes: [scripts: Scripts, options: Partial<EnginesDeps>, ready: string][] = [
  [{ docker: dockerOf('Debian GNU/Linux 12', 'name=seccomp') }, {}, 'docker rootful'],
  [{ docker: dockerOf('Ubuntu 24.04', 'name=rootless') }, {}, 'docker rootless'],
  [{ docker: dockerOf('Docker Desktop') }, {}, 'docker virtual-machine'],
  [{ podman: podmanOf({ Version: '5.4.0' }) }, { platform: 'darwin' }, 'podman virtual-machine'],
  [{ podman: podmanOf(null) }, {}, 'podman rootless'],
  [{ podman: podmanOf(null) }, { uid: 0 }, 'podman rootful'],
];
test('distinguishes rootful, rootless and virtual machines', async (context) => {
  for (const [scripts, options, expected] of modes)
    assert.equal((await findEngines(context, scripts, options)).ready, expected);
});

test('doesn’t mistake Podman installed as docker for Docker', async (context) => {
  const asDocker = `echo 'Emulate Docker CLI using podman. Create /etc/containers/nodocker to quiet msg.' >&2; echo '{"host":{"buildahVersion":"1.28.2"}}'`;
  const { docker, ready } = await findEngines(context, { docker: asDocker, podman: podmanOf(null) });
  assert.deepEqual([docker.status, ready], ['missing', 'podman rootless']);
});

test('passes no DocTray secret to the engine, and ignores relative folders in PATH', async (context) => {
  const { programs, docker } = await findEngines(context, { docker: dockerOf('Debian GNU/Linux 12') });
  assert.equal(docker.sentence, 'Docker 28.2.2 is ready (as root).');
  const env = { PATH: programs.folder, DOCTRAY_OWNER_PASSWORD: 'hidden', DOCKER_HOST: 'unix:///x' };
  await find({ env, platform: 'linux', uid: 1000 });
  assert.deepEqual(await programs.variable('DOCTRAY_OWNER_PASSWORD'), []);
  assert.deepEqual(await programs.variable('DOCKER_HOST'), ['unix:///x']);
  const relative = programs.folder.replace(/^\//u, '');
  const { ready } = await find({ env: { PATH: relative }, platform: 'linux', uid: 0 });
  assert.deepEqual(ready, []);
});
