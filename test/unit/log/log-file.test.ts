import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLogFile } from '../../../app/log/log-file.ts';

test('writes to a file that only this user can access, and rotates a large one when it is opened', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doctray-log-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'doctray.log');
  const log = openLogFile(path, 20);
  log.stream.write('one\n');
  log.stream.write('two\n');
  log.flush();
  assert.equal(await readFile(path, 'utf8'), 'one\ntwo\n');
  if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
  log.stream.write('a line that is long\n');
  log.flush();
  const again = openLogFile(path, 20);
  again.stream.write('three\n');
  again.flush();
  assert.equal(await readFile(path, 'utf8'), 'three\n');
  assert.equal(await readFile(`${path}.old`, 'utf8'), 'one\ntwo\na line that is long\n');
  assert.equal((await readdir(folder)).length, 2);
});

test('measures a large file in bytes, not characters', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doctray-log-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'doctray.log');
  const log = openLogFile(path, 20);
  for (const line of ['äöüäöüäöüäöü\n', 'next\n']) {
    log.stream.write(line);
    log.flush();
  }
  assert.equal(await readFile(`${path}.old`, 'utf8'), 'äöüäöüäöüäöü\n');
  assert.equal(await readFile(path, 'utf8'), 'next\n');
});

test('drops lines without an error if the file can’t be written', () => {
  const log = openLogFile('/nowhere/at/all/doctray.log');
  log.stream.write('one\n');
  assert.doesNotThrow(() => log.flush());
});
