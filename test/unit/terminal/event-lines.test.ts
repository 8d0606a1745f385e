import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLine } from '../../../app/terminal/event-lines.ts';

test('an event is a line, except one for the window only', () => {
  assert.equal(eventLine({ event: 'stopped' }), '{"event":"stopped"}\n');
  assert.equal(eventLine({ event: 'row-changed', table: 'jobs' }), '');
});
