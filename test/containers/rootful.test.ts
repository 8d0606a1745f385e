// Starting, detecting and stopping document servers in real containers of rootful Podman, with terminal commands, and how that can
// fail.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import type { Detection, DocumentServerStart, StoppedServer } from '../../app/contract/document-servers.ts';
import type { EditorItem } from '../../app/contract/editors.ts';
import { eventually } from '../durability/eventually.ts';
import { makePlace, type Place } from '../cli/processes.ts';
import type { Running } from '../cli/running-process.ts';
import { bridgeAddress, commandsIn, outerAddress, prepareMachine, type OwnMachine } from './own-machine.ts';
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
// Some tests stop DocTray.
beforeEach(async () => {
  if (host.child.exitCode !== null || host.child.signalCode !== null) host = await place.serve();
});
after(async () => {
  podman('rm', '--force', '--all');
  await place.remove();
  await registry.close();
  machine.remove();
});

const url = 'http://localhost:8080';

const { podman, cli, json } = commandsIn(() => place);

/** Runs `editors start` in a process whose output can be read. */
function startInTerminal(product: 'onlyoffice' | 'collabora', image: ImageName): Running {
  const args = ['editors', 'start', product, '--image', registry.image(image)];
  return place.start([...args, '--data', place.dataDir]);
}

const waits = (running: Running): Promise<void> => running.printed(/^Waiting for ONLYOFFICE Docs/m, 'stderr');

async function startServer(product: 'onlyoffice' | 'collabora'): Promise<DocumentServerStart> {
  const image = ['--image', registry.image(product)];
  const start = await json<DocumentServerStart>('editors', 'start', product, ...image);
  assert.equal(start.state, 'done', start.sentence);
  return start;
}

async function stop(product: 'onlyoffice' | 'collabora', ...more: string[]): Promise<StoppedServer> {
  return json<StoppedServer>('editors', 'stop', product, '--yes', ...more);
}

async function settingOf(key: string): Promise<string> {
  return (await cli('settings', 'get', key)).stdout.trim();
}

/** Checks that nothing that a start creates is left. */
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

test('downloads, starts and connects ONLYOFFICE Docs, which reaches DocTray over the bridge only', async () => {
  const { code, stdout, stderr } = await startInTerminal('onlyoffice', 'onlyoffice').ended;
  assert.equal(code, 0, stdout + stderr);
  assert.match(stderr, /^Downloading ONLYOFFICE Docs \(127\.0\.0\.1:\d+\/onlyoffice:latest\)\.$/m);
  assert.match(stderr, /^Downloading ONLYOFFICE Docs .* (?:Layer \d|\d of 2 layers)\.$/m);
  assert.match(stderr, /^Waiting for ONLYOFFICE Docs to respond at http:\/\/localhost:8080\./m);
  assert.match(
    stdout,
    /^ONLYOFFICE Docs was started at http:\/\/localhost:8080 and reaches DocTray at http:\/\/host\.containers\.internal:\d+\. For that, DocTray now also listens on 10\.88\.0\.1\.\n$/,
  );
  const [editor] = await json<EditorItem[]>('editors');
  assert.deepEqual([editor?.kind, editor?.url, editor?.lastTest?.isGood], ['onlyoffice', url, true]);
  assert.equal(await settingOf('host'), bridgeAddress);

  const inspected = podman('container', 'inspect', 'doctray-onlyoffice');
  const [{ Config, HostConfig, Mounts }] = JSON.parse(inspected);
  assert.equal(HostConfig.RestartPolicy.Name, 'unless-stopped');
  assert.deepEqual(HostConfig.PortBindings['80/tcp'], [{ HostIp: '127.0.0.1', HostPort: '8080' }]);
  const [{ Name, Destination }] = Mounts;
  assert.deepEqual([Name, Destination], ['doctray-onlyoffice', '/var/www/onlyoffice/Data']);
  const [, secret = ''] = /"JWT_SECRET=([\w-]{43})"/.exec(inspected) ?? [];
  assert.ok(secret !== '');
  // Every user of the computer can read the arguments of a process.
  const visible = [...Config.CreateCommand, host.stdout(), host.stderr(), stdout, stderr].join('\n');
  assert.ok(!visible.includes(secret));
});

test('detects and uses a running container, and recreates one that was removed, or stopped with DocTray, with the same connection', async () => {
  await startServer('onlyoffice');
  const idOf = (): string => podman('container', 'inspect', '--format', '{{.Id}}', 'doctray-onlyoffice');
  const id = idOf();
  const [editor] = await json<EditorItem[]>('editors');
  const product = { kind: 'onlyoffice', product: 'ONLYOFFICE Docs', version: '9.0.test', problem: null };
  const found = { ...product, url, editorId: editor?.id, container: 'doctray-onlyoffice' };
  // A busy Podman may not answer within the two seconds of a search.
  await eventually('the container is found', async () => {
    const { servers } = await json<Detection>('editors', 'detect');
    assert.deepEqual(servers, [found]);
  });
  const again = await startServer('onlyoffice');
  assert.equal(again.result?.wasRunning, true);
  assert.equal(again.result.editorId, editor?.id);
  assert.equal(again.result.openedHost, null);
  assert.match(again.sentence, /^ONLYOFFICE Docs is running at http:\/\/localhost:8080/);

  // As after a reboot: the bridge to which DocTray is bound disappears with the last container.
  const { port } = new URL(host.baseUrl);
  await host.stop();
  podman('stop', 'doctray-onlyoffice');
  assert.ok(!networkInterfaces()['podman0']);
  host = await place.serve(['--port', port]);
  assert.equal(await settingOf('host'), bridgeAddress);
  const resumed = await startServer('onlyoffice');
  assert.deepEqual([resumed.result?.wasRunning, resumed.result?.warning], [false, null]);
  assert.equal(resumed.result?.editorId, editor?.id, 'the connected editor is kept');
  assert.notEqual(idOf(), id);

  podman('rm', '--force', 'doctray-onlyoffice');
  const recreated = await startServer('onlyoffice');
  assert.equal(recreated.result?.editorId, editor?.id);
});

test('stop removes the container, the editor and the bind address, and the data only with --delete-data', async () => {
  await startServer('onlyoffice');
  const refused = await cli('editors', 'stop', 'onlyoffice');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /--yes/);

  const { isRemoved, isDataDeleted, disconnected } = await stop('onlyoffice');
  assert.deepEqual([isRemoved, isDataDeleted, disconnected], [true, false, ['ONLYOFFICE Docs']]);
  assert.equal(podman('ps', '--all', '--format', '{{.Names}}'), '');
  assert.equal(podman('volume', 'ls', '--format', '{{.Name}}'), 'doctray-onlyoffice');
  assert.deepEqual(await json('editors'), []);
  assert.equal(await settingOf('host'), '127.0.0.1');

  const deleted = await cli('editors', 'stop', 'onlyoffice', '--yes', '--delete-data');
  assert.equal(deleted.code, 0);
  assert.match(deleted.stdout, /Its data was deleted\.\n$/);
  await assertNothingLeft();
  const again = await cli('editors', 'stop', 'onlyoffice', '--yes');
  assert.equal(again.code, 3, again.stderr);
  assert.match(again.stderr, /^There is no container called doctray-onlyoffice\.$/m);
});

test('reports an aborted download, cancels one on Ctrl+C, and leaves nothing', async () => {
  registry.send('broken');
  const broken = await startInTerminal('collabora', 'collabora').ended;
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /^The image couldn’t be downloaded\. .*Check the internet connection/m);
  assert.equal(broken.stdout, '');

  registry.send('stalled');
  const running = startInTerminal('collabora', 'collabora');
  await registry.stalled();
  const { code, stderr } = await running.stop('SIGINT');
  registry.send('whole');
  assert.equal(code, 130, stderr);
  assert.match(stderr, /^Canceled\. Everything this start created was removed/m);
  assert.equal(podman('images', '--format', '{{.Repository}}').includes('collabora'), false);
  await assertNothingLeft();
});

test('starts Collabora Online at the next port if its own is taken, and moves it if that happens later', async () => {
  const first = await listenOn(9980);
  let second: Server | undefined;
  try {
    const start = await startServer('collabora');
    assert.equal(start.result?.url, 'http://localhost:9981');
    assert.equal(start.result.warning, null);
    // It accepts documents from each address that DocTray may give it.
    const env = podman('container', 'inspect', '--format', '{{json .Config.Env}}', 'doctray-collabora');
    const groups = (JSON.parse(env) as string[]).filter((line) => line.startsWith('aliasgroup'));
    for (const address of ['host.containers.internal', outerAddress])
      assert.ok(
        groups.some((line) => line.includes(`=http://${address}:`)),
        env,
      );

    podman('stop', 'doctray-collabora');
    second = await listenOn(9981);
    const moved = await startServer('collabora');
    assert.equal(moved.result?.url, 'http://localhost:9982');
    const urls = (await json<EditorItem[]>('editors')).map((editor) => editor.url);
    assert.deepEqual(urls, ['http://localhost:9982']);
  } finally {
    first.close();
    second?.close();
    await stop('collabora');
  }
  await assertNothingLeft();
});

test('a second terminal joins a start; Ctrl+C in one cancels both, and removes the container and the volume', async () => {
  const running = startInTerminal('onlyoffice', 'slow-start');
  await waits(running);
  assert.equal(podman('ps', '--format', '{{.Names}}'), 'doctray-onlyoffice');
  const other = await cli('editors', 'start', 'collabora', '--image', registry.image('collabora'));
  assert.equal(other.code, 1);
  assert.match(other.stderr, /^DocTray is already starting or stopping a document server\./);
  const joined = startInTerminal('onlyoffice', 'slow-start');
  await waits(joined);
  joined.child.kill('SIGINT');
  assert.equal((await joined.ended).code, 130);
  assert.equal((await running.ended).code, 130, 'both terminals report the same start');
  await assertNothingLeft();
});

test('reports and removes a document server whose process exits', async () => {
  const { code, stderr } = await startInTerminal('collabora', 'crashing').ended;
  assert.equal(code, 1);
  assert.match(stderr, /reported an error\. The program in the container exited( with exit code 7)?\./m);
  await assertNothingLeft();
});

test('stopping DocTray during a start removes what the start created', async () => {
  const running = startInTerminal('onlyoffice', 'slow-start');
  await waits(running);
  host.child.kill('SIGTERM');
  assert.equal((await host.ended).code, 0, host.stderr());
  const { code } = await running.ended;
  assert.ok(code === 1 || code === 130, String(code));
  assert.equal(podman('ps', '--all', '--format', '{{.Names}}'), '');
  assert.equal(podman('volume', 'ls', '--format', '{{.Name}}'), '');
});

test('listens on an address that was saved before it existed, once it exists', async (t) => {
  const ip = (...args: string[]): void => assert.equal(spawnSync('ip', args).status, 0, args.join(' '));
  const { port } = new URL(host.baseUrl);
  const reach = async (address: string) =>
    (await fetch(`http://${address}:${port}/`).catch(() => undefined)) !== undefined;
  assert.equal((await cli('settings', 'set', 'host', '10.99.0.1')).code, 0);
  assert.equal(await settingOf('host'), '10.99.0.1');
  assert.ok(await reach('127.0.0.1'));
  ip('address', 'add', '10.99.0.1/32', 'dev', 'lo');
  t.after(async () => {
    await cli('settings', 'set', 'host', '127.0.0.1');
    ip('address', 'delete', '10.99.0.1/32', 'dev', 'lo');
  });
  await eventually('it listens there', async () => assert.ok(await reach('10.99.0.1'), host.stderr()));
});

test('uses a container with the right name that DocTray didn’t create, but never removes it', async () => {
  const { port } = new URL(host.baseUrl);
  const group = `aliasgroup1=http://host.containers.internal:${port}`;
  const env = ['--env', group, '--env', 'extra_params=--o:ssl.enable=false'];
  const published = ['--publish', '127.0.0.1:9985:9980'];
  podman('create', '--name', 'doctray-collabora', ...env, ...published, registry.image('collabora'));
  podman('start', 'doctray-collabora');
  const start = await startServer('collabora');
  assert.equal(start.result?.wasRunning, true);
  assert.equal(start.result.url, 'http://localhost:9985');
  const stopped = await cli('editors', 'stop', 'collabora', '--yes');
  assert.equal(stopped.code, 1);
  assert.match(stopped.stderr, /^DocTray didn’t create this container, so it wasn’t removed\./);
  assert.equal(podman('ps', '--format', '{{.Names}}'), 'doctray-collabora');
});
