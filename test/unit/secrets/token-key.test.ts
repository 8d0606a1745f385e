import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { openSecretStore, type SecretStore } from '../../../app/secrets/secret-store.ts';
import { loadTokenKey, tokenKeySecret } from '../../../app/secrets/token-key.ts';

delete process.env['DBUS_SESSION_BUS_ADDRESS'];

let dataDir: string;
let secrets: SecretStore;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'doctray-token-key-'));
  secrets = await openSecretStore({ dataDir, warn: () => undefined });
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('creates the token key once, and loads the same one when it’s opened again', async () => {
  const key = await loadTokenKey(secrets);
  assert.equal(key.length, 32);
  const reopened = await openSecretStore({ dataDir, warn: () => undefined });
  assert.deepEqual(await loadTokenKey(reopened), key);
});

test('two data folders have different keys', async () => {
  const otherDir = await mkdtemp(join(tmpdir(), 'doctray-token-key-'));
  const other = await openSecretStore({ dataDir: otherDir, warn: () => undefined });
  assert.notDeepEqual(await loadTokenKey(secrets), await loadTokenKey(other));
  await rm(otherDir, { recursive: true });
});

test('rejects a damaged token key, and doesn’t replace it', async () => {
  for (const text of ['', 'short', `${'A'.repeat(42)}!`, 'A'.repeat(44), ` ${'A'.repeat(43)}`]) {
    await secrets.set(tokenKeySecret, text);
    await assert.rejects(loadTokenKey(secrets), { code: 'data-folder-invalid' });
    assert.equal(await secrets.get(tokenKeySecret), text);
  }
});
