// The keys that sign the text editor's calls. They are in memory only and new for each process: there is nothing to keep
// safe, and the host learns them when they are generated.
// @see behaviour page section 7

import { generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../contract/clock.ts';
import { proofBytes, proofTicks } from '../wopi/proof.ts';

/** A public key in all the forms that discovery has. */
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
  /** The host's clock, which signatures are checked by. */
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

/** Little end first: 8 bytes of header (PUBLICKEYBLOB 2, CALG_RSA_KEYX), `RSA1`, bits, exponent, modulus. */
function publicKeyBlob(modulus: Buffer, exponent: Buffer): Buffer {
  const head = Buffer.from([6, 2, 0, 0, 0, 0xa4, 0, 0, ...Buffer.from('RSA1'), 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(modulus.length * 8, 12);
  Buffer.from(exponent.toReversed()).copy(head, 16);
  return Buffer.concat([head, modulus.toReversed()]);
}
