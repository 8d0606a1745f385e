// The terminal's side of the control socket. It reports `not-running` only if no host is listening there.

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { AppError, errorCode, isErrorCode } from '../contract/errors.ts';
import { currentLocale } from '../contract/messages.ts';
import type { CommandAnswer } from '../contract/results.ts';
import type { CommandArgs, CommandName, CommandResult } from '../commands/commands.ts';
import { findControlAddress } from './control-address.ts';

/** Restoring a document of many gigabytes takes a while. */
const answerTimeoutMs = 10 * 60 * 1000;

/**
 * @param dataDir the real path of the data folder
 * @throws AppError not-running if no host uses the data folder; data-folder-forbidden, no-answer; what the command itself throws
 */
export async function callHost<Name extends CommandName>(
  dataDir: string,
  command: Name,
  args: CommandArgs<Name>,
): Promise<CommandResult<Name>> {
  const socketPath = await findControlAddress(dataDir);
  if (socketPath === undefined) throw new AppError('not-running');
  const answer = await post(socketPath, JSON.stringify({ command, args })).catch((error: unknown) => {
    throw new AppError(unanswered[errorCode(error)] ?? 'no-answer', { cause: error });
  });
  if (answer === null) throw new AppError('no-answer');
  if (answer.isDone) return answer.result as CommandResult<Name>;
  const { code, message, detail, retryAfterSeconds } = answer.error;
  // The host may be of a newer version.
  if (!isErrorCode(code)) throw new AppError('internal', { detail: message });
  throw new AppError(code, { detail, retryAfterSeconds });
}

/** By the code of a failed connection. */
const unanswered: Partial<Record<string, 'not-running' | 'data-folder-forbidden'>> = {
  ENOENT: 'not-running',
  ENOTDIR: 'not-running',
  ECONNREFUSED: 'not-running',
  ENOTSOCK: 'not-running',
  EACCES: 'data-folder-forbidden',
  EPERM: 'data-folder-forbidden',
};

async function post(socketPath: string, body: string): Promise<CommandAnswer<unknown> | null> {
  const sent = request({
    socketPath,
    method: 'POST',
    agent: false,
    headers: { 'Accept-Language': currentLocale() },
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  // The response, if there is one, says what went wrong.
  sent.on('error', () => undefined).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return (await json(response)) as CommandAnswer<unknown> | null;
}
