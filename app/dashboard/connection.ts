// One page of the dashboard: its messages, its commands and its questions. A script in the page may send anything, so everything is
// checked here or by the command table, and questions are answered with the owner's password, which the page doesn't have.

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import {
  closeCodes,
  type AnswerProblem,
  type DashboardAnswer,
  type DashboardMessage,
  type DashboardQuestion,
  type DashboardRequest,
} from '../contract/dashboard.ts';
import { describeError, type AppError } from '../contract/errors.ts';
import { formatDuration } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { answerOf } from '../contract/results.ts';
import type { Clock } from '../contract/clock.ts';
import type { WindowHost } from '../live-state/window-host.ts';
import type { Logger } from '../log/logger.ts';
import type { DashboardSession, DashboardSessions } from './sessions.ts';

export interface ConnectionDeps {
  socket: WebSocket;
  sessions: Pick<DashboardSessions, 'open' | 'resume'>;
  clock: Clock;
  /** The session is open. */
  onOpened(): void;
  /** Constructs the page's own state and commands. */
  openWindow(page: PageSide): WindowHost;
  /** @throws AppError credentials-wrong, too-many-failures, too-busy */
  checkPassword(password: string): Promise<void>;
  log: Pick<Logger, 'error'>;
}

/** What the page does for commands. */
export interface PageSide {
  send(message: DashboardMessage): void;
  /**
   * Asks until the password is right and the path has no fault; undefined if the user canceled or the page is gone.
   * @param faultOf what is wrong with a path, in a sentence
   */
  ask(
    question: DashboardQuestion,
    faultOf?: (path: string) => Promise<string | undefined>,
  ): Promise<DashboardAnswer | undefined>;
}

/** A page that doesn't say who it is. */
const openLimitMs = 10_000;
const pingEveryMs = 30_000;
/** What may wait for a page that reads slowly. */
const maxWaitingBytes = 32 * 1024 * 1024;
/** Of a message before the session is open. */
const maxOpeningBytes = 1024;
/** Commands that run at once; more than any page starts. */
const maxRunning = 64;

const secret = z.string().max(64);
const requestSchema: z.ZodType<DashboardRequest> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('open'), link: secret }),
  z.strictObject({ type: z.literal('resume'), id: secret, nonce: secret }),
  z.strictObject({ type: z.literal('proof'), proof: secret }),
  z.strictObject({
    type: z.literal('call'),
    id: z.int().min(0),
    name: z.string().max(64),
    args: z.unknown(),
  }),
  z.strictObject({
    type: z.literal('answer'),
    id: z.int().min(0),
    answer: z
      .strictObject({ password: z.string().max(4096), path: z.string().max(4096).exactOptional() })
      .nullable(),
  }),
]);

export function openConnection(deps: ConnectionDeps): void {
  const { socket, sessions, log } = deps;
  let windowHost: WindowHost | undefined;
  let endSession = (): void => undefined;
  /** The page has asked for something. */
  let isListening = false;
  /** A page that has yet to prove that it knows the session. */
  let resuming: { session: DashboardSession; nonce: string } | undefined;
  let running = 0;
  let questions = 0;
  const waiting = new Map<number, (answer: DashboardAnswer | null) => void>();

  const send = (message: DashboardMessage): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(JSON.stringify(message));
    // It gets the whole state when it connects again.
    if (socket.bufferedAmount > maxWaitingBytes) socket.terminate();
  };

  const ask: PageSide['ask'] = async (question, faultOf) => {
    questions += 1;
    const id = questions;
    let problem: AnswerProblem | null = null;
    let isCanceled = false;
    let answered = (_answer: DashboardAnswer | null): void => undefined;
    // Also while the password is checked.
    waiting.set(id, (answer) => {
      if (answer === null) isCanceled = true;
      answered(answer);
    });
    while (!isCanceled && socket.readyState === socket.OPEN) {
      send({ type: 'ask', id, question, problem });
      // oxlint-disable-next-line no-await-in-loop
      const answer = await new Promise<DashboardAnswer | null>((resolve) => {
        answered = resolve;
      });
      if (answer === null) break;
      try {
        // oxlint-disable-next-line no-await-in-loop
        await deps.checkPassword(answer.password);
        // oxlint-disable-next-line no-await-in-loop
        const fault = await faultOf?.(answer.path ?? '');
        if (isCanceled) break;
        if (fault !== undefined) {
          problem = { field: 'path', message: fault };
          continue;
        }
        waiting.delete(id);
        send({ type: 'settled', id });
        return answer;
      } catch (error) {
        problem = { field: 'password', message: passwordProblem(describeError(error)) };
      }
    }
    waiting.delete(id);
    send({ type: 'settled', id });
    return undefined;
  };

  const begin = (session: DashboardSession, secret?: string): void => {
    clearTimeout(openLimit);
    deps.onOpened();
    endSession = session.onEnd((cause) =>
      socket.close(cause === undefined ? closeCodes.sessionEnded : closeCodes.linkUsedAgain),
    );
    const opened = deps.openWindow({ send, ask });
    windowHost = opened;
    opened.onPush((...push) => {
      if (isListening) send({ type: 'push', push });
    });
    send({
      type: 'opened',
      session: secret === undefined ? null : { id: session.id, secret },
      nowMs: deps.clock(),
    });
  };

  /** Before the session is open. */
  const admit = (request: DashboardRequest): void => {
    if (request.type === 'open') {
      const opened = sessions.open(request.link);
      if (opened === undefined) socket.close(closeCodes.linkInvalid);
      else if (opened === 'used') socket.close(closeCodes.linkUsed);
      else begin(opened.session, opened.secret);
    } else if (request.type === 'resume' && resuming === undefined) {
      const session = sessions.resume(request.id);
      if (session === undefined) {
        socket.close(closeCodes.sessionEnded);
        return;
      }
      const nonce = randomBytes(32).toString('base64url');
      resuming = { session, nonce };
      send({ type: 'prove', nonce, proof: session.proofFor(request.nonce) });
    } else if (
      request.type === 'proof' &&
      resuming?.session.isProof(resuming.nonce, request.proof) === true
    ) {
      begin(resuming.session);
    } else socket.close(closeCodes.unexpected);
  };

  const receive = (request: DashboardRequest): void => {
    if (windowHost === undefined) {
      admit(request);
    } else if (request.type === 'call') {
      if (running >= maxRunning) {
        socket.close(closeCodes.tooMany);
        return;
      }
      running += 1;
      // From now on, it must miss no change.
      isListening = true;
      const { id, name, args } = request;
      void answerOf(windowHost.run(name, args)).then((answer) => {
        running -= 1;
        send({ type: 'result', id, answer });
      });
    } else if (request.type === 'answer') waiting.get(request.id)?.(request.answer);
    else socket.close(closeCodes.unexpected);
  };

  // The socket's events have no caller.
  const receiveInLanguage = AsyncLocalStorage.bind(receive);
  const openLimit = setTimeout(() => socket.terminate(), openLimitMs);
  let isAlive = true;
  const ping = setInterval(() => {
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
  }, pingEveryMs);
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('message', (data, isBinary) => {
    // A page that doesn't answer the end of its session can still send for a while.
    if (socket.readyState !== socket.OPEN) return;
    const isTooLong = windowHost === undefined && (data as Buffer).length > maxOpeningBytes;
    const request = isBinary || isTooLong ? undefined : parsed(data as Buffer);
    if (request === undefined) socket.close(closeCodes.unexpected);
    else receiveInLanguage(request);
  });
  // ws closes the connection after an error.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(openLimit);
    clearInterval(ping);
    endSession();
    for (const settle of waiting.values()) settle(null);
    try {
      windowHost?.close();
    } catch (error) {
      log.error({ err: error }, 'A page of the dashboard couldn’t be closed.');
    }
  });
}

function passwordProblem({ code, message, retryAfterSeconds }: AppError): string {
  if (code === 'credentials-wrong') return t('host.this-isnt-the-owners-password');
  if (code !== 'too-many-failures' || retryAfterSeconds === undefined) return message;
  return t('host.too-many-wrong-passwords-try', {
    duration: formatDuration(Math.ceil(retryAfterSeconds / 60) * 60_000),
  });
}

/** With the default `binaryType`, a message is one Buffer. */
function parsed(message: Buffer): DashboardRequest | undefined {
  try {
    return requestSchema.safeParse(JSON.parse(message.toString())).data;
  } catch {
    return undefined;
  }
}
