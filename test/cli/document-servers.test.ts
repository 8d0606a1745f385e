// `editors detect`, `start` and `stop` without a working container engine. test/containers runs them with real containers.

import assert from 'node:assert/strict';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { startDocumentServer } from '../server/document-server.ts';
import { fakePrograms, type FakePrograms } from '../unit/containers/fake-program.ts';
import { commandsOf, makePlace, type Place } from './processes.ts';

let place: Place;
let commands: ReturnType<typeof commandsOf>;
let programs: FakePrograms;

before(async () => {
  programs = await fakePrograms();
  place = await makePlace();
  // Only the engines that a test writes.
  place.env['PATH'] = programs.folder;
  commands = commandsOf(place);
});
after(async () => {
  await place.remove();
  await programs.remove();
});

test('doesn’t start a document server unless DocTray is running, and rejects an unknown one, engine or image', async () => {
  const { cli, refused } = commands;
  await refused(['editors', 'start', 'collabora'], 1, /isn’t a DocTray data folder\. Check --data\./);
  await place.serve();
  await refused(['editors', 'start', 'word'], 2, /Allowed choices are onlyoffice, collabora/);
  await refused(
    ['editors', 'start', 'collabora', '--engine', 'lxc'],
    2,
    /Allowed choices are docker, podman/,
  );
  const option = await cli(['editors', 'start', 'collabora', '--image', '--privileged']);
  assert.equal(option.code, 2);
  assert.match(option.stderr, /Enter the name of an image/);
});

test('without a ready engine, says what to do, with a link', async () => {
  const { cli, refused } = commands;
  const none = await cli(['editors', 'start', 'onlyoffice']);
  assert.deepEqual([none.code, none.stdout], [1, '']);
  assert.match(
    none.stderr,
    /^No container engine is ready\. Neither Docker nor Podman is installed\. Install Docker Desktop, Docker Engine or Podman, then try again\.\nhttps:\/\/docs\.docker\.com\/get-started\/get-docker\/\n$/m,
  );
  const stop = ['editors', 'stop', 'onlyoffice', '--yes'];
  await refused(stop, 1, /^No container engine is ready\. Neither Docker nor Podman is installed\./);
  const chosen = await cli(['editors', 'start', 'onlyoffice', '--engine', 'docker']);
  const looking = /^Looking for Docker\.\nNo container engine is ready\. Docker isn’t installed\./;
  assert.match(chosen.stderr, looking);
  assert.doesNotMatch(chosen.stderr, /Podman/);
  const denied = 'permission denied while trying to connect to the docker API';
  await programs.write('docker', `echo "${denied}" >&2; exit 1`);
  const forbidden = await cli(['editors', 'start', 'collabora', '--json']);
  assert.equal(forbidden.code, 1);
  const { state, error } = JSON.parse(forbidden.stdout);
  assert.equal(state, 'failed');
  assert.deepEqual(error, { code: 'engine-unavailable', help: 'docker-permission' });
});

test('prints the command that starts one, without a secret and without DocTray’s labels; with a ready engine, what to run next', async () => {
  const { cli, json } = commands;
  await programs.write('docker', `echo "$*" >>"$here/started"; exit 1`);
  const ended = await cli(['editors', 'start', 'onlyoffice', '--engine', 'docker', '--print']);
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(
    ended.stdout,
    /^docker run --detach --name doctray-onlyoffice --restart unless-stopped --publish 127\.0\.0\.1:80\d\d:80 --add-host host\.docker\.internal:host-gateway (?:--env \w+=\w+ ?)+--volume doctray-onlyoffice:\/var\/www\/onlyoffice\/Data docker\.io\/onlyoffice\/documentserver:latest\n$/u,
  );
  assert.doesNotMatch(ended.stdout, /JWT_SECRET/);
  const podman = ['editors', 'start', 'collabora', '--engine', 'podman', '--print'];
  const { command, isReady } = await json(podman);
  assert.match(command, /^podman run --detach --name doctray-collabora [\w./:=[\]@-]+(?: [\w./:=[\]@-]+)*$/);
  assert.match(command, / --env aliasgroup1=http:\/\/\S+:\d+ /);
  assert.equal(isReady, false);

  const info = '{"ServerVersion":"28.2.2","OperatingSystem":"Debian GNU/Linux 12","SecurityOptions":[]}';
  await programs.write(
    'docker',
    `[ "$1" = info ] && echo '${info}' && exit 0; echo 'Error: No such container: $4' >&2; exit 1`,
  );
  const ready = await cli(['editors', 'start', 'collabora', '--print']);
  assert.match(ready.stdout, /^docker run --detach --name doctray-collabora .*\n$/u);
  assert.equal(
    ready.stderr,
    `Run this command to start Collabora Online:\nThen run:\n  npm run cli -- editors start collabora --data ${place.dataDir}\n`,
  );
  await programs.write('docker', 'exit 1');
});

test('the printed steps connect an editor that works in both directions', async (t) => {
  const { cli, done, json } = commands;
  const printed = await cli(['editors', 'start', 'onlyoffice', '--engine', 'docker', '--print']);
  const [, port = ''] = /127\.0\.0\.1:(80\d\d):80 /.exec(printed.stdout) ?? [];
  const url = `http://localhost:${port}`;
  const callFromContainer = async (source: URL): Promise<void> => {
    const addresses: { url: string; interfaceName: string | null }[] = await json(['editors', 'addresses']);
    const bridge = addresses.find(({ interfaceName }) => interfaceName === 'docker0');
    const { hostname } = new URL(bridge?.url ?? 'http://127.0.0.1');
    const { port: hostPort, pathname, search, host } = source;
    await new Promise<void>((resolve) => {
      get({ hostname, port: hostPort, path: pathname + search, headers: { Host: host } }, (answer) => {
        answer.resume().once('end', resolve);
      }).once('error', () => resolve());
    });
  };
  const container = {
    port: Number(port),
    pages: `${url}/hosting/wopi/word`,
    actions: ['docx view', 'docx edit'],
    async onPost(request: IncomingMessage, response: ServerResponse) {
      const token = new URLSearchParams(await text(request)).get('access_token') ?? '';
      const source = new URL(new URL(request.url ?? '', url).searchParams.get('wopisrc') ?? '');
      source.searchParams.set('access_token', token);
      // A container reaches this computer by that name, never by the container's own loopback address.
      if (source.hostname === 'host.docker.internal') await callFromContainer(source);
      response.end('<html></html>');
    },
  };
  await startDocumentServer(container, t);
  assert.match(
    printed.stderr,
    new RegExp(
      `^Run this command to start ONLYOFFICE Docs:\nWhen ${url}/hosting/discovery opens in a browser, run:\n(?:  npm run cli -- editors .*\n){2,3}(?:This connects .* all addresses .*\n)?$`,
      'u',
    ),
  );
  for (const [step] of printed.stderr.matchAll(/(?<=^ {2}npm run cli -- )editors .*$/gm)) {
    const ended = await place.run(step.split(' '));
    assert.equal(ended.code, 0, `${step}: ${ended.stdout}${ended.stderr}`);
  }
  const editors: { name: string; lastTest: { isGood: boolean }; effectiveUrl: string }[] = await json([
    'editors',
  ]);
  const added = editors.find(({ name }) => name === 'onlyoffice');
  assert.equal(added?.lastTest.isGood, true);
  assert.match(added.effectiveUrl, /^http:\/\/host\.docker\.internal:/);
  await done(['editors', 'remove', 'onlyoffice']);
});

test('detect works without an engine, as a table and as JSON', async () => {
  assert.ok(Array.isArray((await commands.json(['editors', 'detect'])).servers));
  assert.match(await commands.done(['editors', 'detect']), /^(?:No document server found|ADDRESS)/);
});
