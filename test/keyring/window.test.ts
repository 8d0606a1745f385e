// The window of the built app with a real Secret Service: where it says the secrets are, copying the password, and an unreachable
// keychain. Run by run-in-session.ts.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import keytar from 'keytar';
import { ownerPasswordSecret } from '../../app/accounts/users.ts';
import { tokenKeySecret } from '../../app/secrets/token-key.ts';
import { endKeyring, lockKeyring, unlockKeyring } from './keyring-daemon.ts';
import { makeDataFolder, openWindowApp, type DataFolder, type WindowApp } from './window-app.ts';

const unreachable =
  'DocTray can’t reach the keychain that holds the secrets of this data folder. Unlock the keychain, then try again. No new key was created.';

let dataFolder: DataFolder;
/** The first test's, whose secrets are in the keychain. */
let withKeychain: DataFolder;
let app: WindowApp | undefined;
beforeEach(async () => {
  await unlockKeyring();
});
const close = async (): Promise<void> => {
  await app?.close();
  app = undefined;
};
afterEach(close);
after(() => withKeychain.remove());

async function newDataFolder(t: TestContext): Promise<void> {
  dataFolder = await makeDataFolder();
  t.after(() => dataFolder.remove());
}

async function inKeychain(name: string): Promise<string | null> {
  return keytar.getPassword('DocTray', `${(await dataFolder.record()).id}:${name}`);
}

/** In another process, since libsecret doesn't find a keyring that was started again in the meantime. */
async function inNewKeychain(name: string): Promise<string | null> {
  const account = `${(await dataFolder.record()).id}:${name}`;
  const script = `require('keytar').getPassword('DocTray', ${JSON.stringify(account)}).then((text) => console.log(JSON.stringify(text)))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  return JSON.parse(stdout) as string | null;
}

async function openPane(name: string): Promise<void> {
  await app!.goTo('Settings');
  await app!.page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name }).click();
  await app!.page.getByRole('heading', { name, level: 2 }).waitFor();
}

/** Where the secrets are, in Settings → About. */
async function secretsRow(): Promise<string> {
  await openPane('About');
  return app!.page.locator('[data-setting="secrets"]').innerText();
}

async function copyOwnerPassword(): Promise<void> {
  await openPane('Users');
  await app!.page.getByRole('button', { name: /^Actions for / }).click();
  await app!.page.getByRole('menuitem', { name: 'Copy password' }).click();
  await app!.page.getByText('The owner’s password was copied').waitFor();
}

async function signInStatus(password: string): Promise<number> {
  await app!.goTo('Overview');
  const { status } = await fetch(`${await app!.baseUrl()}/api/2.0/authentication.json`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ userName: 'owner', password }),
  });
  return status;
}

test('Settings show that the secrets are in the keychain, and copy the owner’s password without showing or logging it', async () => {
  dataFolder = await makeDataFolder();
  withKeychain = dataFolder;
  app = await openWindowApp(dataFolder);
  await app.waitForStatus('Serving “Documents”');
  assert.match(await secretsRow(), /this computer’s keychain/);
  assert.equal((await dataFolder.record()).secretStore, 'keychain');
  await assert.rejects(access(join(dataFolder.path, 'secrets.json')));
  const key = await inKeychain(tokenKeySecret);
  assert.ok(key, 'the token key is in the keychain');

  await copyOwnerPassword();
  const password = await app.clipboard();
  assert.match(password, /^\w{5}(-\w{5}){3}$/);
  assert.equal(password, await inKeychain(ownerPasswordSecret));
  assert.equal(await signInStatus(password), 201);
  assert.ok(!(await app.page.content()).includes(password), 'the window does not show it');
  assert.ok(!app.log().includes(password), 'it is not in the log');

  await close();
  for (const name of await readdir(dataFolder.path)) {
    if (!(await stat(join(dataFolder.path, name))).isFile()) continue;
    assert.ok(!(await readFile(join(dataFolder.path, name))).includes(key), `${name} holds the key`);
  }
});

test('without a session bus, uses a private file, copies the password from it, and later moves the secrets to the keychain', async (t) => {
  await newDataFolder(t);
  app = await openWindowApp(dataFolder, { DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '' });
  await app.waitForStatus('Serving “Documents”');
  const row = await secretsRow();
  assert.match(row, /in secrets\.json in the data folder\. Only you can read it\. A keychain is safer\./);
  const path = join(dataFolder.path, 'secrets.json');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await copyOwnerPassword();
  const secrets = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
  assert.equal(await app.clipboard(), secrets[ownerPasswordSecret]);
  await close();

  app = await openWindowApp(dataFolder);
  await app.waitForStatus('Serving “Documents”');
  await openPane('About');
  await app.page.getByRole('button', { name: 'Move to the keychain' }).click();
  await app.page.getByText('in this computer’s keychain.').waitFor();
  assert.equal(await inKeychain(tokenKeySecret), secrets[tokenKeySecret]);
  await assert.rejects(access(path));
});

test('reports that the recorded keychain has no session bus, and doesn’t use a file instead', async () => {
  dataFolder = withKeychain;
  app = await openWindowApp(dataFolder, { DBUS_SESSION_BUS_ADDRESS: `unix:path=${dataFolder.path}/none` });
  const attention = app.page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText(unreachable).waitFor();
  await attention.getByRole('button', { name: 'Try again' }).waitFor();
  await assert.rejects(access(join(dataFolder.path, 'secrets.json')));
  assert.equal((await dataFolder.record()).secretStore, 'keychain');
});

test('reports that the recorded keychain has crashed or is locked, and serves after it is unlocked and Try again is clicked', async () => {
  dataFolder = withKeychain;
  const key = await inKeychain(tokenKeySecret);
  await endKeyring();
  app = await openWindowApp(dataFolder);
  await app.waitForStatus('Documents in “Documents” can’t be opened or saved until you fix this.');
  const attention = app.page.getByRole('region', { name: 'Needs attention' });
  const problem = await attention.innerText();
  assert.ok(problem.includes(unreachable), problem);
  assert.match(await secretsRow(), /Not known while DocTray isn’t running/);
  await app.goTo('Overview');

  // The bus has started another one.
  await lockKeyring();
  const tryAgain = attention.getByRole('button', { name: 'Try again' });
  await tryAgain.click();
  await app.page.getByText('Still not serving').waitFor();
  assert.ok((await attention.innerText()).includes(unreachable));

  await unlockKeyring();
  await tryAgain.click();
  await app.waitForStatus('Serving “Documents”');
  await app.page.getByText('Serving again').waitFor();
  assert.match(await secretsRow(), /this computer’s keychain/);
  assert.equal(await inNewKeychain(tokenKeySecret), key, 'no new key was created');
  await copyOwnerPassword();
  assert.equal(await app.clipboard(), await inNewKeychain(ownerPasswordSecret));
});
