// Starts and stops gnome-keyring's Secret Service in the D-Bus session of this process.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const run = promisify(execFile);
const service = 'org.freedesktop.secrets';
const loginKeyring = '/org/freedesktop/secrets/collection/login';

/** The daemon reads all of its input, so the line break is part of the password. */
const password = '\n';

/** Resolves once the login keyring exists and is unlocked. */
export async function startKeyring(): Promise<ChildProcess> {
  const daemonArguments = ['--foreground', '--unlock', '--components=secrets'];
  const daemon = spawn('gnome-keyring-daemon', daemonArguments, { stdio: ['pipe', 'ignore', 'inherit'] });
  await once(daemon, 'spawn');
  daemon.stdin?.end(password);
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if ((await isRunning()) && (await isLocked()) === false) return daemon;
    await sleep(100);
  }
  await stopKeyring(daemon);
  throw new Error('gnome-keyring-daemon did not offer an unlocked keyring within 60 s.');
}

export async function stopKeyring(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = once(daemon, 'exit');
  daemon.kill();
  await ended;
}

export async function lockKeyring(): Promise<void> {
  await send(
    '/org/freedesktop/secrets',
    'org.freedesktop.Secret.Service.Lock',
    `array:objpath:${loginKeyring}`,
  );
  if ((await isLocked()) !== true) throw new Error('The keyring did not lock.');
}

/** Kills the running daemon. The bus starts another, locked one on the next request. */
export async function endKeyring(): Promise<void> {
  const bus = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'];
  const question = ['org.freedesktop.DBus.GetConnectionUnixProcessID', `string:${service}`];
  const pid = /uint32 (\d+)/.exec((await run('dbus-send', [...bus, ...question])).stdout)?.[1];
  process.kill(Number(pid));
  while (await isRunning()) await sleep(20);
}

const unlockOperation = 1;
const uint32s = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
};

/** Unlocks without a prompt, over the socket that PAM uses at login. If no daemon runs, the bus starts one first. */
export async function unlockKeyring(): Promise<void> {
  if ((await isLocked()) === false) return;
  const { XDG_RUNTIME_DIR: runtimeDir = '' } = process.env;
  const socket = connect(join(runtimeDir, 'keyring', 'control'));
  await once(socket, 'connect');
  // One byte for the credentials, then the length of the message including this field, the operation, and the password with its
  // length.
  const head = uint32s(12 + password.length, unlockOperation, password.length);
  socket.write(Buffer.concat([Buffer.alloc(1), head, Buffer.from(password)]));
  await once(socket, 'data');
  socket.destroy();
  if ((await isLocked()) !== false) throw new Error('The keyring did not unlock.');
}

/** Asks the bus, because a call to the service would make the bus start another, locked one. */
async function isRunning(): Promise<boolean> {
  const bus = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'];
  const question = ['org.freedesktop.DBus.NameHasOwner', `string:${service}`];
  return /boolean true/.test((await run('dbus-send', [...bus, ...question])).stdout);
}

/** Undefined if the service or the keyring doesn't exist. */
async function isLocked(): Promise<boolean | undefined> {
  try {
    const property = ['string:org.freedesktop.Secret.Collection', 'string:Locked'];
    const answer = await send(loginKeyring, 'org.freedesktop.DBus.Properties.Get', ...property);
    return /boolean true/.test(answer);
  } catch {
    return undefined;
  }
}

async function send(object: string, method: string, ...values: string[]): Promise<string> {
  const message = ['--session', '--print-reply', `--dest=${service}`, object, method, ...values];
  return (await run('dbus-send', message)).stdout;
}
