import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countText, fileText, menuLabel, namesText, nameText } from '../../../app/desktop/labels.ts';

test('a short name is itself', () => {
  assert.equal(nameText('Budget 2026.xlsx'), 'Budget 2026.xlsx');
  assert.equal(fileText('Reports/2026/Budget.xlsx'), 'Budget.xlsx');
});

test('a long name loses its middle and keeps its end', () => {
  const text = nameText('A very long name of a document about the budget of the year 2026.xlsx', 24);
  assert.equal(text, 'A very long…r 2026.xlsx');
  assert.ok(text.length <= 24);
});

test('letters built of several characters are not taken apart', () => {
  const text = nameText('👩‍👩‍👧‍👦'.repeat(40), 9);
  assert.equal(text, `${'👩‍👩‍👧‍👦'.repeat(4)}…${'👩‍👩‍👧‍👦'.repeat(4)}`);
  assert.equal(nameText(`${'e\u0301'.repeat(20)}.txt`, 9), `${'e\u0301'.repeat(4)}….txt`);
});

test('a letter under hundreds of combining marks loses them', () => {
  assert.equal(nameText(`a${'\u0301'.repeat(300)}.txt`), 'a.txt');
});

test('characters that turn the text around or break the line are taken out of a name', () => {
  assert.equal(nameText('invoice\u202efdp.exe'), 'invoice fdp.exe');
  assert.equal(nameText('one\ntwo\tthree\u2028four\u0000'), 'one two three four');
  assert.equal(nameText('\u200b\u2060'), '(no name)');
  assert.equal(nameText('\ud800.txt'), '\ufffd.txt');
});

test('a name written from right to left is isolated from the text around it', () => {
  assert.equal(nameText('תקציב.xlsx'), '\u2068תקציב.xlsx\u2069');
  assert.equal(nameText('ميزانية.xlsx'), '\u2068ميزانية.xlsx\u2069');
  assert.equal(nameText('Été.odt'), 'Été.odt');
});

test('an ampersand in a menu is not taken for the mark of a key', () => {
  assert.equal(menuLabel('R&D && more'), 'R&&D &&&& more');
});

test('counts agree with their nouns', () => {
  assert.equal(countText(1, 'file', 'files'), '1 file');
  assert.equal(countText(0, 'file', 'files'), '0 files');
});

test('three names are named, of more the number is told', () => {
  assert.equal(namesText([]), '');
  assert.equal(namesText(['a']), 'a');
  assert.equal(namesText(['a', 'x/b']), 'a and b');
  assert.equal(namesText(['a', 'b', 'c']), 'a, b and c');
  assert.equal(namesText(['a', 'b', 'c', 'd', 'e']), 'a, b, c and 2 more');
});

test('whatever a name is, its text is one well-formed line of bounded length', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: 'grapheme-composite', maxLength: 400 }),
    fc.string({
      unit: fc.constantFrom('a', '\u0301', '\u202e', '\ud800', '\udc00', '\n', '&', '/', '👩‍👩‍👧‍👦', 'א'),
    }),
  );
  fc.assert(
    fc.property(anything, fc.integer({ min: 4, max: 60 }), (name, most) => {
      const text = nameText(name, most);
      assert.ok(text.isWellFormed());
      assert.ok(text.length > 0 && text.length <= Math.max(9, most) * 16 + 2, String(text.length));
      assert.doesNotMatch(text, /[\p{Cc}\u202a-\u202e\u2028\u2029]/u);
    }),
  );
});
