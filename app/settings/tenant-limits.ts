// The limits of a tenant (a hosted folder). Every save needs them, so they are cached until a `TariffCacheItem`, an internal message,
// invalidates the tenant.

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
  /** @throws AppError invalid-argument for bytes that aren't a TariffCacheItem, without invalidating anything */
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

/** Protobuf bytes, as `invalidate` reads them. */
export function encodeTariffCacheItem(item: TariffCacheItem): Uint8Array {
  const writer = new BinaryWriter();
  // proto3: default values aren't sent
  if (item.tenantId !== 0) writer.tag(tenantIdField, WireType.Varint).int32(item.tenantId);
  return writer.finish();
}

/** Skips unknown fields and uses the last of several values, as protobuf requires. */
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
    throw new AppError('invalid-argument', { cause: error, detail: 'This isn’t a TariffCacheItem.' });
  }
}
