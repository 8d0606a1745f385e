// The HTTP connection from a scripted editor to a host. It sends header names exactly as written, and records every exchange. It
// implements WOPI without the host's code.

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** What a host page posts to an editor. */
export interface Access {
  wopiSrc: string;
  accessToken: string;
}

/** Headers with undefined values are omitted, as by the editors' HTTP libraries. */
export type HeaderList = Record<string, string | number | bigint | boolean | undefined>;

/** `X-WOPI-Override`, by the operation's name in the specification. */
const overrides: Readonly<Record<string, string>> = {
  Lock: 'LOCK',
  RefreshLock: 'REFRESH_LOCK',
  Unlock: 'UNLOCK',
  PutFile: 'PUT',
  PutRelativeFile: 'PUT_RELATIVE',
  RenameFile: 'RENAME_FILE',
};

export interface Exchange {
  operation: string;
  /** Path and query as sent, with the token redacted. */
  address: string;
  /** Headers the editor set, in its order and spelling. */
  sent: [name: string, value: string][];
  status: number;
  received: IncomingHttpHeaders;
  body: Buffer;
}

interface WireCall {
  /** The name in the specification, which decides on method, path and override. */
  operation: string;
  access: Access;
  /** Additional query parameters, after the token. */
  query?: string | undefined;
  headers?: HeaderList;
  body?: Buffer | string | undefined;
}

export interface WireOptions {
  /** The host's current address, if it isn't the one in `wopiSrc` (after a restart on another port). */
  address?: () => string;
  /** Returns additional headers, such as a signature, for a call to the URL. */
  sign?: (call: { url: string; token: string }) => HeaderList;
  /** Additional trusted certificates as PEM. */
  authority?: () => string | undefined;
}

export function createWire({ address, sign, authority }: WireOptions = {}) {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    async call({ operation, access, query, headers: own = {}, body: content }: WireCall): Promise<Exchange> {
      const { accessToken: token } = access;
      const isRead = operation === 'CheckFileInfo' || operation === 'GetFile';
      const method = isRead ? 'GET' : 'POST';
      const path = /^(?:Get|Put)File$/u.test(operation) ? '/contents' : '';
      const inQuery = [`access_token=${encodeURIComponent(token)}`, ...(query === undefined ? [] : [query])];
      const given = new URL(`${access.wopiSrc}${path}?${inQuery.join('&')}`);
      const url = new URL(given.pathname + given.search, address?.() ?? given);
      const body = content === undefined ? undefined : Buffer.from(content);
      const sent: HeaderList = {
        'X-WOPI-Override': overrides[operation],
        ...own,
        ...sign?.({ url: url.href, token }),
        'Content-Length': isRead ? undefined : (body?.length ?? 0),
      };
      const headers = Object.fromEntries(
        Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
      ) as Record<string, string>;
      const exchange: Exchange = {
        operation,
        address: (url.pathname + url.search).replaceAll(token, '<token>'),
        sent: Object.entries(headers),
        ...(await send({ url, method, headers, body, authority: authority?.() })),
      };
      exchanges.push(exchange);
      return exchange;
    },
  };
}

const timeoutMs = 60_000;

/** A new connection for each call: a restart of the host between two calls would close one that is kept alive. */
export function send(call: {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Additional trusted certificates as PEM. */
  authority: string | undefined;
}): Promise<Pick<Exchange, 'status' | 'received' | 'body'>> {
  const { url, method, headers, authority } = call;
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const trust = authority === undefined ? {} : { ca: authority };
    const request = open(url, { method, headers, agent: false, ...trust }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      buffer(response).then((body) => resolve({ status, received, body }), reject);
    });
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`${url.origin} did not answer`)));
    request.on('error', reject);
    request.end(call.body);
  });
}

/** The value of a sent header. `name` is case-sensitive. */
export function sentValue(exchange: Exchange, name: string): string | undefined {
  return exchange.sent.find(([sentName]) => sentName === name)?.[1];
}

/** The operations of the exchanges, in order. */
export function operations(exchanges: readonly Exchange[]): string[] {
  return exchanges.map(({ operation }) => operation);
}

/** The last exchange of an operation. */
export function lastOf(exchanges: readonly Exchange[], operation: string): Exchange {
  const found = exchanges.findLast((exchange) => exchange.operation === operation);
  if (found === undefined) throw new Error(`no ${operation} was sent`);
  return found;
}

/** The properties of CheckFileInfo that the editors use. */
export interface FileInfo {
  BaseFileName: string;
  Size: number;
  UserId: string;
  Version: string;
  UserFriendlyName?: string;
  LastModifiedTime?: string;
  FileExtension?: string;
  FileNameMaxLength?: number;
  UserCanWrite?: boolean;
  UserCanRename?: boolean;
  UserCanNotWriteRelative?: boolean;
  ReadOnly?: boolean;
  HostEditUrl?: string;
  CloseUrl?: string;
  PostMessageOrigin?: string;
  ClosePostMessage?: boolean;
  EditModePostMessage?: boolean;
  EditNotificationPostMessage?: boolean;
  FileSharingPostMessage?: boolean;
  FileVersionPostMessage?: boolean;
  EnableShare?: boolean;
}

export interface PutRelativeAnswer {
  Name: string;
  Url: string;
  HostEditUrl?: string;
}

/** Of PutFile, and with a name of RenameFile. */
export interface SavedAnswer {
  LastModifiedTime?: string;
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
export function ticksAt(ms = Date.now()): bigint {
  return BigInt(ms) * 10_000n + 621_355_968_000_000_000n;
}
