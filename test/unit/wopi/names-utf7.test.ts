import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeUtf7, encodeUtf7 } from '../../../app/wopi/utf7.ts';
import { fc } from '../../random.ts';

test('decodes UTF-7 as editors send it', () => {
  const vectors = [
    ['+AF8-', '_'],
    ['a+-b', 'a+b'],
    ['+AOk.docx', 'é.docx'],
    ['+2D3eAA-', '😀'],
    ['+ZeVnLA-', '日本'],
    ['+ACU-20', '%20'],
    ['Q1+ACA-(final)+ACAAWw-v2+AF0-.docx', 'Q1 (final) [v2].docx'],
  ] as const;
  for (const [encoded, text] of vectors) assert.equal(decodeUtf7(encoded), text);
});

test('encodes and decodes characters whose base64 contains a plus', () => {
  for (const text of ['信.docx', '新建', '知可语', '⏩', 'проект'])
    assert.equal(decodeUtf7(encodeUtf7(text)), text);
  assert.equal(decodeUtf7('+T+E-.docx'), '信.docx');
});

test('returns text that isn’t UTF-7 unchanged', () => {
  for (const text of [
    'Report',
    'C++ notes.docx',
    'a+b.docx',
    'Plan+2024.docx',
    '+A-',
    '+',
    '+AFB-',
    '%20',
    '1+1-2',
    'é',
  ]) {
    assert.equal(decodeUtf7(text), text);
  }
});

test('replaces lone surrogates', () => {
  assert.equal(decodeUtf7('+2D0-'), '\ufffd');
  assert.equal(decodeUtf7('a\ud83d'), 'a\ufffd');
  assert.equal(decodeUtf7(encodeUtf7('a\udc00')), 'a\ufffd');
});

test('encodes a name as a valid header value', () => {
  assert.match(encodeUtf7('日本 +\r\n"x"\u0000.docx'), /^[\x21-\x7e]+$/u);
});

test('encodes and decodes any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(decodeUtf7(encodeUtf7(text)), text.toWellFormed());
    }),
  );
});

test('the decoder never throws, and its output is limited', () => {
  const utf16 = fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  });
  const shifty = fc.string({ unit: fc.constantFrom('+', '-', '/', 'A', '2', 'D', '3', ',', '&', '=', ' ') });
  fc.assert(
    fc.property(fc.oneof(utf16, shifty), (text) => {
      assert.ok(decodeUtf7(text).isWellFormed());
    }),
  );
  assert.ok(decodeUtf7('+'.repeat(1_000_000)).length <= 8192);
  assert.ok(decodeUtf7(`+${'A'.repeat(1_000_000)}`).length <= 8192);
});
