import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { engineUnavailable, findEngines as find } from '../../../app/containers/engines.ts';
import type { ContainerEngineState } from '../../../app/contract/document-servers.ts';
import { fakePrograms } from './fake-program.ts';

interface Scripts {
  docker?: string;
  podman?: string;
}

async function findEngines(
  context: TestContext,
  scripts: Scripts,
  options: { platform?: NodeJS.Platform; uid?: number; limitMs?: number } = {},
): Promise<{ states: Record<'docker' | 'podman', ContainerEngineState>; ready: string[] }> {
  const programs = await fakePrograms();
  context.after(programs.remove);
  for (const [name, script] of Object.entries(scripts)) {
    // oxlint-disable-next-line no-await-in-loop
    await programs.write(name as keyof Scripts, script as string);
  }
  const { states, ready } = await find({
    env: { PATH: programs.folder },
    platform: 'linux',
    uid: 1000,
    ...options,
  });
  const [docker, podman] = states;
  assert.ok(docker !== undefined && podman !== undefined);
  return { states: { docker, podman }, ready: ready.map(({ name, mode }) => `${name} ${mode}`) };
}

/** The output of Docker 28. */
const noDaemon = `echo '{"ServerVersion":"","SecurityOptions":null}'; echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' >&2; exit 1`;
const noPermission = `echo 'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.50/info": dial unix /var/run/docker.sock: connect: permission denied' >&2; exit 1`;
const dockerOf = (system: string, ...options: string[]): string =>
  `echo '${JSON.stringify({ ServerVersion: '28.2.2', OperatingSystem: system, SecurityOptions: options })}'`;
const podmanOf = (server: unknown): string =>
  `[ "$1" = version ] && echo '${JSON.stringify({ Client: { Version: '5.4.0' }, Server: server })}'; exit 0`;

test('without Docker and Podman, says what to install, with a help page for each', async (context) => {
  const { states, ready } = await findEngines(context, {});
  assert.deepEqual(ready, []);
  assert.equal(states.docker.status, 'missing');
  assert.equal(states.docker.help, 'docker-install');
  assert.equal(states.podman.status, 'missing');
  assert.equal(states.podman.help, 'podman-install');
  const error = engineUnavailable([states.docker, states.podman]);
  assert.equal(error.help, 'docker-install');
  assert.match(
    error.message,
    /^No container engine is ready\. Neither Docker nor Podman is installed\. Install /,
  );
  const { message } = engineUnavailable([states.podman]);
  assert.match(message, /Podman isn’t installed\. Install Podman/);
  assert.doesNotMatch(message, /Docker/);
});

test('reports a stopped Docker, one that this user may not use and one that doesn’t respond', async (context) => {
  const stopped = await findEngines(context, { docker: noDaemon });
  assert.equal(stopped.states.docker.status, 'stopped');
  assert.match(stopped.states.docker.remedy ?? '', /^Start the Docker service or Docker Desktop/);
  assert.equal(
    engineUnavailable([stopped.states.docker, stopped.states.podman]).help,
    'docker-start',
    'the installed one counts',
  );

  const forbidden = await findEngines(context, { docker: noPermission });
  assert.equal(forbidden.states.docker.status, 'forbidden');
  assert.equal(forbidden.states.docker.help, 'docker-permission');

  const hung = await findEngines(context, { docker: 'exec /bin/sleep 30' }, { limitMs: 200 });
  assert.equal(hung.states.docker.status, 'failed');
  assert.equal(
    hung.states.docker.sentence,
    'Docker is installed, but it doesn’t work: It didn’t respond in time.',
  );
  const hungPodman = await findEngines(context, { podman: 'exec /bin/sleep 30' }, { limitMs: 200 });
  assert.equal(
    hungPodman.states.podman.sentence,
    'Podman is installed, but it doesn’t work: It didn’t respond in time.',
  );
});

test('distinguishes rootful, rootless and Docker Desktop', async (context) => {
  const rootful = await findEngines(context, { docker: dockerOf('Debian GNU/Linux 12', 'name=seccomp') });
  assert.deepEqual(rootful.ready, ['docker rootful']);
  assert.equal(rootful.states.docker.sentence, 'Docker 28.2.2 is ready (as root).');
  const rootless = await findEngines(context, { docker: dockerOf('Ubuntu 24.04', 'name=rootless') });
  assert.deepEqual(rootless.ready, ['docker rootless']);
  const desktop = await findEngines(context, { docker: dockerOf('Docker Desktop') });
  assert.deepEqual(desktop.ready, ['docker virtual-machine']);
  const mac = await findEngines(context, { podman: podmanOf({ Version: '5.4.0' }) }, { platform: 'darwin' });
  assert.deepEqual(mac.ready, ['podman virtual-machine']);
});

test('reports Podman as rootful for root and rootless for others', async (context) => {
  assert.deepEqual((await findEngines(context, { podman: podmanOf(null) })).ready, ['podman rootless']);
  assert.deepEqual((await findEngines(context, { podman: podmanOf(null) }, { uid: 0 })).ready, [
    'podman rootful',
  ]);
});

test('reports a stopped Podman machine, and a Podman without permission for its locks', async (context) => {
  const off = await findEngines(context, {
    podman: `[ "$1" = version ] && exit 0; echo 'Cannot connect to Podman. Please verify your connection to the Linux system using "podman system connection list", or try "podman machine init" and "podman machine start" to manage a new Linux VM' >&2; exit 125`,
  });
  assert.equal(off.states.podman.status, 'stopped');
  assert.equal(off.states.podman.help, 'podman-start');
  const locked = await findEngines(context, {
    podman: `echo 'Error: failed to get new shm lock manager: failed to create 2048 locks in /libpod_rootless_lock_1000: permission denied' >&2; exit 125`,
  });
  assert.equal(locked.states.podman.status, 'forbidden');
  assert.match(locked.states.podman.sentence, /failed to create 2048 locks.*permission denied\.$/);
});

test('doesn’t mistake Podman installed as docker for Docker', async (context) => {
  const { states, ready } = await findEngines(context, {
    docker: `echo 'Emulate Docker CLI using podman. Create /etc/containers/nodocker to quiet msg.' >&2; echo '{"host":{"buildahVersion":"1.28.2"}}'`,
    podman: podmanOf(null),
  });
  assert.equal(states.docker.status, 'missing');
  assert.deepEqual(ready, ['podman rootless']);
});

test('limits the output it reads, and passes no DocTray secret to the engine', async (context) => {
  const { states } = await findEngines(context, {
    docker: `echo "$0 $1" >&2; printf '%s\\n' 'line one' >&2; exit 3`,
  });
  assert.equal(states.docker.status, 'failed');
  assert.match(states.docker.sentence, /^Docker is installed, but it doesn’t work: line one\.$/);

  const flood = await findEngines(context, {
    docker: 'while :; do echo 0123456789012345678901234567890123456789; done',
  });
  assert.equal(flood.states.docker.status, 'failed');

  const programs = await fakePrograms();
  context.after(programs.remove);
  await programs.write('docker', noDaemon);
  const env = { PATH: programs.folder, DOCTRAY_OWNER_PASSWORD: 'hidden', DOCKER_HOST: 'unix:///x' };
  await find({ env, platform: 'linux', uid: 1000 });
  assert.deepEqual(await programs.variable('DOCTRAY_OWNER_PASSWORD'), []);
  assert.deepEqual(await programs.variable('DOCKER_HOST'), ['unix:///x']);
});

test('ignores relative folders in PATH', async (context) => {
  const programs = await fakePrograms();
  context.after(programs.remove);
  await programs.write('docker', dockerOf('Debian'));
  const relative = programs.folder.replace(/^\//u, '');
  const { ready } = await find({ env: { PATH: relative }, platform: 'linux', uid: 0 });
  assert.deepEqual(ready, []);
});
