// Checks the signature with which an editor proves that a call is its own. All input is untrusted: only what was signed with a
// key from the editor's discovery counts.
// @see docs/protocol.md, “Signatures”

import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { ProofKeys } from '../store/editors.ts';

/** `missing`: not signed. `stale`: the timestamp differs from now by more than 20 minutes. */
export type ProofVerdict = 'valid' | 'missing' | 'malformed' | 'stale' | 'wrong';

const epochTicks = 621_355_968_000_000_000n;
const ticksPerMs = 10_000n;
const windowMs = 20 * 60 * 1000;

/** 100-nanosecond ticks since the year 1, as in `X-WOPI-TimeStamp`. */
export function proofTicks(ms: number): bigint {
  return BigInt(Math.trunc(ms)) * ticksPerMs + epochTicks;
}

/** Epoch milliseconds; undefined if the header has no valid time. */
export function proofTimeMs(timestamp: string | undefined): number | undefined {
  if (timestamp === undefined || !/^\d{1,19}$/u.test(timestamp)) return undefined;
  return Number((BigInt(timestamp) - epochTicks) / ticksPerMs);
}

/** The signed bytes. `url` is the full address with its query, as the editor called it. */
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
  /** As in the query, decoded. */
  token: string;
  /** Addresses the editor may have used for this host; one match is enough. */
  urls: readonly string[];
  /** The headers X-WOPI-Proof, X-WOPI-ProofOld and X-WOPI-TimeStamp. */
  proof: string | undefined;
  proofOld: string | undefined;
  timestamp: string | undefined;
  nowMs: number;
  /** From PEM; lets frequent callers cache the parsed key. */
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
  // An editor that rotated its keys signs with both; discovery may have been read before or after that.
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

/** Empty if there is none; undefined if it isn't base64. A key of 8192 bits signs with 1366 characters. */
function signatureOf(base64: string): Buffer | undefined {
  if (base64.length % 4 !== 0 || base64.length > 1400) return undefined;
  return /^[a-z0-9+/]*={0,2}$/iu.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}
