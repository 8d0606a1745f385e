import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileText, nameText } from '../../../app/desktop/labels.ts';

test('shortens a long name in the middle, without its folders', () => {
  assert.equal(fileText('Reports/2026/Budget 2026.xlsx'), 'Budget 2026.xlsx');
  const long = 'A very long name of a document about the budget of the year 2026.xlsx';
  assert.equal(nameText(long, 24), 'A very long…r 2026.xlsx');
});

test('doesn’t split a character in two', () => {
  assert.equal(nameText('🙂'.repeat(40), 9), `${'🙂'.repeat(4)}…${'🙂'.repeat(4)}`);
});

test('removes control, invisible and bidirectional override characters from a name', () => {
  assert.equal(nameText('invoice\u202efdp.exe'), 'invoice fdp.exe');
  assert.equal(nameText('one\ntwo\tthree\u2028four\u0000'), 'one two three four');
  assert.equal(nameText('\u200b\u2060'), '(no name)');
  assert.equal(nameText('\ud800.txt'), '\ufffd.txt');
});

test('isolates a right-to-left name from the text around it', () => {
  assert.equal(nameText('תקציב.xlsx'), '\u2068תקציב.xlsx\u2069');
  assert.equal(nameText('ميزانية.xlsx'), '\u2068ميزانية.xlsx\u2069');
  assert.equal(nameText('Été.odt'), 'Été.odt');
});
