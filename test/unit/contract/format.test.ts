import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatDayTime,
  formatRelative,
  formatRelativeBriefly,
  formatSize,
  formatTime,
  shellQuoted,
} from '../../../app/contract/format.ts';

test('shows sizes by thousands, with one decimal below ten unless the size is exact', () => {
  const sizes = [0, 1, 999, 1000, 1049, 1536, 9951, 12_400, 999_499, 999_500, 412_000_000, 1.2e9, 5e15];
  assert.equal(
    sizes.map(formatSize).join(' | '),
    '0 bytes | 1 byte | 999 bytes | 1 KB | 1.0 KB | 1.5 KB | 10 KB | 12 KB | 999 KB | 1.0 MB | 412 MB | 1.2 GB | 5,000 TB',
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

test('a brief time leaves out the clock of yesterday, and nothing else', () => {
  const nowMs = new Date(2026, 10, 24, 12, 0).getTime();
  const hour = 3_600_000;
  assert.equal(formatRelativeBriefly(nowMs - 26 * hour, nowMs), 'yesterday');
  for (const hours of [-3, 1, 20, 60, 24 * 400])
    assert.equal(
      formatRelativeBriefly(nowMs - hours * hour, nowMs),
      formatRelative(nowMs - hours * hour, nowMs),
    );
});

test('a time with its day says today and yesterday by the calendar, and has the year only if it isn’t this one', () => {
  const nowMs = new Date(2026, 0, 2, 9, 30).getTime();
  const at = (...[year, month, day, hour]: [number, number, number, number]) =>
    formatDayTime(new Date(year, month, day, hour, 5, 7).getTime(), nowMs);
  assert.equal(at(2026, 0, 2, 0), `today ${formatTime('clock', new Date(2026, 0, 2, 0, 5).getTime())}`);
  assert.match(at(2026, 0, 1, 23), /^yesterday /u);
  assert.doesNotMatch(at(2026, 0, 20, 8), /2026|today|,/u);
  assert.match(at(2025, 11, 31, 23), /2025/u);
  assert.match(formatDayTime(new Date(2026, 0, 2, 9, 5, 7).getTime(), nowMs, true), /^today .*07/u);
});
