// The single-instance lock of a userData folder: a socket of Linux's abstract namespace, which disappears with its process and on which it
// learns of later launches. Electron's call is synchronous, so a later launch notifies the first one from another process and waits for it.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

export interface Launch {
  argv: string[];
  workingDirectory: string;
  additionalData: unknown;
}

/** Sends its standard input to the socket of that name, and fails if nothing answers. */
const teller = `
const socket = require('node:net').connect('\\0' + process.argv[1], () => process.stdin.pipe(socket));
socket.on('data', () => process.exit(0));
socket.on('error', () => process.exit(1));
`;

/** In another process, because Electron's call is synchronous. */
function tell(name: string, launch: Launch): boolean {
  const { status } = spawnSync(process.argv0, ['-e', teller, name], {
    input: `${JSON.stringify(launch)}\n`,
    timeout: 5000,
  });
  return status === 0;
}

export function createSingleInstance(deps: { userData: () => string; onSecond: (launch: Launch) => void }) {
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
    /** False if another process holds the lock, which has then been notified of this launch. */
    request(launch: Launch): boolean {
      const name = `stand-in-${createHash('sha256').update(deps.userData()).digest('hex').slice(0, 24)}`;
      for (let attempt = 0; attempt < 20; attempt += 1) {
        held ??= listen(`\0${name}`);
        if (held !== undefined) return true;
        if (tell(name, launch)) return false;
        // The holder is exiting.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      }
      return false;
    },
    release(): void {
      held?.close();
      held = undefined;
    },
  };
}
