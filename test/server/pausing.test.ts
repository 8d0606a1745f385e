// A pause: what it refuses, and when it ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestHost } from './test-host.ts';

const minute = 60_000;

test('while paused, opens no documents but saves those that are open', async (t) => {
  const host = await startTestHost({ files: { 'a.docx': 'first', 'b.docx': 'b' } }, t);
  const [editor, unused] = [await host.edit('a.docx'), await host.document('b.docx')];
  host.host.pause(null);
  await assert.rejects(host.access('b.docx'), /503.*paused/i);
  assert.equal((await unused.call()).status, 503);
  assert.equal((await editor.call()).status, 200);
  assert.equal((await editor.save('while paused')).status, 200);
  assert.equal(host.host.state().status, 'paused');
  host.host.resume();
  assert.equal((await unused.call()).status, 200);
});

test('time asleep ends a pause whose time has passed, and doesn’t make a lock stale', async (t) => {
  const host = await startTestHost({ files: { 'a.docx': 'first' } }, t);
  const { fileId } = await host.edit('a.docx');
  const lockState = () => host.host.services.locks.find(fileId)?.state;
  host.host.pause(host.clock.now() + 20 * minute);
  host.clock.advance(20 * minute);
  assert.equal(lockState(), 'stale');
  await host.host.noteWake();
  assert.equal(lockState(), 'held');
  assert.equal(host.host.state().status, 'serving');
});

// Node runs a timer of more than 2^31 ms at once, with a warning.
test('sets no timer that overflows when a clock change moves the end of a pause a month away', async (t) => {
  const host = await startTestHost({}, t);
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  host.host.pause(host.clock.now() + 5 * minute);
  host.clock.set(-40 * 24 * 60 * minute);
  await host.host.noteWake();
  await wait(50);
  assert.deepEqual(warnings, []);
  assert.equal(host.host.state().status, 'paused');
});

test('sends no event after the stop, even if the computer woke up during the pause', async (t) => {
  const host = await startTestHost({}, t);
  host.host.pause(host.clock.now() + 400);
  await host.host.noteWake();
  await host.host.noteWake();
  await host.host.stop();
  await wait(600);
  assert.equal(host.events.at(-1)?.event, 'stopped');
});
