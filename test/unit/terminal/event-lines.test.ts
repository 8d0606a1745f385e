import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventLines } from '../../../app/terminal/event-lines.ts';

test('writes events as lines in batches, without those for the window only', () => {
  const written: string[] = [];
  const lines = createEventLines({ write: (text: string) => written.push(text) > 0 });
  lines.write({ event: 'stopped' });
  lines.write({ event: 'row-changed', table: 'jobs' });
  lines.write({ event: 'stopped' });
  assert.deepEqual(written, []);
  lines.flush();
  assert.deepEqual(written, ['{"event":"stopped"}\n{"event":"stopped"}\n']);
});
