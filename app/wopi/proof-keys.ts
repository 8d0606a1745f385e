// The keys for an editor's signatures, from the attributes of its discovery: numbers in base64, or Microsoft's blob of both.
// @see docs/protocol.md, “Signatures”

import { createPublicKey } from 'node:crypto';
import type { ProofKeys } from '../store/editors.ts';

/** Null if there is no key that could check a signature. */
export function readProofKeys(attribute: (name: string) => string): ProofKeys | null {
  const current = rsaKey(attribute, '');
  if (current === undefined) return null;
  const old = rsaKey(attribute, 'old') ?? null;
  return { current, old: old === current ? null : old };
}

/** As PEM; undefined if there is none, or none that could check a signature. */
function rsaKey(attribute: (name: string) => string, prefix: '' | 'old'): string | undefined {
  const blob = publicKeyBlob(attribute(`${prefix}value`));
  const modulus = bytesOf(attribute(`${prefix}modulus`)) ?? blob?.modulus;
  const exponent = exponentOf(attribute(`${prefix}exponent`)) ?? blob?.exponent;
  if (modulus === undefined || exponent === undefined) return undefined;
  const bits = withoutZeros(modulus).length * 8;
  // A longer exponent or a larger key would make every check slow.
  if (bits < 1024 || bits > 8192 || withoutZeros(exponent).length > 4) return undefined;
  const n = withoutZeros(modulus).toString('base64url');
  const e = withoutZeros(exponent).toString('base64url');
  try {
    const key = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
    return key.export({ type: 'spki', format: 'pem' }).toString();
  } catch {
    return undefined;
  }
}

/** ONLYOFFICE Docs sometimes sends the number itself instead of its bytes. */
function exponentOf(text: string): Buffer | undefined {
  if (!/^\d{1,10}$/u.test(text)) return bytesOf(text);
  const hex = Number(text).toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

function bytesOf(base64: string): Buffer | undefined {
  return /^[a-z0-9+/]{2,}={0,2}$/iu.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}

/** Microsoft's PUBLICKEYBLOB, little-endian: 8 bytes of header, `RSA1`, bits, exponent, modulus. */
function publicKeyBlob(base64: string): { modulus: Buffer; exponent: Buffer } | undefined {
  const blob = bytesOf(base64);
  if (blob === undefined || blob.length < 20 || blob.toString('latin1', 8, 12) !== 'RSA1') return undefined;
  const size = blob.readUInt32LE(12) / 8;
  if (blob.length !== 20 + size) return undefined;
  return { exponent: reversed(blob.subarray(16, 20)), modulus: reversed(blob.subarray(20)) };
}

function withoutZeros(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? Buffer.alloc(0) : bytes.subarray(first);
}

function reversed(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toReversed());
}
