// The terminal's side of the control socket. It reports `not-running` only if no host is listening there.

import { connect, type Socket } from 'node:net';
import { AppError, errorCode } from '../contract/errors.ts';
import { currentLocale } from '../contract/messages.ts';
import type { CommandArgs, CommandName, CommandResult } from '../commands/commands.ts';
import { findControlAddress } from './control-address.ts';
import { maxAnswerBytes, readAnswer, toLine } from './control-message.ts';
import { readLine } from './read-line.ts';

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
  const socket = await connectTo(await findControlAddress(dataDir));
  try {
    const answer = readLine(socket, { maxBytes: maxAnswerBytes, timeoutMs: answerTimeoutMs });
    socket.write(toLine({ command, args, language: currentLocale() }));
    const line = await answer.catch((error: unknown) => {
      throw new AppError('no-answer', { cause: error });
    });
    return readAnswer(line) as CommandResult<Name>;
  } finally {
    socket.destroy();
  }
}

function connectTo(path: string | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (path === undefined) {
      reject(new AppError('not-running'));
      return;
    }
    const socket = connect(path);
    socket.once('connect', () => {
      socket.off('error', onError).on('error', () => undefined);
      resolve(socket);
    });
    const onError = (error: Error): void => {
      const isNobodyThere = ['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'ENOTSOCK'].includes(errorCode(error));
      const isForbidden = ['EACCES', 'EPERM'].includes(errorCode(error));
      const code = isNobodyThere ? 'not-running' : isForbidden ? 'data-folder-forbidden' : 'no-answer';
      reject(new AppError(code, { cause: error }));
    };
    socket.once('error', onError);
  });
}
