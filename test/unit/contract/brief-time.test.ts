import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRelative, formatRelativeBriefly } from '../../../app/contract/format.ts';

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
