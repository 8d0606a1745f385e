// Document servers in real containers of rootful Podman, by the terminal's commands: started, found again, stopped, and every way
// in which that goes wrong.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Detection, DocumentServerStart, StoppedServer } from '../../app/contract/document-servers.ts';
import type { EditorItem } from '../../app/contract/editors.ts';
import { makePlace, type Ended, type Place, type Running } from '../cli/processes.ts';
import { bridgeAddress, prepareMachine, type OwnMachine } from './own-machine.ts';
import { startRegistry, type ImageName, type Registry } from './registry.ts';

let machine: OwnMachine;
let registry: Registry;
let place: Place;
let host: Running & { baseUrl: string };

before(async () => {
  machine = prepareMachine();
  registry = await startRegistry();
  place = await makePlace(undefined, { textEditor: false });
  Object.assign(place.env, machine.env(registry.port));
  host = await place.serve();
});
after(async () => {
  podman('rm', '--force', '--all');
  await place.remove();
  await registry.close();
  machine.remove();
});

/** Its processes keep what they inherit open, so nothing but its answer is read. */
function podman(...args: string[]): string {
  const { stdout } = spawnSync('podman', args, {
    encoding: 'utf8',
    env: place.env,
    stdio: ['ignore', args[0] === 'start' ? 'ignore' : 'pipe', 'ignore'],
  });
  return stdout?.trim() ?? '';
}

function cli(...args: string[]): Promise<Ended> {
  return place.run([...args, '--data', place.dataDir]);
}

async function json<Result>(...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await cli(...args, '--json');
  assert.equal(code, 0, `${stdout}${stderr}`);
  return JSON.parse(stdout) as Result;
}

/** In the foreground of a terminal. */
function starting(product: 'onlyoffice' | 'collabora', image: ImageName): Running {
  return place.start([
    'editors',
    'start',
    product,
    '--image',
    registry.image(image),
    '--data',
    place.dataDir,
  ]);
}

async function says(running: Running, text: string): Promise<void> {
  while (!running.stderr().includes(text)) {
    // oxlint-disable-next-line no-await-in-loop
    await once(running.child.stderr!, 'data');
  }
}

async function started(product: 'onlyoffice' | 'collabora'): Promise<DocumentServerStart> {
  const start = await json<DocumentServerStart>(
    'editors',
    'start',
    product,
    '--image',
    registry.image(product),
  );
  assert.equal(start.state, 'done', start.sentence);
  return start;
}

async function stop(product: 'onlyoffice' | 'collabora', ...more: string[]): Promise<StoppedServer> {
  return json<StoppedServer>('editors', 'stop', product, '--yes', ...more);
}

async function settingOf(key: string): Promise<string> {
  return (await cli('settings', 'get', key)).stdout.trim();
}

/** Nothing that a start made is there. */
async function assertNothingLeft(): Promise<void> {
  assert.equal(podman('ps', '--all', '--format', '{{.Names}}'), '');
  assert.equal(podman('volume', 'ls', '--format', '{{.Name}}'), '');
  assert.deepEqual(await json('editors'), []);
  assert.equal(await settingOf('host'), '127.0.0.1');
}

async function listenOn(port: number, address = '127.0.0.1'): Promise<Server> {
  const server = createServer();
  server.listen({ port, host: address });
  await once(server, 'listening');
  return server;
}

test('ONLYOFFICE Docs is downloaded, started, connected and reaches DocTray over the bridge alone', async () => {
  const running = place.start([
    'editors',
    'start',
    'onlyoffice',
    '--image',
    registry.image('onlyoffice'),
    '--data',
    place.dataDir,
  ]);
  const { code, stdout, stderr } = await running.ended;
  assert.equal(code, 0, stdout + stderr);
  assert.match(stderr, /^Downloading the image 127\.0\.0\.1:\d+\/onlyoffice:latest\.$/m);
  assert.match(stderr, /^Downloading the image .* (?:Layer \d|\d of 2 layers)\.$/m);
  assert.match(stderr, /^Waiting for ONLYOFFICE Docs to respond at http:\/\/localhost:8080\./m);
  assert.match(
    stdout,
    /^ONLYOFFICE Docs was started at http:\/\/localhost:8080 and reaches DocTray at http:\/\/host\.containers\.internal:\d+\. For that, DocTray now also listens on 10\.88\.0\.1\.\n$/,
  );
  const [editor] = await json<EditorItem[]>('editors');
  assert.equal(editor?.kind, 'onlyoffice');
  assert.equal(editor.url, 'http://localhost:8080');
  assert.equal(editor.lastTest?.isGood, true);
  assert.equal(await settingOf('host'), bridgeAddress);

  const [container] = JSON.parse(podman('container', 'inspect', 'doctray-onlyoffice')) as [
    {
      Config: { Env: string[]; CreateCommand: string[] };
      HostConfig: { RestartPolicy: { Name: string }; PortBindings: Record<string, { HostIp: string }[]> };
      Mounts: { Name: string; Destination: string }[];
    },
  ];
  assert.equal(container.HostConfig.RestartPolicy.Name, 'unless-stopped');
  assert.deepEqual(
    container.HostConfig.PortBindings['80/tcp']?.map(({ HostIp }) => HostIp),
    ['127.0.0.1'],
  );
  assert.deepEqual(
    container.Mounts.map(({ Name, Destination }) => [Name, Destination]),
    [['doctray-onlyoffice', '/var/www/onlyoffice/Data']],
  );
  const secret = container.Config.Env.find((line) => line.startsWith('JWT_SECRET='))?.slice(11) ?? '';
  assert.match(secret, /^[\w-]{43}$/);
  // The arguments of a program can be read by everybody on the computer.
  assert.ok(!container.Config.CreateCommand.some((argument) => argument.includes(secret)));
  assert.ok(!`${host.stdout()}${host.stderr()}${stdout}${stderr}`.includes(secret));
  const secrets = await readFile(join(place.dataDir, 'secrets.json'), 'utf8');
  assert.ok(secrets.includes(secret));
});

test('what runs is used as it is, what was stopped is started again, and the secret stays the same', async () => {
  const idOf = (): string => podman('container', 'inspect', '--format', '{{.Id}}', 'doctray-onlyoffice');
  const secretOf = (): string | undefined =>
    /JWT_SECRET=([\w-]+)/.exec(
      podman('container', 'inspect', '--format', '{{.Config.Env}}', 'doctray-onlyoffice'),
    )?.[1];
  const id = idOf();
  const secret = secretOf();
  const [editor] = await json<EditorItem[]>('editors');
  const again = await started('onlyoffice');
  assert.equal(again.result?.wasRunning, true);
  assert.equal(again.result.editorId, editor?.id);
  assert.equal(again.result.openedHost, null);
  assert.match(again.sentence, /^ONLYOFFICE Docs is running at http:\/\/localhost:8080/);

  podman('stop', 'doctray-onlyoffice');
  const resumed = await started('onlyoffice');
  assert.equal(resumed.result?.wasRunning, false);
  assert.equal(idOf(), id);

  podman('rm', '--force', 'doctray-onlyoffice');
  const anew = await started('onlyoffice');
  assert.equal(anew.result?.editorId, editor?.id, 'the connected editor goes on to count');
  assert.notEqual(idOf(), id);
  assert.equal(secretOf(), secret);
});

test('running containers are found, with who publishes the port and whether it is connected', async () => {
  const began = performance.now();
  const { servers } = await json<Detection>('editors', 'detect');
  const [editor] = await json<EditorItem[]>('editors');
  assert.ok(performance.now() - began < 10_000);
  assert.deepEqual(servers, [
    {
      url: 'http://localhost:8080',
      kind: 'onlyoffice',
      product: 'ONLYOFFICE Docs',
      version: '9.0.test',
      editorId: editor?.id,
      container: 'doctray-onlyoffice',
      problem: null,
    },
  ]);
});

test('stopping removes the container, the editor and the address that was opened, and keeps the data unless asked', async () => {
  const refused = await cli('editors', 'stop', 'onlyoffice');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--yes/);

  assert.deepEqual(await stop('onlyoffice'), {
    product: 'onlyoffice',
    container: 'doctray-onlyoffice',
    isRemoved: true,
    isDataDeleted: false,
    disconnected: ['ONLYOFFICE Docs'],
  });
  assert.equal(podman('ps', '--all', '--format', '{{.Names}}'), '');
  assert.equal(podman('volume', 'ls', '--format', '{{.Name}}'), 'doctray-onlyoffice');
  assert.deepEqual(await json('editors'), []);
  assert.equal(await settingOf('host'), '127.0.0.1');

  const deleted = await cli('editors', 'stop', 'onlyoffice', '--yes', '--delete-data');
  assert.equal(deleted.code, 0);
  assert.match(deleted.stdout, /Its data was deleted\.\n$/);
  await assertNothingLeft();
  const gone = await cli('editors', 'stop', 'onlyoffice', '--yes');
  assert.equal(gone.code, 3, gone.stderr);
  assert.match(gone.stderr, /^This container doesn’t exist\./);
});

test('Collabora Online is started at the next port where its own is taken, also when that happens later', async () => {
  const first = await listenOn(9980);
  let second: Server | undefined;
  try {
    const start = await started('collabora');
    assert.equal(start.result?.url, 'http://localhost:9981');
    assert.equal(start.result.warning, null);
    // It takes documents from each address it may be given.
    const env = podman('container', 'inspect', '--format', '{{json .Config.Env}}', 'doctray-collabora');
    const groups = (JSON.parse(env) as string[]).filter((line) => line.startsWith('aliasgroup'));
    assert.ok(
      groups.some((line) => /^aliasgroup\d=http:\/\/host\.containers\.internal:\d+$/.test(line)),
      env,
    );
    assert.ok(
      groups.some((line) => /^aliasgroup\d=http:\/\/192\.0\.2\.2:\d+$/.test(line)),
      env,
    );

    podman('stop', 'doctray-collabora');
    second = await listenOn(9981);
    const moved = await started('collabora');
    assert.equal(moved.result?.url, 'http://localhost:9982');
    assert.deepEqual(
      (await json<EditorItem[]>('editors')).map(({ url }) => url),
      ['http://localhost:9982'],
    );
  } finally {
    first.close();
    second?.close();
    await stop('collabora');
  }
  await assertNothingLeft();
});

test('a download that breaks off says so and leaves nothing, and the next start goes on', async () => {
  registry.send('broken');
  const broken = await starting('collabora', 'second').ended;
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /^The image couldn’t be downloaded\. .*Check the internet connection/m);
  assert.equal(broken.stdout, '');
  assert.equal(podman('images', '--format', '{{.Repository}}').includes('second'), false);
  await assertNothingLeft();

  registry.send('whole');
  const { code, stderr } = await starting('collabora', 'second').ended;
  assert.equal(code, 0, stderr);
  await stop('collabora');
});

test('Ctrl+C during the download ends it and leaves nothing', async () => {
  registry.send('stalled');
  const running = starting('collabora', 'third');
  await registry.stalled();
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  registry.send('whole');
  assert.equal(code, 130, stderr);
  assert.match(stderr, /^Cancelled\. What this start created was removed/m);
  assert.equal(podman('images', '--format', '{{.Repository}}').includes('third'), false);
  await assertNothingLeft();
});

test('Ctrl+C while it waits removes container and volume; a second terminal joins the same start', async () => {
  const running = starting('onlyoffice', 'slow-start');
  await says(running, 'Waiting for ONLYOFFICE Docs');
  assert.equal(podman('ps', '--format', '{{.Names}}'), 'doctray-onlyoffice');
  const other = await cli('editors', 'start', 'collabora', '--image', registry.image('collabora'));
  assert.equal(other.code, 1);
  assert.match(other.stderr, /^DocTray is already starting or stopping a document server\./);
  const joined = starting('onlyoffice', 'slow-start');
  await says(joined, 'Waiting for ONLYOFFICE Docs');
  joined.child.kill('SIGINT');
  assert.equal((await joined.ended).code, 130);
  assert.equal((await running.ended).code, 130, 'both were told of the one start');
  await assertNothingLeft();
});

test('a document server whose program ends again and again is reported and removed', async () => {
  const { code, stderr } = await starting('collabora', 'crashing').ended;
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^Docker or Podman reported an error\. The program in the container exited( with exit code 7)?\./m,
  );
  await assertNothingLeft();
});

test('a DocTray that is stopped in the middle of a start removes what that created', async () => {
  const running = starting('onlyoffice', 'slow-start');
  await says(running, 'Waiting for ONLYOFFICE Docs');
  host.child.kill('SIGTERM');
  assert.equal((await host.ended).code, 0, host.stderr());
  const { code } = await running.ended;
  assert.ok(code === 1 || code === 130, String(code));
  assert.equal(podman('ps', '--all', '--format', '{{.Names}}'), '');
  assert.equal(podman('volume', 'ls', '--format', '{{.Name}}'), '');
});

test('a bridge that is gone, as after a restart of the computer, keeps DocTray from nothing but the container', async () => {
  host = await place.serve();
  const { port } = new URL((await started('collabora')).result?.address ?? '');
  assert.equal(await settingOf('host'), bridgeAddress);
  host.child.kill('SIGTERM');
  await host.ended;
  podman('stop', 'doctray-collabora');
  assert.ok(!networkInterfaces()['podman0'], 'the last container took it along');

  host = await place.serve(['--port', port]);
  assert.equal(await settingOf('host'), bridgeAddress);
  const again = await started('collabora');
  assert.equal(again.result?.wasRunning, false);
  assert.equal(again.result.warning, null);
  await stop('collabora');
  await assertNothingLeft();
});

test('a container of that name that DocTray did not create is used, and never removed', async () => {
  const { port } = new URL(host.baseUrl);
  podman(
    'create',
    '--name',
    'doctray-collabora',
    '--env',
    `aliasgroup1=http://host.containers.internal:${port}`,
    '--env',
    'extra_params=--o:ssl.enable=false',
    '--publish',
    '127.0.0.1:9985:9980',
    registry.image('collabora'),
  );
  podman('start', 'doctray-collabora');
  const start = await started('collabora');
  assert.equal(start.result?.wasRunning, true);
  assert.equal(start.result.url, 'http://localhost:9985');
  const stopped = await cli('editors', 'stop', 'collabora', '--yes');
  assert.equal(stopped.code, 1);
  assert.match(stopped.stderr, /^DocTray didn’t create this container, so it wasn’t removed\./);
  assert.equal(podman('ps', '--format', '{{.Names}}'), 'doctray-collabora');
});
