// Tokens are 256 random bits as base64url. What is stored is their HMAC under a key that is not in the database, so a
// stolen database opens nothing. What arrives as a token is whatever a client sends.

import { createHmac, createSecretKey, randomBytes as systemRandomBytes, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from './password.ts';

const tokenPattern = /^[\w-]{43}$/;

export interface TokenMint {
  /** A new token and what to store of it. */
  make(): { token: string; hmac: Buffer };
  /** The HMAC to look up; undefined when the text cannot be a token. */
  hmacOf(token: string): Buffer | undefined;
  /** Short and not secret: names a token in lists and in `tokens revoke ID`. */
  makeId(): string;
}

export function createTokenMint(deps: { tokenKey: Buffer; randomBytes?: RandomBytes }): TokenMint {
  const { randomBytes = systemRandomBytes } = deps;
  if (deps.tokenKey.length !== 32) throw new Error('The token key does not have 32 bytes.');
  // A key object, because every WOPI call makes an HMAC and importing a Buffer takes most of its time.
  const key = createSecretKey(deps.tokenKey);
  const hmac = (token: string): Buffer => createHmac('sha256', key).update(token).digest();
  return {
    make() {
      const token = randomBytes(32).toString('base64url');
      return { token, hmac: hmac(token) };
    },
    hmacOf: (token) => (tokenPattern.test(token) ? hmac(token) : undefined),
    makeId: () => randomBytes(8).toString('hex'),
  };
}

export function isSameHmac(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
