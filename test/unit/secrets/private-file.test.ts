import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readPrivateFile, removeLeftovers, writePrivateFile } from '../../../app/secrets/private-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctray-private-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('writes a file readable only by this user, whatever the umask, without leftovers', async () => {
  const path = join(folder, 'secrets.json');
  const umask = process.umask(0);
  await writePrivateFile(path, 'first');
  await writePrivateFile(path, 'second').finally(() => process.umask(umask));
  assert.equal(await modeOf(path), 0o600);
  assert.deepEqual(await readdir(folder), ['secrets.json']);
  assert.deepEqual(await readPrivateFile(path), { text: 'second', wasExposed: false });
});

test('a failed write leaves the previous content and no temporary file', async () => {
  await mkdir(join(folder, 'in-the-way'));
  await assert.rejects(writePrivateFile(join(folder, 'in-the-way'), 'text'));
  assert.deepEqual(await readdir(folder), ['in-the-way']);
});

test('corrects and reports permissions that are too open', async () => {
  const path = join(folder, 'secrets.json');
  await writeFile(path, 'text');
  await chmod(path, 0o644);
  assert.deepEqual(await readPrivateFile(path), { text: 'text', wasExposed: true });
  assert.equal(await modeOf(path), 0o600);
  assert.deepEqual(await readPrivateFile(path), { text: 'text', wasExposed: false });
});

test('returns undefined for a missing file, and rejects an unreadable one', async () => {
  assert.equal(await readPrivateFile(join(folder, 'none')), undefined);
  await assert.rejects(readPrivateFile(folder), { code: 'EISDIR' });
});

test('removes only temporary files of killed writes', async () => {
  const names = ['secrets.json', 'secrets.json.backup', 'settings.json.1a2b.tmp'];
  for (const name of [...names, 'secrets.json.1a2b.tmp']) await writeFile(join(folder, name), name);
  await removeLeftovers(join(folder, 'secrets.json'));
  assert.deepEqual(await readdir(folder), names);
  assert.equal(await readFile(join(folder, 'secrets.json'), 'utf8'), 'secrets.json');
});
