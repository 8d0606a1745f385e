// Receives the terminal's commands for the running host, as HTTP requests through a socket. Only this user can reach it (0600 in a
// 0700 folder), and has the owner's rights there. Every request is limited in size and time, and its arguments are checked.

import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { AppError, describeError, messageFor } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { CommandAnswer } from '../contract/results.ts';
import { faultOf } from '../editors/editor-fault.ts';
import type { ControlServerDeps } from '../host/surfaces.ts';
import { acceptedLanguages, speaking } from '../languages.ts';
import { readBodyText } from '../server/body-text.ts';
import {
  prepareControlAddress,
  removeControlAddress,
  type ControlAddressOptions,
} from './control-address.ts';

/** Enough for an import of a thousand paths. */
const maxBytes = 1 << 20;
/** How long a stopping host waits for running commands. */
const finishTimeoutMs = 3000;
/** Later than the start, which it would delay. */
const loadDelayMs = 2000;

/** @throws AppError data-folder-invalid if the socket can't be created */
export async function createControlServer(
  deps: ControlServerDeps & { address?: ControlAddressOptions; requestTimeoutMs?: number },
): Promise<{ close(): Promise<void> }> {
  const { dataDir, log, requestTimeoutMs: limitMs = 5000 } = deps;
  const path = await prepareControlAddress(dataDir, deps.address);
  const limits = { headersTimeout: limitMs, requestTimeout: limitMs, connectionsCheckingInterval: limitMs };
  const server = createServer(limits, (request, response) => {
    void speaking(acceptedLanguages(request.headers['accept-language']), async () => {
      response.setHeader('Connection', 'close').end(JSON.stringify(await answer(request)));
    });
  });
  // Bounds what a program that opens connections in a loop costs the host.
  server.maxConnections = 64;
  try {
    await once(server.listen(path), 'listening');
  } catch (cause) {
    throw new AppError('data-folder-invalid', { cause, detail: () => t('host.control-socket-failed') });
  }
  if (process.platform !== 'win32') await chmod(path, 0o600);
  // Serving documents needs neither zod nor the commands. But an update replaces their files, and `quit` has to work after that, too.
  const loadCommands = () => import('../commands/commands.ts');
  setTimeout(() => void loadCommands().catch(() => undefined), loadDelayMs).unref();

  async function answer(request: IncomingMessage): Promise<CommandAnswer<unknown>> {
    let command = '';
    try {
      const call = parsed(await readBodyText(request, { limitMs, maxBytes }));
      ({ command } = call);
      const { rowOf, runCommand, terminalCaller } = await loadCommands();
      const result = await runCommand(terminalCaller(deps.host), command, call.args);
      if (rowOf(command, 'terminal')?.isPolled !== true) log.info({ command }, 'terminal command');
      return { isDone: true, result };
    } catch (error) {
      const { code, detail, retryAfterSeconds } = describeError(error);
      // An expected error needs no stack: the terminal shows its sentence.
      if (error instanceof AppError && isExpected(error))
        log.info({ command, code }, 'terminal command rejected');
      else log.error({ command, err: error }, 'terminal command failed');
      return {
        isDone: false,
        error: { code, message: messageFor('terminal', error), detail, retryAfterSeconds },
      };
    }
  }

  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, finishTimeoutMs).unref())]);
      server.closeAllConnections();
      await removeControlAddress(dataDir, path);
    },
  };
}

/** @throws AppError malformed-json, invalid-argument */
function parsed(body: string): { command: string; args: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw new AppError('malformed-json', { cause });
  }
  const { command, args = {} } = Object(value) as { command?: unknown; args?: unknown };
  if (typeof command !== 'string') throw new AppError('invalid-argument');
  return { command, args };
}

function isExpected(error: AppError): boolean {
  return error.status < 500 || error.cause === undefined || faultOf(error) !== undefined;
}
