import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, describeError, messageFor } from '../../../app/contract/errors.ts';
import { t } from '../../../app/contract/messages.ts';
import { diskRefused } from '../../../app/files/disk-error.ts';
import { speaking } from '../../../app/languages.ts';

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

test('an error is in English for the log, and in its caller’s language elsewhere', () => {
  speaking(['de'], () => {
    const error = diskRefused({ code: 'ENOSPC' });
    assert.match(error.message, /The disk is full/u);
    assert.equal(messageFor('window', error), `${t('error.disk-refused')} ${t('host.disk-full')}`);
    assert.notEqual(messageFor('window', error), error.message);
  });
});
