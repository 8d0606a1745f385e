// A plain WOPI client with one open document, for the conformance rows: the caller decides on every header, and every answer is
// checked against the common rules. `text-editor-client.ts` is the same client for calls through the text editor.

import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestHost } from '../server/test-host.ts';
import { assertWopiRules } from './wopi-rules.ts';
import { createWire, jsonOf } from './wire.ts';
import type { Access, Exchange, FileInfo, HeaderList, Wire, WireCall } from './wire.ts';

export interface WopiClient {
  access: Access;
  fileId: string;
  /** Path inside the hosted folder. */
  path: string;
  call: (call: Omit<WireCall, 'access'> & { access?: Access }) => Promise<Exchange>;
  /** The URL and the headers with the token, for raw calls. */
  target: (suffix?: '/contents') => { url: URL; headers: Record<string, string> };
  /** Opens the document again. */
  openAgain: (mode?: 'edit' | 'view') => Promise<Access>;
  checkFileInfo: () => Promise<Exchange>;
  info: () => Promise<FileInfo>;
  getFile: (headers?: HeaderList) => Promise<Exchange>;
  lock: (id: string | undefined) => Promise<Exchange>;
  refreshLock: (id: string | undefined) => Promise<Exchange>;
  relock: (id: string, oldId: string) => Promise<Exchange>;
  getLock: () => Promise<Exchange>;
  unlock: (id: string | undefined) => Promise<Exchange>;
  put: (id: string | undefined, body: Buffer | string, headers?: HeaderList) => Promise<Exchange>;
  putRelative: (headers: HeaderList, body?: Buffer | string) => Promise<Exchange>;
  rename: (name: string | undefined, lockId?: string, headers?: HeaderList) => Promise<Exchange>;
  deleteFile: () => Promise<Exchange>;
  putUserInfo: (text: string) => Promise<Exchange>;
  /** The lock id that is held, '' if there is none. */
  heldLock: () => Promise<string>;
  onDisk: () => Promise<string>;
  /** The names in the document's folder, sorted. */
  siblings: () => Promise<string[]>;
}

export interface ClientInput {
  host: TestHost;
  /** Path of the new file inside the hosted folder. */
  path: string;
  content?: string | Buffer;
  mode?: 'edit' | 'view';
}

/** How a client opens documents and sends its calls. */
export interface ClientTransport {
  open: (path: string, mode: 'edit' | 'view') => Promise<Access & { fileId: string }>;
  wire: Wire;
  target: (access: Access, suffix: string) => ReturnType<WopiClient['target']>;
}

/** Calls the host directly, with the token in the query. */
export async function openClient(input: ClientInput): Promise<WopiClient> {
  const { host } = input;
  return openClientAt(input, {
    open: async (path, mode) => host.access(path, { mode }),
    wire: createWire({ address: () => host.baseUrl }),
    target({ wopiSrc, accessToken }, suffix) {
      const url = new URL(new URL(wopiSrc).pathname + suffix, host.baseUrl);
      url.searchParams.set('access_token', accessToken);
      return { url, headers: {} };
    },
  });
}

export async function openClientAt(
  { host, path, content = 'as it was', mode = 'edit' }: ClientInput,
  { open, wire, target }: ClientTransport,
): Promise<WopiClient> {
  const absolute = join(host.folder, path);
  await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, content);
  const { fileId, ...access } = await open(path, mode);

  const call: WopiClient['call'] = async (input) => {
    const exchange = await wire.call({ access, ...input });
    assertWopiRules(exchange, [host.folder, host.dataDir]);
    return exchange;
  };
  const post = async (
    operation: string,
    override: string,
    headers: HeaderList,
    body?: Buffer | string,
  ): Promise<Exchange> =>
    call({
      operation,
      headers: { 'X-WOPI-Override': override, ...headers },
      ...(body === undefined ? {} : { body }),
    });

  const client: WopiClient = {
    access,
    fileId,
    path,
    call,
    target: (suffix) => target(access, suffix ?? ''),
    async openAgain(newMode = 'edit') {
      const { wopiSrc, accessToken } = await open(path, newMode);
      return { wopiSrc, accessToken };
    },
    checkFileInfo: async () => call({ operation: 'CheckFileInfo', method: 'GET' }),
    info: async () => jsonOf(await client.checkFileInfo()) as FileInfo,
    getFile: async (headers = {}) =>
      call({ operation: 'GetFile', method: 'GET', suffix: '/contents', headers }),
    lock: async (id) => post('Lock', 'LOCK', { 'X-WOPI-Lock': id }),
    refreshLock: async (id) => post('RefreshLock', 'REFRESH_LOCK', { 'X-WOPI-Lock': id }),
    relock: async (id, oldId) =>
      post('UnlockAndRelock', 'LOCK', { 'X-WOPI-Lock': id, 'X-WOPI-OldLock': oldId }),
    getLock: async () => post('GetLock', 'GET_LOCK', {}),
    unlock: async (id) => post('Unlock', 'UNLOCK', { 'X-WOPI-Lock': id }),
    put: async (id, body, headers = {}) =>
      call({
        operation: 'PutFile',
        suffix: '/contents',
        headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': id, ...headers },
        body,
      }),
    putRelative: async (headers, body = 'the copy') => post('PutRelativeFile', 'PUT_RELATIVE', headers, body),
    rename: async (name, lockId, headers = {}) =>
      post('RenameFile', 'RENAME_FILE', { 'X-WOPI-Lock': lockId, 'X-WOPI-RequestedName': name, ...headers }),
    deleteFile: async () => post('DeleteFile', 'DELETE', {}),
    putUserInfo: async (text) => post('PutUserInfo', 'PUT_USER_INFO', {}, text),
    heldLock: async () => String((await client.getLock()).received['x-wopi-lock']),
    onDisk: async () => readFile(absolute, 'utf8'),
    siblings: async () => (await readdir(dirname(absolute))).toSorted(),
  };
  return client;
}
