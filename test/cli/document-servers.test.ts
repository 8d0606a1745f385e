// `editors detect`, `start` and `stop` without a working container engine. test/containers runs them with real containers.

import assert from 'node:assert/strict';
import { createServer, get } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakePrograms, type FakePrograms } from '../unit/containers/fake-program.ts';
import { makePlace, type Ended, type Place, type Running } from './processes.ts';

let place: Place;
let host: Running;
let programs: FakePrograms;

before(async () => {
  programs = await fakePrograms();
  place = await makePlace();
  // Only the engines that a test writes.
  place.env['PATH'] = programs.folder;
});
after(async () => {
  await place.remove();
  await programs.remove();
});

function cli(...args: string[]): Promise<Ended> {
  return place.run([...args, '--data', place.dataDir]);
}

test('doesn’t start a document server unless DocTray is running', async () => {
  const ended = await cli('editors', 'start', 'collabora');
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /isn’t a DocTray data folder\. Check --data\./);
  host = await place.serve();
});

test('rejects an unknown document server, engine or image, and lists the choices', async () => {
  const ended = await cli('editors', 'start', 'word');
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /Allowed choices are onlyoffice, collabora/);
  const engine = await cli('editors', 'start', 'collabora', '--engine', 'lxc');
  assert.equal(engine.code, 2);
  const option = await cli('editors', 'start', 'collabora', '--image', '--privileged');
  assert.equal(option.code, 2, option.stdout + option.stderr);
  assert.match(option.stderr, /Enter the name of an image/);
});

test('without Docker and Podman, says what to install, with a link', async () => {
  const ended = await cli('editors', 'start', 'onlyoffice');
  assert.equal(ended.code, 1);
  assert.equal(ended.stdout, '');
  assert.match(
    ended.stderr,
    /^No container engine is ready\. Neither Docker nor Podman is installed\. Install Docker Desktop, Docker Engine or Podman, then start again\.\nhttps:\/\/docs\.docker\.com\/get-started\/get-docker\/\n$/m,
  );
  // the log is buffered for a moment
  while (!host.stderr().includes('"msg":"ONLYOFFICE')) await sleep(20);
  const warning = host
    .stderr()
    .split('\n')
    .find((line) => line.includes('"msg":"ONLYOFFICE'));
  const { time: _time, ...logged } = JSON.parse(warning ?? '{}');
  assert.deepEqual(logged, {
    level: 'warn',
    msg: 'ONLYOFFICE Docs couldn’t be started. No container engine is ready. Neither Docker nor Podman is installed. Install Docker Desktop, Docker Engine or Podman, then start again. https://docs.docker.com/get-started/get-docker/',
  });
  const asked = await cli('editors', 'start', 'onlyoffice', '--engine', 'docker');
  assert.match(
    asked.stderr,
    /^Looking for Docker\.\nNo container engine is ready\. Docker isn’t installed\./,
  );
  assert.doesNotMatch(asked.stderr, /Podman/);
  const stop = await cli('editors', 'stop', 'onlyoffice', '--yes');
  assert.equal(stop.code, 1);
  assert.match(stop.stderr, /^No container engine is ready\. Neither Docker nor Podman is installed\./);
});

test('says what to do when Docker isn’t running or the user may not use it', async () => {
  await programs.write(
    'docker',
    'echo "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?" >&2; exit 1',
  );
  const stopped = await cli('editors', 'start', 'collabora');
  assert.equal(stopped.code, 1);
  assert.match(
    stopped.stderr,
    /Docker is installed, but it isn’t running\. Start the Docker service or Docker Desktop, then try again\.\nhttps:/,
  );
  await programs.write(
    'docker',
    'echo "permission denied while trying to connect to the docker API" >&2; exit 1',
  );
  const forbidden = await cli('editors', 'start', 'collabora', '--json');
  assert.equal(forbidden.code, 1);
  const { state, error } = JSON.parse(forbidden.stdout);
  assert.equal(state, 'failed');
  assert.deepEqual(error, { code: 'engine-unavailable', help: 'docker-permission' });
});

test('prints the command that starts one, without a secret and without DocTray’s labels', async () => {
  await programs.write('docker', `echo "$*" >>"$here/started"; exit 1`);
  const ended = await cli('editors', 'start', 'onlyoffice', '--engine', 'docker', '--print');
  assert.equal(ended.code, 0, ended.stderr);
  const address = '(?:--env \\w+=\\w+ ?)+';
  assert.match(
    ended.stdout,
    new RegExp(
      `^docker run --detach --name doctray-onlyoffice --restart unless-stopped --publish 127\\.0\\.0\\.1:80\\d\\d:80 --add-host host\\.docker\\.internal:host-gateway ${address}--volume doctray-onlyoffice:/var/www/onlyoffice/Data docker\\.io/onlyoffice/documentserver:latest\\n$`,
      'u',
    ),
  );
  assert.doesNotMatch(ended.stdout, /JWT_SECRET/);
  const podman = await cli('editors', 'start', 'collabora', '--engine', 'podman', '--print', '--json');
  const { command, isReady } = JSON.parse(podman.stdout);
  assert.match(command, /^podman run --detach --name doctray-collabora [\w./:=[\]@-]+(?: [\w./:=[\]@-]+)*$/);
  assert.match(command, / --env aliasgroup1=http:\/\/\S+:\d+ /);
  assert.equal(isReady, false);
});

test('with a ready engine, prints what to run, and what to run next', async () => {
  const info = '{"ServerVersion":"28.2.2","OperatingSystem":"Debian GNU/Linux 12","SecurityOptions":[]}';
  await programs.write(
    'docker',
    `[ "$1" = info ] && echo '${info}' && exit 0; echo 'Error: No such container: $4' >&2; exit 1`,
  );
  const ended = await cli('editors', 'start', 'collabora', '--print');
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stdout, /^docker run --detach --name doctray-collabora .*\n$/u);
  assert.deepEqual(ended.stderr.split('\n'), [
    'Run this command to start Collabora Online:',
    'Then run:',
    `  npm run cli -- editors start collabora --data ${place.dataDir}`,
    '',
  ]);
  await programs.write('docker', 'exit 1');
});

test('the printed steps connect an editor that works in both directions', async () => {
  const printed = await cli('editors', 'start', 'onlyoffice', '--engine', 'docker', '--print');
  assert.equal(printed.code, 0, printed.stderr);
  const [, port = ''] = /127\.0\.0\.1:(80\d\d):80 /.exec(printed.stdout) ?? [];
  const container = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://localhost:${port}`);
    if (url.pathname === '/hosting/discovery') {
      const action = (name: string): string =>
        `<action name="${name}" ext="docx" urlsrc="http://localhost:${port}/hosting/wopi/word/${name}?&lt;ui=UI_LLCC&amp;&gt;"/>`;
      response.end(
        `<wopi-discovery><net-zone name="external-http"><app name="Word">${action('view')}${action('edit')}</app></net-zone></wopi-discovery>`,
      );
      return;
    }
    void text(request).then(async (body) => {
      const token = new URLSearchParams(body).get('access_token') ?? '';
      const source = new URL(`${url.searchParams.get('wopisrc')}?access_token=${token}`);
      // A container reaches this computer by that name, never by the container's own loopback address.
      if (source.hostname === 'host.docker.internal') await call(source);
      response.end('<html></html>');
    });
  });
  const call = async (source: URL): Promise<void> => {
    const { addresses } = JSON.parse(
      (await cli('editors', 'addresses', '--json')).stdout.replace(/^/, '{"addresses":').replace(/\n$/, '}'),
    );
    const bridge = addresses.find(
      (one: { kind: string; interfaceName: string | null }) => one.interfaceName === 'docker0',
    );
    const { hostname } = new URL(bridge?.url ?? 'http://127.0.0.1');
    await new Promise<void>((resolve) => {
      get(
        {
          hostname,
          port: source.port,
          path: source.pathname + source.search,
          headers: { Host: source.host },
        },
        (answer) => {
          answer.resume().once('end', resolve);
        },
      ).once('error', () => resolve());
    });
  };
  container.listen(Number(port), '127.0.0.1');
  await once(container, 'listening');
  try {
    assert.match(
      printed.stderr,
      new RegExp(
        `^Run this command to start ONLYOFFICE Docs:\nWhen http://localhost:${port}/hosting/discovery opens in a browser, run:\n(?:  npm run cli -- editors .*\n){2,3}(?:This connects .* all addresses .*\n)?$`,
        'u',
      ),
    );
    const steps = printed.stderr.split('\n').filter((line) => line.startsWith('  '));
    for (const step of steps) {
      const [, typed = ''] = / (editors .*)$/.exec(step) ?? [];
      // oxlint-disable-next-line no-await-in-loop
      const ended = await place.run(typed.split(' '));
      assert.equal(ended.code, 0, `${step}: ${ended.stdout}${ended.stderr}`);
    }
    const editors = JSON.parse((await cli('editors', '--json')).stdout);
    const added = editors.find(({ name }: { name: string }) => name === 'onlyoffice');
    assert.equal(added.lastTest.isGood, true);
    assert.match(added.effectiveUrl, /^http:\/\/host\.docker\.internal:/);
  } finally {
    await cli('editors', 'remove', 'onlyoffice');
    container.closeAllConnections();
    container.close();
  }
});

test('detect works without an engine, as a table and as JSON', async () => {
  const ended = await cli('editors', 'detect', '--json');
  assert.equal(ended.code, 0, ended.stderr);
  assert.ok(Array.isArray(JSON.parse(ended.stdout).servers));
  assert.match((await cli('editors', 'detect')).stdout, /^(?:No document server found|ADDRESS)/);
});
