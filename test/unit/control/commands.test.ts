import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { runCommand } from '../../../app/control/commands.ts';
import { lockOn, makeFakeHost, type FakeHost } from './fake-services.ts';

let fake: FakeHost;
before(async () => {
  fake = await makeFakeHost();
});
after(() => fake.remove());

/** As it comes out of the socket: JSON of any shape. */
const run = async (name: string, args: unknown = {}) =>
  JSON.parse(JSON.stringify(await runCommand({ services: fake.services, host: fake.host }, name, args)));
const withCode = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

test('a document is found by every way of typing it', async () => {
  await symlink(fake.folder, join(fake.dataDir, 'way-in'));
  const ways = [
    { file: join(fake.folder, 'sub', 'sheet.xlsx'), cwd: '/' },
    { file: 'sheet.xlsx', cwd: join(fake.folder, 'sub') },
    { file: './sub/../sub/sheet.xlsx', cwd: fake.folder },
    { file: 'sub/sheet.xlsx', cwd: '/' },
    { file: join(fake.dataDir, 'way-in', 'sub', 'sheet.xlsx'), cwd: '/' },
    { file: '1'.padStart(22, 'f'), cwd: '/' },
  ];
  for (const way of ways) {
    const { path } = await run('open', { ...way, mode: 'edit' });
    assert.equal(path, 'sub/sheet.xlsx', JSON.stringify(way));
  }
});

test('a document outside the folder and one that is not there are told apart', async () => {
  await assert.rejects(run('versions', { file: '/etc/hostname', cwd: '/' }), withCode('path-invalid'));
  await assert.rejects(run('versions', { file: '../../x', cwd: fake.folder }), withCode('path-invalid'));
  await assert.rejects(run('versions', { file: 'nothing.docx', cwd: '/' }), withCode('file-missing'));
});

test('opening is for the owner and answers all an editor needs', async () => {
  const access = await run('open', { file: 'letter.docx', cwd: '/', mode: 'view' });
  assert.equal(access.accessToken, 'token of owner for view');
  assert.equal(access.path, 'letter.docx');
  const withoutHost = runCommand({ services: fake.services }, 'open', {
    file: 'letter.docx',
    cwd: '/',
    mode: 'edit',
  });
  await assert.rejects(withoutHost, withCode('not-running'));
});

test('a lock is cleared by path or id, also when its document has gone', async () => {
  fake.locks.push(lockOn('gone.docx', 'g'.repeat(22)), lockOn('letter.docx', '0'.padStart(22, 'f')));
  assert.equal((await run('lock', { file: 'gone.docx', cwd: '/' })).path, 'gone.docx');
  await run('unlock', { file: join(fake.folder, 'gone.docx'), cwd: '/' });
  await run('unlock', { file: 'letter.docx', cwd: fake.folder });
  assert.deepEqual(fake.done.splice(0), ['clear gone.docx by terminal', 'clear letter.docx by terminal']);
  await assert.rejects(run('unlock', { file: 'letter.docx', cwd: '/' }), withCode('file-not-locked'));
  await assert.rejects(run('unlock', { file: 'nothing.docx', cwd: '/' }), withCode('file-missing'));
});

test('tokens of both kinds are listed and revoked', async () => {
  const { apiTokens, accessTokens } = await run('tokens');
  assert.equal(apiTokens[0].id, 'a1');
  assert.equal(accessTokens[0].path, 'letter.docx');
  assert.deepEqual(await run('revoke-token', { id: 't1' }), { id: 't1' });
  await assert.rejects(run('revoke-token', { id: 'x' }), withCode('token-unknown'));
});

test('users are added, found and removed, and a second owner is not', async () => {
  await run('add-user', { login: 'eva', role: 'viewer', password: 'long enough' });
  await run('add-user', { login: 'ada', displayName: 'Ada', role: 'editor', password: 'p' });
  await run('set-password', { login: 'eva', password: 'another one' });
  await run('remove-user', { login: 'eva' });
  assert.deepEqual(fake.done.splice(0), [
    'add eva viewer - long enough',
    'add ada editor Ada p',
    'password eva another one',
    'remove eva',
  ]);
  assert.equal((await run('find-user', { login: 'owner' })).role, 'owner');
  await assert.rejects(run('find-user', { login: 'nobody' }), withCode('user-unknown'));
  await assert.rejects(
    run('add-user', { login: 'x', role: 'owner', password: 'p' }),
    withCode('invalid-argument'),
  );
});

test('versions and recovered saves are restored', async () => {
  assert.equal((await run('versions', { file: 'letter.docx', cwd: '/' })).path, 'letter.docx');
  const restored = await run('restore', { file: 'letter.docx', version: '1', cwd: '/' });
  assert.deepEqual(restored, { path: 'letter.docx', itemVersion: '1.aa', size: 11 });
  await assert.rejects(
    run('restore', { file: 'letter.docx', version: '9', cwd: '/' }),
    withCode('version-unknown'),
  );
  assert.deepEqual(await run('restore-rescued', { id: 'r' }), { path: 'restored r' });
  await run('discard-rescued', { id: 'r' });
  assert.deepEqual(fake.done.splice(0), ['restore fffffffffffffffffffff0 1', 'discard r']);
});

test('settings are read and set as text', async () => {
  assert.equal((await run('setting', { key: 'maxUploadMiB' })).value, 4096);
  const set = await run('set-setting', { key: 'maxUploadMiB', value: '10', cwd: '/' });
  assert.deepEqual(set, { key: 'maxUploadMiB', value: 10, needsRestart: false });
  assert.equal((await run('settings')).maxUploadMiB, 10);
  const folder = await run('set-setting', { key: 'folder', value: 'sub', cwd: fake.folder });
  assert.deepEqual(folder, { key: 'folder', value: join(fake.folder, 'sub'), needsRestart: true });
  await assert.rejects(
    run('set-setting', { key: 'folder', value: 'letter.docx', cwd: fake.folder }),
    withCode('folder-invalid'),
  );
  await assert.rejects(
    run('set-setting', { key: 'port', value: 'many', cwd: '/' }),
    withCode('setting-invalid'),
  );
  await assert.rejects(
    run('set-setting', { key: 'colour', value: 'red', cwd: '/' }),
    withCode('setting-invalid'),
  );
  await assert.rejects(run('setting', { key: '__proto__' }), withCode('setting-invalid'));
});

test('what is no command, and arguments that are none of its own, are refused', async () => {
  for (const name of ['', 'format-disk', 'constructor', '__proto__']) {
    await assert.rejects(run(name), withCode('not-found'), name);
  }
  for (const args of [null, 7, [], { extra: 1 }, { file: 'x' }, { file: '', cwd: '/' }]) {
    await assert.rejects(run('lock', args), withCode('invalid-argument'), JSON.stringify(args));
  }
});
