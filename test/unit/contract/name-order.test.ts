import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareNames } from '../../../app/contract/name-order.ts';

test('orders names as file managers do: numbers by value, without case and accents', () => {
  const names =
    '1 first.txt | 02 second.txt | 10 tenth.txt | Äpfel.ods | Birnen.ods | file2.md | File10.md | file10b.md | Report 1850.docx | Report 2000.docx | Report 12345678901234567890.docx';
  assert.equal(names.split(' | ').toReversed().toSorted(compareNames).join(' | '), names);
});
