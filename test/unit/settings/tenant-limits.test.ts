import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createTenantLimits,
  decodeTariffCacheItem,
  encodeTariffCacheItem,
} from '../../../app/settings/tenant-limits.ts';

test('encodes the tenant id as protobuf field 1, int32', () => {
  for (const [tenantId, hex] of [
    [1, '0801'],
    [300, '08ac02'],
    [0, ''],
    [-1, `08${'ff'.repeat(9)}01`],
  ] as const)
    assert.equal(Buffer.from(encodeTariffCacheItem({ tenantId })).toString('hex'), hex);
  assert.throws(() => encodeTariffCacheItem({ tenantId: 2 ** 31 }));
});

test('skips unknown fields, and uses the last tenant id', () => {
  // field 2 varint, field 3 text "hi", field 4 64 bit, field 5 32 bit, field 6 a group, field 1 twice
  const message = Buffer.from('1096011a0268692101020304050607082d010203043310013408050807', 'hex');
  assert.deepEqual(decodeTariffCacheItem(message), { tenantId: 7 });
  assert.deepEqual(decodeTariffCacheItem(Buffer.alloc(0)), { tenantId: 0 });
});

test('reads limits once until a message names their tenant', () => {
  let reads = 0;
  const cache = createTenantLimits({
    readLimits: (tenantId) => {
      reads += 1;
      return { maxUploadBytes: tenantId * 100 + reads };
    },
  });
  const one = cache.limits(1);
  const two = cache.limits(2);
  assert.equal(cache.limits(1), one);
  assert.equal(reads, 2);
  cache.invalidate(encodeTariffCacheItem({ tenantId: 1 }));
  assert.equal(cache.limits(2), two);
  assert.deepEqual(cache.limits(1), { maxUploadBytes: 103 });
});

test('rejects a malformed message without invalidating anything', () => {
  let reads = 0;
  const cache = createTenantLimits({ readLimits: () => ({ maxUploadBytes: (reads += 1) }) });
  for (const tenantId of [0, 1, 5]) cache.limits(tenantId);
  const malformed = `08 08ff 0801120561 00 0f 080514 ${'ff'.repeat(12)}`;
  for (const hex of malformed.split(' '))
    assert.throws(() => cache.invalidate(Buffer.from(hex, 'hex')), { code: 'invalid-argument' }, hex);
  for (const tenantId of [0, 1, 5]) cache.limits(tenantId);
  assert.equal(reads, 3);
});
