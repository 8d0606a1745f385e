// A plain WOPI client with one document in front of it: no editor's habits, every header in the caller's hand, and the
// house rules asked of every answer. The conformance table is written with it. `text-editor-desk.ts` is the same client at the
// text editor's door.

import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestHost } from '../server/test-host.ts';
import { assertHouseRules } from './house-rules.ts';
import { createWire, jsonOf } from './wire.ts';
import type { Access, Exchange, FileInfo, HeaderList, Wire, WireCall } from './wire.ts';

export interface Desk {
  access: Access;
  fileId: string;
  /** Path inside the hosted folder. */
  path: string;
  call: (call: Omit<WireCall, 'access'> & { access?: Access }) => Promise<Exchange>;
  /** Where its calls go and how they carry the token, for one that is written by hand. */
  target: (suffix?: '/contents') => { url: URL; headers: Record<string, string> };
  /** The same document, opened once more. */
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
  /** The lock id the host holds, '' when none. */
  heldLock: () => Promise<string>;
  onDisk: () => Promise<string>;
  /** Names beside the document, sorted. */
  neighbours: () => Promise<string[]>;
}

export interface DeskInput {
  host: TestHost;
  /** Path inside the hosted folder; the file is made there. */
  path: string;
  content?: string | Buffer;
  mode?: 'edit' | 'view';
}

/** The way from a client to the host. */
export interface DeskDoor {
  open: (path: string, mode: 'edit' | 'view') => Promise<Access & { fileId: string }>;
  wire: Wire;
  target: (access: Access, suffix: string) => ReturnType<Desk['target']>;
}

/** Straight at the host: the token is in the query. */
export async function openDesk(input: DeskInput): Promise<Desk> {
  const { host } = input;
  return openDeskAt(input, {
    open: async (path, mode) => host.access(path, { mode }),
    wire: createWire({ address: () => host.baseUrl }),
    target({ wopiSrc, accessToken }, suffix) {
      const url = new URL(new URL(wopiSrc).pathname + suffix, host.baseUrl);
      url.searchParams.set('access_token', accessToken);
      return { url, headers: {} };
    },
  });
}

export async function openDeskAt(
  { host, path, content = 'as it was', mode = 'edit' }: DeskInput,
  { open, wire, target }: DeskDoor,
): Promise<Desk> {
  const absolute = join(host.folder, path);
  await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, content);
  const { fileId, ...own } = await open(path, mode);

  const call: Desk['call'] = async (input) => {
    const exchange = await wire.call({ access: own, ...input });
    assertHouseRules(exchange, [host.folder, host.dataDir]);
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

  const desk: Desk = {
    access: own,
    fileId,
    path,
    call,
    target: (suffix) => target(own, suffix ?? ''),
    async openAgain(newMode = 'edit') {
      const { wopiSrc, accessToken } = await open(path, newMode);
      return { wopiSrc, accessToken };
    },
    checkFileInfo: async () => call({ operation: 'CheckFileInfo', method: 'GET' }),
    info: async () => jsonOf(await desk.checkFileInfo()) as FileInfo,
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
    heldLock: async () => String((await desk.getLock()).received['x-wopi-lock']),
    onDisk: async () => readFile(absolute, 'utf8'),
    neighbours: async () => (await readdir(dirname(absolute))).toSorted(),
  };
  return desk;
}
