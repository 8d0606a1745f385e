import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typesOf } from '../../../app/editors/action-choice.ts';
import { textEditorDiscovery, discoveryXml } from '../../../app/text-editor/discovery.ts';
import { editedTypes, viewedTypes } from '../../../app/text-editor/document-types.ts';
import { createProofSigner } from '../../../app/text-editor/proof-signer.ts';
import { parseDiscovery } from '../../../app/wopi/discovery.ts';

const origin = 'http://localhost:8791';
const signer = createProofSigner({ clock: Date.now, onGenerated: () => undefined });

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
