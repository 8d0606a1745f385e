// A complete host in the test's process, with real folders, a real database and real sockets. Only its clock is a fake.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

export interface TestHost {
  readonly baseUrl: string;
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

export async function startTestHost(options: TestHostOptions = {}): Promise<TestHost> {
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

  return {
    get baseUrl() {
      return host.baseUrl;
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

    async restart() {
      await host.stop();
      host = await start();
    },

    async stop() {
      await host.stop();
      await rm(place, { recursive: true, force: true });
    },
  };
}
