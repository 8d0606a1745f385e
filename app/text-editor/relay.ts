// Hands a call of the text editor's page on to the host's WOPI address, signed. It goes to this host alone, over loopback, and
// never where an answer points. Nothing of it is kept: bodies are streamed, and the token goes from the page's header into
// the address that is signed.

import {
  request as sendHttp,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import type { ProofSigner } from './proof-signer.ts';

export interface RelayCall {
  method: 'GET' | 'POST';
  fileId: string;
  hasContents: boolean;
  token: string;
  /** Of the page's request, as Node gives them; what belongs to its connection is left out. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  correlationId: string;
}

export interface FileInfoAnswer {
  status: number;
  /** The answer to CheckFileInfo; undefined where the host refused. */
  fileInfo: unknown;
  /** The host's own sentence, where it gave one. */
  message: string | undefined;
}

export interface Relay {
  /**
   * Answers the page's request as the host answers. Resolves when nothing is left to do, also where the page went away or the
   * host broke off. @throws HostUnreachable while nothing was answered yet
   */
  stream(call: RelayCall, request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** @throws HostUnreachable */
  checkFileInfo(call: Pick<RelayCall, 'fileId' | 'token' | 'correlationId'>): Promise<FileInfoAnswer>;
  /** When the last call began, by `performance.now()`. */
  lastCallAtMs(): number;
}

/** The host did not answer, or too many calls wait for it already. */
export class HostUnreachable extends Error {
  constructor(cause?: unknown) {
    super('The host does not answer.', { cause });
    this.name = 'HostUnreachable';
  }
}

export interface RelayDeps {
  signer: Pick<ProofSigner, 'headers'>;
  /** Where this computer reaches the host. It was given to the text editor, and signatures are for it. */
  hostUrl: () => string;
}

/** Each is a connection to the host, which has room for twice as many of this computer. */
const maxCalls = 96;
/** The host itself gives up a silent connection earlier. */
const silenceMs = 150_000;
const maxInfoBytes = 256 * 1024;

const sentOn = new Set(['content-type', 'content-length', 'range', 'if-range']);
const sentBack = new Set([
  'content-type',
  'content-length',
  'content-range',
  'content-disposition',
  'accept-ranges',
  'date',
  'retry-after',
  'www-authenticate',
]);
/** The protocol's, and what editors say of a save under the words of three vendors. */
const protocolHeader = /^x-(?:(?:ext|lool|cool)-)?wopi-/u;
/** Said by the relay alone. */
const ownHeaders = new Set(['x-wopi-proof', 'x-wopi-proofold', 'x-wopi-timestamp', 'x-wopi-correlationid']);

export function createRelay({ signer, hostUrl }: RelayDeps): Relay {
  let running = 0;
  let lastCallAtMs = -Infinity;
  const saving = createKeyedMutex();
  /**
   * A page that is left sends its last save and, at the same moment, its UNLOCK. The host would take the one without a body
   * first, and refuse the save.
   */
  const inTurn = <Result>(call: RelayCall, work: () => Promise<Result>): Promise<Result> => {
    const isUnlock = call.headers['x-wopi-override'] === 'UNLOCK';
    const isSave = call.method === 'POST' && call.hasContents;
    return isSave || isUnlock ? saving.run(`${call.fileId} ${call.token}`, work) : work();
  };

  /** Sends the head, has `sendBody` send and end the rest, and waits for the head of the answer. */
  const send = async (call: RelayCall, sendBody: (toHost: ClientRequest) => void): Promise<Exchange> => {
    const { method, fileId, hasContents, token, correlationId } = call;
    const path = `/wopi/files/${fileId}${hasContents ? '/contents' : ''}`;
    const url = `${hostUrl()}${path}?access_token=${encodeURIComponent(token)}`;
    const headers: OutgoingHttpHeaders = {
      ...headersOf(call.headers, sentOn),
      ...(await signer.headers(token, url)),
      'X-WOPI-CorrelationId': correlationId,
      'User-Agent': 'DocTray text editor',
    };
    return new Promise((resolve, reject) => {
      // A connection for each call: the host may close one that is kept open just when a save is sent on it.
      const toHost = sendHttp(url, { method, headers, agent: false });
      toHost.setTimeout(silenceMs, () => toHost.destroy(new Error('The host is silent.')));
      toHost.once('response', (answer) => resolve({ toHost, answer }));
      // Once the answer has begun, that one says how it ends.
      toHost.on('error', (error) => reject(new HostUnreachable(error)));
      sendBody(toHost);
    });
  };

  const counted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= maxCalls) throw new HostUnreachable();
    lastCallAtMs = performance.now();
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
    }
  };

  return {
    lastCallAtMs: () => lastCallAtMs,

    stream: (call, request, response) =>
      counted(() =>
        inTurn(call, async () => {
          const { toHost, answer } = await send(call, (toHost) => {
            // Half a body must not be taken for a whole one, and nobody waits for the answer any more.
            const breakOff = (): void => {
              if (!response.writableFinished) toHost.destroy();
            };
            response.once('close', breakOff);
            request.once('error', breakOff);
            if (response.destroyed) breakOff();
            // `pipeline` would end the page's connection with the host's, before the page has seen why.
            if (call.method === 'POST') {
              // What the host refuses by the head alone, such as a document that is too large, it refuses before the body comes.
              toHost.flushHeaders();
              request.pipe(toHost);
            } else toHost.end();
          });
          response.statusCode = answer.statusCode ?? 502;
          for (const [name, value] of Object.entries(headersOf(answer.headers, sentBack))) {
            response.setHeader(name, value);
          }
          // Where one side breaks off, so does the other: half an answer must not look like a whole one.
          await new Promise<void>((resolve) => void pipeline(answer, response, () => resolve()));
          // A refusal may come before the whole body has: the rest is read past, so that the page gets to see it.
          request.unpipe(toHost);
          request.resume();
          toHost.destroy();
        }),
      ),

    checkFileInfo: (call) =>
      counted(async () => {
        const { answer } = await send(
          { ...call, method: 'GET', hasContents: false, headers: {} },
          (toHost) => {
            toHost.end();
          },
        );
        const { statusCode: status = 502, headers } = answer;
        const text = await textOf(answer);
        return {
          status,
          fileInfo: status === 200 ? (JSON.parse(text) as unknown) : undefined,
          message: [headers['x-wopi-servererror']].flat()[0],
        };
      }),
  };
}

interface Exchange {
  toHost: ClientRequest;
  answer: IncomingMessage;
}

/** Those in the list, and the protocol's own. Names are in lower case. */
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

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxInfoBytes) throw new Error('The answer is too long.');
    }
  } catch (error) {
    throw new HostUnreachable(error);
  }
  return Buffer.concat(chunks).toString('utf8');
}
