// The keychain of the system that the tests run on: on Linux, the session's Secret Service; on macOS and Windows, the user's own keychain, so
// it runs there only in a workflow.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import keytar from 'keytar';
import { commandsIn } from './commands-in.ts';

test('the terminal shows where the secrets are, moves them, and leaves none behind', async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), 'doctray-keychain-'));
  t.after(() => rm(scratch, { recursive: true, force: true }));
  const data = join(scratch, 'data');
  const file = join(data, 'secrets.json');
  const cli = commandsIn(data);

  await cli('settings', 'set', 'port', '0');
  assert.equal(await cli('secrets'), 'Secrets are in the keychain of this computer.\n');
  const { id } = JSON.parse(await readFile(join(data, 'data-folder.json'), 'utf8'));
  const names = async (): Promise<string[]> =>
    (await keytar.findCredentials('DocTray'))
      .map(({ account }) => account)
      .filter((account) => account.startsWith(`${id}:`))
      .toSorted();
  const entries = await names();
  assert.ok(entries.length > 0);
  assert.ok(!existsSync(file));

  assert.equal(JSON.parse(await cli('secrets', 'move', 'file', '--json')).kind, 'file');
  assert.match(await cli('secrets'), /^Secrets are in secrets\.json/);
  assert.deepEqual(await names(), []);
  assert.match(await cli('secrets', 'move', 'keychain'), /^Secrets are in the keychain/);
  assert.deepEqual(await names(), entries);
  assert.ok(!existsSync(file));

  await cli('secrets', 'move', 'file');
  assert.deepEqual(await names(), []);
});
