import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeUtf7 } from '../../../app/wopi/utf7.ts';
import { encodeUtf7 } from '../../../renderer/text-editor/utf7.ts';
import { fc } from '../../random.ts';

test('encodes UTF-7 as the host decodes it', () => {
  for (const [name, encoded] of [
    ['_', '+AF8-'],
    ['a+b', 'a+-b'],
    ['é.docx', '+AOk-.docx'],
    ['😀', '+2D3eAA-'],
    ['日本', '+ZeVnLA-'],
    ['%20', '+ACU-20'],
    ['Q1 (final) [v2].docx', 'Q1+ACA-(final)+ACAAWw-v2+AF0-.docx'],
  ] as const) {
    assert.equal(encodeUtf7(name), encoded, name);
  }
});

test('encodes any name as ASCII that the host decodes to the same name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
      const encoded = encodeUtf7(name);
      assert.match(encoded, /^[\x20-\x7e]*$/);
      assert.equal(decodeUtf7(encoded), name.toWellFormed());
    }),
  );
});
