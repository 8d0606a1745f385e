// Drops of several files, without a browser: what their job reports, and what a canceled one leaves.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { JobItem } from '../../app/contract/state.ts';
import { createUploads } from '../../app/dashboard/upload.ts';
import { until, windowPlace, type WindowPlace } from '../unit/live-state/window-fixture.ts';

let place: WindowPlace;
let port: number;
const server = createServer();
before(async () => {
  place = await windowPlace({ files: [] });
  const { services } = place.host();
  await services.settings.update({ maxUploadMB: 1 });
  const uploads = createUploads(services);
  server.on('request', (incoming, response) => {
    const query = new URL(incoming.url ?? '', 'http://host').searchParams;
    const [name, dropId] = [query.get('name') ?? '', query.get('drop') ?? ''];
    const upload = { folderPath: '', name, dropId, files: Number(query.get('files')), bytes: 0 };
    uploads.receive(incoming, upload).then(
      () => response.end(),
      () => response.writeHead(400).end(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
after(async () => {
  server.close();
  await place.close();
});

function drop(files: number) {
  const dropId = randomUUID();
  const path = (name: string): string =>
    `/?${new URLSearchParams({ name, drop: dropId, files: `${files}` })}`;
  return {
    send: async (name: string, content = 'x'): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${path(name)}`, { method: 'POST', body: content })).status,
    /** Sends a part, and cuts the connection. */
    async cut(name: string): Promise<void> {
      const cutOff = request({ port, path: path(name), method: 'POST', headers: { 'Content-Length': '9' } });
      cutOff.on('error', () => undefined);
      const arrived = once(server, 'request');
      cutOff.write('part');
      await arrived;
      cutOff.destroy();
    },
  };
}

const jobs = (): JobItem[] => place.host().services.jobs.items('window');

async function ended(): Promise<JobItem> {
  await until(() => jobs().at(-1)?.state !== 'running');
  return jobs().at(-1)!;
}

test('every file of a drop that wasn’t copied is named, or counted', async () => {
  const tooLarge = 'x'.repeat(2 ** 20 + 1);
  const some = drop(6);
  assert.equal(await some.send('a.txt'), 200);
  for (const name of ['1.bin', '2.bin', '3.bin', '4.bin']) assert.equal(await some.send(name, tooLarge), 400);
  assert.equal(await some.send('b.txt'), 200);
  const { state, sentence, isPartial } = await ended();
  assert.deepEqual([state, isPartial], ['done', true]);
  assert.match(
    sentence ?? '',
    /^2 of 6 files copied\. “1\.bin”: .* “2\.bin”: .* “3\.bin”: .* And 1 more\.$/u,
  );

  const none = drop(2);
  for (const name of ['5.bin', '6.bin']) await none.send(name, tooLarge);
  const failed = await ended();
  assert.equal(failed.state, 'failed');
  assert.match(failed.sentence ?? '', /“5\.bin”: .* “6\.bin”: /u);
});

test('a drop whose page went away says that it stopped', async () => {
  const { send, cut } = drop(3);
  assert.equal(await send('c.txt'), 200);
  await cut('d.txt');
  const { sentence, isPartial } = await ended();
  assert.equal(isPartial, true);
  assert.match(sentence ?? '', /^Stopped\. 1 of 3 files copied\. “d\.txt”: /u);
});

test('a canceled drop ends when the document that was already received is in the folder', async (t) => {
  const { services } = place.host();
  const received = Promise.withResolvers<void>();
  const slowDisk = Promise.withResolvers<void>();
  t.after(() => slowDisk.resolve());
  const { receive } = services.newDocuments;
  t.mock.method(services.newDocuments, 'receive', async (...args: Parameters<typeof receive>) => {
    const path = await receive(...args);
    received.resolve();
    await slowDisk.promise;
    return path;
  });
  const { send } = drop(2);
  const sent = send('e.txt');
  await received.promise;
  const { id } = jobs().at(-1)!;
  services.jobs.cancel(id);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(jobs().at(-1)?.state, 'running');
  slowDisk.resolve();
  assert.equal(await sent, 200);
  const { state, sentence } = await ended();
  assert.equal(state, 'canceled');
  assert.equal(sentence, 'Stopped. 1 of 2 files copied.');
});
