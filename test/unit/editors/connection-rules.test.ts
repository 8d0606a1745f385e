import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trustedAuthorities } from '../../../app/editors/connection-rules.ts';

test('trusts the system’s authorities once each, and only the bundled ones if its store can’t be read', async () => {
  assert.deepEqual(await trustedAuthorities((store) => (store === 'system' ? ['b', 'c'] : ['a', 'b'])), [
    'a',
    'b',
    'c',
  ]);
  const broken = await trustedAuthorities((store) => {
    if (store === 'system') throw new Error('The certificate store is damaged.');
    return ['a'];
  });
  // Node then uses the bundled ones.
  assert.equal(broken, undefined);
});
