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
/** Without an answer to a ping. */
const silenceLimitMs = 65_000;
/** What may wait for a page that reads slowly. */
const maxWaitingBytes = 32 * 1024 * 1024;
/** Of a message before the session is open. */
const maxOpeningBytes = 1024;

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
  const { socket, sessions } = deps;
  let windowHost: WindowHost | undefined;
  let endSession = (): void => undefined;
  /** A page that has yet to prove that it knows the session. */
  let resuming: { id: string; nonce: string } | undefined;
  let questions = 0;
  /** Questions, by id. */
  const waiting = new Map<number, (answer: DashboardAnswer | null) => Promise<void>>();

  const send = (message: DashboardMessage): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(JSON.stringify(message));
    // It gets the whole state when it connects again.
    if (socket.bufferedAmount > maxWaitingBytes) socket.terminate();
  };

  const problemOf = async (
    { password, path = '' }: DashboardAnswer,
    faultOf: Parameters<PageSide['ask']>[1],
  ): Promise<AnswerProblem | null> => {
    try {
      await deps.checkPassword(password);
      const fault = await faultOf?.(path);
      return fault === undefined ? null : { field: 'path', message: fault };
    } catch (error) {
      return { field: 'password', message: passwordProblem(describeError(error)) };
    }
  };

  const ask: PageSide['ask'] = (question, faultOf) =>
    new Promise((resolve) => {
      questions += 1;
      const id = questions;
      let isChecking = false;
      const show = (problem: AnswerProblem | null): void => send({ type: 'ask', id, question, problem });
      const settle = (answer?: DashboardAnswer): void => {
        waiting.delete(id);
        send({ type: 'settled', id });
        resolve(answer);
      };
      waiting.set(id, async (answer) => {
        // Also while the password is checked.
        if (answer === null) return settle();
        if (isChecking) return;
        isChecking = true;
        const problem = await problemOf(answer, faultOf);
        isChecking = false;
        if (!waiting.has(id)) return;
        if (problem === null) settle(answer);
        else show(problem);
      });
      if (socket.readyState === socket.OPEN) show(null);
      else settle();
    });

  const begin = (session: DashboardSession, secret?: string): void => {
    clearTimeout(openLimit);
    deps.onOpened();
    endSession = session.onEnd((cause) =>
      socket.close(cause === undefined ? closeCodes.sessionEnded : closeCodes.linkUsedAgain),
    );
    const opened = deps.openWindow({ send, ask });
    windowHost = opened;
    opened.onPush((...push) => send({ type: 'push', push }));
    send({
      type: 'opened',
      session: secret === undefined ? null : { id: session.id, secret },
      nowMs: deps.clock(),
    });
    // A page that lost its connection still shows what was before.
    send({ type: 'push', push: ['state-changed', opened.state()] });
  };

  const resume = (id: string): DashboardSession | undefined => {
    const session = sessions.resume(id);
    if (session === undefined) socket.close(closeCodes.sessionEnded);
    return session;
  };

  /** Before the session is open. */
  const admit = (request: DashboardRequest): void => {
    if (request.type === 'open') {
      const opened = sessions.open(request.link);
      if (opened === undefined) socket.close(closeCodes.linkInvalid);
      else if (opened === 'used') socket.close(closeCodes.linkUsed);
      else begin(opened.session, opened.secret);
    } else if (request.type === 'resume' && resuming === undefined) {
      const session = resume(request.id);
      if (session === undefined) return;
      const nonce = randomBytes(32).toString('base64url');
      resuming = { id: request.id, nonce };
      send({ type: 'prove', nonce, proof: session.proofFor(request.nonce) });
    } else if (request.type === 'proof' && resuming !== undefined) {
      const session = resume(resuming.id);
      if (session?.isProof(resuming.nonce, request.proof) === true) begin(session);
      else socket.close(closeCodes.unexpected);
    } else socket.close(closeCodes.unexpected);
  };

  const receive = (request: DashboardRequest): void => {
    if (windowHost === undefined) {
      admit(request);
    } else if (request.type === 'call') {
      const { id, name, args } = request;
      void answerOf(windowHost.run(name, args)).then((answer) => send({ type: 'result', id, answer }));
    } else if (request.type === 'answer') void waiting.get(request.id)?.(request.answer);
    else socket.close(closeCodes.unexpected);
  };

  // The socket's events have no caller.
  const receiveInLanguage = AsyncLocalStorage.bind(receive);
  const openLimit = setTimeout(() => socket.terminate(), openLimitMs);
  const ping = setInterval(() => socket.ping(), pingEveryMs);
  const silence = setTimeout(() => socket.terminate(), silenceLimitMs);
  socket.on('pong', () => silence.refresh());
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
    clearTimeout(silence);
    endSession();
    for (const answer of waiting.values()) void answer(null);
    windowHost?.close();
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
