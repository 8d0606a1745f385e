// The window's commands and state for document servers, over a real host and a fake Docker.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WindowState } from '../../../app/contract/state.ts';
import { fakePrograms, type FakePrograms } from '../containers/fake-program.ts';
import { until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let programs: FakePrograms;
let place: WindowPlace;
const { PATH = '' } = process.env;
const pushed: Partial<WindowState>[] = [];

before(async () => {
  programs = await fakePrograms();
  process.env['PATH'] = programs.folder;
  place = await windowPlace();
  place.window.onPush((name, push) => {
    if (name === 'state-changed') pushed.push(push);
  });
});
after(async () => {
  await place.close();
  await programs.remove();
  // Other files of this process run programs, too.
  process.env['PATH'] = PATH;
});

const servers = (): WindowState['documentServers'] => place.window.state().documentServers;

test('checks the engines only when the window asks, and adds them to the state', async () => {
  assert.deepEqual(servers(), { engines: null, servers: [], downloaded: [], start: null });
  await place.run('documentServers.refresh', {});
  await until(() => servers().engines !== null);
  assert.deepEqual(
    servers().engines?.map(({ name, status }) => [name, status]),
    [
      ['docker', 'missing'],
      ['podman', 'missing'],
    ],
  );
  assert.ok(pushed.some(({ documentServers }) => documentServers?.engines?.length === 2));
});

test('shows which document servers Docker has already downloaded', async () => {
  await programs.write(
    'docker',
    `case "$1 $2 $5" in
      'info --format'*) echo '{"ServerVersion":"28.2.2","OperatingSystem":"Debian"}' ;;
      'image inspect docker.io/collabora/code:latest') echo 'sha256:1' ;;
      *) echo 'Error response from daemon: No such container: x' >&2; exit 1 ;;
    esac`,
  );
  await place.run('documentServers.refresh', {});
  await until(() => servers().downloaded.length > 0);
  assert.deepEqual(servers().downloaded, ['collabora']);
});

test('shows the progress of a start, runs one at a time, and cancels it', async () => {
  await programs.write(
    'docker',
    `case "$1 $2" in
      'info --format') echo '{"ServerVersion":"28.2.2","OperatingSystem":"Debian"}' ;;
      'pull '*) echo '0f4c1d6dd1d3: Pulling fs layer'; echo '1a2b3c4d5e6f: Pulling fs layer'; echo '0f4c1d6dd1d3: Download complete'; exec /bin/sleep 60 ;;
      *) echo 'Error response from daemon: No such container: x' >&2; exit 1 ;;
    esac`,
  );
  const { id } = await place.run('documentServers.start', { product: 'collabora', engine: null });
  await until(() => servers().start?.progress?.done === 1);
  const { start } = servers();
  assert.equal(start?.id, id);
  assert.equal(start.step, 'image');
  assert.deepEqual(start.progress, { done: 1, total: 2 });
  assert.equal(servers().engines?.[0]?.status, 'ready');
  await assert.rejects(place.run('documentServers.start', { product: 'onlyoffice', engine: null }), {
    code: 'document-server-busy',
  });
  const again = await place.run('documentServers.start', { product: 'collabora', engine: null });
  assert.equal(again.id, id);
  await place.run('documentServers.cancel', { id });
  await until(() => servers().start?.state === 'canceled');
  assert.match(servers().start?.sentence ?? '', /^Canceled\./);
});

test('keeps a failed start in the state, with its help page', async () => {
  await programs.write('docker', 'echo "permission denied while trying to connect" >&2; exit 1');
  await place.run('documentServers.start', { product: 'onlyoffice', engine: 'docker' });
  await until(() => servers().start?.state === 'failed');
  assert.deepEqual(servers().start?.error, { code: 'engine-unavailable', help: 'docker-permission' });
  await place.run('documentServers.openHelp', { page: 'docker-permission' });
  assert.deepEqual(place.desktop.opened, ['help:docker-permission']);
});

test('rejects an image from the window, and unknown products, engines and pages', async () => {
  await assert.rejects(
    place.run('documentServers.start', { product: 'collabora', engine: null, image: 'evil' }),
    { code: 'permission-denied' },
  );
  for (const [name, args] of [
    ['documentServers.start', { product: 'word', engine: null }],
    ['documentServers.start', { product: 'collabora', engine: '/bin/sh' }],
    ['documentServers.openHelp', { page: 'https://example.org' }],
    ['documentServers.stop', { product: 'collabora' }],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    await assert.rejects(place.window.run(name, args), { code: 'invalid-argument' }, name);
  }
});

test('returns the command that starts a document server to the window', async () => {
  const { command } = await place.run('documentServers.command', { product: 'onlyoffice', engine: null });
  assert.match(command, /^docker run --detach --name doctray-onlyoffice .*:latest$/);
});

test('editors.detect counts the checked addresses, and stopping fails without a ready engine', async () => {
  const { checkedCount } = await place.run('editors.detect', {});
  assert.equal(checkedCount, 6);
  await assert.rejects(place.run('documentServers.stop', { product: 'collabora', deleteData: false }), {
    code: 'engine-unavailable',
  });
});
