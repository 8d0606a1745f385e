import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { typesOf } from '../../../app/editors/action-choice.ts';
import { textEditorDiscovery, discoveryXml } from '../../../app/text-editor/discovery.ts';
import { editedTypes, viewedTypes } from '../../../app/text-editor/document-types.ts';
import { createProofSigner } from '../../../app/text-editor/proof-signer.ts';
import { parseDiscovery } from '../../../app/wopi/discovery.ts';
import { proofBytes, verifyProof } from '../../../app/wopi/proof.ts';

const origin = 'http://localhost:8791';
const nowMs = Date.UTC(2026, 10, 20);
let generated = 0;
const signer = createProofSigner({ clock: () => nowMs, onGenerated: () => (generated += 1) });

test('the discovery XML parses into the registered discovery', async () => {
  const keys = await signer.keys();
  assert.deepEqual(parseDiscovery(discoveryXml(origin, keys), origin), textEditorDiscovery(origin, keys));
});

test('value and modulus with exponent contain the same key', async () => {
  const keys = await signer.keys();
  const xml = discoveryXml(origin, keys);
  const only = (kept: RegExp): string =>
    xml.replace(/<proof-key[^>]*>/u, (element) =>
      element.replaceAll(/ (\w+)="[^"]*"/gu, (attribute, name: string) => (kept.test(name) ? attribute : '')),
    );
  for (const kept of [/^value$/u, /^(?:modulus|exponent)$/u]) {
    assert.deepEqual(parseDiscovery(only(kept)).proofKeys, { current: keys.pem, old: null });
  }
});

test('edits text, only shows what it can’t write, and lists every type once', () => {
  const types = typesOf(textEditorDiscovery(origin, null));
  const actionsOf = (extension: string) => types.find((type) => type.extension === extension)?.actions;
  for (const extension of ['md', 'csv', 'svg', 'json', 'ini', 'log', 'ts', 'diff']) {
    assert.deepEqual(actionsOf(extension), ['view', 'edit', 'editnew'], extension);
  }
  for (const extension of ['docx', 'pdf', 'png', 'avif'])
    assert.deepEqual(actionsOf(extension), ['view'], extension);
  for (const extension of ['xlsx', 'odt', 'doc', 'zip'])
    assert.equal(actionsOf(extension), undefined, extension);
  const all = [...Object.values(editedTypes), ...Object.values(viewedTypes)].flat();
  assert.equal(new Set(all).size, all.length);
});

test('generates keys once, on first use', async () => {
  let count = 0;
  const fresh = createProofSigner({ clock: () => nowMs, onGenerated: () => (count += 1) });
  assert.equal(fresh.current(), null);
  assert.equal(count, 0);
  const [one, other] = await Promise.all([fresh.keys(), fresh.keys()]);
  assert.equal(one, other);
  assert.equal(fresh.current(), one);
  assert.equal(count, 1);
  assert.equal(generated, 1);
});

test('accepts a signature only for its token, address and time', async () => {
  const { pem } = await signer.keys();
  const url = 'http://127.0.0.1:8790/wopi/files/x?access_token=token';
  const headers = await signer.headers('token', url);
  const verdictOf = (change: { token?: string; urls?: string[]; nowMs?: number } = {}) =>
    verifyProof({
      keys: { current: pem, old: null },
      token: 'token',
      urls: [url],
      proof: headers['X-WOPI-Proof'],
      proofOld: headers['X-WOPI-ProofOld'],
      timestamp: headers['X-WOPI-TimeStamp'],
      nowMs,
      ...change,
    });
  assert.equal(verdictOf(), 'valid');
  assert.equal(verdictOf({ token: 'other' }), 'wrong');
  assert.equal(verdictOf({ urls: [url.replace('x?', 'y?')] }), 'wrong');
  assert.equal(verdictOf({ nowMs: nowMs + 21 * 60_000 }), 'stale');
  const bytes = proofBytes('token', url, BigInt(headers['X-WOPI-TimeStamp'] ?? 0));
  assert.ok(
    verify('RSA-SHA256', bytes, createPublicKey(pem), Buffer.from(headers['X-WOPI-Proof'] ?? '', 'base64')),
  );
});
