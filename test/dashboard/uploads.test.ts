// Drops of several files, without a browser: what their job reports, and what a canceled one leaves.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { receiveDrop } from '../../app/dashboard/upload.ts';
import { listen, type Site } from '../listen.ts';
import { until, windowPlace, type WindowPlace } from '../unit/live-state/window-fixture.ts';

let place: WindowPlace;
let site: Site;
/** How many more files the session lasts. */
let allowed = Infinity;
before(async () => {
  place = await windowPlace({ files: [] });
  const { services } = place.host();
  await services.settings.update({ maxUploadMB: 1 });
  site = await listen((incoming, response) => {
    const listBytes = new URL(incoming.url ?? '', 'http://host').searchParams.get('list');
    receiveDrop(services, incoming, { folderPath: '', listBytes }, () => allowed-- > 0).then(
      (jobId) => response.end(jobId),
      () => response.writeHead(400).end(),
    );
  });
});
after(async () => {
  await site.close();
  await place.close();
});

type Files = Record<string, string>;
const listOf = (files: Files): string =>
  JSON.stringify(Object.entries(files).map(([name, content]) => ({ name, size: content.length })));
const send = async (list: string, contents = ''): Promise<string> => {
  const url = `${site.url}?list=${list.length}`;
  return (await fetch(url, { method: 'POST', body: list + contents })).text();
};
const drop = async (files: Files) => place.ended(await send(listOf(files), Object.values(files).join('')));
const jobs = () => place.host().services.jobs.items('window');

test('of many files that can’t be copied, three are named with the reason, and the others are counted', async () => {
  const tooLarge = 'x'.repeat(2 ** 20 + 1);
  const large = Object.fromEntries([1, 2, 3, 4].map((name) => [`${name}.bin`, tooLarge]));
  const { sentence } = await drop({ 'empty.txt': '', ...large, 'b.txt': 'bb' });
  assert.match(
    sentence ?? '',
    /^2 of 6 files copied\. “1\.bin”: .* “2\.bin”: .* “3\.bin”: .* And 1 more\.$/u,
  );
  assert.deepEqual(await Promise.all(['empty.txt', 'b.txt'].map(place.read)), ['', 'bb']);
});

test('the bytes of a file that can’t be written belong to no other one', async (t) => {
  const { newDocuments } = place.host().services;
  const { receive } = newDocuments;
  t.mock.method(newDocuments, 'receive', async (...args: Parameters<typeof receive>) => {
    if (args[1].name !== 'bad.txt') return receive(...args);
    for await (const _ of args[1].source) break;
    throw new Error('broken');
  });
  const { sentence } = await drop({ 'bad.txt': 'b'.repeat(300_000), 'good.txt': 'good' });
  assert.match(sentence ?? '', /^1 of 2 files copied\. “bad\.txt”: /u);
  assert.equal(await place.read('good.txt'), 'good');
});

test('no more files are copied once the session has ended', async () => {
  allowed = 1;
  const { sentence } = await drop({ 'before.txt': 'x', 'after.txt': 'y' });
  allowed = Infinity;
  assert.equal(sentence, 'Stopped. 1 of 2 files copied.');
  assert.equal((await place.names()).includes('after.txt'), false);
});

test('a list that isn’t one starts no job', async () => {
  const before = jobs().length;
  for (const body of [
    '',
    'x\n',
    '[]\n',
    '[{"name":"a"}]\n',
    '[{"name":"a","size":-1}]\n',
    'x'.repeat(5_000_000),
  ])
    assert.equal(await send(body), '', body.slice(0, 20));
  assert.equal(jobs().length, before);
});

/** Sends the beginning of a drop whose second file doesn't arrive. */
async function begin(first: string, second: string) {
  const list = listOf({ [first]: 'x', [second]: 'y'.repeat(100), 'last.txt': 'z' });
  const headers = { 'Content-Length': list.length + 102 };
  const sent = request(`${site.url}?list=${list.length}`, { method: 'POST', headers });
  sent.on('error', () => undefined).write(`${list}xyyy`);
  await until(async () => (await place.names()).includes(first));
  return { sent, id: jobs().at(-1)!.id };
}

test('a drop whose page went away stops and leaves nothing of the document that was arriving', async () => {
  const gone = await begin('c.txt', 'd.txt');
  gone.sent.destroy();
  const { sentence, isPartial } = await place.ended(gone.id);
  assert.equal(isPartial, true);
  assert.match(sentence ?? '', /^Stopped\. 1 of 3 files copied\. “d\.txt”: /u);
  const names = await place.names();
  assert.ok(
    !names.includes('d.txt') && !names.includes('f.txt') && !names.some((name) => name.includes('.tmp')),
  );
});

test('a canceled drop ends when the document that was already received is in the folder', async (t) => {
  const { newDocuments, jobs: all } = place.host().services;
  const received = Promise.withResolvers<void>();
  const slowDisk = Promise.withResolvers<void>();
  t.after(() => slowDisk.resolve());
  const { receive } = newDocuments;
  t.mock.method(newDocuments, 'receive', async (...args: Parameters<typeof receive>) => {
    const path = await receive(...args);
    received.resolve();
    await slowDisk.promise;
    return path;
  });
  const sent = drop({ 'g.txt': 'g', 'h.txt': 'h' });
  await received.promise;
  const { id } = jobs().at(-1)!;
  all.cancel(id);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  assert.equal(jobs().at(-1)?.state, 'running');
  slowDisk.resolve();
  const { state, sentence } = await sent;
  assert.deepEqual([state, sentence], ['canceled', 'Stopped. 1 of 2 files copied.']);
});
