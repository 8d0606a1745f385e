// The keys by which the text editor signs its calls, in memory only and new for each process: nobody has to keep them safe,
// and the host learns the new ones at once.
// @see behaviour page section 7

import { generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../contract/clock.ts';
import { proofBytes, proofTicks } from '../wopi/proof.ts';

/** A public key in every way that discovery writes it. */
export interface PublicKeys {
  /** SPKI. */
  pem: string;
  /** Base64: Microsoft's PUBLICKEYBLOB, and the two numbers in it, big end first. */
  value: string;
  modulus: string;
  exponent: string;
}

export interface ProofSigner {
  /** The present keys; null until they are generated. */
  current(): PublicKeys | null;
  /** Generates them when first called; from then on the same. */
  keys(): Promise<PublicKeys>;
  /** The headers of a call to that address, which is the whole of it, with its query. */
  headers(token: string, url: string): Promise<Record<string, string>>;
}

export interface ProofSignerDeps {
  /** The host's: the age of a signature is judged by it. */
  clock: Clock;
  /** Before anything is signed by them, so that the host knows them by then. */
  onGenerated: () => void;
}

const generate = promisify(generateKeyPair);
/** In a thread of its own: strangers can ask for signatures too, before the host has looked at their token. */
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
      // There is no older key, and servers with one key sign with it twice.
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

/** Little end first: 8 bytes of header (PUBLICKEYBLOB 2, CALG_RSA_KEYX), `RSA1`, bits, exponent, modulus. */
function publicKeyBlob(modulus: Buffer, exponent: Buffer): Buffer {
  const head = Buffer.from([6, 2, 0, 0, 0, 0xa4, 0, 0, ...Buffer.from('RSA1'), 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(modulus.length * 8, 12);
  Buffer.from(exponent.toReversed()).copy(head, 16);
  return Buffer.concat([head, modulus.toReversed()]);
}
