// What the window shows of document servers, on a running host with a fake Docker. The engines' states and the printed command are in
// test/unit/containers and test/cli/document-servers.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakePrograms } from '../containers/fake-program.ts';
import { until, windowPlace } from '../live-state/window-fixture.ts';

test('shows what is downloaded when the window asks, and the progress of a start, runs one at a time, and cancels it', async (t) => {
  const programs = await fakePrograms();
  // Other files of this process run programs, too.
  const { PATH = '' } = process.env;
  process.env['PATH'] = programs.folder;
  const place = await windowPlace();
  t.after(async () => {
    await place.close();
    await programs.remove();
    process.env['PATH'] = PATH;
  });
  const servers = () => place.window.state().documentServers;
  const start = (product: 'collabora' | 'onlyoffice') =>
    place.run('documentServers.start', { product, engine: null });
  await programs.write(
    'docker',
    `case "$1 $2 $5" in
      'info --format'*) echo '{"ServerVersion":"28.2.2","OperatingSystem":"Debian"}' ;;
      'image inspect docker.io/collabora/code:latest') echo 'sha256:1' ;;
      'pull '*)
        echo '0f4c1d6dd1d3: Pulling fs layer'
        echo '1a2b3c4d5e6f: Pulling fs layer'
        echo '0f4c1d6dd1d3: Download complete'
        exec /bin/sleep 60 ;;
      *) echo 'Error response from daemon: No such container: x' >&2; exit 1 ;;
    esac`,
  );
  assert.deepEqual(servers(), { engines: null, servers: [], downloaded: [], start: null });
  await place.run('documentServers.refresh', {});
  await until(() => servers().downloaded.length > 0);
  assert.deepEqual([servers().downloaded, servers().engines?.[0]?.status], [['collabora'], 'ready']);

  const { id } = await start('onlyoffice');
  await until(() => servers().start?.progress?.done === 1);
  const { id: shown, step, progress } = servers().start!;
  assert.deepEqual([shown, step, progress], [id, 'image', { done: 1, total: 2 }]);
  await assert.rejects(start('collabora'), { code: 'document-server-busy' });
  assert.equal((await start('onlyoffice')).id, id);
  await place.run('documentServers.cancel', { id });
  await until(() => servers().start?.state === 'canceled');
  assert.match(servers().start?.sentence ?? '', /^Canceled\./);
});
