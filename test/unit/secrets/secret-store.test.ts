import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { openSecretStore } from '../../../app/secrets/secret-store.ts';

// These tests must not reach the keychain of the user who runs them. session-bus.test.ts has the tests with a keychain's bus.
process.env['DOCTRAY_SECRETS'] = 'file';

let dataDir: string;
let warnings: string[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'doctray-secrets-'));
  warnings = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = () => openSecretStore({ dataDir, warn: (text) => warnings.push(text) });
const inData = (name: string): string => join(dataDir, name);
const read = (name: string): Promise<string> => readFile(inData(name), 'utf8');
const refused = (sentence: RegExp) => ({ code: 'data-folder-invalid', message: sentence });

test('with DOCTRAY_SECRETS=file, the first run uses a private file, records it and warns once', async () => {
  const dataFolder = inData('deep/data');
  const store = await openSecretStore({ dataDir: dataFolder, warn: (text) => warnings.push(text) });
  assert.equal(store.kind, 'file');
  assert.match(store.description, /secrets\.json/);
  assert.equal(warnings.length, 1);
  await store.set('name', 'value');
  if (process.platform !== 'win32') {
    for (const name of ['data-folder.json', 'secrets.json']) {
      assert.equal((await stat(join(dataFolder, name))).mode & 0o777, 0o600);
    }
    assert.equal((await stat(dataFolder)).mode & 0o777, 0o700);
  }
  const record: unknown = JSON.parse(await readFile(join(dataFolder, 'data-folder.json'), 'utf8'));
  assert.ok(record !== null && typeof record === 'object' && 'id' in record);
  assert.match(String(record.id), /^[0-9a-f]{32}$/);
  assert.deepEqual(record, { id: record.id, secretStore: 'file' });
});

test('rejects any other value of DOCTRAY_SECRETS, and creates nothing', async (t) => {
  t.after(() => void (process.env['DOCTRAY_SECRETS'] = 'file'));
  process.env['DOCTRAY_SECRETS'] = 'flie';
  await assert.rejects(open(), {
    code: 'invalid-argument',
    message: /DOCTRAY_SECRETS must be empty or “file”/,
  });
  assert.deepEqual(await readdir(dataDir), []);
});

test('keeps secrets and the id when it’s opened again, and replaces and deletes secrets', async () => {
  const first = await open();
  const record = await read('data-folder.json');
  await first.set('a', 'one');
  await first.set('b', 'two');
  await first.set('a', 'three');
  await first.delete('b');
  await first.delete('never there');
  const second = await open();
  assert.equal(await second.get('a'), 'three');
  assert.equal(await second.get('b'), undefined);
  assert.equal(await second.get('toString'), undefined);
  assert.equal(await read('data-folder.json'), record);
});

test('keeps all changes made at the same time', async () => {
  const store = await open();
  const names = Array.from({ length: 20 }, (_, index) => `name-${index}`);
  await Promise.all(names.map((name) => store.set(name, name)));
  const values = await Promise.all(names.map((name) => store.get(name)));
  assert.deepEqual(values, names);
  assert.deepEqual((await readdir(dataDir)).toSorted(), ['data-folder.json', 'secrets.json']);
});

test('stores secrets with any name and text unchanged', async () => {
  const store = await open();
  for (const text of ['__proto__', 'constructor', '"\n\u0000é😀', '']) {
    await store.set(text, text);
    assert.equal(await store.get(text), text);
  }
});

test('refuses a damaged secrets file without quoting it, and leaves it unchanged', async () => {
  await open();
  for (const text of ['{"token-key":"s3cret', '', '[]', 'null', '{"a":1}']) {
    await writeFile(inData('secrets.json'), text);
    await assert.rejects(open(), (error) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /secrets\.json is damaged/);
      assert.equal(error.cause, undefined);
      return true;
    });
    assert.equal(await read('secrets.json'), text);
  }
});

test('a file damaged while open is neither read nor overwritten', async () => {
  const store = await open();
  await store.set('a', 'one');
  await writeFile(inData('secrets.json'), '{');
  await assert.rejects(store.get('a'), refused(/damaged/));
  await assert.rejects(store.set('b', 'two'), refused(/damaged/));
  assert.equal(await read('secrets.json'), '{');
});

test('rejects a missing secrets file, and doesn’t create an empty one', async () => {
  await open();
  await rm(inData('secrets.json'));
  await assert.rejects(open(), refused(/secrets\.json is missing/));
  assert.deepEqual(await readdir(dataDir), ['data-folder.json']);
});

test('refuses a damaged data folder record, and leaves it unchanged', async () => {
  await open();
  const wrong = [
    '{',
    '[]',
    'null',
    '{"id":"0123456789abcdef"}',
    '{"id":"../0123456789abcdef","secretStore":"file"}',
    '{"id":"0123456789abcdef","secretStore":"cloud"}',
  ];
  for (const text of wrong) {
    await writeFile(inData('data-folder.json'), text);
    await assert.rejects(open(), refused(/data-folder\.json is damaged/));
    assert.equal(await read('data-folder.json'), text);
  }
});

test('keeps using the secrets if the data folder record is missing', async () => {
  const store = await open();
  await store.set('a', 'one');
  await rm(inData('data-folder.json'));
  assert.equal(await (await open()).get('a'), 'one');
});

test('restricts a secrets file that other users can read, and warns once', async () => {
  if (process.platform === 'win32') return;
  await open();
  warnings = [];
  await chmod(inData('secrets.json'), 0o640);
  await open();
  assert.equal((await stat(inData('secrets.json'))).mode & 0o777, 0o600);
  assert.equal(warnings.filter((text) => /Other users of this computer could read/.test(text)).length, 1);
});

test('removes temporary files of a killed write at the next start', async () => {
  await open();
  await writeFile(inData('secrets.json.1a2b3c.tmp'), '{}');
  await open();
  assert.deepEqual((await readdir(dataDir)).toSorted(), ['data-folder.json', 'secrets.json']);
});

test('rejects a data folder that is a file', async () => {
  await writeFile(inData('plain file'), '');
  const store = openSecretStore({ dataDir: inData('plain file'), warn: () => undefined });
  await assert.rejects(store, { code: 'data-folder-invalid' });
});

test('secrets stay in the file if there is no keychain to move them to', async () => {
  const store = await openSecretStore({ dataDir, warn: () => undefined });
  await store.set('a', 'one');
  await store.move('file');
  await assert.rejects(store.move('keychain'), { code: 'keychain-unavailable' });
  assert.deepEqual([store.kind, await store.get('a')], ['file', 'one']);
  await store.set('b', 'two');
  assert.equal(await store.get('b'), 'two');
});
