// The timer of a pause: not for longer than a timer can be set, one at a time, and none after the stop.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startTestHost, type TestHost } from './test-host.ts';

async function begin(t: TestContext): Promise<TestHost> {
  const host = await startTestHost();
  t.after(() => host.stop());
  return host;
}

test('A pause whose end was moved a month away by a clock that was set keeps no timer spinning', async (t) => {
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

test('Nothing is told of a pause after the host stopped, however often the machine woke in it', async (t) => {
  const host = await begin(t);
  host.host.pause(host.clock.now() + 400);
  await host.host.noteWake();
  await host.host.noteWake();
  await host.host.stop();
  await wait(600);
  assert.equal(host.events.at(-1)?.event, 'stopped');
});
