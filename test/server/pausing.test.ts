// The timer that ends a pause. Node runs a timer of more than 2^31 ms at once, with a warning.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestHost, type TestHost } from './test-host.ts';

async function begin(t: TestContext): Promise<TestHost> {
  const host = await startTestHost();
  t.after(() => host.stop());
  return host;
}

test('sets no timer that overflows when a clock change moves the end of a pause a month away', async (t) => {
  const host = await begin(t);
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  host.host.pause(host.clock.now() + 5 * 60_000);
  host.clock.set(-40 * 24 * 60 * 60_000);
  await host.host.noteWake();
  await wait(50);
  assert.deepEqual(warnings, []);
  assert.equal(host.host.state().status, 'paused');
});

test('sends no event after the stop, even if the computer woke up during the pause', async (t) => {
  const host = await begin(t);
  host.host.pause(host.clock.now() + 400);
  await host.host.noteWake();
  await host.host.noteWake();
  await host.host.stop();
  await wait(600);
  assert.equal(host.events.at(-1)?.event, 'stopped');
});
