// The keys with which a scripted document server signs its calls, and the mistakes that real ones make. Implemented from the
// specification, without the host's code.
// @see wopi-behaviour.md section 7

import { createSign, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { ticksAt, type HeaderList } from '../wire.ts';

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/**
 * `previous`: a front end that doesn't know the new key yet. `stranger`: a key of another server. `stale`: signed 21 minutes ago.
 * `damaged`: not base64. `none`: unsigned.
 */
export type Signing = 'right' | 'previous' | 'stranger' | 'stale' | 'damaged' | 'none';

export interface ProofKeyRing {
  /** The `proof-key` element of the discovery, with the current keys. */
  element(): string;
  /** Generates a new current key. The previous one becomes the old key. */
  rotate(): Promise<void>;
  /** Sets how calls are signed from now on. */
  use(signing: Signing): void;
  /** Sets how far the signing server's clock is ahead. */
  skew(ms: number): void;
  headersFor(call: { url: string; token: string }): HeaderList;
}

const makePair = promisify(generateKeyPair);
/** More than the servers of one test use. */
const pairsAProcess = 12;
const pairs: Promise<KeyPair>[] = [];
let pairsTaken = 0;
const staleMs = 21 * 60_000;

export async function createProofKeyRing(): Promise<ProofKeyRing> {
  const [first, second, stranger] = await Promise.all([nextPair(), nextPair(), nextPair()]);
  let [current, old] = [first, second];
  let signing: Signing = 'right';
  let skewMs = 0;

  return {
    element: () => `<proof-key ${attributes('old', old.publicKey)} ${attributes('', current.publicKey)}/>`,
    async rotate() {
      const next = await nextPair();
      old = current;
      current = next;
    },
    use: (next) => void (signing = next),
    skew: (ms) => void (skewMs = ms),

    headersFor({ url, token }) {
      if (signing === 'none') return {};
      const ticks = ticksAt(Date.now() + skewMs - (signing === 'stale' ? staleMs : 0));
      const signed = (pair: KeyPair): string => sign(pair.privateKey, { url, token, ticks });
      if (signing === 'damaged') {
        return { 'X-WOPI-TimeStamp': ticks, 'X-WOPI-Proof': '*not base64*', 'X-WOPI-ProofOld': '====' };
      }
      const [proof, proofOld] = {
        right: [current, old],
        stale: [current, old],
        previous: [old, stranger],
        stranger: [stranger, stranger],
      }[signing] as [KeyPair, KeyPair];
      const proofs = { 'X-WOPI-Proof': signed(proof), 'X-WOPI-ProofOld': signed(proofOld) };
      return { 'X-WOPI-TimeStamp': ticks, ...proofs };
    },
  };
}

/** Generates a few pairs and then repeats them, because a key pair takes longer than the rest of a document server's start. */
function nextPair(): Promise<KeyPair> {
  const at = pairsTaken % pairsAProcess;
  pairsTaken += 1;
  return (pairs[at] ??= makePair('rsa', { modulusLength: 2048 }));
}

function sign(key: KeyObject, call: { url: string; token: string; ticks: bigint }): string {
  const ticks = Buffer.alloc(8);
  ticks.writeBigInt64BE(call.ticks);
  const pieces = [Buffer.from(call.token, 'utf8'), Buffer.from(call.url.toUpperCase(), 'utf8'), ticks];
  const signer = createSign('RSA-SHA256');
  for (const piece of pieces) {
    const length = Buffer.alloc(4);
    length.writeInt32BE(piece.length);
    signer.update(length).update(piece);
  }
  return signer.sign(key, 'base64');
}

/** `value` is a Microsoft-specific blob that hosts ignore if there is a modulus and an exponent. */
function attributes(prefix: string, key: KeyObject): string {
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const plain = (text: string): string => Buffer.from(text, 'base64url').toString('base64');
  const value = key.export({ format: 'der', type: 'pkcs1' }).toString('base64');
  return `${prefix}value="${value}" ${prefix}modulus="${plain(n)}" ${prefix}exponent="${plain(e)}"`;
}
