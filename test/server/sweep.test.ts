import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { sweep } from '../../app/host/maintenance.ts';
import { startTestHost } from './test-host.ts';

const dayMs = 24 * 60 * 60 * 1000;

test('the hourly sweep deletes records of missing documents without versions, and empty version folders', async (t) => {
  const host = await startTestHost(
    { files: { 'listed.docx': 'one', 'saved.docx': 'two', 'stays.docx': 'three' } },
    t,
  );
  const Authorization = await host.signIn();
  assert.equal(
    (await fetch(`${host.baseUrl}/api/2.0/files?path=`, { headers: { Authorization } })).status,
    200,
  );
  const { fileId, save } = await host.edit('saved.docx');
  assert.equal((await save('newer')).status, 200);
  const { services } = host.host;
  const paths = () => services.store.db.prepare('SELECT path FROM files ORDER BY path').pluck().all();
  assert.deepEqual(paths(), ['listed.docx', 'saved.docx', 'stays.docx']);

  for (const name of ['listed.docx', 'saved.docx']) rmSync(join(host.folder, name));
  // A sweep starts at a random id, and checks nothing if that is after the last one.
  const sweepAll = async () => {
    await sweep(services);
    await sweep(services);
  };
  await sweepAll();
  host.clock.advance(29 * dayMs);
  await sweepAll();
  assert.deepEqual(paths(), ['listed.docx', 'saved.docx', 'stays.docx']);
  // The state after pruning, independent of its rules.
  services.store.db.prepare('DELETE FROM versions').run();
  rmSync(join(host.dataDir, 'versions', fileId), { recursive: true, force: true });
  mkdirSync(join(host.dataDir, 'versions', fileId));
  host.clock.advance(dayMs);
  await sweepAll();
  assert.deepEqual(readdirSync(join(host.dataDir, 'versions')), []);
  host.clock.advance(30 * dayMs);
  await sweepAll();
  assert.deepEqual(paths(), ['stays.docx']);
});

test('the sweep deletes versions after versionDays, except the newest of a document', async (t) => {
  const files = { 'a.docx': 'one', 'b.docx': 'b' };
  const host = await startTestHost({ files, settings: { versionDays: 2 } }, t);
  const { fileId, save } = await host.edit('a.docx');
  for (const content of ['two', 'three']) assert.equal((await save(content)).status, 200);
  const kept = () =>
    readdirSync(join(host.dataDir, 'versions', fileId)).map((name) =>
      readFileSync(join(host.dataDir, 'versions', fileId, name), 'utf8'),
    );
  const saveOther = async (content: string) => {
    const other = await host.edit('b.docx');
    assert.equal((await other.save(content)).status, 200);
    // Age is measured from the newest version that is older than a day.
    host.clock.advance(dayMs + 1000);
  };
  host.clock.advance(2 * dayMs - 60_000);
  await saveOther('b2');
  await sweep(host.host.services);
  assert.deepEqual(kept().toSorted(), ['one', 'two']);
  await saveOther('b3');
  await sweep(host.host.services);
  assert.deepEqual(kept(), ['two']);
});

for (const [versionDays, isKept] of [
  [60, true],
  [20, false],
] as const)
  test(`after 40 days, version files of a lost database are ${isKept ? 'kept' : 'deleted'} with versionDays ${versionDays}`, async (t) => {
    const host = await startTestHost({ files: { 'b.docx': 'b' }, settings: { versionDays } }, t);
    // Version 3, a copy, replaced by inode zz.
    const file = join(host.dataDir, 'versions', 'lost', '3-zz-cstray');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'kept');
    host.clock.advance(40 * dayMs);
    // Age is measured from the newest version that is older than a day.
    assert.equal((await (await host.edit('b.docx')).save('new')).status, 200);
    host.clock.advance(dayMs + 1000);
    await sweep(host.host.services);
    assert.equal(existsSync(file), isKept);
  });
