// The keys that sign the text editor's calls. They are only in memory and new for each process: nothing must be kept secret on
// disk, and the host receives them when they are generated.
// @see docs/protocol.md, “Signatures”

import { generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../contract/clock.ts';
import { proofBytes, proofTicks } from '../wopi/proof.ts';

/** A public key in all the forms used in discovery. */
export interface PublicKeys {
  /** SPKI. */
  pem: string;
  /** Base64: Microsoft's PUBLICKEYBLOB, and the two numbers in it, big-endian. */
  value: string;
  modulus: string;
  exponent: string;
}

export interface ProofSigner {
  /** The current keys; null until they are generated. */
  current(): PublicKeys | null;
  /** Generates them on the first call; the same from then on. */
  keys(): Promise<PublicKeys>;
  /** The headers of a call to that full URL, including its query. */
  headers(token: string, url: string): Promise<Record<string, string>>;
}

export interface ProofSignerDeps {
  /** The host's clock, which is used to check signatures. */
  clock: Clock;
  /** Called before the first signature, so that the host knows the keys. */
  onGenerated: () => void;
}

const generate = promisify(generateKeyPair);
/** Off the main thread: a call is signed before the host has checked its token. */
const signLater = promisify(sign);

export function createProofSigner({ clock, onGenerated }: ProofSignerDeps): ProofSigner {
  let known: PublicKeys | null = null;
  let generating: Promise<{ privateKey: KeyObject; keys: PublicKeys }> | undefined;

  const pair = (): Promise<{ privateKey: KeyObject; keys: PublicKeys }> =>
    (generating ??= generate('rsa', { modulusLength: 2048 }).then(({ privateKey, publicKey }) => {
      const keys = publicKeysOf(publicKey);
      known = keys;
      onGenerated();
      return { privateKey, keys };
    }));

  return {
    current: () => known,
    keys: async () => (await pair()).keys,

    async headers(token, url) {
      const { privateKey } = await pair();
      const ticks = proofTicks(clock());
      const signature = await signLater('RSA-SHA256', proofBytes(token, url, ticks), privateKey);
      const proof = signature.toString('base64');
      // There is no older key. Servers with one key send its signature twice.
      return { 'X-WOPI-TimeStamp': String(ticks), 'X-WOPI-Proof': proof, 'X-WOPI-ProofOld': proof };
    },
  };
}

function publicKeysOf(key: KeyObject): PublicKeys {
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const modulus = Buffer.from(n, 'base64url');
  const exponent = Buffer.from(e, 'base64url');
  return {
    pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    value: publicKeyBlob(modulus, exponent).toString('base64'),
    modulus: modulus.toString('base64'),
    exponent: exponent.toString('base64'),
  };
}

/** Little-endian: 8 bytes of header (PUBLICKEYBLOB 2, CALG_RSA_KEYX), `RSA1`, bits, exponent, modulus. */
function publicKeyBlob(modulus: Buffer, exponent: Buffer): Buffer {
  const head = Buffer.from([6, 2, 0, 0, 0, 0xa4, 0, 0, ...Buffer.from('RSA1'), 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(modulus.length * 8, 12);
  Buffer.from(exponent.toReversed()).copy(head, 16);
  return Buffer.concat([head, modulus.toReversed()]);
}
