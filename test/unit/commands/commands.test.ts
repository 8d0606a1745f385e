// Who may run which command, and the terminal's commands about documents, locks, tokens and users.

import assert from 'node:assert/strict';
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commands, runCommand, terminalCaller } from '../../../app/commands/commands.ts';
import { AppError } from '../../../app/contract/errors.ts';
import { createWindowHost, type WindowHost } from '../../../app/live-state/window-host.ts';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';
import { lockOf, terminalOf, terminalWithoutHost, type Run } from './terminal-commands.ts';

let host: TestHost;
let run: Run;
let place: WindowPlace;
let window: WindowHost;

before(async () => {
  host = await startTestHost({ files: { 'letter.docx': 'first', 'sub/sheet.xlsx': 'a sheet' } });
  run = terminalOf(host);
  place = await windowPlace();
  window = createWindowHost(place);
});
after(async () => {
  window.close();
  await place.close();
  await host.stop();
});

test('rejects unknown commands and invalid arguments', async () => {
  for (const name of ['', 'format-disk', 'constructor', '__proto__']) {
    await assert.rejects(run(name), { code: 'not-found' }, name);
  }
  for (const args of [null, 7, [], { extra: 1 }, { file: 'x' }, { file: '', cwd: '/' }]) {
    await assert.rejects(run('locks.find', args), { code: 'invalid-argument' }, JSON.stringify(args));
  }
});

/** The errors for a command that the caller may not run, and for one that doesn't exist. */
async function refusals(call: (name: string, args: object) => Promise<unknown>, name: string, args: object) {
  const refusal = async (wanted: string): Promise<string> => {
    try {
      await call(wanted, args);
    } catch (error) {
      assert.ok(error instanceof AppError, String(error));
      return `${error.code}: ${error.message}`;
    }
    return `${wanted} was run`;
  };
  return { forbidden: await refusal(name), unknown: await refusal('no.such.command') };
}

test('for the terminal, a window-only command fails like an unknown one', async () => {
  const call = (name: string, args: object): Promise<unknown> =>
    runCommand(terminalCaller(place.host()), name, args);
  for (const [name, args] of [
    ['app.quit', {}],
    ['app.finishFirstRun', {}],
    ['settings.check', { key: 'port', value: 9000 }],
    ['documents.search', { text: 'a', count: 1 }],
    ['host.copyOwnerPassword', {}],
  ] as const) {
    const { forbidden, unknown } = await refusals(call, name, args);
    assert.match(forbidden, /^not-found: /, name);
    assert.equal(forbidden, unknown);
  }
  for (const [name, { from }] of Object.entries(commands)) {
    if (from === 'window') await assert.rejects(call(name, {}), { code: 'not-found' }, name);
  }
});

test('for the window, a terminal-only command fails like an unknown one', async () => {
  const call = (name: string, args: object): Promise<unknown> => window.run(name, args);
  for (const [name, args] of [
    ['users.list', {}],
    ['tls.authority', {}],
    ['settings.get', { key: 'port' }],
    ['editors.access', { file: 'a.docx', cwd: '/', mode: 'edit' }],
  ] as const) {
    const { forbidden, unknown } = await refusals(call, name, args);
    assert.match(forbidden, /^not-found: /, name);
    assert.equal(forbidden, unknown);
  }
  for (const [name, { from }] of Object.entries(commands)) {
    if (from === 'terminal') await assert.rejects(window.run(name, {}), { code: 'not-found' }, name);
  }
});

test('rejects a container image that the window chooses, and starts nothing', async () => {
  const start = { product: 'collabora', engine: null, image: 'docker.io/evil/image' };
  await assert.rejects(window.run('documentServers.start', start), { code: 'permission-denied' });
  assert.equal(place.host().services.documentServers.state().start, null);
});

test('rejects an import whose paths come from the page', async () => {
  const named = { folderPath: '', sources: ['/etc/hostname'] };
  await assert.rejects(window.run('documents.import', named), { code: 'permission-denied' });
});

test('rejects a current directory from the window', async () => {
  for (const [name, args] of [
    ['documents.create', { folderPath: '', name: 'a.docx' }],
    ['documents.rename', { path: 'letter.docx', name: 'b' }],
    ['versions.list', { path: 'letter.docx' }],
    ['conflicts.dismiss', { id: 'letter.docx' }],
  ] as const) {
    await assert.rejects(window.run(name, { ...args, cwd: '/' }), { code: 'invalid-argument' }, name);
  }
});

test('rejects a folder from the window in settings.set, and saves nothing', async () => {
  const before = await readFile(join(place.dataDir, 'settings.json'), 'utf8');
  await assert.rejects(window.run('settings.set', { key: 'folder', value: '/etc' }), {
    code: 'setting-invalid',
    message: /Choose folder/,
  });
  assert.equal(await readFile(join(place.dataDir, 'settings.json'), 'utf8'), before);
  assert.equal(place.host().services.folder()?.root, place.folder);
});

test('finds a document by absolute path, relative path, symbolic link or id', async () => {
  const { folder, dataDir } = host;
  await symlink(folder, join(dataDir, 'way-in'));
  const { fileId: id } = await run('versions.list', { path: 'sub/sheet.xlsx', cwd: '/' });
  const ways = [
    { file: join(folder, 'sub', 'sheet.xlsx'), cwd: '/' },
    { file: 'sheet.xlsx', cwd: join(folder, 'sub') },
    { file: './sub/../sub/sheet.xlsx', cwd: folder },
    { file: join(dataDir, 'way-in', 'sub', 'sheet.xlsx'), cwd: '/' },
    { file: id, cwd: '/' },
  ];
  for (const way of ways) {
    const found = await run('versions.list', { path: way.file, cwd: way.cwd });
    assert.equal(found.path, 'sub/sheet.xlsx', JSON.stringify(way));
    assert.equal(found.fileId, id);
  }
});

test('lists the versions of a document by its id after another program renamed it', async () => {
  const list = async (args: object) =>
    (await window.run('versions.list', args)) as { path: string; fileId: string };
  const [before, after] = ['plan.md', 'new plan.md'].map((name) => join(place.folder, name)) as [
    string,
    string,
  ];
  await writeFile(before, 'plan');
  const { fileId } = await list({ path: 'plan.md' });
  await rename(before, after);
  assert.equal((await list({ path: 'new plan.md' })).fileId, fileId);
  assert.equal((await list({ path: 'plan.md', fileId })).path, 'new plan.md');
  await rm(after);
  await assert.rejects(list({ path: 'plan.md', fileId }), { code: 'file-missing' });
});

test('distinguishes a path outside the folder from a missing document', async () => {
  const find = (file: string, cwd = '/') => run('versions.list', { path: file, cwd });
  await assert.rejects(find('/etc/hostname'), { code: 'path-invalid' });
  await assert.rejects(find('../../x', host.folder), { code: 'path-invalid' });
  await assert.rejects(find('nothing.docx'), { code: 'file-missing' });
});

test('editors.access returns a WOPI source and a token of the owner in the requested mode', async () => {
  const access = await run('editors.access', { file: 'letter.docx', cwd: '/', mode: 'view' });
  assert.deepEqual([access.path, access.mode, access.page], ['letter.docx', 'view', null]);
  const answer = await fetch(`${access.wopiSrc}?access_token=${access.accessToken}`);
  const info = (await answer.json()) as { UserCanWrite: boolean; UserFriendlyName: string };
  assert.deepEqual([info.UserCanWrite, info.UserFriendlyName], [false, 'owner']);
});

test('finds a lock by path or id and force-clears it, also after its document was deleted', async (t) => {
  const own = await startTestHost({ files: { 'gone.docx': 'x', 'letter.docx': 'x' } });
  t.after(own.stop);
  const runOwn = terminalOf(own);
  const gone = await lockOf(own, 'gone.docx');
  const letter = await lockOf(own, 'letter.docx');
  await rm(join(own.folder, 'gone.docx'));
  const find = (file: string, cwd = '/') => runOwn('locks.find', { file, cwd });
  assert.equal((await find(join(own.folder, 'gone.docx'))).fileId, gone.fileId);
  assert.equal((await find(gone.fileId)).path, 'gone.docx');
  assert.equal((await find('letter.docx', own.folder)).fileId, letter.fileId);
  const { done, failed } = await runOwn('locks.forceClear', { ids: [gone.fileId, letter.fileId] });
  assert.deepEqual(done.map(({ path }: { path: string }) => path).toSorted(), ['gone.docx', 'letter.docx']);
  assert.deepEqual(failed, []);
  assert.deepEqual(await runOwn('locks.list'), []);
  await assert.rejects(find('letter.docx'), { code: 'file-not-locked' });
  await assert.rejects(find('nothing.docx'), { code: 'file-missing' });
  const cleared = own.events.filter(({ event }) => event === 'lock-force-cleared');
  assert.deepEqual(
    cleared.map((event) => 'by' in event && event.by),
    ['terminal', 'terminal'],
  );
});

test('lists API and access tokens without their secrets, and revokes them', async () => {
  const { fileId, accessToken } = await host.access('letter.docx');
  const { apiTokens, accessTokens } = await run('tokens.list');
  const mine = accessTokens.find((token: { fileId: string }) => token.fileId === fileId);
  assert.equal(mine.path, 'letter.docx');
  assert.equal(mine.lastUsedAtMs, null);
  assert.equal((await host.wopi({ fileId, token: accessToken })).status, 200);
  const used = (await run('tokens.list')).accessTokens.find(({ id }: { id: string }) => id === mine.id);
  assert.ok(Date.now() - used.lastUsedAtMs < 60_000, 'its call, before it is written');
  assert.ok(!JSON.stringify([apiTokens, accessTokens]).includes(accessToken));
  const { done, failed } = await run('tokens.revoke', { ids: [apiTokens[0].id, mine.id, 'x'] });
  assert.deepEqual(
    [done.map(({ id }: { id: string }) => id), failed.map(({ id }: { id: string }) => id)],
    [[apiTokens[0].id, mine.id], ['x']],
  );
  assert.equal((await host.wopi({ fileId, token: accessToken })).status, 401);
});

test('adds, changes, lists and removes users, and rejects a second owner', async () => {
  const logins = async () => (await run('users.list')).map(({ login }: { login: string }) => login);
  const eva = await run('users.add', { login: 'eva', role: 'viewer', password: 'long enough' });
  assert.deepEqual([eva.displayName, eva.role], ['eva', 'viewer']);
  await run('users.add', { login: 'ada', displayName: 'Ada', role: 'editor', password: 'long enough' });
  await run('users.setPassword', { login: 'eva', password: 'another one' });
  await host.signIn('eva', 'another one');
  assert.equal((await run('users.setRole', { login: 'eva', role: 'editor' })).role, 'editor');
  assert.deepEqual((await logins()).toSorted(), ['ada', 'eva', 'owner']);
  assert.deepEqual(await run('users.remove', { login: 'eva' }), { login: 'eva' });
  assert.deepEqual((await logins()).toSorted(), ['ada', 'owner']);
  await assert.rejects(run('users.remove', { login: 'eva' }), { code: 'user-unknown' });
  await assert.rejects(run('users.add', { login: 'x', role: 'owner', password: 'long enough' }), {
    code: 'invalid-argument',
    detail: 'role: must be editor or viewer.',
  });
});

test('restores a version and a recovered save, and discards a recovered save', async (t) => {
  const own = await startTestHost({ files: { 'letter.docx': 'first' } });
  t.after(own.stop);
  const runOwn = terminalOf(own);
  const { fileId, accessToken: token } = await lockOf(own, 'letter.docx');
  const put = async (lock: string, body: string): Promise<number> => {
    const headers = { 'X-WOPI-Lock': lock };
    return (await own.wopi({ fileId, token, contents: true, override: 'PUT', headers, body })).status;
  };
  assert.equal(await put('lock', 'second'), 200);
  assert.equal(await put('another lock', 'refused'), 409);
  const { path, versions } = await runOwn('versions.list', { path: 'letter.docx' });
  assert.equal(path, 'letter.docx');
  await runOwn('locks.forceClear', { ids: [fileId] });
  const restored = await runOwn('versions.restore', { path, versionId: versions[0].id });
  assert.deepEqual([restored.path, restored.size], ['letter.docx', 'first'.length]);
  assert.equal(await readFile(join(own.folder, 'letter.docx'), 'utf8'), 'first');
  const { current } = await runOwn('versions.list', { path });
  assert.deepEqual([current.savedBy, current.savedHow], [['owner'], 'restored']);
  await assert.rejects(runOwn('versions.restore', { path, versionId: 'x' }), {
    code: 'version-unknown',
  });

  const [saved] = await runOwn('recovered.list');
  const { path: recovered } = await runOwn('recovered.restore', { id: saved.id });
  assert.equal(await readFile(join(own.folder, recovered), 'utf8'), 'refused');
  assert.equal(await put('another lock', 'refused again'), 409);
  const [again] = await runOwn('recovered.list');
  assert.deepEqual(await runOwn('recovered.discard', { id: again.id }), { id: again.id });
  assert.deepEqual(await runOwn('recovered.list'), []);
});

test('without a host, window-only commands are unknown, and locks are listed', async (t) => {
  const own = await startTestHost();
  t.after(own.stop);
  await own.host.stop();
  const runWithoutHost = terminalWithoutHost(own);
  for (const name of ['app.quit', 'app.finishFirstRun', 'versions.text', 'format-disk']) {
    await assert.rejects(runWithoutHost(name), { code: 'not-found' }, name);
  }
  assert.deepEqual(await runWithoutHost('locks.list'), []);
});
