import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isHiddenName } from '../../../app/files/visible.ts';
import { createTempNames, type TempNames } from '../../../app/files/temp-names.ts';

const start = (dataFolderId: string): TempNames =>
  createTempNames({ dataFolderId, randomText: () => randomBytes(6).toString('hex') });

test('a temporary name is unique and hidden, and contains the id of the data folder', () => {
  const names = start('abcdefgh-1234');
  const created = Array.from({ length: 50 }, () => names.next());
  assert.equal(new Set(created).size, 50);
  for (const name of created) {
    assert.match(name, /^\.~doctray-abcdefgh-[0-9a-f]{12}-[0-9a-f]{12}\.tmp$/);
    assert.equal(isHiddenName(name), true);
  }
});

test('only a name of an earlier run with the same data folder is a leftover', () => {
  const [earlier, now, other] = [start('abcdefgh'), start('abcdefgh'), start('abcdefgx')];
  assert.equal(now.isLeftover(earlier.next()), true);
  assert.equal(now.isLeftover(now.next()), false);
  assert.equal(now.isLeftover(other.next()), false);
  for (const name of [
    'a.tmp',
    '.~doctray-abcdefgh.tmp',
    `${earlier.next()}.docx`,
    `x${earlier.next()}`,
    '',
  ]) {
    assert.equal(now.isLeftover(name), false, name);
  }
});

test('strips unsafe characters from a data folder id, and distinguishes ids with a common prefix', () => {
  assert.match(start('a/../b c-d').next(), /^\.~doctray-abcd-/);
  assert.equal(start('abc').isLeftover(start('abcd').next()), false);
  assert.equal(start('abcd').isLeftover(start('abc').next()), false);
});
