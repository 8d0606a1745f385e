import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { syncFolder } from '../../../app/files/folder-sync.ts';
import { replaceBuiltin } from '../../replace-builtin.ts';
import { temporaryFolder } from './files-fixture.ts';

test('syncs of a folder that are asked for while one runs share the next one, and its error', async (t) => {
  const syncs: ((error: Error | null) => void)[] = [];
  replaceBuiltin(t, fs, 'fsync', (_fd: number, done: (error: Error | null) => void) => {
    syncs.push(done);
  });
  const folder = await temporaryFolder(t);
  const other = join(folder, 'other');
  await mkdir(other);
  const first = syncFolder(folder);
  const shared = [syncFolder(folder), syncFolder(folder)];
  const beside = syncFolder(other);
  assert.equal(syncs.length, 2, 'one of each folder');
  syncs[1]?.(null);
  await beside;
  syncs[0]?.(null);
  await first;
  assert.equal(syncs.length, 3);
  const last = syncFolder(folder);
  const failure = Object.assign(new Error('input/output error'), { code: 'EIO' });
  syncs[2]?.(failure);
  for (const one of shared) await assert.rejects(one, failure);
  assert.equal(syncs.length, 4);
  syncs[3]?.(null);
  await last;
  const again = syncFolder(folder);
  assert.equal(syncs.length, 5);
  syncs[4]?.(null);
  await again;
});
