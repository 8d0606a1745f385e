// The hosted folder: switching to another, one that is missing when the host needs it, and the default one. A switch affects
// documents that are opened afterwards, never running saves.

import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { prepareDefaultFolder } from '../../app/files/default-folder.ts';
import { sweep } from '../../app/host/maintenance.ts';
import type { HostOptions } from '../../app/host/running-host.ts';
import { createLogger } from '../../app/log/logger.ts';
import { readDataFolderRecord } from '../../app/secrets/data-folder.ts';
import { startHost } from '../../app/terminal/start-host.ts';
import { until } from './text-editor-host.ts';
import { cheapPasswords, startTestHost, type TestHostOptions } from './test-host.ts';

const hour = 60 * 60 * 1000;

async function begin(t: TestContext, options: TestHostOptions = {}) {
  const files = { 'a.docx': 'first', 'b.docx': 'b' };
  const host = await startTestHost({ files, isFolderOptional: true, ...options }, t);
  const other = join(dirname(host.folder), 'other');
  await mkdir(other);
  await writeFile(join(other, 'a.docx'), 'of the other folder');
  return {
    host,
    /** Of the first start; a restart has others. */
    services: host.host.services,
    other: await realpath(other),
    use: (folder: string) => host.host.useFolder(folder),
    hide: (folder: string) => rename(folder, `${folder}-away`),
    show: (folder: string) => rename(`${folder}-away`, folder),
    state: () => [host.host.state().status, host.host.state().problem?.code],
  };
}

describe('a switch of the folder', () => {
  test('opens documents from the new one, and saves and unlocks open ones in their own folder', async (t) => {
    const { host, services, other, use } = await begin(t);
    const editor = await host.edit('a.docx');
    const unused = await host.document('b.docx');
    await use(other);
    const next = await host.document('a.docx');
    assert.equal((await next.read()).body.toString(), 'of the other folder');
    assert.equal(services.settings.current().folder, other);
    assert.ok(host.events.some((event) => event.event === 'folder-switched' && event.to === other));

    assert.equal((await editor.save('after the switch')).status, 200);
    assert.equal(await editor.content(), 'after the switch');
    assert.equal((await editor.unlock()).status, 200);
    assert.equal(await readFile(join(other, 'a.docx'), 'utf8'), 'of the other folder');
    for (const step of [unused.call, unused.read, unused.lock])
      assert.equal((await step()).status, 404, 'an unused token of the old folder opens nothing');
  });

  test('closes the old folder once none of its documents is open', async (t) => {
    const { host, services, other, use } = await begin(t);
    const editor = await host.edit('a.docx');
    await use(other);
    await sweep(services);
    assert.equal(services.folders.all().length, 2);
    await editor.unlock();
    host.clock.advance(11 * hour);
    await sweep(services);
    assert.equal(services.folders.all().length, 1);
  });

  test('to an invalid folder, or one that can’t be saved in the settings, changes nothing', async (t) => {
    const { host, services, other, use, state } = await begin(t);
    await use(host.folder);
    for (const folder of [join(host.folder, 'nowhere'), host.dataDir])
      await assert.rejects(use(folder), { code: 'folder-invalid' });
    await writeFile(join(host.dataDir, 'settings.json'), '{ broken');
    await assert.rejects(use(other), { code: 'settings-invalid' });
    assert.deepEqual(state(), ['serving', undefined]);
    assert.equal(services.folder()?.root, await realpath(host.folder));
    assert.ok(!host.events.some(({ event }) => event === 'folder-switched'));
  });

  test('during another serves the folder that is in the settings', async (t) => {
    const { host, services, other, use } = await begin(t);
    await use(host.folder);
    await Promise.all([use(other), use(host.folder)]);
    assert.equal(services.settings.current().folder, services.folder()?.root);
    assert.equal(services.folder()?.root, await realpath(host.folder));
  });

  test('to a folder whose leftovers can’t be removed serves it, without an unhandled rejection', async (t) => {
    const { host, other, use } = await begin(t);
    const record = await readDataFolderRecord(host.dataDir);
    await use(other);
    await host.edit('a.docx');
    await use(host.folder);
    const mark = (record?.id ?? '').replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8);
    await mkdir(join(other, `.~doctray-${mark}-000000000000-x.tmp`));
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    t.after(() => process.off('unhandledRejection', note));
    await use(other);
    await pause(200);
    assert.deepEqual(unhandled, []);
  });

  test('applies a higher upload limit to documents of the previous folder too', async (t) => {
    const { host, services, other, use } = await begin(t, { settings: { maxUploadMB: 1 } });
    const { save } = await host.edit('a.docx');
    await use(other);
    const body = 'x'.repeat(1_500_000);
    assert.equal((await save(body)).status, 413);
    await services.settings.update({ maxUploadMB: 2 });
    assert.equal((await save(body)).status, 200);
  });
});

describe('a folder that is missing', () => {
  test('is reported until it is back', async (t) => {
    const { host, hide, show, state } = await begin(t);
    await hide(host.folder);
    await host.host.noteWake();
    assert.deepEqual(state(), ['error', 'folder-missing']);
    await show(host.folder);
    await host.host.noteWake();
    assert.deepEqual(state(), ['serving', undefined]);
  });

  test('at the start doesn’t prevent saves into a previous folder', async (t) => {
    const { host, other, use, hide, state } = await begin(t);
    await use(other);
    const { save } = await host.edit('a.docx');
    await hide(host.folder);
    await host.restart(); // with the first folder, which is away
    assert.equal(state()[1], 'folder-invalid');
    assert.equal((await save('saved')).status, 200);
    assert.equal(await readFile(join(other, 'a.docx'), 'utf8'), 'saved');
  });

  for (const isPrevious of [false, true]) {
    const which = isPrevious ? 'previous' : 'chosen';
    test(`at the start answers saves with 500, recovers them if it’s a ${which} one, and accepts them once it is back`, async (t) => {
      const { host, other, use, hide, show } = await begin(t);
      const folder = isPrevious ? other : host.folder;
      if (isPrevious) await use(other);
      const { save } = await host.edit('a.docx');
      await hide(folder);
      await host.restart();
      assert.equal((await save('too early')).status, 500);
      const recovered = host.host.services.recoveredSaves.list().map(({ path, size }) => [path, size]);
      if (isPrevious) assert.deepEqual(recovered, [['a.docx', 9]]);
      await show(folder);
      await host.host.noteWake();
      assert.equal((await save('in time')).status, 200);
      assert.equal(await readFile(join(folder, 'a.docx'), 'utf8'), 'in time');
    });
  }

  test('isn’t the place where a recovered save of another is restored', async (t) => {
    const { host, services, other, use } = await begin(t);
    const { recoveredSaves } = services;
    assert.equal((await (await host.document('b.docx')).save('work')).status, 409);
    const [{ id } = { id: '' }] = recoveredSaves.list();
    await use(other);
    host.clock.advance(11 * hour);
    await sweep(services);
    assert.equal(services.folders.all().length, 1);
    await assert.rejects(recoveredSaves.restore(id), { code: 'folder-missing' });
    assert.equal(recoveredSaves.list().length, 1);
    await use(host.folder);
    assert.equal(await readFile(join(host.folder, await recoveredSaves.restore(id)), 'utf8'), 'work');
  });

  test('is served again when it was recreated, once it is chosen again', async (t) => {
    const { host, use, state } = await begin(t);
    await cp(host.folder, `${host.folder}-copy`, { recursive: true });
    await rm(host.folder, { recursive: true });
    await rename(`${host.folder}-copy`, host.folder);
    await host.host.noteWake();
    assert.equal(state()[1], 'folder-missing');
    await use(host.folder);
    assert.equal((await host.access('a.docx')).fileId.length, 22);
    await host.host.noteWake();
    assert.deepEqual(state(), ['serving', undefined]);
  });
});

test('saves even if the conflict copy can’t be recorded', async (t) => {
  const { host, services } = await begin(t);
  const { save, path } = await host.edit('a.docx');
  await writeFile(path, 'of another program');
  services.store.db.exec('DROP TABLE conflicts');
  assert.equal((await save('of the editor')).status, 200);
  assert.deepEqual(services.recoveredSaves.list(), []);
});

// Served until one is chosen. In the desktop app a failure is shown and can be fixed later; for the terminal see
// test/cli/first-start.test.ts.
describe('the default folder', () => {
  async function prepare(t: TestContext) {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'doctray-default-')));
    t.after(() => rm(root, { recursive: true, force: true }));
    delete process.env['DBUS_SESSION_BUS_ADDRESS'];
    const dataDir = join(root, 'data');
    const documents = join(root, 'documents');
    await mkdir(documents);
    return {
      documents,
      folder: join(root, 'DocTray'),
      names: () => readdir(root),
      /** The window’s first run is over. */
      async finishFirstRun() {
        await mkdir(dataDir, { mode: 0o700 });
        const settings = JSON.stringify({ windowFirstRunDone: true });
        await writeFile(join(dataDir, 'settings.json'), settings, { mode: 0o600 });
      },
      async saved(): Promise<unknown> {
        const text = await readFile(join(dataDir, 'settings.json'), 'utf8').catch(() => '{}');
        return (JSON.parse(text) as { folder?: unknown }).folder;
      },
      async start(options: Partial<HostOptions> = {}) {
        const host = await startHost({
          dataDir,
          port: 0,
          ownerPassword: 'correct horse battery',
          passwordCost: cheapPasswords,
          log: createLogger([]),
          defaultFolder: () => prepareDefaultFolder({ env: {}, platform: 'linux', homeDir: root, dataDir }),
          ...options,
        });
        t.after(() => host.stop());
        return { ...host, state: () => [host.state().status, host.state().problem?.code] };
      },
    };
  }

  test('is created and served once the window’s first run is done, and not before', async (t) => {
    const { start, folder, names, saved } = await prepare(t);
    const { services, state } = await start({ isFolderOptional: true });
    assert.equal(state()[0], 'idle');
    assert.ok(!(await names()).includes('DocTray'));
    await services.settings.update({ windowFirstRunDone: true });
    await until('it is served', () => state()[0] === 'serving');
    assert.equal(services.folder()?.root, folder);
    await until('it is remembered', async () => (await saved()) === folder);
  });

  test('that can’t be created is reported with a window until that is fixed', async (t) => {
    const { start, finishFirstRun, folder, saved } = await prepare(t);
    await finishFirstRun();
    await writeFile(folder, '');
    const { state, noteWake } = await start({ isFolderOptional: true });
    assert.deepEqual(state(), ['error', 'default-folder-failed']);
    await noteWake();
    assert.deepEqual(state(), ['error', 'default-folder-failed']);
    await rm(folder);
    await noteWake();
    assert.deepEqual(state(), ['serving', undefined]);
    assert.equal(await saved(), folder);
  });

  test('that can’t be created can be replaced by another one', async (t) => {
    const { start, folder, documents } = await prepare(t);
    await writeFile(folder, '');
    const { services, state, useFolder, noteWake } = await start({ isFolderOptional: true });
    await useFolder(documents);
    assert.deepEqual(state(), ['serving', undefined]);
    await noteWake();
    assert.equal(services.folder()?.root, documents);
  });
});
