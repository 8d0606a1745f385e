import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import {
  assertPassword,
  decoyPasswordHash,
  hashPassword,
  verifyPassword,
} from '../../../app/accounts/password.ts';

test('a hash verifies its own password and no other', async () => {
  const hash = await hashPassword('correct horse');
  assert.equal(await verifyPassword('correct horse', hash), true);
  assert.equal(await verifyPassword('correct horsf', hash), false);
  assert.equal(await verifyPassword('', hash), false);
});

test('a hash states its cost, has its own salt and doesn’t contain the password', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  assert.match(first, /^\$scrypt\$ln=15,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
  assert.notEqual(first, second);
  assert.ok(!first.includes('correct'));
});

test('verifies a hash with other cost parameters', async () => {
  const salt = Buffer.alloc(16, 7);
  const key = scryptSync('correct horse', salt, 32, { N: 2 ** 12, r: 8, p: 2 });
  const hash = `$scrypt$ln=12,r=8,p=2$${salt.toString('base64url')}$${key.toString('base64url')}`;
  assert.equal(await verifyPassword('correct horse', hash), true);
  assert.equal(await verifyPassword('wrong horse', hash), false);
});

test('verifies a password that was typed in another Unicode normalization form', async () => {
  const hash = await hashPassword('caf\u00e9-au-lait');
  assert.equal(await verifyPassword('cafe\u0301-au-lait', hash), true);
});

test('a decoy hash is random, costs as much as a real one and doesn’t match an empty password', async () => {
  const decoy = decoyPasswordHash();
  const shape = (hash: string) => hash.split('$').slice(0, 3);
  assert.deepEqual(shape(decoy), shape(await hashPassword('correct horse')));
  assert.equal(await verifyPassword('', decoy), false);
  assert.notEqual(decoy, decoyPasswordHash());
});

test('reports a damaged hash as an error, not as a wrong password', async () => {
  await assert.rejects(verifyPassword('correct horse', 'none'), /damaged/);
});

test('requires a password of at least 8 characters and at most 1024 bytes', () => {
  const weak = { code: 'password-weak' };
  assert.throws(() => assertPassword('seven 7'), weak);
  assert.throws(() => assertPassword('\u{1F600}'.repeat(7)), weak);
  assert.throws(() => assertPassword('\u00e9'.repeat(513)), weak);
  assertPassword('8 eight!');
  assertPassword('\u00e9'.repeat(512));
});
