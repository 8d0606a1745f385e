// The signature by which an editor shows that a call is its own. Whoever calls may lie about every part of it: only what
// was signed with a key from the editor's discovery counts.
// @see behaviour page section 7

import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { ProofKeys } from './proof-keys.ts';

/** `missing`: not signed at all. `stale`: signed more than 20 minutes from now, before or after. */
export type ProofVerdict = 'valid' | 'missing' | 'malformed' | 'stale' | 'wrong';

const epochTicks = 621_355_968_000_000_000n;
const ticksPerMs = 10_000n;
const windowMs = 20 * 60 * 1000;

/** Tenths of microseconds since the year 1, as `X-WOPI-TimeStamp` counts. */
export function proofTicks(ms: number): bigint {
  return BigInt(Math.trunc(ms)) * ticksPerMs + epochTicks;
}

/** Epoch milliseconds; undefined where the header holds no such time. */
export function proofTimeMs(timestamp: string | undefined): number | undefined {
  if (timestamp === undefined || !/^\d{1,19}$/u.test(timestamp)) return undefined;
  return Number((BigInt(timestamp) - epochTicks) / ticksPerMs);
}

/** What is signed. `url` is the whole address, with its query, as the editor called it. */
export function proofBytes(token: string, url: string, ticks: bigint): Buffer {
  const tokenBytes = Buffer.from(token, 'utf8');
  const urlBytes = Buffer.from(url.toUpperCase(), 'utf8');
  const bytes = Buffer.alloc(20 + tokenBytes.length + urlBytes.length);
  let at = bytes.writeUInt32BE(tokenBytes.length);
  at += tokenBytes.copy(bytes, at);
  at = bytes.writeUInt32BE(urlBytes.length, at);
  at += urlBytes.copy(bytes, at);
  at = bytes.writeUInt32BE(8, at);
  bytes.writeBigUInt64BE(ticks, at);
  return bytes;
}

export interface ProofInput {
  keys: ProofKeys;
  /** As it was in the query, decoded. */
  token: string;
  /** Addresses the editor may have called this host by; one that fits is enough. */
  urls: readonly string[];
  /** The headers X-WOPI-Proof, X-WOPI-ProofOld and X-WOPI-TimeStamp. */
  proof: string | undefined;
  proofOld: string | undefined;
  timestamp: string | undefined;
  nowMs: number;
  /** From PEM; for whoever checks often and keeps what was read. */
  importKey?: (pem: string) => KeyObject;
}

export function verifyProof(input: ProofInput): ProofVerdict {
  const { keys, token, urls, proof = '', proofOld = '', timestamp, importKey = createPublicKey } = input;
  if (proof === '' && proofOld === '') return 'missing';
  const signature = signatureOf(proof);
  const signatureOld = signatureOf(proofOld);
  const atMs = proofTimeMs(timestamp);
  if (signature === undefined || signatureOld === undefined) return 'malformed';
  if (timestamp === undefined || atMs === undefined) return 'malformed';
  if (Math.abs(input.nowMs - atMs) > windowMs) return 'stale';
  const ticks = BigInt(timestamp);
  const current = importKey(keys.current);
  // An editor that changed its keys signs with both; discovery may have been read before or after that.
  const old = keys.old === null ? undefined : importKey(keys.old);
  for (const url of urls) {
    const bytes = proofBytes(token, url, ticks);
    const fits = (key: KeyObject, by: Buffer): boolean =>
      by.length > 0 && verify('RSA-SHA256', bytes, key, by);
    if (fits(current, signature) || fits(current, signatureOld)) return 'valid';
    if (old !== undefined && fits(old, signature)) return 'valid';
  }
  return 'wrong';
}

/** Empty where there is none; undefined where it is no base64. A key of 8192 bits signs with 1366 characters. */
function signatureOf(base64: string): Buffer | undefined {
  if (base64.length % 4 !== 0 || base64.length > 1400) return undefined;
  return /^[a-z0-9+/]*={0,2}$/iu.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}
