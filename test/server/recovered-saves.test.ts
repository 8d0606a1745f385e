// How much disk space rejected saves can use. test/unit/files/recovered-saves-quota has the other rules.

import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Settings } from '../../app/settings/settings.ts';
import { sweep } from '../../app/host/maintenance.ts';
import { startTestHost, type TestDocument } from './test-host.ts';

const megabyte = 1_000_000;
const day = 24 * 60 * 60 * 1000;

async function start(t: TestContext, settings: Partial<Settings>) {
  const host = await startTestHost({ files: { 'a.docx': 'mine', 'b.docx': 'theirs' }, settings }, t);
  return {
    host,
    list: () => host.host.services.recoveredSaves.list(),
    /** Sends a save with a lock that doesn't exist. It is rejected, and recovered within the quotas. */
    async reject({ save }: TestDocument, body: Buffer): Promise<void> {
      assert.equal((await save(body)).status, 409);
    },
    async bytesOnDisk(): Promise<number> {
      const folder = join(host.dataDir, 'rescued');
      const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    countEnded: (wanted: string): number =>
      host.events.filter((event) => event.event === 'recovered-save-ended' && event.how === wanted).length,
  };
}

test('keeps the newest rejected saves of a token within its quota', async (t) => {
  const { host, list, reject, bytesOnDisk, countEnded } = await start(t, { recoveredTokenMB: 3 });
  const [attacker, colleague] = [await host.document('a.docx'), await host.document('b.docx')];
  await reject(colleague, Buffer.from('the work of a colleague'));
  for (let number = 1; number <= 20; number += 1) await reject(attacker, Buffer.alloc(megabyte, number));
  assert.deepEqual(
    list().map(({ path, size }) => `${path} ${size}`),
    [...Array.from({ length: 3 }, () => `a.docx ${megabyte}`), 'b.docx 23'],
  );
  assert.equal(await bytesOnDisk(), 3 * megabyte + 23);
  assert.equal(countEnded('superseded'), 17);
  const [newest] = list();
  const body = await readFile(join(host.dataDir, 'rescued', `${newest?.id}.${newest?.fileId}`));
  assert.ok(body.equals(Buffer.alloc(megabyte, 20)));
});

test('a rejected copy replaces no older recovered save of its token', async (t) => {
  const { host, list, reject } = await start(t, { recoveredTokenMB: 1 });
  const document = await host.document('a.docx');
  await reject(document, Buffer.alloc(megabyte - 10, 'a'));
  const copy = await document.copy('too much by now', { 'X-WOPI-RelativeTarget': 'b.docx' });
  assert.equal(copy.status, 409);
  assert.deepEqual(
    list().map(({ size }) => size),
    [megabyte - 10],
  );
  assert.ok(host.events.some((event) => event.event === 'recovered-save-refused' && event.bytes === 15));
});

test('reports a save that doesn’t fit beside those of other tokens, even after a restart', async (t) => {
  const { host, list, reject, countEnded } = await start(t, { recoveredMB: 1 });
  await reject(await host.document('b.docx'), Buffer.alloc(megabyte - 10, 'b'));
  await host.restart();
  await reject(await host.document('a.docx'), Buffer.from('too much by now'));
  const refused = host.events.find((event) => event.event === 'recovered-save-refused');
  assert.deepEqual(refused && 'path' in refused && [refused.path, refused.bytes], ['a.docx', 15]);
  assert.equal(list().length, 1);
  assert.equal(countEnded('superseded'), 0);
});

test('the sweep deletes recovered saves after recoveredDays', async (t) => {
  const { host, list, reject, bytesOnDisk, countEnded } = await start(t, { recoveredDays: 2 });
  await reject(await host.document('a.docx'), Buffer.from('work'));
  host.clock.advance(2 * day - 60_000);
  await sweep(host.host.services);
  assert.equal(list().length, 1);
  host.clock.advance(60_000 + 1000);
  const { lock, save } = await host.document('b.docx');
  await lock();
  await save('the last thing that was kept');
  host.clock.advance(day);
  await sweep(host.host.services);
  assert.deepEqual(list(), []);
  assert.equal(await bytesOnDisk(), 0);
  assert.equal(countEnded('expired'), 1);
});
