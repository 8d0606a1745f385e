import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import {
  createTenantLimits,
  decodeTariffCacheItem,
  encodeTariffCacheItem,
} from '../../../app/settings/tenant-limits.ts';
import { fc } from '../../random.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

test('encodes the tenant id as protobuf field 1, int32', () => {
  assert.deepEqual([...encodeTariffCacheItem({ tenantId: 1 })], [0x08, 0x01]);
  assert.deepEqual([...encodeTariffCacheItem({ tenantId: 300 })], [0x08, 0xac, 0x02]);
  assert.deepEqual([...encodeTariffCacheItem({ tenantId: 0 })], []);
  assert.deepEqual(
    [...encodeTariffCacheItem({ tenantId: -1 })],
    [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  );
  assert.throws(() => encodeTariffCacheItem({ tenantId: 2 ** 31 }));
});

test('encodes and decodes every int32', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (tenantId) => {
      assert.equal(decodeTariffCacheItem(encodeTariffCacheItem({ tenantId })).tenantId, tenantId);
    }),
  );
});

test('skips unknown fields, and uses the last tenant id', () => {
  // field 2 varint, field 3 text "hi", field 4 64 bit, field 5 32 bit, field 6 a group, field 1 twice
  const message = Buffer.from('1096011a0268692101020304050607082d010203043310013408050807', 'hex');
  assert.deepEqual(decodeTariffCacheItem(message), { tenantId: 7 });
  assert.deepEqual(decodeTariffCacheItem(bytes()), { tenantId: 0 });
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
  for (const message of [
    bytes(0x08),
    bytes(0x08, 0xff),
    bytes(0x08, 0x01, 0x12, 0x05, 0x61),
    bytes(0x00),
    bytes(0x0f),
    bytes(0x08, 0x05, 0x14),
    bytes(...Array.from({ length: 12 }, () => 0xff)),
  ]) {
    assert.throws(
      () => cache.invalidate(message),
      (error) => error instanceof AppError && error.code === 'invalid-argument',
    );
  }
  for (const tenantId of [0, 1, 5]) cache.limits(tenantId);
  assert.equal(reads, 3);
});
