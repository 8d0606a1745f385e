// Tokens are 256 random bits as base64url. Only their HMAC is stored, under a key that isn't in the database, so a stolen
// database opens nothing. Incoming tokens are untrusted text.

import { createHmac, createSecretKey, randomBytes as systemRandomBytes, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from './password.ts';

const tokenPattern = /^[\w-]{43}$/;

export interface TokenMint {
  /** A new token and the HMAC to store. */
  create(): { token: string; hmac: Buffer };
  /** The HMAC to look up; undefined if the text can't be a token. */
  hmacOf(token: string): Buffer | undefined;
  /** Short and not secret: identifies a token in lists and in `tokens revoke ID`. */
  createId(): string;
}

export function createTokenMint(deps: { tokenKey: Buffer; randomBytes?: RandomBytes }): TokenMint {
  const { randomBytes = systemRandomBytes } = deps;
  if (deps.tokenKey.length !== 32) throw new Error('The token key must have 32 bytes.');
  // A key object, because every WOPI call computes an HMAC and importing a Buffer takes most of its time.
  const key = createSecretKey(deps.tokenKey);
  const hmac = (token: string): Buffer => createHmac('sha256', key).update(token).digest();
  return {
    create() {
      const token = randomBytes(32).toString('base64url');
      return { token, hmac: hmac(token) };
    },
    hmacOf: (token) => (tokenPattern.test(token) ? hmac(token) : undefined),
    createId: () => randomBytes(8).toString('hex'),
  };
}

export function isSameHmac(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
