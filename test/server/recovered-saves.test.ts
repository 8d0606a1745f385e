// How much disk space rejected saves can use.

import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Settings } from '../../app/settings/settings.ts';
import { sweep } from '../../app/host/maintenance.ts';
import { startTestHost, type TestAccess, type TestHost } from './test-host.ts';

const megabyte = 1_000_000;
const day = 24 * 60 * 60 * 1000;

async function start(t: TestContext, settings: Partial<Settings>): Promise<TestHost> {
  const host = await startTestHost({ files: { 'a.docx': 'mine', 'b.docx': 'theirs' }, settings });
  t.after(() => host.stop());
  return host;
}

/** Sends a save with a lock that doesn't exist. It is rejected, and recovered within the quotas. */
async function sendRejectedSave(host: TestHost, { fileId, accessToken: token }: TestAccess, body: Buffer) {
  const headers = { 'X-WOPI-Lock': 'never taken' };
  const answer = await host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body });
  assert.equal(answer.status, 409, answer.body.toString());
}

async function bytesOnDisk(host: TestHost): Promise<number> {
  const folder = join(host.dataDir, 'rescued');
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const countEnded = (host: TestHost, wanted: string): number =>
  host.events.filter((event) => event.event === 'recovered-save-ended' && event.how === wanted).length;

test('keeps the newest rejected saves of a token within its quota', async (t) => {
  const host = await start(t, { recoveredTokenMB: 3 });
  const [attacker, colleague] = [await host.access('a.docx'), await host.access('b.docx')];
  await sendRejectedSave(host, colleague, Buffer.from('the work of a colleague'));
  for (let number = 1; number <= 20; number += 1)
    await sendRejectedSave(host, attacker, Buffer.alloc(megabyte, number));
  const saves = host.host.services.recoveredSaves.list();
  assert.deepEqual(
    saves.map(({ path, size }) => `${path} ${size}`),
    [...Array.from({ length: 3 }, () => `a.docx ${megabyte}`), 'b.docx 23'],
  );
  assert.equal(await bytesOnDisk(host), 3 * megabyte + 23);
  assert.equal(countEnded(host, 'superseded'), 17);
  const [newest] = saves;
  const body = await readFile(join(host.dataDir, 'rescued', `${newest?.id}.${newest?.fileId}`));
  assert.ok(body.equals(Buffer.alloc(megabyte, 20)));
});

test('keeps the saves of all tokens within the total quota', async (t) => {
  const host = await start(t, { recoveredTokenMB: 1, recoveredMB: 3 });
  for (let number = 1; number <= 5; number += 1) {
    const access = await host.access(number % 2 === 0 ? 'a.docx' : 'b.docx');
    await sendRejectedSave(host, access, Buffer.alloc(megabyte, number));
  }
  assert.equal(await bytesOnDisk(host), 3 * megabyte);
});

test('reports a save that doesn’t fit beside those of other tokens, even after a restart', async (t) => {
  const host = await start(t, { recoveredMB: 1 });
  await sendRejectedSave(host, await host.access('b.docx'), Buffer.alloc(megabyte - 10, 'b'));
  await host.restart();
  await sendRejectedSave(host, await host.access('a.docx'), Buffer.from('too much by now'));
  const refused = host.events.find((event) => event.event === 'recovered-save-refused');
  assert.deepEqual(refused && 'path' in refused && [refused.path, refused.bytes], ['a.docx', 15]);
  assert.equal(host.host.services.recoveredSaves.list().length, 1);
  assert.equal(countEnded(host, 'superseded'), 0);
});

test('the sweep deletes recovered saves after recoveredDays', async (t) => {
  const host = await start(t, { recoveredDays: 2 });
  await sendRejectedSave(host, await host.access('a.docx'), Buffer.from('work'));
  host.clock.advance(2 * day - 60_000);
  await sweep(host.host.services);
  assert.equal(host.host.services.recoveredSaves.list().length, 1);
  host.clock.advance(60_000 + 1000);
  const { fileId, accessToken: token } = await host.access('b.docx');
  const about = { fileId, token, headers: { 'X-WOPI-Lock': 'its lock' } };
  await host.wopi({ ...about, override: 'LOCK' });
  await host.wopi({ ...about, contents: true, override: 'PUT', body: 'the last thing that was kept' });
  host.clock.advance(day);
  await sweep(host.host.services);
  assert.deepEqual(host.host.services.recoveredSaves.list(), []);
  assert.equal(await bytesOnDisk(host), 0);
  assert.equal(countEnded(host, 'expired'), 1);
});
