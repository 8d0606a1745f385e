// A host of the desktop app in the test's process, with real folders, database and sockets, a clock that the test can advance, and
// a fake desktop that records its calls.

import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';
import type { JobItem } from '../../../app/contract/state.ts';
import type { Host } from '../../../app/host/running-host.ts';
import { createLogger, type Logger } from '../../../app/log/logger.ts';
import type { Desktop } from '../../../app/commands/desktop.ts';
import { createHostKeeper } from '../../../app/host/host-keeper.ts';
import type { HostKeeper } from '../../../app/host/host-keeper.ts';
import { createWindowHost, type WindowHost } from '../../../app/live-state/window-host.ts';
import { cheapPasswords } from '../../server/test-host.ts';
import { startHost } from '../../../app/terminal/start-host.ts';

export interface FakeDesktop extends Desktop {
  copied: string[];
  opened: string[];
  helped: string[];
  /** The URLs and titles of the opened pages. */
  pages: [url: string, title: string][];
  quits: number;
  /** The questions so far, and the answer to the next ones. */
  asked: string[];
  confirms: boolean;
  nextFolder: string | undefined;
  nextSavePath: string | undefined;
  /** The arguments of the file dialogs. */
  startedIn: (string | null)[];
  suggested: string[];
}

export function fakeDesktop(): FakeDesktop {
  let startsAtLogin = false;
  const desktop: FakeDesktop = {
    copied: [],
    opened: [],
    helped: [],
    pages: [],
    quits: 0,
    asked: [],
    confirms: true,
    nextFolder: undefined,
    nextSavePath: undefined,
    startedIn: [],
    suggested: [],
    chooseFolder(startIn) {
      desktop.startedIn.push(startIn);
      return Promise.resolve(desktop.nextFolder);
    },
    isBrowser: false,
    async saveFile(suggestedName, _kind, text) {
      desktop.suggested.push(suggestedName);
      if (desktop.nextSavePath !== undefined) await writeFile(desktop.nextSavePath, text);
      return desktop.nextSavePath;
    },
    copySecret: (text) => void desktop.copied.push(text),
    async confirm({ message }) {
      desktop.asked.push(message);
      return desktop.confirms;
    },
    copyText: (text) => void desktop.copied.push(text),
    reveal: (absolute) => void desktop.opened.push(absolute),
    async openFolder(absolute) {
      desktop.opened.push(absolute);
    },
    async openDocumentPage(url, title) {
      desktop.pages.push([url, title]);
      return 'browser';
    },
    async openEngineHelp(page) {
      desktop.opened.push(`help:${page}`);
    },
    async openHelp(page) {
      desktop.helped.push(page);
    },
    startsAtLogin: () => startsAtLogin,
    async setStartsAtLogin(isOn) {
      startsAtLogin = isOn;
    },
    hasTray: () => true,
    update: () => null,
    checkForUpdates: () => undefined,
    restartToUpdate: () => undefined,
    hasCrashed: () => false,
    dismissCrash: () => undefined,
    quit() {
      desktop.quits += 1;
    },
    versions: { Node: process.versions.node },
    appVersion: '1.2.3',
  };
  return desktop;
}

/** Runs a command like the window, with the types of the command. */
export type Run = <Name extends CommandName>(
  name: Name,
  args: CommandArgs<Name>,
) => Promise<CommandResult<Name>>;

/** Opens a window, which the test must close. */
export function openWindow(deps: Parameters<typeof createWindowHost>[0]): { window: WindowHost; run: Run } {
  const window = createWindowHost(deps);
  return {
    window,
    run: (name, args) => window.run(name, args, 'app') as Promise<CommandResult<typeof name>>,
  };
}

interface Access {
  fileId: string;
  token: string;
  tokenId: string;
}

export interface WindowPlace {
  window: WindowHost;
  run: Run;
  keeper: HostKeeper;
  desktop: FakeDesktop;
  log: Logger;
  dataDir: string;
  folder: string;
  clock: () => number;
  advance(ms: number): void;
  /** The running host. */
  host(): Host;
  /** Issues an access token of the owner for the document, like `documents.open`. */
  access(path: string, mode?: 'edit' | 'view'): Promise<Access>;
  wopi(
    access: Pick<Access, 'fileId' | 'token'>,
    /** `GET` for the contents; without one, CheckFileInfo. */
    override?: string,
    headers?: Record<string, string>,
    body?: string,
  ): Promise<number>;
  /** Opens and locks a document, like an editor. */
  lock(path: string, lock?: string): Promise<Access>;
  /** Reads and locks a document, saves these contents one after the other, and unlocks it. */
  save(path: string, ...contents: string[]): Promise<void>;
  idOf(path: string): Promise<string>;
  /** The path on the disk of one in the hosted folder. */
  at(path: string): string;
  /** Writes files into the hosted folder, by their paths. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  read(path: string): Promise<string>;
  /** Everything in a folder of the hosted one, hidden files too. */
  names(path?: string): Promise<string[]>;
  /** Waits for the job to end. */
  ended(jobId: string): Promise<JobItem>;
  close(): Promise<void>;
}

export interface WindowPlaceOptions {
  files?: readonly string[];
  isStarted?: boolean;
  options?: Partial<Parameters<typeof createHostKeeper>[0]>;
}

export async function windowPlace({
  files = ['a.docx', 'b.docx', 'c.docx'],
  isStarted = true,
  options = {},
}: WindowPlaceOptions = {}): Promise<WindowPlace> {
  const root = await mkdtemp(join(tmpdir(), 'doctray-window-'));
  const folder = join(root, 'documents');
  const dataDir = join(root, 'data');
  await mkdir(folder);
  await mkdir(dataDir, { mode: 0o700 });
  // Without the text editor, only editors that a test connects are listed.
  await writeFile(join(dataDir, 'settings.json'), '{"textEditor": false}', { mode: 0o600 });
  const at = (path: string): string => join(folder, path);
  const write: WindowPlace['write'] = async (contents) => {
    for (const [path, content] of Object.entries(contents)) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), content);
    }
  };
  await write(Object.fromEntries(files.map((path) => [path, `content of ${path}`])));
  // The keychain has its own tests.
  delete process.env['DBUS_SESSION_BUS_ADDRESS'];
  const log = createLogger([]);
  let movedMs = 0;
  const clock = (): number => Date.now() + movedMs;
  const keeper = createHostKeeper({
    dataDir,
    folder,
    port: 0,
    clock,
    log,
    passwordCost: cheapPasswords,
    startHost,
    ...options,
  });
  const desktop = fakeDesktop();
  const { window, run } = openWindow({ keeper, desktop, clock, log });
  if (isStarted) await keeper.start();
  const host = (): Host => {
    const running = keeper.host();
    if (running === undefined) throw keeper.problem() ?? new Error('There is no host.');
    return running;
  };
  const place: WindowPlace = {
    window,
    run,
    keeper,
    desktop,
    log,
    dataDir,
    folder,
    clock,
    advance(ms) {
      movedMs += ms;
    },
    host,
    at,
    write,
    read: (path) => readFile(at(path), 'utf8'),
    names: async (path = '') => (await readdir(at(path))).toSorted(),
    idOf: async (path) => (await host().services.folders.require().folder.openPath(path)).id,
    async lock(path, lock = 'lock') {
      const access = await place.access(path);
      const status = await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': lock });
      if (status !== 200) throw new Error(`Lock of ${path}: ${status}`);
      return access;
    },
    async save(path, ...contents) {
      const access = await place.lock(path);
      const headers = { 'X-WOPI-Lock': 'lock' };
      await place.wopi(access, 'GET');
      for (const content of contents) await place.wopi(access, 'PUT', headers, content);
      await place.wopi(access, 'UNLOCK', headers);
    },
    async ended(jobId) {
      const find = () =>
        host()
          .services.jobs.items('window')
          .find(({ id }) => id === jobId)!;
      await until(() => find().state !== 'running');
      return find();
    },
    async access(path, mode = 'edit') {
      const { services, openDocument } = host();
      const user = services.users.list().find(({ role }) => role === 'owner')!;
      const { fileId, accessToken } = await openDocument({ user, path, mode });
      const tokenId = services.accessTokens.find(accessToken)!.id;
      return { fileId, token: accessToken, tokenId };
    },
    async wopi({ fileId, token }, override, headers = {}, body = 'typed') {
      const isGet = override === undefined || override === 'GET';
      const isOfContents = override === 'PUT' || override === 'GET';
      const path = `/wopi/files/${fileId}${isOfContents ? '/contents' : ''}?access_token=${token}`;
      const answer = await fetch(host().baseUrl + path, {
        method: isGet ? 'GET' : 'POST',
        ...(override === 'PUT' && { body }),
        headers: {
          'User-Agent': 'Editor/1',
          ...(!isGet && { 'X-WOPI-Override': override }),
          ...headers,
        },
      });
      await answer.arrayBuffer();
      return answer.status;
    },
    async close() {
      window.close();
      await keeper.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
  return place;
}

/** At least 10 s. A busy computer may stop this process for longer than any limit in seconds, so its turns count. */
const maxTries = 2000;

/** Polls until the check passes. Without a limit, it would keep the process running after its test has timed out. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`The check didn’t pass in ${maxTries} tries.`);
}
