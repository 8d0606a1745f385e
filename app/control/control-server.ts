// Receives the terminal's commands for the running host. Only this user can reach the socket (0600 in a 0700 folder), and has the
// owner's rights there. Every request is limited in size and time, and its arguments are checked.

import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { faultOf } from '../editors/editor-fault.ts';
import type { ControlServerDeps } from '../host/surfaces.ts';
import { acceptedLanguages, speaking } from '../languages.ts';
import {
  prepareControlAddress,
  removeControlAddress,
  type ControlAddressOptions,
} from './control-address.ts';
import { errorAnswer, maxRequestBytes, readRequest, toLine, type ControlAnswer } from './control-message.ts';
import { readLine } from './read-line.ts';

/** How long a stopping host waits for running commands, and then for their answers to be sent. */
const finishTimeoutMs = 3000;
const flushTimeoutMs = 500;

/** @throws AppError data-folder-invalid if the socket can't be created */
export async function createControlServer(
  deps: ControlServerDeps & { address?: ControlAddressOptions; requestTimeoutMs?: number },
): Promise<{ close(): Promise<void> }> {
  const { dataDir, log, requestTimeoutMs = 5000 } = deps;
  const path = await prepareControlAddress(dataDir, deps.address);
  const sockets = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    void serve(socket);
  });
  // Bounds what a program that opens connections in a loop costs the host.
  server.maxConnections = 64;
  await listen(server, path);
  if (process.platform !== 'win32') await chmod(path, 0o600);

  async function serve(socket: Socket): Promise<void> {
    let line: string;
    try {
      line = await readLine(socket, { maxBytes: maxRequestBytes, timeoutMs: requestTimeoutMs });
    } catch {
      socket.destroy();
      return;
    }
    const answered = run(line).then((answer) => {
      running.delete(answered);
      if (!socket.destroyed) socket.end(toLine(answer));
    });
    running.add(answered);
    await answered;
  }

  async function run(line: string): Promise<ControlAnswer> {
    let command = '';
    let languages: string[] = [];
    try {
      const request = readRequest(line);
      command = request.command;
      languages = acceptedLanguages(request.language);
      // Serving documents needs neither zod nor the commands, so they are imported with the first command.
      const { rowOf, runCommand, terminalCaller } = await import('../commands/commands.ts');
      const result = await speaking(languages, () =>
        runCommand(terminalCaller(deps.host), request.command, request.args),
      );
      if (rowOf(command, 'terminal')?.isPolled !== true) log.info({ command }, 'terminal command');
      return { ok: true, result };
    } catch (error) {
      // An expected error needs no stack: the terminal shows its sentence.
      if (error instanceof AppError && isExpected(error))
        log.info({ command, code: error.code }, 'terminal command rejected');
      else log.error({ command, err: error }, 'terminal command failed');
      return speaking(languages, () => errorAnswer(error));
    }
  }

  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await withinTime(Promise.all(running), finishTimeoutMs);
      for (const socket of sockets) socket.destroySoon();
      await withinTime(closed, flushTimeoutMs);
      for (const socket of sockets) socket.destroy();
      await removeControlAddress(dataDir, path);
    },
  };
}

function isExpected(error: AppError): boolean {
  return error.status < 500 || error.cause === undefined || faultOf(error) !== undefined;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new AppError('data-folder-invalid', { cause: error, detail: () => t('host.control-socket-failed') }),
      );
    });
    server.listen(path, () => resolve());
  });
}

async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms).unref())]);
}
