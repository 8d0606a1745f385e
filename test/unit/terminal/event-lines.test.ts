import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeEvent } from '../../../app/terminal/event-lines.ts';

test('an event is a line, except one for the window only', () => {
  const written: unknown[] = [];
  const output = { write: (text: string | Uint8Array) => written.push(text) > 0 };
  writeEvent(output, { event: 'stopped' });
  writeEvent(output, { event: 'row-changed', table: 'jobs' });
  assert.deepEqual(written, ['{"event":"stopped"}\n']);
});
