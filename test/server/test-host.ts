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
  override?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

export interface WopiResponse {
  status: number;
  headers: Headers;
  body: Buffer;
}

type HeaderValues = Record<string, string>;

/** A document that an editor has opened with a token of its own. The calls name the lock id that it was opened with, `L` by default. */
export interface TestDocument {
  fileId: string;
  token: string;
  hostEditUrl: string;
  /** Where it was on disk when it was opened. */
  path: string;
  /** A POST with this X-WOPI-Override, or a GET without one. It has no lock id of its own. */
  call(override?: string, headers?: HeaderValues, body?: Buffer | string): Promise<WopiResponse>;
  /** What CheckFileInfo returns. */
  info(): Promise<Record<string, unknown>>;
  read(headers?: HeaderValues): Promise<WopiResponse>;
  lock(headers?: HeaderValues): Promise<WopiResponse>;
  refresh(headers?: HeaderValues): Promise<WopiResponse>;
  unlock(headers?: HeaderValues): Promise<WopiResponse>;
  save(body: Buffer | string, headers?: HeaderValues): Promise<WopiResponse>;
  copy(body: Buffer | string, headers: HeaderValues): Promise<WopiResponse>;
  /** The id of the current lock, empty if there is none. */
  lockId(): Promise<string | null>;
  content(): Promise<string>;
  /** Sends half of a body, `half, half`, and waits until the host receives it. Status 0: the connection was cut. */
  beginSave(headers?: HeaderValues): Promise<{
    end(): void;
    destroy(): void;
    answer: Promise<{ status: number; text: string }>;
  }>;
}

export interface DocumentOptions {
  mode?: 'edit' | 'view';
  apiToken?: string;
  lockId?: string;
}

export interface TestHost {
  readonly baseUrl: string;
  readonly port: number;
  readonly folder: string;
  readonly dataDir: string;
  readonly pagesFolder: string;
  readonly host: Host;
  readonly events: DomainEvent[];
  readonly clock: {
    now(): number;
    /** Lets time pass. */
    advance(ms: number): void;
    /** Changes the wall clock, as a user can. The uptime doesn't change. */
    set(byMs: number): void;
  };
  readonly owner: { login: 'owner'; password: string };
  /** Sets where the next `reopen` and the next start listen; undefined: by the settings. */
  listenOn(at: { host?: string | undefined; port?: number | undefined }): void;
  signIn(login?: string, password?: string): Promise<string>;
  access(path: string, options?: { mode?: 'edit' | 'view'; apiToken?: string }): Promise<TestAccess>;
  wopi(request: WopiRequest): Promise<WopiResponse>;
  document(path: string, options?: DocumentOptions): Promise<TestDocument>;
  /** The same, read and locked. */
  edit(path: string, options?: DocumentOptions): Promise<TestDocument>;
  /** Stops and starts the host on the same folders and with the same clock. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

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
): Promise<TestHost> {
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
  const address: { host?: string | undefined; port?: number | undefined } = {
    host: options.settings?.host ?? '127.0.0.1',
    port: 0,
  };
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

  const testHost: TestHost = {
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
    pagesFolder,
    events,
    owner,
    clock: {
      now,
      advance(ms) {
        movedMs += ms;
      },
      set(byMs) {
        setByMs += byMs;
      },
    },
    signIn,
    listenOn: (at) => void Object.assign(address, at),

    async access(path, { mode = 'edit', apiToken } = {}) {
      const token = apiToken ?? (ownToken ??= await signIn());
      const answer = await fetch(`${host.baseUrl}/api/2.0/files/access`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: token },
        body: JSON.stringify({ path, mode }),
      });
      const body = (await answer.json()) as { response?: TestAccess };
      if (answer.status !== 201 || body.response === undefined) {
        throw new Error(`Access to ${path}: ${answer.status} ${JSON.stringify(body)}`);
      }
      return body.response;
    },

    async wopi({ method, fileId, contents = false, token, override, headers = {}, body }) {
      const url = `${host.baseUrl}/wopi/files/${fileId}${contents ? '/contents' : ''}?access_token=${token}`;
      const answer = await fetch(url, {
        method: method ?? (override === undefined ? 'GET' : 'POST'),
        headers: { ...(override !== undefined && { 'X-WOPI-Override': override }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
        redirect: 'manual',
      });
      return {
        status: answer.status,
        headers: answer.headers,
        body: Buffer.from(await answer.arrayBuffer()),
      };
    },

    async document(path, { lockId = 'L', ...options } = {}) {
      const { fileId, accessToken: token, hostEditUrl } = await testHost.access(path, options);
      return documentOf(testHost, { fileId, token, hostEditUrl, path: join(folder, path), lockId });
    },

    async edit(path, options) {
      const document = await testHost.document(path, options);
      assert.equal((await document.read()).status, 200);
      assert.equal((await document.lock()).status, 200);
      return document;
    },

    async restart() {
      await host.stop();
      host = await start();
    },

    async stop() {
      await host.stop();
      await rm(place, { recursive: true, force: true });
    },
  };
  t?.after(testHost.stop);
  return testHost;
}

function documentOf(
  host: TestHost,
  about: Pick<TestDocument, 'fileId' | 'token' | 'hostEditUrl' | 'path'> & { lockId: string },
): TestDocument {
  const { fileId, token, path } = about;
  const lock = { 'X-WOPI-Lock': about.lockId };
  const call: TestDocument['call'] = (override, headers = {}, body) =>
    host.wopi({
      fileId,
      token,
      contents: override === 'PUT',
      headers,
      ...(override !== undefined && { override }),
      ...(body !== undefined && { body }),
    });
  return {
    ...about,
    call,
    info: async () => JSON.parse((await call()).body.toString()) as Record<string, unknown>,
    read: (headers = {}) => host.wopi({ fileId, token, contents: true, headers }),
    lock: (headers) => call('LOCK', { ...lock, ...headers }),
    refresh: (headers) => call('REFRESH_LOCK', { ...lock, ...headers }),
    unlock: (headers) => call('UNLOCK', { ...lock, ...headers }),
    save: (body, headers) => call('PUT', { ...lock, ...headers }, body),
    copy: (body, headers) => call('PUT_RELATIVE', headers, body),
    lockId: async () => (await call('GET_LOCK')).headers.get('X-WOPI-Lock'),
    content: () => readFile(path, 'utf8'),

    async beginSave(headers = {}) {
      const { 'X-WOPI-Override': override = 'PUT' } = headers;
      const upload = request(
        `${host.baseUrl}/wopi/files/${fileId}${override === 'PUT' ? '/contents' : ''}?access_token=${token}`,
        {
          method: 'POST',
          headers: { ...lock, 'X-WOPI-Override': override, 'Content-Length': 10, ...headers },
        },
      );
      const answer = new Promise<{ status: number; text: string }>((resolve) => {
        upload.on('error', () => resolve({ status: 0, text: '' }));
        upload.on('response', (response) => {
          void text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }));
        });
      });
      const before = host.host.runningSaves();
      upload.write('half, ');
      while (host.host.runningSaves() === before) await pause(5);
      return { end: () => void upload.end('half'), destroy: () => void upload.destroy(), answer };
    },
  };
}
