// The window of the built app with a real Secret Service: where it says the secrets are, copying the password, and an unreachable
// keychain. Run by run-in-session.ts.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { promisify } from 'node:util';
import { ownerPasswordSecret } from '../../app/accounts/users.ts';
import { tokenKeySecret } from '../../app/secrets/token-key.ts';
import { startDeskApp, type DeskApp } from '../e2e/desk-app.ts';
import { showFailures } from '../e2e/show-failure.ts';
import { endKeyring, lockKeyring, unlockKeyring } from './keyring-daemon.ts';

const { DBUS_SESSION_BUS_ADDRESS = '', XDG_RUNTIME_DIR = '' } = process.env;
/** In the D-Bus session of these tests, with an owner password that the host generates and stores with its secrets. */
const inSession = { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, DOCTRAY_OWNER_PASSWORD: '' };

let desk: DeskApp;
showFailures(() => desk);
afterEach(() => desk.close());

/** In another process, since libsecret doesn't find a keyring that was started again in the meantime. */
async function inKeychain(name: string): Promise<string | null> {
  const { id } = JSON.parse(await inDataFolder('data-folder.json')) as { id: string };
  const account = JSON.stringify(`${id}:${name}`);
  const script = `require('keytar').getPassword('DocTray', ${account}).then((text) => console.log(JSON.stringify(text)))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  return JSON.parse(stdout) as string | null;
}

const inDataFolder = (name: string): Promise<string> => readFile(join(desk.dataDir, name), 'utf8');

/** The status line of the overview. */
async function statusIs(text: string | RegExp): Promise<void> {
  await desk.goTo('Overview');
  const host = desk.page.getByRole('region', { name: 'Host', exact: true });
  await host.getByText(text, { exact: true }).waitFor();
}

/** Where the secrets are, in Settings → About. */
async function secretsAre(text: RegExp): Promise<void> {
  await desk.openSettings('About');
  assert.match(await desk.page.locator('[data-setting="secrets"]').innerText(), text);
}

/** @returns what is in the clipboard then */
async function copyOwnerPassword(): Promise<string> {
  await desk.openSettings('Users');
  await desk.page.getByRole('button', { name: /^Actions for / }).click();
  await desk.page.getByRole('menuitem', { name: 'Copy password' }).click();
  await desk.page.getByText('The owner’s password was copied').waitFor();
  return desk.app.evaluate(({ clipboard }) => clipboard.readText());
}

test('secrets are in the keychain; while it has crashed or is locked, nothing is served, until Try again finds it unlocked', async () => {
  desk = await startDeskApp({ env: inSession });
  await statusIs('Serving “Documents”');
  await secretsAre(/are in the keychain/);
  const key = await inKeychain(tokenKeySecret);
  assert.ok(key, 'the token key is in the keychain');
  const password = await copyOwnerPassword();
  assert.match(password, /^\w{5}(-\w{5}){3}$/);
  assert.equal(password, await inKeychain(ownerPasswordSecret));
  await desk.signIn(password);
  assert.ok(!(await desk.page.content()).includes(password), 'the window does not show it');
  assert.ok(!desk.log().includes(password), 'it is not in the log');
  const names = await readdir(desk.dataDir);
  assert.ok(!names.includes('secrets.json'));
  for (const name of names) {
    if (!(await stat(join(desk.dataDir, name))).isFile()) continue;
    assert.ok(!(await inDataFolder(name)).includes(key), `${name} holds the key`);
  }

  await endKeyring();
  await desk.restart();
  const unreachable =
    /DocTray can’t reach the keychain that holds the secrets of this data folder\. Unlock the keychain, then try again\. No new key was created\./;
  await statusIs(unreachable);
  await secretsAre(/Not known while DocTray isn’t running/);
  await desk.goTo('Overview');

  // The bus has started another one.
  await lockKeyring();
  const tryAgain = desk.page.getByRole('button', { name: 'Try again' });
  await tryAgain.click();
  await desk.page.getByText('Still not serving').waitFor();
  await statusIs(unreachable);

  await unlockKeyring();
  await tryAgain.click();
  await desk.page.getByText('Serving again').waitFor();
  await statusIs('Serving “Documents”');
  await secretsAre(/are in the keychain/);
  assert.equal(await inKeychain(tokenKeySecret), key, 'no new key was created');
  assert.equal(await copyOwnerPassword(), password);
});

test('without a session bus, uses a private file, copies the password from it, and later moves the secrets to the keychain', async () => {
  desk = await startDeskApp({ env: { ...inSession, DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '' } });
  await statusIs('Serving “Documents”');
  await secretsAre(/in secrets\.json in the data folder\. Only you can read it\. A keychain is safer\./);
  assert.equal((await stat(join(desk.dataDir, 'secrets.json'))).mode & 0o777, 0o600);
  const secrets = JSON.parse(await inDataFolder('secrets.json')) as Record<string, string>;
  assert.equal(await copyOwnerPassword(), secrets[ownerPasswordSecret]);

  await desk.restart(inSession);
  await statusIs('Serving “Documents”');
  await desk.openSettings('About');
  await desk.page.getByRole('button', { name: 'Move to the keychain' }).click();
  await desk.page.getByText('password are in the keychain.').waitFor();
  assert.equal(await inKeychain(tokenKeySecret), secrets[tokenKeySecret]);
  assert.ok(!(await readdir(desk.dataDir)).includes('secrets.json'));
});
