import assert from 'node:assert/strict';
import type { BigIntStats } from 'node:fs';
import { rename, utimes } from 'node:fs/promises';

import { test } from 'node:test';
import {
  isSameContent,
  isSameContentMoved,
  isSameFile,
  statLater,
  statNow,
  realPathOf,
  signatureOf,
} from '../../../app/files/file-signature.ts';
import { openRoom } from './files-fixture.ts';

test('a signature keeps values that a number would round', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const stats = room.stats('a.txt');
  const inode = 2n ** 63n + 1n;
  const known = signatureOf({ ...stats, ino: inode, mtimeNs: 1_700_000_000_123_456_789n });
  assert.deepEqual([known.inode, known.mtimeNs, known.size], [String(inode), '1700000000123456789', 4]);
});

test('size, mtime, ctime and inode identify content; the device doesn’t', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const stats = room.stats('a.txt');
  const known = signatureOf(stats);
  assert.equal(isSameContent({ ...known, device: '99999' }, stats), true);
  for (const change of [{ size: 5 }, { mtimeNs: '1' }, { ctimeNs: '1' }, { inode: '1' }]) {
    assert.equal(isSameContent({ ...known, ...change }, stats), false, JSON.stringify(change));
  }
});

test('recognizes the content of a renamed file, but not of a touched one', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const known = signatureOf(room.stats('a.txt'));
  await rename(room.at('a.txt'), room.at('b.txt'));
  assert.equal(isSameContentMoved(known, room.stats('b.txt')), true);
  await utimes(room.at('b.txt'), 1, 1);
  assert.equal(isSameContentMoved(known, room.stats('b.txt')), false);
});

test('inode, device and birth time identify a file', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const stats = room.stats('a.txt');
  const known = signatureOf(stats);
  assert.equal(isSameFile({ ...known, size: 9, mtimeNs: '1', ctimeNs: '1' }, stats), true);
  for (const change of [{ inode: '1' }, { device: '99999' }, { birthNs: '1' }, { birthNs: '0' }]) {
    assert.equal(isSameFile({ ...known, ...change }, stats), false, JSON.stringify(change));
  }
});

test('without birth times, size and mtime identify a file too', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  const stats: BigIntStats = { ...room.stats('a.txt'), birthtimeNs: 0n };
  const known = signatureOf(stats);
  assert.equal(known.birthNs, '0');
  assert.equal(isSameFile(known, stats), true);
  assert.equal(isSameFile({ ...known, size: 5 }, stats), false);
  assert.equal(isSameFile({ ...known, mtimeNs: '1' }, stats), false);
});

test('returns undefined for a missing file', async (t) => {
  const room = await openRoom(t, { files: { 'a.txt': 'text' } });
  for (const path of ['missing', 'missing/b', 'a.txt/b']) {
    assert.equal(await statLater(room.at(path)), undefined, path);
    assert.equal(await realPathOf(room.at(path)), undefined, path);
  }
  assert.equal(statNow(room.at('missing')), undefined);
});
