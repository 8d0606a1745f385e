// The single-instance lock of a userData folder: a lock file that names the process, and a socket on which it learns of later launches.
// Electron's call is synchronous, so a later launch notifies the first one from a worker and waits for it.

import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface Launch {
  argv: string[];
  workingDirectory: string;
  additionalData: unknown;
}

export interface SingleInstance {
  /** False if another process holds the lock, which has then been notified of this launch. */
  request(launch: Launch): boolean;
  release(): void;
}

/** Start time and name of a process, so that a reused process id isn't taken for the holder. */
function processMark(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return undefined;
  }
}

const tellerSource = `
const { workerData } = require('node:worker_threads');
const done = new Int32Array(workerData.shared);
const end = (value) => { if (Atomics.compareExchange(done, 0, 0, value) === 0) Atomics.notify(done, 0); };
const socket = require('node:net').connect(workerData.path, () => socket.end(workerData.text));
socket.on('data', () => end(1));
socket.on('error', () => end(2));
socket.on('close', () => end(2));
setTimeout(() => end(2), 5000);
`;

function tell(path: string, launch: Launch): boolean {
  const shared = new SharedArrayBuffer(4);
  const done = new Int32Array(shared);
  const worker = new Worker(tellerSource, {
    eval: true,
    execArgv: [],
    workerData: { shared, path, text: `${JSON.stringify(launch)}\n` },
  });
  Atomics.wait(done, 0, 0, 6000);
  void worker.terminate();
  return Atomics.load(done, 0) === 1;
}

function removeSocket(path: string): void {
  if (!path.startsWith('\0')) rmSync(path, { force: true });
}

export function createSingleInstance(deps: {
  userData: () => string;
  onSecond: (launch: Launch) => void;
}): SingleInstance {
  let held: { lockPath: string; socketPath: string; server: Server } | undefined;

  function places(): { lockPath: string; socketPath: string } {
    const folder = deps.userData();
    mkdirSync(folder, { recursive: true });
    const inside = join(folder, 'SingletonSocket');
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 24);
    return {
      lockPath: join(folder, 'SingletonLock'),
      // A socket's path may not be longer. Linux has sockets without a file, which a killed process can't leave behind.
      socketPath: Buffer.byteLength(inside) < 100 ? inside : `\0stand-in-${name}`,
    };
  }

  function listen(socketPath: string): Server {
    removeSocket(socketPath);
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let text = '';
      socket.setEncoding('utf8');
      socket.on('data', (part: string) => (text += part));
      socket.on('error', () => undefined);
      socket.on('end', () => {
        socket.end('ok\n');
        // A second launch that was killed may have sent only part of its message.
        if (text.endsWith('\n')) deps.onSecond(JSON.parse(text) as Launch);
      });
    });
    server.on('error', () => undefined);
    server.listen(socketPath);
    server.unref();
    return server;
  }

  function request(launch: Launch): boolean {
    if (held) return true;
    const { lockPath, socketPath } = places();
    for (let attempt = 0; attempt < 20; attempt++) {
      try {
        const file = openSync(lockPath, 'wx', 0o600);
        writeSync(file, processMark(process.pid) ?? String(process.pid));
        closeSync(file);
        held = { lockPath, socketPath, server: listen(socketPath) };
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      let mark = '';
      try {
        mark = readFileSync(lockPath, 'utf8');
      } catch {
        continue;
      }
      const isAlive = mark !== '' && processMark(Number(mark.split(':')[0])) === mark;
      if (isAlive) {
        if (tell(socketPath, launch)) return false;
        // the holder is exiting or isn't listening yet
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      } else if (mark !== '' || attempt > 2) rmSync(lockPath, { force: true });
    }
    return false;
  }

  return {
    request,
    release() {
      if (!held) return;
      held.server.close();
      removeSocket(held.socketPath);
      rmSync(held.lockPath, { force: true });
      held = undefined;
    },
  };
}
