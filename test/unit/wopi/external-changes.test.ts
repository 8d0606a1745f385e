import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundFile } from '../../../app/files/document-index.ts';
import type { ContentReplacer } from '../../../app/files/replace-content.ts';
import type { LockRow } from '../../../app/store/locks.ts';
import { createExternalChanges } from '../../../app/wopi/external-changes.ts';

const known = Buffer.alloc(32, 1);
const other = Buffer.alloc(32, 2);

function at(diskHash: Buffer) {
  let hashed = 0;
  const content = {
    hashOf: async () => {
      hashed += 1;
      return diskHash;
    },
  } as unknown as ContentReplacer;
  return { externalChanges: createExternalChanges({ content }), hashed: () => hashed };
}

const found = (version: number): FoundFile => ({ row: { version } }) as FoundFile;
const lock = (row: Partial<LockRow>): LockRow =>
  ({ baseVersion: 1, baseSha256: null, seenVersion: 1, lapsedVersion: null, ...row }) as LockRow;

test('finds no external change at the version the holder knows, without hashing', async () => {
  const { externalChanges, hashed } = at(other);
  assert.equal(await externalChanges.hasExternalChange([{ version: 4, sha256: known }], found(4)), false);
  assert.equal(hashed(), 0);
});

test('finds no external change at another version with the same bytes', async () => {
  assert.equal(
    await at(known).externalChanges.hasExternalChange([{ version: 1, sha256: known }], found(2)),
    false,
  );
});

test('finds an external change at another version with other bytes', async () => {
  assert.equal(
    await at(other).externalChanges.hasExternalChange([{ version: 1, sha256: known }], found(2)),
    true,
  );
});

test('finds an external change at another version if the known bytes were never hashed', async () => {
  const { externalChanges, hashed } = at(known);
  assert.equal(await externalChanges.hasExternalChange([{ version: 1, sha256: null }], found(2)), true);
  assert.equal(hashed(), 0);
});

test('finds no external change if any of several known contents matches', async () => {
  const contents = [
    { version: 1, sha256: null },
    { version: 2, sha256: known },
  ];
  assert.equal(await at(other).externalChanges.hasExternalChange(contents, found(2)), false);
  assert.equal(await at(known).externalChanges.hasExternalChange(contents, found(3)), false);
  assert.equal(await at(other).externalChanges.hasExternalChange(contents, found(3)), true);
});

test('finds an external change for a session that has read nothing', async () => {
  assert.equal(
    await at(known).externalChanges.hasExternalChange([{ version: 0, sha256: null }], found(1)),
    true,
  );
});

test('an expired lock can be resumed while the version is that of its expiry', async () => {
  const { externalChanges, hashed } = at(other);
  assert.equal(await externalChanges.canResume(lock({ lapsedVersion: 7 }), found(7)), true);
  assert.equal(hashed(), 0);
});

test('an expired lock can be resumed if the version changed but the bytes are those its editor knows', async () => {
  assert.equal(
    await at(known).externalChanges.canResume(lock({ lapsedVersion: 7, baseSha256: known }), found(8)),
    true,
  );
});

test('an expired lock can’t be resumed if another program wrote other bytes', async () => {
  assert.equal(
    await at(other).externalChanges.canResume(lock({ lapsedVersion: 7, baseSha256: known }), found(8)),
    false,
  );
  assert.equal(
    await at(other).externalChanges.canResume(lock({ lapsedVersion: 7, baseSha256: null }), found(8)),
    false,
  );
});
