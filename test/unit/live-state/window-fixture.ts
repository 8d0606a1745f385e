// A host of the desktop app in the test's process, with real folders, database and sockets, a clock that the test can advance, and
// a fake desktop that records its calls.

import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';
import type { JobItem } from '../../../app/contract/state.ts';
import { createLogger } from '../../../app/log/logger.ts';
import type { Desktop } from '../../../app/commands/desktop.ts';
import { createHostKeeper, requireHost } from '../../../app/host/host-keeper.ts';
import { createWindowHost, type WindowHost } from '../../../app/live-state/window-host.ts';
import { cheapPasswords } from '../../server/test-host.ts';
import { startHost } from '../../../app/terminal/start-host.ts';

export type FakeDesktop = ReturnType<typeof fakeDesktop>;

/** Records its calls, and answers as its fields say. */
export function fakeDesktop() {
  const nothing = (): undefined => undefined;
  const fake = {
    copied: [] as string[],
    /** What was shown in the file manager. */
    opened: [] as string[],
    /** The questions so far, and the answer to the next ones. */
    asked: [] as string[],
    confirms: true,
    nextFolder: undefined as string | undefined,
    nextSavePath: undefined as string | undefined,
  };
  let startsAtLogin = false;
  const desktop: Desktop = {
    isBrowser: false,
    chooseFolder: async () => fake.nextFolder,
    async saveFile(_suggestedName, _kind, text) {
      if (fake.nextSavePath !== undefined) await writeFile(fake.nextSavePath, text);
      return fake.nextSavePath;
    },
    async confirm({ message }) {
      fake.asked.push(message);
      return fake.confirms;
    },
    copyText: nothing,
    copySecret: (text) => void fake.copied.push(text),
    reveal: (absolute) => void fake.opened.push(absolute),
    openFolder: async (absolute) => void fake.opened.push(absolute),
    openDocumentPage: async () => 'browser',
    openEngineHelp: async () => undefined,
    openHelp: async () => undefined,
    startsAtLogin: () => startsAtLogin,
    setStartsAtLogin: async (isOn) => void (startsAtLogin = isOn),
    hasTray: () => true,
    update: () => null,
    checkForUpdates: nothing,
    restartToUpdate: nothing,
    hasCrashed: () => false,
    dismissCrash: nothing,
    quit: nothing,
    versions: { Node: process.versions.node },
    appVersion: '1.2.3',
  };
  return Object.assign(fake, desktop);
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

export type WindowPlace = Awaited<ReturnType<typeof windowPlace>>;

export async function windowPlace({
  files = ['a.docx', 'b.docx', 'c.docx'],
  isStarted = true,
  options = {},
}: {
  files?: readonly string[];
  isStarted?: boolean;
  options?: Partial<Parameters<typeof createHostKeeper>[0]>;
} = {}) {
  const root = await mkdtemp(join(tmpdir(), 'doctray-window-'));
  const folder = join(root, 'documents');
  const dataDir = join(root, 'data');
  await mkdir(folder);
  await mkdir(dataDir, { mode: 0o700 });
  // Without the text editor, only editors that a test connects are listed.
  await writeFile(join(dataDir, 'settings.json'), '{"textEditor": false}', { mode: 0o600 });
  /** The path on the disk of one in the hosted folder. */
  const at = (path: string): string => join(folder, path);
  /** Writes files into the hosted folder, by their paths. */
  const write = async (contents: Readonly<Record<string, string>>): Promise<void> => {
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
  const usual = { dataDir, folder, port: 0, clock, log, passwordCost: cheapPasswords, startHost };
  const keeper = createHostKeeper({ ...usual, ...options });
  const desktop = fakeDesktop();
  const { window, run } = openWindow({ keeper, desktop, clock, log });
  if (isStarted) await keeper.start();
  const host = () => requireHost(keeper);

  /** Issues an access token of the owner for the document, like `documents.open`. */
  const access = async (path: string, mode: 'edit' | 'view' = 'edit'): Promise<Access> => {
    const { services, openDocument } = host();
    const user = services.users.byId(services.users.ownerId())!;
    const { fileId, accessToken: token } = await openDocument({ user, path, mode });
    return { fileId, token, tokenId: services.accessTokens.find(token)!.id };
  };

  /**
   * @param override `GET` for the contents; without one, CheckFileInfo
   * @returns the status
   */
  const wopi = async (
    { fileId, token }: Pick<Access, 'fileId' | 'token'>,
    override?: string,
    headers: Record<string, string> = {},
    body = 'typed',
  ): Promise<number> => {
    const isGet = override === undefined || override === 'GET';
    const isOfContents = override === 'PUT' || override === 'GET';
    const path = `/wopi/files/${fileId}${isOfContents ? '/contents' : ''}?access_token=${token}`;
    const answer = await fetch(host().baseUrl + path, {
      method: isGet ? 'GET' : 'POST',
      ...(override === 'PUT' && { body }),
      headers: { 'User-Agent': 'Editor/1', ...(!isGet && { 'X-WOPI-Override': override }), ...headers },
    });
    await answer.arrayBuffer();
    return answer.status;
  };

  /** Opens and locks a document, like an editor. */
  const lock = async (path: string, id = 'lock'): Promise<Access> => {
    const opened = await access(path);
    const status = await wopi(opened, 'LOCK', { 'X-WOPI-Lock': id });
    if (status !== 200) throw new Error(`Lock of ${path}: ${status}`);
    return opened;
  };

  return {
    window,
    run,
    keeper,
    desktop,
    log,
    dataDir,
    folder,
    clock,
    host,
    at,
    write,
    access,
    wopi,
    lock,
    advance: (ms: number): void => void (movedMs += ms),
    read: (path: string) => readFile(at(path), 'utf8'),
    /** Everything in a folder of the hosted one, hidden files too. */
    names: async (path = '') => (await readdir(at(path))).toSorted(),
    idOf: async (path: string) => (await host().services.folders.require().folder.openPath(path)).id,
    /** Reads and locks a document, saves these contents one after the other, and unlocks it. */
    async save(path: string, ...contents: string[]): Promise<void> {
      const opened = await lock(path);
      const headers = { 'X-WOPI-Lock': 'lock' };
      await wopi(opened, 'GET');
      for (const content of contents) await wopi(opened, 'PUT', headers, content);
      await wopi(opened, 'UNLOCK', headers);
    },
    /** Waits for the job to end. */
    async ended(jobId: string): Promise<JobItem> {
      const find = () =>
        host()
          .services.jobs.items('window')
          .find(({ id }) => id === jobId)!;
      await until(() => find().state !== 'running');
      return find();
    },
    async close(): Promise<void> {
      window.close();
      await keeper.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
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
