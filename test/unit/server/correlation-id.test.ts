import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correlationIdOf } from '../../../app/server/correlation-id.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test('keeps the first id that an editor sent, without what could forge a log line, and truncated', () => {
  for (const [given, id] of [
    ['{b6a2e2c1-0000-4000-8000-00000000000f}', '{b6a2e2c1-0000-4000-8000-00000000000f}'],
    ['a.b_c-1', 'a.b_c-1'],
    [['one', 'two'], 'one'],
    ['a\r\nX-Evil: 1', 'aX-Evil1'],
    ['\u001b[31mred"\\,', '31mred'],
    ['a'.repeat(10_000), 'a'.repeat(64)],
  ] as [string | string[], string][])
    assert.equal(correlationIdOf(given), id);
});

test('generates a new id for each request without a usable one', () => {
  const ids = [undefined, [], '\r\n \u0000"', undefined].map(correlationIdOf);
  for (const id of ids) assert.match(id, uuid);
  assert.equal(new Set(ids).size, 4);
});
