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

test('the sweep deletes versions after versionDays, except the newest of a document, and those of a lost database', async (t) => {
  const files = { 'a.docx': 'one', 'b.docx': 'b' };
  const host = await startTestHost({ files, settings: { versionDays: 2 } }, t);
  const { fileId, save } = await host.edit('a.docx');
  for (const content of ['two', 'three']) assert.equal((await save(content)).status, 200);
  // Version 3, a copy, replaced by inode zz.
  const orphan = join(host.dataDir, 'versions', 'lost', '3-zz-cstray');
  mkdirSync(dirname(orphan));
  writeFileSync(orphan, 'kept');
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
  assert.deepEqual([...kept().toSorted(), existsSync(orphan)], ['one', 'two', true]);
  await saveOther('b3');
  await sweep(host.host.services);
  assert.deepEqual([...kept(), existsSync(orphan)], ['two', false]);
});
