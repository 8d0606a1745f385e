// A plain WOPI client with one open document, for the conformance rows: the caller decides on every header, and every answer is
// checked against the common rules. `text-editor-client.ts` is the same client for calls through the text editor.

import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestHost } from '../server/test-host.ts';
import { assertWopiRules } from './wopi-rules.ts';
import { createWire, jsonOf } from './wire.ts';
import type { Access, Exchange, FileInfo, HeaderList, Wire, WireCall } from './wire.ts';

export type WopiClient = Awaited<ReturnType<typeof openClientAt>>;

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
}

/** Calls the host directly, with the token in the query. */
export async function openClient(input: ClientInput): Promise<WopiClient> {
  const { host } = input;
  return openClientAt(input, {
    open: async (path, mode) => host.access(path, { mode }),
    wire: createWire({ address: () => host.baseUrl }),
  });
}

export async function openClientAt(
  { host, path, content = 'as it was', mode = 'edit' }: ClientInput,
  { open, wire }: ClientTransport,
) {
  const absolute = join(host.folder, path);
  await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, content);
  const { fileId, wopiSrc, accessToken } = await open(path, mode);
  const access: Access = { wopiSrc, accessToken };

  async function call(call: Omit<WireCall, 'access'> & { access?: Access }): Promise<Exchange> {
    const exchange = await wire.call({ access, ...call });
    assertWopiRules(exchange, [host.folder, host.dataDir]);
    return exchange;
  }
  const send = (operation: string, headers: HeaderList = {}, body?: Buffer | string): Promise<Exchange> =>
    call({ operation, headers, body });
  const checkFileInfo = (): Promise<Exchange> => send('CheckFileInfo');
  const getLock = (): Promise<Exchange> => send('GetLock');
  const lockHeader = 'X-WOPI-Lock';

  return {
    /** The token and the file of the next calls. */
    access,
    fileId,
    /** Inside the hosted folder. */
    path,
    call,
    /** Opens the document again. */
    openAgain: async (newMode: 'edit' | 'view' = 'edit'): Promise<Access> => open(path, newMode),
    checkFileInfo,
    info: async () => jsonOf(await checkFileInfo()) as FileInfo,
    getFile: async (headers?: HeaderList) => send('GetFile', headers),
    lock: async (id?: string) => send('Lock', { [lockHeader]: id }),
    refreshLock: async (id?: string) => send('RefreshLock', { [lockHeader]: id }),
    relock: async (id: string, oldId: string) =>
      send('UnlockAndRelock', { [lockHeader]: id, 'X-WOPI-OldLock': oldId }),
    getLock,
    unlock: async (id?: string) => send('Unlock', { [lockHeader]: id }),
    put: async (id: string | undefined, body: Buffer | string, headers: HeaderList = {}) =>
      send('PutFile', { [lockHeader]: id, ...headers }, body),
    putRelative: async (headers: HeaderList, body: Buffer | string = 'the copy') =>
      send('PutRelativeFile', headers, body),
    rename: async (name?: string, lockId?: string, body?: Buffer) =>
      send('RenameFile', { [lockHeader]: lockId, 'X-WOPI-RequestedName': name }, body),
    deleteFile: async () => send('DeleteFile'),
    putUserInfo: async (text: string) => send('PutUserInfo', {}, text),
    /** The lock id that is held, '' if there is none. */
    heldLock: async () => String((await getLock()).received['x-wopi-lock']),
    onDisk: async () => readFile(absolute, 'utf8'),
    /** The path of another file beside the document. */
    beside: (name: string) => join(dirname(absolute), name),
    /** The names in the document's folder, sorted. */
    siblings: async () => (await readdir(dirname(absolute))).toSorted(),
  };
}
