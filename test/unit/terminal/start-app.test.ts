// How `npm start` passes options and signals on to the app.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../app/contract/errors.ts';
import { runApp, type AppEnd } from '../../../app/terminal/start-app.ts';
import { onOrphaned } from '../../../app/terminal/stop-signals.ts';
import { fakeTerminal } from './fake-terminal.ts';

/** A program that runs until a file appears, and ends by force if it gets a signal. */
async function startApp(
  t: TestContext,
  platform: NodeJS.Platform,
  quit: (end: () => Promise<void>) => Promise<unknown>,
): Promise<AppEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'dt-start-app-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, 'app');
  const flag = join(folder, 'quit');
  const script = `echo '{"event":"listening"}'; while [ ! -e '${flag}' ]; do sleep 0.02; done; exit 3`;
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  const { terminal } = fakeTerminal({ platform, env: { PATH: process.env['PATH'] } });
  const isRunning = once(terminal.stdout, 'data');
  const ended = runApp({
    program,
    projectRoot: folder,
    options: { json: true },
    terminal,
    quit: () => quit(() => writeFile(flag, '')),
  });
  await isRunning;
  process.emit('SIGTERM');
  return ended;
}

test('on Windows, a signal asks the app to quit instead of ending it by force', async (t) => {
  let asked = 0;
  const ended = await startApp(t, 'win32', async (end) => {
    asked += 1;
    // The same Ctrl+C, from npm.
    process.emit('SIGINT');
    await end();
  });
  assert.deepEqual([ended, asked], [{ code: 3 }, 1]);
});

test('on Windows, ends an app by force that can’t be asked, or if a second Ctrl+C follows', async (t) => {
  const refused = await startApp(t, 'win32', () => Promise.reject(new AppError('not-running')));
  assert.deepEqual(refused, { code: 1 });
  const hanging = await startApp(t, 'win32', async () => {
    await sleep(350);
    process.emit('SIGINT');
    await new Promise(() => undefined);
  });
  assert.deepEqual(hanging, { code: 1 });
});

test('elsewhere, passes the signal on', async (t) => {
  const ended = await startApp(t, 'linux', () => Promise.reject(new Error('isn’t asked')));
  assert.deepEqual(ended, { code: 1 });
});

test('passes on once that npm is gone: a second signal would make the app give up running saves', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let calls = 0;
  onOrphaned(() => (calls += 1));
  t.mock.timers.tick(1000);
  assert.equal(calls, 0);
  const { ppid } = process;
  const setParent = (value: number) => Object.defineProperty(process, 'ppid', { value });
  setParent(ppid + 1);
  t.after(() => setParent(ppid));
  t.mock.timers.tick(3000);
  assert.equal(calls, 1);
});
