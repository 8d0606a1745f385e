import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import {
  proofBytes,
  proofTicks,
  proofTimeMs,
  verifyProof,
  type ProofInput,
} from '../../../app/wopi/proof.ts';

const nowMs = Date.UTC(2026, 10, 20, 15, 3);
const token = 'Zm9v-_bar';
const url = `https://host.test/wopi/files/abc?access_token=${token}`;
const minuteMs = 60_000;

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
const current = newKey();
const old = newKey();
const next = newKey();
const keys = { current: pemOf(current.publicKey), old: pemOf(old.publicKey) };

const signed = (key: KeyObject, change: { token?: string; url?: string; atMs?: number } = {}): string => {
  const bytes = proofBytes(change.token ?? token, change.url ?? url, proofTicks(change.atMs ?? nowMs));
  return sign('RSA-SHA256', bytes, key).toString('base64');
};
const verdictOf = (change: Partial<ProofInput> = {}) =>
  verifyProof({
    keys,
    token,
    urls: [url],
    proof: signed(current.privateKey),
    proofOld: signed(old.privateKey),
    timestamp: String(proofTicks(nowMs)),
    nowMs,
    ...change,
  });

test('ticks count tenths of microseconds since the year 1', () => {
  assert.equal(proofTicks(0), 621_355_968_000_000_000n);
  assert.equal(proofTicks(Date.UTC(2013, 11, 31, 23, 59, 59, 999)), 635_241_311_999_990_000n);
  assert.equal(proofTimeMs('635241311999990000'), Date.UTC(2013, 11, 31, 23, 59, 59, 999));
  assert.equal(proofTimeMs('x'), undefined);
});

test('signs token, URL in upper case and time, each after its length', () => {
  assert.equal(
    proofBytes('añ', 'http://h/é?a=b', 1n).toString('hex'),
    `00000003${Buffer.from('añ').toString('hex')}0000000f${Buffer.from('HTTP://H/É?A=B').toString('hex')}` +
      '000000080000000000000001',
  );
});

test('a signature by the current key is valid', () => {
  assert.equal(verdictOf(), 'valid');
  assert.equal(verdictOf({ proofOld: undefined }), 'valid');
});

test('accepts a signature after a key rotation with the discovery from before and from after it', () => {
  // Discovery from before: the host still considers the key of the old signature current.
  assert.equal(verdictOf({ proof: signed(next.privateKey), proofOld: signed(current.privateKey) }), 'valid');
  // Discovery from after, while a server of the cluster still signs with the old key.
  assert.equal(verdictOf({ proof: signed(old.privateKey), proofOld: signed(next.privateKey) }), 'valid');
});

test('rejects a call if only the old signature by the old key is right', () => {
  assert.equal(verdictOf({ proof: signed(next.privateKey), proofOld: signed(old.privateKey) }), 'wrong');
});

test('accepts swapped signature headers only with the current key', () => {
  const swapped = { proof: signed(old.privateKey), proofOld: signed(current.privateKey) };
  assert.equal(verdictOf({ ...swapped, keys: { ...keys, old: null } }), 'valid');
  assert.equal(
    verdictOf({ proof: signed(old.privateKey), proofOld: '', keys: { ...keys, old: null } }),
    'wrong',
  );
});

test('a signature of another token, address, time or key is wrong', () => {
  for (const proof of [
    signed(current.privateKey, { token: 'other' }),
    signed(current.privateKey, { url: `${url}&x=1` }),
    signed(current.privateKey, { url: url.replace('host.test', 'host.test:443') }),
    signed(current.privateKey, { atMs: nowMs + 1 }),
    signed(next.privateKey),
  ]) {
    assert.equal(verdictOf({ proof, proofOld: undefined }), 'wrong');
  }
});

test('ignores the case of the URL, and accepts any of the given URLs', () => {
  const proof = signed(current.privateKey, { url: url.toUpperCase() });
  assert.equal(verdictOf({ proof, proofOld: undefined }), 'valid');
  assert.equal(verdictOf({ urls: ['http://127.0.0.1/wopi', url] }), 'valid');
  assert.equal(verdictOf({ urls: [] }), 'wrong');
});

test('a signature is stale more than 20 minutes before or after now', () => {
  const at = (atMs: number) =>
    verdictOf({ proof: signed(current.privateKey, { atMs }), timestamp: String(proofTicks(atMs)) });
  assert.equal(at(nowMs - 20 * minuteMs), 'valid');
  assert.equal(at(nowMs + 20 * minuteMs), 'valid');
  assert.equal(at(nowMs - 20 * minuteMs - 1), 'stale');
  assert.equal(at(nowMs + 20 * minuteMs + 1), 'stale');
});

test('reports an absent signature as missing, with or without a time', () => {
  assert.equal(verdictOf({ proof: undefined, proofOld: undefined }), 'missing');
  assert.equal(verdictOf({ proof: '', proofOld: '', timestamp: undefined }), 'missing');
});

test('reports invalid base64 and an invalid time as malformed', () => {
  const good = signed(current.privateKey);
  for (const proof of [
    '%%%%',
    good.slice(0, -1),
    `${good}, ${good}`,
    good.replaceAll('=', '-'),
    'A'.repeat(2000),
  ]) {
    assert.equal(verdictOf({ proof }), 'malformed', proof);
  }
  assert.equal(verdictOf({ proofOld: 'not base64' }), 'malformed');
  for (const timestamp of [undefined, '', '-1', '1e18', '0x10', '9'.repeat(20)]) {
    assert.equal(verdictOf({ timestamp }), 'malformed', timestamp);
  }
});

test('a signature that is too short or too long is wrong', () => {
  assert.equal(verdictOf({ proof: 'AAAA', proofOld: undefined }), 'wrong');
  assert.equal(verdictOf({ proof: Buffer.alloc(512, 1).toString('base64'), proofOld: undefined }), 'wrong');
});
