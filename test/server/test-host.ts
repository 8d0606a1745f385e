// A complete host in the test's process, with real folders, a real database and real sockets. Only its clock is a fake.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { startHost } from '../../app/terminal/start-host.ts';
import type { Host } from '../../app/host/running-host.ts';
import type { DomainEvent } from '../../app/contract/events.ts';
import { createLogger, toStream } from '../../app/log/logger.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { PagesBuild } from '../../app/server/pages/built-pages.ts';
import { writeFakePages } from './fake-pages.ts';

export interface TestAccess {
  fileId: string;
  wopiSrc: string;
  accessToken: string;
  accessTokenTtl: number;
  hostEditUrl: string;
  hostViewUrl: string;
}

export interface WopiRequest {
  method?: string;
  fileId: string;
  contents?: boolean;
  token: string;
  override?: string | undefined;
  headers?: HeaderValues;
  body?: Buffer | string | undefined;
}

export interface WopiResponse {
  status: number;
  headers: Headers;
  body: Buffer;
}

type HeaderValues = Record<string, string>;

export interface DocumentOptions {
  mode?: 'edit' | 'view';
  apiToken?: string;
  /** Named by the calls of the document, unless they name another. */
  lockId?: string;
}

export type TestHost = Awaited<ReturnType<typeof startTestHost>>;
export type TestDocument = Awaited<ReturnType<TestHost['document']>>;

/** A real password hash takes a tenth of a second, which only the tests of sign-in need. */
export const cheapPasswords = { logN: 4, r: 8, p: 1 };

export interface TestHostOptions {
  files?: Record<string, string | Buffer>;
  settings?: Partial<Settings>;
  /** Starts even if the folder is missing, as the desktop app does. */
  isFolderOptional?: boolean;
  /** Defaults to the fake pages in `pagesFolder`. */
  pagesBuild?: PagesBuild;
  /** How users invoke it in a terminal. */
  command?: string;
  hasRealPasswords?: boolean;
  /** Where the log goes. By default it is discarded. */
  logTo?: NodeJS.WritableStream;
}

/** With `t`, it stops at the end of the test. */
export async function startTestHost(
  options: TestHostOptions = {},
  t?: { after(end: () => Promise<void>): void },
) {
  const place = await mkdtemp(join(tmpdir(), 'doctray-test-'));
  const folder = join(place, 'documents');
  const dataDir = join(place, 'data');
  await mkdir(folder);
  await mkdir(dataDir, { mode: 0o700 });
  const pagesFolder = join(place, 'pages');
  await writeFakePages(pagesFolder);
  for (const [path, content] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  // The text editor is off unless a test switches it on.
  const settings = { textEditor: false, ...options.settings };
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  const owner = { login: 'owner', password: 'correct horse battery' } as const;
  const events: DomainEvent[] = [];
  const log = createLogger(options.logTo === undefined ? [] : [toStream(options.logTo)]);
  // The keychain has its own tests, in test/keyring.
  delete process.env['DBUS_SESSION_BUS_ADDRESS'];
  let movedMs = 0;
  let setByMs = 0;
  const uptimeMs = (): number => Date.now() + movedMs;
  const now = (): number => uptimeMs() + setByMs;
  type Address = { host?: string | undefined; port?: number | undefined };
  const address: Address = { host: options.settings?.host ?? '127.0.0.1', port: 0 };
  const start = (): Promise<Host> =>
    startHost({
      dataDir,
      folder,
      isFolderOptional: options.isFolderOptional ?? false,
      pagesBuild: options.pagesBuild ?? { folder: pagesFolder },
      ...(options.command !== undefined && { command: options.command }),
      get host() {
        return address.host;
      },
      get port() {
        return address.port;
      },
      ownerPassword: owner.password,
      ...(options.hasRealPasswords !== true && { passwordCost: cheapPasswords }),
      clock: now,
      uptimeMs,
      log,
      emit(event) {
        if (event.event !== 'row-changed') events.push(event);
      },
    });
  let host = await start();
  let ownToken: string | undefined;

  const signIn = async (login: string = owner.login, password: string = owner.password): Promise<string> => {
    const answer = await fetch(`${host.baseUrl}/api/2.0/authentication.json`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ userName: login, password }),
    });
    const body = (await answer.json()) as { response?: { token: string } };
    if (answer.status !== 201 || body.response === undefined) throw new Error(`Sign-in: ${answer.status}`);
    return body.response.token;
  };

  const access = async (
    path: string,
    { mode = 'edit', apiToken }: Pick<DocumentOptions, 'mode' | 'apiToken'> = {},
  ): Promise<TestAccess> => {
    const token = apiToken ?? (ownToken ??= await signIn());
    const answer = await fetch(`${host.baseUrl}/api/2.0/files/access`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: token },
      body: JSON.stringify({ path, mode }),
    });
    const body = (await answer.json()) as { response?: TestAccess };
    if (answer.status !== 201 || body.response === undefined)
      throw new Error(`Access to ${path}: ${answer.status} ${JSON.stringify(body)}`);
    return body.response;
  };

  const addressOf = ({ fileId, token, contents = false }: WopiRequest): string =>
    `${host.baseUrl}/wopi/files/${fileId}${contents ? '/contents' : ''}?access_token=${token}`;

  const wopi = async (call: WopiRequest): Promise<WopiResponse> => {
    const { override, body } = call;
    const answer = await fetch(addressOf(call), {
      method: call.method ?? (override === undefined ? 'GET' : 'POST'),
      headers: { ...(override !== undefined && { 'X-WOPI-Override': override }), ...call.headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      redirect: 'manual',
    });
    const { status, headers } = answer;
    return { status, headers, body: Buffer.from(await answer.arrayBuffer()) };
  };

  /** Opens a document with a token of its own, as an editor does. */
  const open = async (path: string, { lockId = 'L', ...how }: DocumentOptions = {}) => {
    const { fileId, accessToken: token, hostEditUrl } = await access(path, how);
    const onDisk = join(folder, path);
    const own = { 'X-WOPI-Lock': lockId };
    const call = (override?: string, headers?: HeaderValues, body?: Buffer | string) =>
      wopi({ fileId, token, contents: override === 'PUT', override, headers: headers ?? {}, body });
    return {
      fileId,
      token,
      hostEditUrl,
      /** Where it was on disk when it was opened. */
      path: onDisk,
      /** A POST with this X-WOPI-Override, or a GET without one. It has no lock id of its own. */
      call,
      /** What CheckFileInfo returns. */
      info: async () => JSON.parse((await call()).body.toString()) as Record<string, unknown>,
      read: (headers: HeaderValues = {}) => wopi({ fileId, token, contents: true, headers }),
      lock: (headers?: HeaderValues) => call('LOCK', { ...own, ...headers }),
      refresh: (headers?: HeaderValues) => call('REFRESH_LOCK', { ...own, ...headers }),
      unlock: (headers?: HeaderValues) => call('UNLOCK', { ...own, ...headers }),
      save: (body: Buffer | string, headers?: HeaderValues) => call('PUT', { ...own, ...headers }, body),
      copy: (body: Buffer | string, headers: HeaderValues) => call('PUT_RELATIVE', headers, body),
      /** The id of the current lock, empty if there is none. */
      lockId: async () => (await call('GET_LOCK')).headers.get('X-WOPI-Lock'),
      content: () => readFile(onDisk, 'utf8'),

      /** Sends half of a body, `half, half`, and waits until the host receives it. Status 0: the connection was cut. */
      async beginSave(headers: HeaderValues = {}) {
        const contents = (headers['X-WOPI-Override'] ?? 'PUT') === 'PUT';
        const upload = request(addressOf({ fileId, token, contents }), {
          method: 'POST',
          headers: { ...own, 'X-WOPI-Override': 'PUT', 'Content-Length': 10, ...headers },
        });
        const answer = new Promise<{ status: number; text: string }>((resolve) => {
          upload.on('error', () => resolve({ status: 0, text: '' }));
          upload.on('response', (response) => {
            void text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }));
          });
        });
        const before = host.runningSaves();
        upload.write('half, ');
        while (host.runningSaves() === before) await pause(5);
        return { end: () => void upload.end('half'), destroy: () => void upload.destroy(), answer };
      },
    };
  };

  const stop = async (): Promise<void> => {
    await host.stop();
    await rm(place, { recursive: true, force: true });
  };
  t?.after(stop);
  return {
    get baseUrl() {
      return host.baseUrl;
    },
    get port() {
      return Number(new URL(host.baseUrl).port);
    },
    get host() {
      return host;
    },
    folder,
    dataDir,
    events,
    owner,
    clock: {
      now,
      /** Lets time pass. */
      advance: (ms: number): void => void (movedMs += ms),
      /** Changes the wall clock, as a user can. The uptime doesn't change. */
      set: (byMs: number): void => void (setByMs += byMs),
    },
    signIn,
    access,
    wopi,
    document: open,
    /** Sets where the next `reopen` and the next start listen; undefined: by the settings. */
    listenOn: (at: Address): void => void Object.assign(address, at),
    /** The document, read and locked. */
    async edit(path: string, how?: DocumentOptions) {
      const document = await open(path, how);
      assert.equal((await document.read()).status, 200);
      assert.equal((await document.lock()).status, 200);
      return document;
    },
    /** Stops and starts the host on the same folders and with the same clock. */
    async restart(): Promise<void> {
      await host.stop();
      host = await start();
    },
    stop,
  };
}
