import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, describeError } from '../../../app/contract/errors.ts';

test('reports an unexpected error without its text, and a full or read-only disk as such', () => {
  const own = new AppError('paused');
  assert.equal(describeError(own), own);
  const secret = describeError(new Error('secret plan'));
  assert.deepEqual([secret.code, secret.message.includes('secret')], ['internal', false]);
  for (const code of ['SQLITE_FULL', 'ENOSPC', 'EDQUOT']) {
    assert.equal(describeError(Object.assign(new Error('x'), { code })).code, 'data-disk-full');
  }
  assert.match(
    describeError(Object.assign(new Error('x'), { code: 'EROFS' })).message,
    /The disk is read-only\.$/,
  );
  assert.equal(describeError(undefined).code, 'internal');
});
