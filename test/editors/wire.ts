// The HTTP connection from a scripted editor to a host. It sends header names exactly as written, and records every exchange. It
// implements WOPI without the host's code.

import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

/** What a host page posts to an editor. */
export interface Access {
  wopiSrc: string;
  accessToken: string;
}

export type HeaderList = Record<string, string | number | bigint | boolean | undefined>;

export interface Exchange {
  /** The operation's name in the specification: `CheckFileInfo`, `PutFile` … */
  operation: string;
  method: string;
  /** Path and query as sent, with the token redacted. */
  address: string;
  /** Headers the editor set, in its order and spelling. */
  sent: [name: string, value: string][];
  sentBytes: number;
  status: number;
  received: IncomingHttpHeaders;
  rawReceived: string[];
  body: Buffer;
}

export interface WireCall {
  operation: string;
  access: Access;
  method?: string;
  /** `/contents` or nothing. */
  suffix?: string;
  /** Additional query parameters, after the token. */
  query?: string;
  /** Headers with undefined values are omitted, as by the editors' HTTP libraries. */
  headers?: HeaderList;
  body?: Buffer | string;
}

export interface Wire {
  readonly exchanges: Exchange[];
  call(call: WireCall): Promise<Exchange>;
}

/** Simulates a slow network. */
export interface Slowness {
  /** The delay before every call. */
  latencyMs: number;
  /** Bodies are sent in pieces of this size, with a delay of `pieceMs` between them. */
  pieceBytes: number;
  pieceMs: number;
}

export interface WireOptions {
  /** The host's current address, if it isn't the one in `wopiSrc` (after a restart on another port). */
  address?: () => string;
  /** Calls as a browser does for a page at that address: without the token in the query, and with the browser's headers. */
  isPage?: boolean;
  /** Returns additional headers, such as a signature, for a call to the URL. */
  sign?: (call: { url: string; token: string; headers: Readonly<Record<string, string>> }) => HeaderList;
  /** Additional trusted certificates as PEM. */
  authority?: () => string | undefined;
  slowness?: () => Slowness | undefined;
}

export function createWire(options: WireOptions = {}): Wire {
  const exchanges: Exchange[] = [];

  async function call(call: WireCall): Promise<Exchange> {
    const isPage = options.isPage === true;
    const url = addressOf(call, options.address?.(), isPage);
    const method = call.method ?? 'POST';
    const body = call.body === undefined ? undefined : Buffer.from(call.body);
    const headers: Record<string, string> = isPage ? pageHeaders(call.access, url, method) : {};
    for (const [name, value] of Object.entries(call.headers ?? {})) {
      if (value !== undefined) headers[name] = String(value);
    }
    const signature = options.sign?.({ url: url.href, token: call.access.accessToken, headers }) ?? {};
    for (const [name, value] of Object.entries(signature)) {
      if (value !== undefined) headers[name] = String(value);
    }
    const isSized = method !== 'GET' && headers['Transfer-Encoding'] === undefined;
    if (isSized) headers['Content-Length'] ??= String(body?.length ?? 0);
    const slowness = options.slowness?.();
    if (slowness !== undefined) await pause(slowness.latencyMs);
    const answer = await send({ url, method, headers, body, slowness, authority: options.authority?.() });
    const exchange: Exchange = {
      operation: call.operation,
      method,
      address: (url.pathname + url.search).replaceAll(call.access.accessToken, '<token>'),
      sent: Object.entries(headers),
      sentBytes: body?.length ?? 0,
      ...answer,
    };
    exchanges.push(exchange);
    return exchange;
  }

  return { exchanges, call };
}

function addressOf(call: WireCall, movedTo: string | undefined, isPage: boolean): URL {
  const { wopiSrc, accessToken } = call.access;
  const query = `?access_token=${encodeURIComponent(accessToken)}${call.query === undefined ? '' : `&${call.query}`}`;
  const url = new URL(`${wopiSrc}${call.suffix ?? ''}${isPage ? '' : query}`);
  return movedTo === undefined ? url : new URL(url.pathname + url.search, movedTo);
}

/** The headers that `fetch` sends in a page. Characters that aren't allowed in a header are encoded. */
export function pageHeaders(
  { accessToken }: Pick<Access, 'accessToken'>,
  { origin }: URL,
  method: string,
): Record<string, string> {
  return {
    Authorization: `Bearer ${accessToken.replaceAll(/[^\x20-\x7e]/g, encodeURIComponent)}`,
    ...(method !== 'GET' && { Origin: origin }),
    'Sec-Fetch-Site': 'same-origin',
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0',
  };
}

type Answer = Pick<Exchange, 'status' | 'received' | 'rawReceived' | 'body'>;

interface Sending {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  slowness: Slowness | undefined;
  authority: string | undefined;
}

function send({ url, method, headers, body, slowness, authority }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // A new connection for each call. A restart of the host between two calls would close a kept-alive one.
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const trust = authority === undefined ? {} : { ca: authority };
    const request = open(url, { method, headers, agent: false, ...trust }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          received: response.headers,
          rawReceived: response.rawHeaders,
          body: Buffer.concat(chunks),
        });
      });
    });
    request.on('error', reject);
    if (body === undefined || slowness === undefined) request.end(body);
    else void trickle(request, body, slowness);
  });
}

async function trickle(
  request: NodeJS.WritableStream & { destroyed: boolean },
  body: Buffer,
  { pieceBytes, pieceMs }: Slowness,
): Promise<void> {
  for (let at = 0; at < body.length && !request.destroyed; at += pieceBytes) {
    request.write(body.subarray(at, at + pieceBytes));
    await pause(pieceMs);
  }
  request.end();
}

/** The names of the sent headers, in order. */
export function sentNames(exchange: Exchange): string[] {
  return exchange.sent.map(([name]) => name);
}

/** The value of a sent header. `name` is case-sensitive. */
export function sentValue(exchange: Exchange, name: string): string | undefined {
  return exchange.sent.find(([sentName]) => sentName === name)?.[1];
}

/** The operations of the exchanges, in order. */
export function operations(exchanges: readonly Exchange[]): string[] {
  return exchanges.map((exchange) => exchange.operation);
}

/** The last exchange of an operation. @throws if there is none */
export function lastOf(exchanges: readonly Exchange[], operation: string): Exchange {
  const found = exchanges.findLast((exchange) => exchange.operation === operation);
  if (found === undefined) throw new Error(`no ${operation} was sent`);
  return found;
}

/** The properties of CheckFileInfo that editors use. */
export interface FileInfo {
  BaseFileName: string;
  OwnerId: string;
  Size: number;
  UserId: string;
  Version: string;
  UserFriendlyName?: string;
  LastModifiedTime?: string;
  FileExtension?: string;
  FileNameMaxLength?: number;
  SHA256?: string;
  UserInfo?: string;
  SupportsLocks?: boolean;
  SupportsUpdate?: boolean;
  SupportsRename?: boolean;
  UserCanWrite?: boolean;
  UserCanRename?: boolean;
  UserCanNotWriteRelative?: boolean;
  ReadOnly?: boolean;
  HostEditUrl?: string;
  HostViewUrl?: string;
  CloseUrl?: string;
  PostMessageOrigin?: string;
  ClosePostMessage?: boolean;
  EditModePostMessage?: boolean;
  EditNotificationPostMessage?: boolean;
  FileSharingPostMessage?: boolean;
  FileVersionPostMessage?: boolean;
  EnableShare?: boolean;
  SupportsSessionRefresh?: boolean;
}

export interface PutRelativeAnswer {
  Name: string;
  Url: string;
  HostViewUrl?: string;
  HostEditUrl?: string;
}

export interface SavedAnswer {
  LastModifiedTime?: string;
  COOLStatusCode?: number;
  LOOLStatusCode?: number;
}

export interface RenameAnswer extends SavedAnswer {
  Name: string;
  Url?: string;
}

/** The JSON body, or undefined if there is none or it is invalid, which editors ignore. */
export function jsonOf(exchange: Exchange): unknown {
  if (exchange.body.length === 0) return undefined;
  try {
    return JSON.parse(exchange.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The access in the `Url` of an answer to PutRelativeFile. */
export function accessOf(url: string): Access {
  const parsed = new URL(url);
  const accessToken = parsed.searchParams.get('access_token');
  if (accessToken === null) throw new Error('the Url carries no access_token');
  return { wopiSrc: parsed.origin + parsed.pathname, accessToken };
}

/** The file id at the end of a `wopiSrc`. */
export function fileIdOf(wopiSrc: string): string {
  return wopiSrc.slice(wopiSrc.lastIndexOf('/') + 1);
}

/** `X-WOPI-TimeStamp`: ticks of 100 ns since the year 1, which exceed a double's precision. */
export function ticksNow(): bigint {
  return BigInt(Date.now()) * 10_000n + 621_355_968_000_000_000n;
}
