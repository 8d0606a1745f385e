// Passwords as scrypt hashes. The hash text contains its own cost, so that the cost can be raised later and old hashes still
// verify: `$scrypt$ln=15,r=8,p=1$<salt>$<key>`, base64url.

import { randomBytes as systemRandomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../contract/errors.ts';

export type RandomBytes = (size: number) => Buffer;

export interface PasswordCost {
  /** Base-2 logarithm of scrypt's N. */
  logN: number;
  r: number;
  p: number;
}

interface ParsedHash {
  cost: PasswordCost;
  salt: Buffer;
  key: Buffer;
}

const currentCost: PasswordCost = { logN: 15, r: 8, p: 1 };
const saltBytes = 16;
const keyBytes = 32;
const minCharacters = 8;
const maxBytes = 1024;

/** @throws AppError password-weak */
export function assertPassword(password: string): void {
  const text = password.normalize('NFC');
  if (Array.from(text).length < minCharacters || Buffer.byteLength(text) > maxBytes)
    throw new AppError('password-weak');
}

export async function hashPassword(
  password: string,
  randomBytes: RandomBytes = systemRandomBytes,
  cost: PasswordCost = currentCost,
): Promise<string> {
  const salt = randomBytes(saltBytes);
  return encode({ cost, salt, key: await deriveKey(password, salt, cost, keyBytes) });
}

/** @throws if the hash text is invalid, which only a damaged database can cause */
export async function verifyPassword(password: string, hashText: string): Promise<boolean> {
  const { cost, salt, key } = decode(hashText);
  return timingSafeEqual(await deriveKey(password, salt, cost, key.length), key);
}

/** A hash that no password matches. Checking against it takes as long as checking a real one. */
export function decoyPasswordHash(
  randomBytes: RandomBytes = systemRandomBytes,
  cost: PasswordCost = currentCost,
): string {
  return encode({ cost, salt: randomBytes(saltBytes), key: randomBytes(keyBytes) });
}

function deriveKey(password: string, salt: Buffer, cost: PasswordCost, length: number): Promise<Buffer> {
  const N = 2 ** cost.logN;
  // Node's default limit is exactly what N=2^15 r=8 needs, and it refuses that.
  const options = { N, r: cost.r, p: cost.p, maxmem: 2 * 128 * N * cost.r };
  return new Promise((resolve, reject) => {
    // NFC: the same characters typed on two keyboards may have different bytes.
    scrypt(password.normalize('NFC'), salt, length, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function encode({ cost, salt, key }: ParsedHash): string {
  const parameters = `ln=${cost.logN},r=${cost.r},p=${cost.p}`;
  return `$scrypt$${parameters}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

function decode(hashText: string): ParsedHash {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22,})\$([\w-]{43,})$/.exec(hashText);
  if (!match) throw new Error('A password hash in the database is damaged.');
  const [, logN, r, p, salt, key] = match;
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt ?? '', 'base64url'),
    key: Buffer.from(key ?? '', 'base64url'),
  };
}
