// Folders that are missing when the host needs them: at the start, after a switch, and when chosen again.

import assert from 'node:assert/strict';
import { cp, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readDataFolderRecord } from '../../app/secrets/data-folder.ts';
import { sweep } from '../../app/host/maintenance.ts';
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';

async function begin(t: TestContext, options: TestHostOptions = {}): Promise<TestHost> {
  const host = await startTestHost({ files: { 'a.docx': 'first' }, isFolderOptional: true, ...options });
  t.after(() => host.stop());
  return host;
}

async function otherFolder(host: TestHost): Promise<string> {
  const folder = join(dirname(host.folder), 'other');
  await mkdir(folder);
  await writeFile(join(folder, 'a.docx'), 'of the other folder');
  return realpath(folder);
}

async function locked(host: TestHost) {
  const { fileId, accessToken: token } = await host.access('a.docx');
  const headers = { 'X-WOPI-Lock': 'held' };
  assert.equal((await host.wopi({ fileId, token })).status, 200);
  assert.equal((await host.wopi({ fileId, token, override: 'LOCK', headers })).status, 200);
  const save = (body: string) => host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body });
  return { fileId, token, save };
}

test('saves into a previous folder even if the chosen folder is missing at the start', async (t) => {
  const host = await begin(t);
  const folder = await otherFolder(host);
  await host.host.useFolder(folder);
  const editor = await locked(host);
  await rename(host.folder, `${host.folder}-away`);
  await host.restart(); // with the first folder, which is away
  assert.equal(host.host.state().problem?.code, 'folder-invalid');
  assert.equal((await editor.save('saved')).status, 200);
  assert.equal(await readFile(join(folder, 'a.docx'), 'utf8'), 'saved');
});

test('answers a save with 500 while its folder is missing, and accepts it once the folder is back', async (t) => {
  const host = await begin(t);
  const editor = await locked(host);
  await rename(host.folder, `${host.folder}-away`);
  await host.restart();
  assert.equal((await editor.save('too early')).status, 500);
  await rename(`${host.folder}-away`, host.folder);
  await host.host.noteWake();
  assert.equal((await editor.save('in time')).status, 200);
});

test('accepts saves into a previous folder again once it is back, and recovers those before', async (t) => {
  const host = await begin(t);
  const folder = await otherFolder(host);
  await host.host.useFolder(folder);
  const editor = await locked(host);
  await rename(folder, `${folder}-away`);
  await host.restart();
  assert.equal((await editor.save('too early')).status, 500);
  assert.deepEqual(
    host.host.services.recoveredSaves.list().map(({ path, size }) => [path, size]),
    [['a.docx', 9]],
    'the save is recovered while its folder is missing',
  );
  await rename(`${folder}-away`, folder);
  await host.host.noteWake();
  assert.equal((await editor.save('in time')).status, 200);
  assert.equal(await readFile(join(folder, 'a.docx'), 'utf8'), 'in time');
});

test('restores a recovered save only into its own folder', async (t) => {
  const host = await begin(t);
  const { save } = await locked(host);
  await rm(join(host.folder, 'a.docx'));
  const { services } = host.host;
  const { fileId, accessToken: token } = await (async () => {
    await writeFile(join(host.folder, 'b.docx'), 'b');
    return host.access('b.docx');
  })();
  const refused = await host.wopi({ fileId, token, contents: true, override: 'PUT', body: 'work' });
  assert.equal(refused.status, 409);
  const [recovered] = services.recoveredSaves.list();
  assert.ok(recovered !== undefined && save !== undefined);
  const folder = await otherFolder(host);
  await host.host.useFolder(folder);
  await services.locks.forceClear(services.locks.list()[0]?.fileId ?? '', 'test');
  host.clock.advance(11 * 60 * 60 * 1000);
  await sweep(services);
  assert.equal(services.folders.all().length, 1);
  await assert.rejects(services.recoveredSaves.restore(recovered.id), { code: 'folder-missing' });
  assert.equal(services.recoveredSaves.list().length, 1);
  await host.host.useFolder(host.folder);
  const path = await services.recoveredSaves.restore(recovered.id);
  assert.equal(await readFile(join(host.folder, path), 'utf8'), 'work');
});

test('serves a recreated folder once it is chosen again', async (t) => {
  const host = await begin(t);
  await cp(host.folder, `${host.folder}-copy`, { recursive: true });
  await rm(host.folder, { recursive: true });
  await rename(`${host.folder}-copy`, host.folder);
  await host.host.noteWake();
  assert.equal(host.host.state().problem?.code, 'folder-missing');
  await host.host.useFolder(host.folder);
  assert.equal((await host.access('a.docx')).fileId.length, 22);
  await host.host.noteWake();
  assert.equal(host.host.state().status, 'serving');
});

test('serves a folder whose leftovers can’t be removed, without an unhandled rejection', async (t) => {
  const host = await begin(t);
  const record = await readDataFolderRecord(host.dataDir);
  const folder = await otherFolder(host);
  await host.host.useFolder(folder);
  await locked(host);
  await host.host.useFolder(host.folder);
  const mark = (record?.id ?? '').replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8);
  await mkdir(join(folder, `.~doctray-${mark}-000000000000-x.tmp`));
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  await host.host.useFolder(folder);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(unhandled, []);
});

test('after two concurrent switches, serves the folder that is in the settings', async (t) => {
  const host = await begin(t);
  const folder = await otherFolder(host);
  await host.host.useFolder(host.folder);
  await Promise.all([host.host.useFolder(folder), host.host.useFolder(host.folder)]);
  const { services } = host.host;
  assert.equal(services.settings.current().folder, services.folder()?.root);
  assert.equal(services.folder()?.root, await realpath(host.folder));
});

test('a switch that can’t be saved in the settings changes nothing', async (t) => {
  const host = await begin(t);
  await host.host.useFolder(host.folder);
  const folder = await otherFolder(host);
  await writeFile(join(host.dataDir, 'settings.json'), '{ broken');
  await assert.rejects(host.host.useFolder(folder), { code: 'settings-invalid' });
  assert.equal(host.host.services.folder()?.root, await realpath(host.folder));
  assert.equal(
    host.events.some(({ event }) => event === 'folder-switched'),
    false,
  );
});

test('closes the database when session counts can’t be written at the stop', async (t) => {
  const host = await begin(t);
  const { services } = host.host;
  services.sessions.flush = () => {
    throw new Error('the disk is full');
  };
  await host.restart();
  assert.equal(services.store.db.open, false);
  assert.equal((await host.access('a.docx')).fileId.length, 22);
});

test('applies a higher upload limit to documents of a previous folder too', async (t) => {
  const host = await begin(t, { settings: { maxUploadMB: 1 } });
  const editor = await locked(host);
  await host.host.useFolder(await otherFolder(host));
  const body = 'x'.repeat(1_500_000);
  assert.equal((await editor.save(body)).status, 413);
  await host.host.services.settings.update({ maxUploadMB: 2 });
  assert.equal((await editor.save(body)).status, 200);
});

test('saves even if the conflict copy can’t be recorded', async (t) => {
  const host = await begin(t);
  const editor = await locked(host);
  await host.wopi({ fileId: editor.fileId, token: editor.token, contents: true });
  await writeFile(join(host.folder, 'a.docx'), 'of another program');
  host.host.services.store.db.exec('DROP TABLE conflicts');
  assert.equal((await editor.save('of the editor')).status, 200);
  assert.deepEqual(host.host.services.recoveredSaves.list(), []);
});
