// Runs a keyring test file in a D-Bus session of its own with a real, empty, unlocked gnome-keyring:
// `node test/keyring/run-in-session.ts FILE`. Exits with 1 if a test fails or the keyring can't be started.
// Needs dbus-run-session and dbus-send (Debian: dbus-bin, dbus-daemon) and gnome-keyring-daemon (gnome-keyring).

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startKeyring, stopKeyring } from './keyring-daemon.ts';

const insideFlag = '--inside';

async function exitCodeOf(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** Starts the session with a temporary home folder, so that the user's keyring isn't touched. */
async function runSession(testFile: string): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), 'doctray-keyring-'));
  const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  env['HOME'] = home;
  for (const name of ['XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME']) {
    env[name] = join(home, name.toLowerCase());
    await mkdir(env[name], { mode: 0o700 });
  }
  try {
    const inside = ['--', process.execPath, import.meta.filename, insideFlag, testFile];
    const session = spawn('dbus-run-session', inside, { env, stdio: ['ignore', 'inherit', 'pipe'] });
    // The bus and the keyring print many warnings about the missing display. Shown only if something fails.
    let errors = '';
    session.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const exitCode = await exitCodeOf(session);
    if (exitCode !== 0) console.error(errors);
    return exitCode;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function runTests(testFile: string): Promise<number> {
  const keyring = await startKeyring();
  try {
    return await exitCodeOf(spawn(process.execPath, ['--test', testFile], { stdio: 'inherit' }));
  } finally {
    await stopKeyring(keyring);
  }
}

try {
  const [first = '', second = ''] = process.argv.slice(2);
  process.exitCode = await (first === insideFlag ? runTests(second) : runSession(resolve(first)));
} catch (error) {
  console.error('The keyring tests need dbus-run-session, dbus-send and gnome-keyring-daemon:', error);
  process.exitCode = 1;
}
