// A small HTTP client for tests that run the host as a process: the JSON API's sign-in and access, and the WOPI calls that an editor
// sends. It still works after the host restarts, and every call has a deadline.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ownerPassword } from './serve-process.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Access {
  fileId: string;
  wopiSrc: string;
  accessToken: string;
  accessTokenTtl: number;
}

export interface OpenedAccess extends Access {
  hostEditUrl: string;
  hostViewUrl: string;
}

export type Body = Buffer | string | Readable;

export interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: Body;
  /** For the whole call; 60 s by default. */
  timeoutMs?: number;
}

/** Sends one request. A stream as the body is sent in chunks unless Content-Length is given. */
export async function send(url: string, call: Call = {}): Promise<Answer> {
  const response = await open(url, call);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

/** Like `send`, but the caller reads the answer's body. */
export async function open(url: string, call: Call = {}): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const signal = AbortSignal.timeout(call.timeoutMs ?? 60_000);
  const { method = 'GET', headers = {} } = call;
  const outgoing = request(url, { method, headers, signal }, resolve);
  outgoing.on('error', reject);
  if (call.body instanceof Readable) {
    // A host that has answered may stop reading; then only the answer counts.
    pipeline(call.body, outgoing).catch(reject);
  } else {
    if (call.body !== undefined) outgoing.setHeader('Content-Length', Buffer.byteLength(call.body));
    outgoing.end(call.body);
  }
  return promise;
}

export type HostClient = ReturnType<typeof createHostClient>;
type Headers = Record<string, string>;

/** Calls `baseUrl` for each request, so that a client still works after a restart on another port. */
export function createHostClient(baseUrl: () => string) {
  const wopiUrl = (access: Access, tail = ''): string =>
    `${baseUrl()}/wopi/files/${access.fileId}${tail}?access_token=${encodeURIComponent(access.accessToken)}`;
  /** Any operation on the document itself, by its X-WOPI-Override. */
  const operate = (access: Access, override: string, headers: Headers = {}, body: Body = '') =>
    send(wopiUrl(access), { method: 'POST', headers: { 'X-WOPI-Override': override, ...headers }, body });
  const lock = (access: Access, id: string) => operate(access, 'LOCK', { 'X-WOPI-Lock': id });
  const post = (path: string, body: unknown, apiToken?: string) => {
    const authorization = apiToken === undefined ? {} : { Authorization: apiToken };
    const headers = { 'Content-Type': 'application/json', ...authorization };
    return send(`${baseUrl()}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };

  return {
    async signIn(login = 'owner', password = ownerPassword): Promise<string> {
      const answer = await post('/api/2.0/authentication.json', { userName: login, password });
      assert.equal(answer.status, 201, `sign-in: ${answer.body.toString()}`);
      return (responseOf(answer) as { token: string }).token;
    },
    async access(path: string, apiToken: string, mode: 'edit' | 'view' = 'edit'): Promise<OpenedAccess> {
      const answer = await post('/api/2.0/files/access', { path, mode }, apiToken);
      assert.equal(answer.status, 201, `access to ${path}: ${answer.body.toString()}`);
      return responseOf(answer) as OpenedAccess;
    },
    /** `GET /api/2.0/files`, whatever the answer. */
    list: (apiToken: string, query: Record<string, string>) =>
      send(`${baseUrl()}/api/2.0/files?${new URLSearchParams(query).toString()}`, {
        headers: { Authorization: apiToken },
      }),
    post,
    wopiUrl,
    checkFileInfo: (access: Access) => send(wopiUrl(access)),
    getFile: (access: Access, headers: Headers = {}) => send(wopiUrl(access, '/contents'), { headers }),
    putFile(access: Access, lockId: string | undefined, body: Body, more: Headers = {}) {
      const lock = lockId === undefined ? {} : { 'X-WOPI-Lock': lockId };
      const headers = { 'X-WOPI-Override': 'PUT', ...lock, ...more };
      return send(wopiUrl(access, '/contents'), { method: 'POST', headers, body });
    },
    operate,
    lock,
    /** Locks and reads, as an editor does before it saves; returns the answer to the Lock. */
    async openToEdit(access: Access, id: string): Promise<Answer> {
      const locked = await lock(access, id);
      const content = await open(wopiUrl(access, '/contents'));
      assert.equal(content.statusCode, 200, 'GetFile');
      for await (const _ of content);
      return locked;
    },
    unlock: (access: Access, id: string) => operate(access, 'UNLOCK', { 'X-WOPI-Lock': id }),
    /** The held lock id, '' when unlocked. */
    async lockId(access: Access): Promise<string> {
      const answer = await operate(access, 'GET_LOCK');
      assert.equal(answer.status, 200, `GetLock: ${answer.body.toString()}`);
      return header(answer, 'x-wopi-lock');
    },
  };
}

/** The member `response` of the JSON API's envelope. */
export function responseOf(answer: Answer): unknown {
  return (json(answer) as { response: unknown }).response;
}

export function json(answer: Answer): unknown {
  return JSON.parse(answer.body.toString('utf8')) as unknown;
}

/** CheckFileInfo's answer; fails unless it is 200. */
export function fileInfo(answer: Answer) {
  assert.equal(answer.status, 200, `CheckFileInfo: ${answer.status} ${answer.body.toString()}`);
  type Text = Record<'BaseFileName' | 'Version' | 'LastModifiedTime', string>;
  return json(answer) as Text & { Size: number; SHA256?: string };
}

/** A required header. */
export function header(answer: Answer, name: string): string {
  const value = answer.headers[name];
  assert.equal(typeof value, 'string', `the answer ${answer.status} lacks ${name}`);
  return String(value);
}
