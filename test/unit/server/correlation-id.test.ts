import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correlationIdOf } from '../../../app/server/correlation-id.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test('keeps the id of an editor', () => {
  const given = '{b6a2e2c1-0000-4000-8000-00000000000f}';
  assert.equal(correlationIdOf(given), given);
  assert.equal(correlationIdOf('a.b_c-1'), 'a.b_c-1');
});

test('generates a new id for each request without one', () => {
  const first = correlationIdOf(undefined);
  assert.match(first, uuid);
  assert.notEqual(correlationIdOf(undefined), first);
});

test('uses the first of several ids', () => {
  assert.equal(correlationIdOf(['one', 'two']), 'one');
  assert.match(correlationIdOf([]), uuid);
});

test('removes characters that could forge a log line or a header', () => {
  assert.equal(correlationIdOf('a\r\nX-Evil: 1'), 'aX-Evil1');
  assert.equal(correlationIdOf('\u001b[31mred"\\,'), '31mred');
  assert.match(correlationIdOf('\r\n \u0000"'), uuid);
});

test('truncates an id to 64 characters', () => {
  assert.equal(correlationIdOf('a'.repeat(10_000)), 'a'.repeat(64));
});
