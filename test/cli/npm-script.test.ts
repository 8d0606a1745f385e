// The host as `npm start` runs it: below a shell that dies of a signal without passing it on.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { until } from '../until.ts';
import { isAlive, makePlace } from './processes.ts';

const root = join(import.meta.dirname, '../..');

test('a signal to npm only also ends the host, and paths are relative to the user’s current directory', async (t) => {
  const place = await makePlace();
  const options = ['--folder', 'documents', '--data', 'data', '--port', '0', '--json'];
  const npm = spawn('npm', ['--prefix', root, '--silent', 'start', '--', ...options], {
    cwd: place.root,
    env: { ...process.env, ...place.env, DBUS_SESSION_BUS_ADDRESS: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let pid = 0;
  t.after(async () => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await place.remove();
  });
  const [line] = (await once(createInterface(npm.stdout), 'line')) as [string];
  const listening = JSON.parse(line) as { pid: number; folder: string };
  ({ pid } = listening);
  assert.equal(listening.folder, place.folder);
  npm.kill('SIGTERM');
  await until('the end of the host', () => !isAlive(pid));
});
