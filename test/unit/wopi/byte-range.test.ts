import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteRange } from '../../../app/wopi/byte-range.ts';

const size = 1000;

for (const [header, start, end] of [
  ['bytes=0-0', 0, 1],
  ['bytes=0-499', 0, 500],
  ['bytes=500-', 500, 1000],
  ['bytes=999-', 999, 1000],
  ['bytes=-1', 999, 1000],
  ['bytes=-1000', 0, 1000],
  ['bytes=-5000', 0, 1000],
  ['bytes=900-5000', 900, 1000],
  [' bytes=1-2 ', 1, 3],
  ['bytes=0-99999999999999999999999999', 0, 1000],
] as const) {
  test(`${header} of 1000 bytes is ${start} to ${end}, exclusive`, () => {
    assert.deepEqual(byteRange(header, size), { start, end });
  });
}

for (const header of [
  'bytes=1000-',
  'bytes=1000-1001',
  'bytes=-0',
  'bytes=99999999999999999999-',
  `bytes=${'9'.repeat(400)}-`,
]) {
  test(`${header.slice(0, 40)} of 1000 bytes cannot be satisfied`, () => {
    assert.equal(byteRange(header, size), 'unsatisfiable');
  });
}

for (const header of [
  undefined,
  '',
  'bytes=',
  'bytes=-',
  'bytes=5-4',
  'bytes=0-1,3-4',
  'bytes=a-b',
  'bytes=0x0-0x1',
  'bytes=+1-2',
  'bytes=1.0-2',
  'bytes 0-1',
  'items=0-1',
  'bytes=0-1\nbytes=2-3',
]) {
  test(`${JSON.stringify(header)} asks for the whole content`, () => {
    assert.equal(byteRange(header, size), undefined);
  });
}

test('no range of an empty document can be satisfied', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1', 'bytes=-0']) {
    assert.equal(byteRange(header, 0), 'unsatisfiable', header);
  }
});

test('a range never exceeds the document', () => {
  for (let first = 0; first < 6; first += 1) {
    for (let last = 0; last < 6; last += 1) {
      for (const header of [`bytes=${first}-${last}`, `bytes=${first}-`, `bytes=-${last}`]) {
        const range = byteRange(header, 4);
        if (range === undefined || range === 'unsatisfiable') continue;
        assert.ok(range.start >= 0 && range.start < range.end && range.end <= 4, header);
      }
    }
  }
});
