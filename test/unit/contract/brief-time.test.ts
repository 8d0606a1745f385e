import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatDayTime,
  formatRelative,
  formatRelativeBriefly,
  formatTime,
} from '../../../app/contract/format.ts';

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
