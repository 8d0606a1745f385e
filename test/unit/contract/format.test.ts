import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf, formatSize, formatTime, shellQuoted } from '../../../app/contract/format.ts';

test('shows sizes by thousands, with one decimal below ten unless the size is exact', () => {
  const sizes = [0, 1, 999, 1000, 1049, 1536, 9951, 12_400, 999_499, 999_500, 412_000_000, 1.2e9, 5e15];
  assert.deepEqual(sizes.map(formatSize), [
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1 KB',
    '1.0 KB',
    '1.5 KB',
    '10 KB',
    '12 KB',
    '999 KB',
    '1.0 MB',
    '412 MB',
    '1.2 GB',
    '5,000 TB',
  ]);
});

test('a count agrees with its noun', () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => countOf(count, 'save')),
    ['0 saves', '1 save', '2 saves'],
  );
  assert.deepEqual(
    [1, 3].map((count) => countOf(count, 'copy', 'copies')),
    ['1 copy', '3 copies'],
  );
});

test('shows times in the style of the user’s region', () => {
  const at = new Date(2026, 6, 27, 14, 5, 12, 345).getTime();
  const shown = (locale: string) =>
    (['clock', 'clockToMs', 'day', 'toMinute'] as const).map((style) => formatTime(style, at, locale));
  assert.deepEqual(shown('en-GB'), ['14:05', '14:05:12.345', '27 Jul', '27 Jul 2026, 14:05']);
  assert.deepEqual(shown('de'), ['14:05', '14:05:12,345', '27. Juli', '27.07.2026, 14:05']);
  assert.match(formatTime('clock', at, 'en-US'), /^2:05\sPM$/u);
});

test('quotes paths for a shell, and none is an option or a home folder', () => {
  assert.deepEqual(['a/b~1.odt', 'a b.odt', "it's", '-x.md', '~name'].map(shellQuoted), [
    'a/b~1.odt',
    "'a b.odt'",
    String.raw`'it'\''s'`,
    './-x.md',
    "'~name'",
  ]);
});
