// A tenant is a hosted folder and its limits are its tariff. They are asked for on every save, so they are kept here until
// a TariffCacheItem names the tenant they are no longer true of. Internal: no endpoint shows the item (seed, section 2.6).

import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { AppError } from '../contract/errors.ts';

export interface TenantLimits {
  maxUploadBytes: number;
}

export interface TariffCacheItem {
  /** Field 1, int32. */
  tenantId: number;
}

export interface TenantLimitsCache {
  limits(tenantId: number): TenantLimits;
  /** @throws AppError invalid-argument for bytes that are no TariffCacheItem; nothing is forgotten then */
  invalidate(message: Uint8Array): void;
}

const tenantIdField = 1;

export function createTenantLimits(deps: {
  readLimits: (tenantId: number) => TenantLimits;
}): TenantLimitsCache {
  const kept = new Map<number, TenantLimits>();
  return {
    limits(tenantId) {
      const known = kept.get(tenantId);
      if (known !== undefined) return known;
      const limits = deps.readLimits(tenantId);
      kept.set(tenantId, limits);
      return limits;
    },
    invalidate(message) {
      kept.delete(decodeTariffCacheItem(message).tenantId);
    },
  };
}

export function encodeTariffCacheItem(item: TariffCacheItem): Uint8Array {
  const writer = new BinaryWriter();
  // proto3: a field of the default value is not sent
  if (item.tenantId !== 0) writer.tag(tenantIdField, WireType.Varint).int32(item.tenantId);
  return writer.finish();
}

/** Unknown fields are skipped and the last of several values counts, as protobuf asks of every reader. */
export function decodeTariffCacheItem(bytes: Uint8Array): TariffCacheItem {
  try {
    const reader = new BinaryReader(bytes);
    let tenantId = 0;
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (field === tenantIdField && wireType === WireType.Varint) tenantId = reader.int32();
      else reader.skip(wireType, field);
    }
    return { tenantId };
  } catch (error) {
    throw new AppError('invalid-argument', { cause: error, detail: 'This is no TariffCacheItem.' });
  }
}
