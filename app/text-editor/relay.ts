// Signs a call of the text editor's page and forwards it to the host's WOPI address: this host only, over loopback, without
// following redirects. Bodies are streamed. Neither content nor token is kept. Before a page takes the lock of another page of
// the same user, that one is asked to save.

import {
  request as sendHttp,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream';
import { AppError } from '../contract/errors.ts';
import { textLockPrefix, unlockHeader, wantedLockHeader } from '../contract/text-documents.ts';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import type { ProofSigner } from './proof-signer.ts';

export interface RelayCall {
  method: 'GET' | 'POST';
  fileId: string;
  hasContents: boolean;
  token: string;
  /** The page's request headers, in lower case as in Node. Only those of the protocol are forwarded. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  correlationId: string;
}

export interface FileInfoAnswer {
  status: number;
  /** The host's own sentence, if any. */
  message: string | undefined;
}

export interface Relay {
  /**
   * Answers the page's request with the host's answer. Resolves when the exchange is over, also when either side disconnected.
   * @throws HostUnreachable, AppError too-many-calls, text-editor-busy; before anything was answered
   */
  stream(call: RelayCall, request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** @throws HostUnreachable, AppError too-many-calls, text-editor-busy */
  checkFileInfo(call: Pick<RelayCall, 'fileId' | 'token' | 'correlationId'>): Promise<FileInfoAnswer>;
  /** When the last call began, by `performance.now()`. */
  lastCallAtMs(): number;
}

/** The host didn't respond. */
export class HostUnreachable extends Error {
  constructor(cause?: unknown) {
    super('The host didn’t respond.', { cause });
    this.name = 'HostUnreachable';
  }
}

export interface RelayDeps {
  signer: Pick<ProofSigner, 'headers'>;
  /** Where this computer reaches the host; the address that is signed. */
  hostUrl: () => string;
  /** Whether every token that could save under the document's lock was revoked. */
  isRevoked: (fileId: string) => boolean;
}

/** Each uses one of the host's connections for this computer; half of them stay free for other editors. */
const maxCalls = 96;
/** Twice what a browser sends concurrently. The rest is for pages with other tokens. */
const maxCallsPerToken = 12;
/** How long a page may take to save and release its lock. Its polls and a save take 3 s, more on a busy computer. */
const handOverMs = 8000;
/** The host closes an idle connection before that. */
const silenceMs = 150_000;

const requestHeaders = new Set(['content-type', 'content-length', 'range', 'if-range']);
const responseHeaders = new Set([
  'content-type',
  'content-length',
  'content-range',
  'content-disposition',
  'accept-ranges',
  'date',
  'retry-after',
  'www-authenticate',
]);
/** `X-WOPI-`, and what editors report about a save, with three vendor prefixes. */
const protocolHeader = /^x-(?:(?:ext|lool|cool)-)?wopi-/u;
/** Set by the relay only. */
const ownHeaders = new Set(['x-wopi-proof', 'x-wopi-proofold', 'x-wopi-timestamp', 'x-wopi-correlationid']);

export function createRelay({ signer, hostUrl, isRevoked }: RelayDeps): Relay {
  let running = 0;
  const runningByToken = new Map<string, number>();
  let lastCallAtMs = -Infinity;
  const saving = createKeyedMutex();
  /** The locks that pages wait for, and a function that ends the wait. */
  const wanted = new Set<{ fileId: string; lock: string; given: () => void }>();
  /**
   * A page that is closed may send its UNLOCK while a save is on its way. The host would handle the one without a body first, and
   * refuse the save. The token may have been renewed between the two; the lock is the same. A page that takes the lock waits for the
   * save too.
   */
  const inTurn = <Result>(call: RelayCall, work: () => Promise<Result>): Promise<Result> => {
    const isUnlock = call.headers['x-wopi-override'] === 'UNLOCK';
    const isSave = call.method === 'POST' && call.hasContents;
    const lock = isSave || isUnlock ? 'x-wopi-lock' : 'x-wopi-oldlock';
    return isSave || isUnlock || call.headers[lock] !== undefined
      ? saving.run(`${call.fileId} ${[call.headers[lock]].join()}`, work)
      : work();
  };

  /** Sends the head, lets `sendBody` send and end the body, and waits for the head of the response. */
  const send = async (call: RelayCall, sendBody: (toHost: ClientRequest) => void): Promise<Exchange> => {
    const { method, fileId, hasContents, token, correlationId } = call;
    const path = `/wopi/files/${fileId}${hasContents ? '/contents' : ''}`;
    const url = `${hostUrl()}${path}?access_token=${encodeURIComponent(token)}`;
    const headers: OutgoingHttpHeaders = {
      ...headersOf(call.headers, requestHeaders),
      ...(await signer.headers(token, url)),
      'X-WOPI-CorrelationId': correlationId,
      'User-Agent': 'DocTray text editor',
    };
    return new Promise((resolve, reject) => {
      // A connection per call: the host may close an idle one at the moment a save is sent on it.
      const toHost = sendHttp(url, { method, headers, agent: false });
      toHost.setTimeout(silenceMs, () => toHost.destroy(new Error('The host doesn’t respond.')));
      toHost.once('response', (answer) => resolve({ toHost, answer }));
      // After the head of the response, the response's own stream reports errors.
      toHost.on('error', (error) => reject(new HostUnreachable(error)));
      sendBody(toHost);
    });
  };

  /** A body may take as long as its network needs, so concurrent calls are limited. */
  const counted = async <Result>(token: string, work: () => Promise<Result>): Promise<Result> => {
    const ofToken = runningByToken.get(token) ?? 0;
    if (ofToken >= maxCallsPerToken) throw new AppError('too-many-calls', { retryAfterSeconds: 1 });
    if (running >= maxCalls) throw new AppError('text-editor-busy', { retryAfterSeconds: 1 });
    lastCallAtMs = performance.now();
    running += 1;
    runningByToken.set(token, ofToken + 1);
    try {
      return await work();
    } finally {
      running -= 1;
      const left = (runningByToken.get(token) ?? 1) - 1;
      if (left === 0) runningByToken.delete(token);
      else runningByToken.set(token, left);
    }
  };

  /** Only for users who may edit the document, and only for their own lock: no user can end another user's editing. */
  const mayAskFor = async (call: RelayCall, lock: string): Promise<boolean> => {
    const { answer } = await send({ ...call, method: 'GET', hasContents: false, headers: {} }, (toHost) => {
      toHost.end();
    });
    try {
      const info = (await json(answer)) as { UserId?: unknown; UserCanWrite?: unknown };
      return (
        answer.statusCode === 200 &&
        info.UserCanWrite === true &&
        typeof info.UserId === 'string' &&
        lock.startsWith(textLockPrefix(info.UserId))
      );
    } catch {
      return false;
    }
  };

  /**
   * A page takes a lock from another page of its user: that one is asked to save and to release the lock.
   * @returns the call to send then, a plain LOCK if the lock was released
   */
  const askForLock = async (call: RelayCall, response: ServerResponse): Promise<RelayCall> => {
    const { 'x-wopi-oldlock': lock, ...headers } = call.headers;
    if (typeof lock !== 'string' || isRevoked(call.fileId) || !(await mayAskFor(call, lock))) return call;
    const isGiven = await new Promise<boolean>((resolve) => {
      const end = (isGivenBack: boolean): void => {
        clearTimeout(timer);
        wanted.delete(wait);
        response.off('close', leave);
        resolve(isGivenBack);
      };
      const leave = (): void => end(false);
      const wait = { fileId: call.fileId, lock, given: () => end(true) };
      const timer = setTimeout(leave, handOverMs);
      response.once('close', leave);
      wanted.add(wait);
      if (response.destroyed) leave();
    });
    return isGiven ? { ...call, headers } : call;
  };

  /** The host answers a viewer's UNLOCK with 200 as well, and unlocks nothing. */
  const noteUnlock = async (call: RelayCall): Promise<void> => {
    if (call.headers['x-wopi-override'] !== 'UNLOCK') return;
    for (const wait of wanted) {
      if (wait.fileId !== call.fileId || wait.lock !== call.headers['x-wopi-lock']) continue;
      if (await mayAskFor(call, wait.lock)) wait.given();
    }
  };

  const forward = async (
    call: RelayCall,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const { toHost, answer } = await send(call, (toHost) => {
      // The client has disconnected. Without this, half a body could look complete.
      const abort = (): void => {
        if (!response.writableFinished) toHost.destroy();
      };
      response.once('close', abort);
      request.once('error', abort);
      if (response.destroyed) abort();
      // Not `pipeline`: it would close the page's connection before the page has read a refusal.
      if (call.method === 'POST') {
        // The host can reject the request by its headers, before the body is sent.
        toHost.flushHeaders();
        request.pipe(toHost);
      } else toHost.end();
    });
    response.statusCode = answer.statusCode ?? 502;
    for (const [name, value] of Object.entries(headersOf(answer.headers, responseHeaders))) {
      response.setHeader(name, value);
    }
    if (answer.statusCode === 200) {
      const locks = [...wanted].filter(({ fileId }) => fileId === call.fileId).map(({ lock }) => lock);
      // The page has only one.
      if (locks.length > 0) response.setHeader(wantedLockHeader, locks.join(' '));
      await noteUnlock(call);
    }
    // If one side disconnects, so does the other: half a response must not look complete.
    await new Promise<void>((resolve) => void pipeline(answer, response, () => resolve()));
    // The host may refuse before it has the whole body. The rest is discarded, so that the page reads the refusal.
    request.unpipe(toHost);
    request.resume();
    toHost.destroy();
  };

  /** A page that is closed can't wait for its last save before it unlocks, so the save with this header does both. */
  const unlocksAfter = ({ method, hasContents, headers }: RelayCall): boolean =>
    method === 'POST' && hasContents && headers[unlockHeader.toLowerCase()] === 'true';
  const unlockAfter = async (save: RelayCall): Promise<void> => {
    const { 'x-wopi-lock': lock } = save.headers;
    const headers = { 'x-wopi-override': 'UNLOCK', ...(lock !== undefined && { 'x-wopi-lock': lock }) };
    const call: RelayCall = { ...save, hasContents: false, headers };
    const { answer } = await send(call, (toHost) => {
      toHost.end();
    });
    answer.on('error', () => undefined).resume();
    if (answer.statusCode === 200) await noteUnlock(call);
  };

  return {
    lastCallAtMs: () => lastCallAtMs,

    stream: (given, request, response) =>
      counted(given.token, async () => {
        const call = await askForLock(given, response);
        await inTurn(call, async () => {
          if (!unlocksAfter(call)) return forward(call, request, response);
          try {
            await forward(call, request, response);
          } finally {
            // The page is closed, so a failure can't be reported; the lock expires.
            await unlockAfter(call).catch(() => undefined);
          }
        });
      }),

    checkFileInfo: (call) =>
      counted(call.token, async () => {
        const { answer } = await send(
          { ...call, method: 'GET', hasContents: false, headers: {} },
          (toHost) => {
            toHost.end();
          },
        );
        const { statusCode: status = 502, headers } = answer;
        // The page asks for the content itself.
        answer.on('error', () => undefined).resume();
        return { status, message: [headers['x-wopi-servererror']].flat()[0] };
      }),
  };
}

interface Exchange {
  toHost: ClientRequest;
  answer: IncomingMessage;
}

/** The listed ones and those of the protocol. */
function headersOf(
  headers: RelayCall['headers'],
  wanted: ReadonlySet<string>,
): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isProtocols = protocolHeader.test(name) && !ownHeaders.has(name);
    if (value !== undefined && (isProtocols || wanted.has(name))) found[name] = value;
  }
  return found;
}
