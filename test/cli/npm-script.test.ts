// The host as `npm start` runs it: below a shell that dies of a signal without passing it on.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('A signal to npm only also ends the host, and paths are relative to the user’s current directory', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'doctray-npm-'));
  await mkdir(join(place, 'documents'));
  const npm = spawn(
    'npm',
    [
      '--prefix',
      root,
      '--silent',
      'start',
      '--',
      '--folder',
      'documents',
      '--data',
      'data',
      '--port',
      '0',
      '--json',
    ],
    {
      cwd: place,
      env: { ...process.env, DOCTRAY_OWNER_PASSWORD: 'a long password', DBUS_SESSION_BUS_ADDRESS: '' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let pid = 0;
  t.after(async () => {
    if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGKILL');
    await rm(place, { recursive: true, force: true });
  });
  const [line] = (await once(createInterface(npm.stdout), 'line')) as [string];
  const listening = JSON.parse(line) as { pid: number; folder: string };
  ({ pid } = listening);
  assert.ok(listening.folder.endsWith(join(place, 'documents')), listening.folder);

  npm.kill('SIGTERM');
  for (let tries = 0; tries < 1200 && isAlive(pid); tries += 1) await wait(50);
  assert.equal(isAlive(pid), false, 'the host ends');
});
