// The single-instance lock of a userData folder: a socket of Linux's abstract namespace, which disappears with its process and on which it
// learns of later launches. Electron's call is synchronous, so a later launch notifies the first one from a worker and waits for it.

import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
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

export function createSingleInstance(deps: {
  userData: () => string;
  onSecond: (launch: Launch) => void;
}): SingleInstance {
  let held: Server | undefined;

  /** @returns undefined if another process has the socket */
  function listen(socketPath: string): Server | undefined {
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
    // A local socket is bound before listen() returns.
    return server.listening ? server : undefined;
  }

  return {
    request(launch) {
      const name = createHash('sha256').update(deps.userData()).digest('hex').slice(0, 24);
      const path = `\0stand-in-${name}`;
      for (let attempt = 0; attempt < 20; attempt += 1) {
        held ??= listen(path);
        if (held !== undefined) return true;
        if (tell(path, launch)) return false;
        // The holder is exiting.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      }
      return false;
    },
    release() {
      held?.close();
      held = undefined;
    },
  };
}
