// With a real Secret Service. Run by run-in-session.ts.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import keytar from 'keytar';
import { openSecretStore } from '../../app/secrets/secret-store.ts';
import { loadTokenKey, tokenKeySecret } from '../../app/secrets/token-key.ts';
import { commandsIn } from './commands-in.ts';
import { lockKeyring } from './keyring-daemon.ts';

let dataDir: string;
let warnings: string[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'doctray-keyring-test-'));
  warnings = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = () => openSecretStore({ dataDir, warn: (text) => warnings.push(text) });

async function dataFolderRecord(): Promise<{ id: string; secretStore: string }> {
  return JSON.parse(await readFile(join(dataDir, 'data-folder.json'), 'utf8'));
}
const dataFolderId = async (): Promise<string> => (await dataFolderRecord()).id;

function openOnce(env: NodeJS.ProcessEnv): Promise<unknown> {
  const script = join(import.meta.dirname, '../unit/secrets/open-once.ts');
  const options = { env: { ...process.env, ...env }, timeout: 60_000, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, [script, dataDir], options, (_error, output) => resolve(JSON.parse(output)));
  });
}

test('with DOCTRAY_SECRETS=file, a new data folder uses the file, but one in the keychain keeps it', async () => {
  const inFile = await openOnce({ DOCTRAY_SECRETS: 'file' });
  assert.ok(inFile !== null && typeof inFile === 'object' && 'kind' in inFile);
  assert.equal(inFile.kind, 'file');
  await rm(dataDir, { recursive: true });
  await loadTokenKey(await open());
  assert.deepEqual(await openOnce({ DOCTRAY_SECRETS: 'file' }), { kind: 'keychain', warnings: [] });
});

test('the first run chooses and records the keychain, and stores, replaces and deletes secrets there under the id of the data folder, without a warning or secrets on disk', async () => {
  const store = await open();
  assert.equal(store.kind, 'keychain');
  assert.match(store.description, /keychain/);
  assert.deepEqual(warnings, []);
  assert.deepEqual(await readdir(dataDir), ['data-folder.json']);
  assert.equal((await dataFolderRecord()).secretStore, 'keychain');
  const key = await loadTokenKey(store);
  assert.deepEqual(await loadTokenKey(await open()), key);
  await store.set('a', 'one');
  await store.set('a', 'two');
  assert.equal(await store.get('a'), 'two');
  await store.delete('a');
  await store.delete('never there');
  assert.deepEqual([await store.get('a'), await store.get('never there')], [undefined, undefined]);
  const id = await dataFolderId();
  const own = (await keytar.findCredentials('DocTray')).filter(({ account }) => account.startsWith(id));
  assert.deepEqual(own.map(({ account }) => account).toSorted(), [`${id}:marker`, `${id}:${tokenKeySecret}`]);
  assert.ok(own.some(({ password }) => password === key.toString('base64url')));
});

test('keeps using the secrets file if the record of the data folder is lost', async () => {
  await writeFile(join(dataDir, 'secrets.json'), '{"a":"one"}');
  const store = await open();
  assert.deepEqual([store.kind, await store.get('a')], ['file', 'one']);
});

test('fails to start if the recorded keychain is unreachable, and finds the same key once it is back', async () => {
  const key = await loadTokenKey(await open());
  const answer = await openOnce({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(dataDir, 'no-socket')}` });
  assert.deepEqual(answer, { code: 'secret-store-unreachable', warnings: [] });
  assert.deepEqual(await readdir(dataDir), ['data-folder.json']);
  assert.deepEqual(await loadTokenKey(await open()), key);
});

test('moves all secrets to a file and back, without leaving copies', async () => {
  const store = await open();
  const key = await loadTokenKey(store);
  await store.set('a', 'one');
  const id = await dataFolderId();
  const inKeychain = async () =>
    (await keytar.findCredentials('DocTray')).filter(({ account }) => account.startsWith(id)).length;
  assert.equal(await inKeychain(), 3);

  await Promise.all([store.move('file'), store.set('b', 'two')]);
  assert.equal(store.kind, 'file');
  assert.match(store.description, /secrets\.json/);
  assert.deepEqual([await store.get('a'), await store.get('b'), await inKeychain()], ['one', 'two', 0]);
  assert.deepEqual(await loadTokenKey(await open()), key);

  await store.move('keychain');
  assert.deepEqual(await readdir(dataDir), ['data-folder.json']);
  const back = await open();
  assert.equal(back.kind, 'keychain');
  assert.deepEqual([await back.get('a'), await back.get('b')], ['one', 'two']);
  assert.deepEqual(await loadTokenKey(back), key);
});

test('a move back to the keychain drops what changed there while it couldn’t be reached', async () => {
  const store = await open();
  await store.set('a', 'one');
  await store.set('b', 'one');
  const id = await dataFolderId();
  await store.move('file');
  // As after a move to the file whose copies couldn't be removed.
  await keytar.setPassword('DocTray', `${id}:a`, 'one');
  await keytar.setPassword('DocTray', `${id}:b`, 'one');
  await store.delete('a');
  await store.set('b', 'two');
  await store.move('keychain');
  const back = await open();
  assert.deepEqual([await back.get('a'), await back.get('b')], [undefined, 'two']);
});

test('copies in the keychain are removed on request, not when the store is opened', async () => {
  const store = await open();
  await store.set('a', 'one');
  const recordPath = join(dataDir, 'data-folder.json');
  const id = await dataFolderId();
  await store.move('file');
  await keytar.setPassword('DocTray', `${id}:a`, 'one');
  await writeFile(recordPath, JSON.stringify({ id, secretStore: 'file', hasKeychainCopies: true }));
  const reopened = await open();
  assert.equal(await keytar.getPassword('DocTray', `${id}:a`), 'one');
  assert.equal(await reopened.removeCopies(), true);
  assert.equal(await keytar.getPassword('DocTray', `${id}:a`), null);
  assert.deepEqual(JSON.parse(await readFile(recordPath, 'utf8')), { id, secretStore: 'file' });
});

test('after an interrupted move, uses the recorded store and deletes the incomplete copy', async () => {
  const key = await loadTokenKey(await open());
  await writeFile(join(dataDir, 'secrets.json'), '{"token-key":"half a move"}');
  assert.deepEqual(await loadTokenKey(await open()), key);
  assert.deepEqual(await readdir(dataDir), ['data-folder.json']);
});

test('a move that is killed leaves nothing in the keychain after the next start or uninstall', async () => {
  const data = join(dataDir, 'data');
  const script = join(import.meta.dirname, '../../app/cli.ts');
  const cli = commandsIn(data);
  /** Runs a move in a process that is killed in the middle of it. */
  const killed = (store: string, killsAt: string) => {
    const hook = `import { createRequire } from 'node:module';
      const keytar = createRequire(${JSON.stringify(script)})('keytar');
      const act = keytar.${killsAt};
      keytar.${killsAt} = (service, account, ...rest) =>
        /:(?:probe|marker)$/.test(account) ? act(service, account, ...rest) : process.kill(process.pid, 'SIGKILL');`;
    const hooked = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, script];
    return promisify(execFile)(process.execPath, [...hooked, 'secrets', 'move', store, '--data', data]);
  };
  const others = (await keytar.findCredentials('DocTray')).length;
  const inKeychain = async () => (await keytar.findCredentials('DocTray')).length - others;
  await cli('settings', 'set', 'port', '0');
  await cli('secrets');
  assert.ok((await inKeychain()) >= 2);

  await assert.rejects(killed('file', 'deletePassword'), { signal: 'SIGKILL' });
  assert.ok((await inKeychain()) >= 2);
  assert.match(await cli('secrets'), /^Secrets are in secrets\.json/);
  assert.equal(await inKeychain(), 0);

  await assert.rejects(killed('keychain', 'setPassword'), { signal: 'SIGKILL' });
  await cli('secrets', 'move', 'keychain');
  await assert.rejects(killed('file', 'deletePassword'), { signal: 'SIGKILL' });
  assert.match(
    await cli('uninstall', '--delete-data', '--yes'),
    /^Removed DocTray’s entries from the keychain\.$/m,
  );
  assert.equal(await inKeychain(), 0);
});

test('uninstall removes all keychain entries with the data folder, and keeps them with a kept one', async () => {
  const data = join(dataDir, 'data');
  const cli = commandsIn(data);
  const others = (await keytar.findCredentials('DocTray')).length;
  await cli('settings', 'set', 'port', '0');
  assert.equal(await cli('secrets'), 'Secrets are in the keychain of this computer.\n');
  assert.ok((await keytar.findCredentials('DocTray')).length > others);
  assert.match(await cli('uninstall', '--yes'), /^Its secrets are still in the keychain\.$/m);
  assert.ok((await keytar.findCredentials('DocTray')).length > others);
  assert.match(await cli('secrets'), /^Secrets are in the keychain/);

  assert.match(
    await cli('uninstall', '--delete-data', '--yes'),
    /^Removed DocTray’s entries from the keychain\.$/m,
  );
  assert.equal((await keytar.findCredentials('DocTray')).length, others);
  assert.deepEqual(await readdir(dataDir), []);
});

test('serve doesn’t start if the keychain entries were deleted, creates no new ones, and without a terminal doesn’t wait for them', async () => {
  const data = join(dataDir, 'data');
  const script = join(import.meta.dirname, '../../app/cli.ts');
  const cli = commandsIn(data);
  await cli('settings', 'set', 'port', '0');
  await cli('secrets');
  const { id } = JSON.parse(await readFile(join(data, 'data-folder.json'), 'utf8'));
  for (const name of ['marker', tokenKeySecret]) await keytar.deletePassword('DocTray', `${id}:${name}`);
  const folder = join(dataDir, 'documents');
  await mkdir(folder);
  const args = [script, 'serve', '--folder', folder, '--data', data, '--port', '0'];
  await assert.rejects(promisify(execFile)(process.execPath, args, { timeout: 60_000 }), (error) => {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    assert.match(stderr ?? '', /or the folder is from another computer\.$/mu);
    assert.doesNotMatch(stderr ?? '', /tries again/u);
    return code === 1;
  });
  for (const name of ['marker', tokenKeySecret])
    assert.equal(await keytar.getPassword('DocTray', `${id}:${name}`), null, name);
});

// These tests are last, because the keyring can't be unlocked without a prompt.
test('with a locked keyring, reads, writes and a new start fail, and no new key is created', async () => {
  const store = await open();
  await loadTokenKey(store);
  await lockKeyring();
  const locked = { code: 'secret-store-unreachable' };
  await assert.rejects(store.get('never there'), locked);
  await assert.rejects(loadTokenKey(store), locked);
  await assert.rejects(store.set('a', 'one'), locked);
  await assert.rejects(open(), { ...locked, message: /it is locked, or they were deleted\.$/u });
  assert.deepEqual(await openOnce({}), { ...locked, warnings: [] });
});

test('with a locked keyring, the first run uses a file, with one warning', async () => {
  const store = await open();
  assert.equal(store.kind, 'file');
  assert.equal(warnings.length, 1);
});
