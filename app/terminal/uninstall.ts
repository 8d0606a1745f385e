// Removes what DocTray stores on a computer besides its program. The hosted folder is never touched. In the data folder, only files
// with names that DocTray uses are deleted; other files stay.

import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { lstat, readdir, readlink, realpath, rm, rmdir } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AppError, errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { diskRefusal } from '../files/disk-error.ts';
import { assertDisjoint, isWithin, realPathEvenIfMissing } from '../files/disjoint-folders.ts';
import { readDataFolderRecord } from '../secrets/data-folder.ts';
import { openSecretStore } from '../secrets/secret-store.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { statements } from '../store/sql.ts';
import { autostartFile } from './autostart-file.ts';
import { cacheFolderPath } from './cache-folder.ts';
import { isDataFolder } from './data-folder.ts';
import { programRemoval } from './program-removal.ts';
import { keychainNotice, type Terminal } from './terminal.ts';

export interface Uninstalled {
  /** `emptied`: the empty folder can't be removed, such as a mount point. */
  dataFolder: { path: string; state: 'deleted' | 'emptied' | 'incomplete' | 'kept' | 'missing' };
  /** What couldn't be deleted. */
  undeleted: { path: string; reason: string }[];
  /** What isn't DocTray's in a deleted data folder. It stays, and so does the folder. */
  otherFiles: string[];
  /** Symbolic links in the data folder, and where they lead. Only the links are deleted. */
  links: { path: string; target: string }[];
  /** `unreachable`: the keychain still has them. */
  secrets: 'none' | 'removed' | 'moved-to-file' | 'unreachable';
  /** Deleted with the data folder. */
  recoveredSaves: string[];
  /** Outside the data folder. */
  removed: string[];
  /** Outside the data folder, but data or documents are in the same place. */
  kept: string[];
  /** Document servers that DocTray started. They stay. */
  containers: { name: string; removeWith: string }[];
  /** The hosted folder, which stays. */
  folder: string | null;
  /** How to remove the program itself. */
  program: string;
}

export interface Uninstall {
  /** The real path, if it exists. */
  dataDir: string;
  /** Only in the data folder: documents with a save that was neither restored nor discarded. */
  recoveredSaves: string[];
  isKeychainReachable: boolean;
  /** Can be called only once. */
  run(): Promise<Uninstalled>;
  /** Removes nothing. */
  cancel(): void;
}

const databaseName = 'doctray.db';
const recordName = 'data-folder.json';
/** Deleted last, so that an interrupted deletion can be repeated. */
const lastNames = [recordName, databaseName];
const folderNames = ['versions', 'rescued', 'tls', 'window', 'compiled'];
/** Each may have others beside it, such as `doctray.db-wal` and `settings.json.1f2e.tmp`. */
const fileNames = [
  ...lastNames,
  'doctray.log',
  'settings.json',
  'secrets.json',
  'window.json',
  'editor-window.json',
  'control.sock',
  'control.path',
  'running',
];

export interface UninstallOptions {
  deleteData: boolean;
  /** The user named the data folder, which must exist then. */
  isChosen: boolean;
}

/**
 * Checks everything and removes nothing. No host can start until `run` or `cancel` is called.
 * @throws AppError uninstall-refused, settings-invalid, database-newer, database-not-upgraded
 */
export async function prepareUninstall(
  dataFolder: string,
  { deleteData, isChosen }: UninstallOptions,
  terminal: Terminal,
): Promise<Uninstall> {
  // As with an empty HOME: the folder would depend on the current directory.
  if (!isAbsolute(dataFolder)) throw refused(t('terminal.choose-the-data-folder'));
  const dataDir = await realpath(dataFolder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw refused(t('terminal.cant-be-read', { path: dataFolder }), error);
  });
  if (dataDir === undefined) {
    if (isChosen) throw refused(t('terminal.there-is-no-data-folder-check', { path: dataFolder }));
    return {
      dataDir: dataFolder,
      recoveredSaves: [],
      isKeychainReachable: true,
      run: async () => ({
        ...(await removeOutside(terminal, dataFolder, [])),
        dataFolder: { path: dataFolder, state: 'missing' },
        undeleted: [],
        otherFiles: [],
        links: [],
        secrets: 'none',
        recoveredSaves: [],
        folder: null,
      }),
      cancel: () => undefined,
    };
  }
  const hasDatabase = await isFile(join(dataDir, databaseName));
  if (!(await isDataFolder(dataDir)) || (deleteData && !hasDatabase))
    throw refused(t('terminal.isnt-a-data-folder-choose', { path: dataDir }));
  if (isWindowOpen(dataDir)) throw refused(t('terminal.quit-first'));
  const store = hasDatabase ? openIdleStore(dataDir, terminal) : undefined;
  try {
    const { folder } = (await loadSettings({ dataDir })).current();
    const hosted = store === undefined ? [] : statements(store.db).values<[], string>(allRoots)();
    const allHosted = folder === null ? hosted : [folder, ...hosted];
    if (deleteData) await assertNoOverlap(dataDir, allHosted);
    const recoveredSaves = store === undefined ? [] : await listRecoveredSaves(dataDir, store);
    const keychain = await openKeychain(dataDir, terminal);
    return {
      dataDir,
      recoveredSaves: deleteData ? recoveredSaves : [],
      isKeychainReachable: keychain.isReachable,
      async run() {
        try {
          const outside = await removeOutside(terminal, dataDir, allHosted);
          const about = { ...outside, folder: folder ?? hosted.at(-1) ?? null };
          if (!deleteData) {
            const secrets = await keychain.moveToFile();
            const kept = { path: dataDir, state: 'kept' } as const;
            const nothing = { undeleted: [], otherFiles: [], links: [], recoveredSaves: [] };
            return { ...about, ...nothing, dataFolder: kept, secrets };
          }
          store?.close();
          const secrets = await keychain.removeAll();
          const { state, ...deleted } = await deleteDataFolder(dataDir, secrets);
          return { ...about, ...deleted, dataFolder: { path: dataDir, state }, secrets, recoveredSaves };
        } finally {
          closeStore(store);
        }
      },
      cancel: () => closeStore(store),
    };
  } catch (error) {
    closeStore(store);
    throw error;
  }
}

const allRoots = 'SELECT root FROM tenants ORDER BY id';

function refused(detail: string, cause?: unknown): AppError {
  return new AppError('uninstall-refused', { cause, detail });
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The absolute path that a symbolic link names; undefined if it isn't one. */
function linkTarget(path: string): Promise<string | undefined> {
  return readlink(path).then(
    (target) => resolve(dirname(path), target),
    () => undefined,
  );
}

function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

/** Chromium's lock of its profile: the window may be open although its host couldn't start. */
function isWindowOpen(dataDir: string): boolean {
  try {
    const lock = readlinkSync(join(dataDir, 'window', 'SingletonLock'));
    const [, host, pid = ''] = /^(.*)-(\d+)$/u.exec(lock) ?? [];
    if (host !== hostname()) return false;
    process.kill(Number(pid), 0);
    if (process.platform !== 'linux') return true;
    // The lock survives a power loss, and its process id may belong to another program since.
    return /^(?:doctray|electron)\b/iu.test(basename(readlinkSync(`/proc/${pid}/exe`)));
  } catch {
    return false;
  }
}

/** @throws AppError uninstall-refused */
function openIdleStore(dataDir: string, { stderr }: Terminal): Store {
  try {
    return openStore({
      dataDir,
      clock: () => Date.now(),
      onNotice: (sentence) => void stderr.write(`${sentence}\n`),
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'data-folder-busy') throw error;
    throw refused(t('terminal.quit-first-data-folder'), error);
  }
}

function closeStore(store: Store | undefined): void {
  if (store?.db.open === true) store.close();
}

/** @throws AppError uninstall-refused */
async function assertNoOverlap(dataDir: string, hosted: readonly string[]): Promise<void> {
  for (const folder of hosted) {
    // oxlint-disable-next-line no-await-in-loop
    await assertDisjoint(folder, dataDir).catch((error: unknown) => {
      throw refused(t('terminal.folders-contain-each-other', { dataDir, folder }), error);
    });
  }
}

/** Counts the files, so that one whose record was lost isn't missed. @throws AppError uninstall-refused */
async function listRecoveredSaves(dataDir: string, { db }: Store): Promise<string[]> {
  const pathOf = statements(db).value<[id: string], string>('SELECT path FROM files WHERE id = ?');
  const directory = join(dataDir, 'rescued');
  // Deleting a link deletes no save.
  if ((await linkTarget(directory)) !== undefined) return [];
  const names = await readdir(directory).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw refused(t('terminal.couldnt-list-recovered-saves', { dataDir }), error);
  });
  return names.map(
    (name) =>
      name
        .split('.')
        .map((id) => pathOf(id))
        .find(Boolean) ?? name,
  );
}

interface Keychain {
  isReachable: boolean;
  /** Moves the secrets to a file: without them, the data folder couldn't be used again. */
  moveToFile(): Promise<Uninstalled['secrets']>;
  removeAll(): Promise<Uninstalled['secrets']>;
}

async function openKeychain(dataDir: string, { stderr }: Terminal): Promise<Keychain> {
  const without = (secrets: Uninstalled['secrets']): Keychain => ({
    isReachable: secrets !== 'unreachable',
    moveToFile: () => Promise.resolve(secrets),
    removeAll: () => Promise.resolve(secrets),
  });
  const hasEntries = async (): Promise<boolean> => {
    const record = await readDataFolderRecord(dataDir).catch((error: unknown) => {
      throw refused(t('terminal.record-cant-be-read', { dataDir }), error);
    });
    return record?.secretStore === 'keychain' || record?.hasKeychainCopies === true;
  };
  if (!(await hasEntries())) return without('none');
  let hasCopies = false;
  try {
    const store = await openSecretStore({
      dataDir,
      warn: () => (hasCopies = true),
      isAttended: stderr.isTTY,
      onKeychainWaiting: keychainNotice(stderr),
    });
    if (store.kind === 'file') {
      const removeCopies: Keychain['removeAll'] = async () =>
        (await store.removeCopies()) ? 'removed' : 'unreachable';
      const isReachable = await store.canRemoveCopies();
      return { isReachable, moveToFile: removeCopies, removeAll: removeCopies };
    }
    return {
      isReachable: true,
      moveToFile: () =>
        orUnreachable(async () => {
          await store.move('file');
          return hasCopies ? 'unreachable' : 'moved-to-file';
        }),
      removeAll: () => orUnreachable(() => store.destroy().then(() => 'removed')),
    };
  } catch (error) {
    if (isUnreachable(error)) return without('unreachable');
    throw error;
  }
}

function orUnreachable(act: () => Promise<Uninstalled['secrets']>): Promise<Uninstalled['secrets']> {
  return act().catch((error: unknown) => {
    if (isUnreachable(error)) return 'unreachable';
    throw error;
  });
}

function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'secret-store-unreachable';
}

/** Deletes as much as possible. If something stays, so does the database, so that the deletion can be repeated. */
async function deleteDataFolder(
  dataDir: string,
  secrets: Uninstalled['secrets'],
): Promise<
  Pick<Uninstalled, 'undeleted' | 'otherFiles' | 'links'> & { state: Uninstalled['dataFolder']['state'] }
> {
  const undeleted: Uninstalled['undeleted'] = [];
  const links: Uninstalled['links'] = [];
  const remove = async (name: string): Promise<void> => {
    const path = join(dataDir, name);
    const target = await linkTarget(path);
    const left = await removeAll(path);
    undeleted.push(...left);
    if (target !== undefined && left.length === 0) links.push({ path, target });
  };
  // With the record, a repetition would look for keychain entries that were removed.
  if (secrets !== 'unreachable') await remove(recordName);
  const ours = (await readdir(dataDir)).filter((name) => isOurs(name) && !lastNames.includes(name));
  // oxlint-disable-next-line no-await-in-loop
  for (const name of ours) await remove(name);
  if (undeleted.length === 0) await remove(recordName);
  if (undeleted.length === 0) await remove(databaseName);
  const names = await readdir(dataDir);
  const otherFiles = names.filter((name) => !isOurs(name));
  if (undeleted.length > 0) return { state: 'incomplete', undeleted, otherFiles, links };
  const isRemoved =
    names.length > 0 ||
    (await rmdir(dataDir).then(
      () => true,
      () => false,
    ));
  return { state: isRemoved ? 'deleted' : 'emptied', undeleted, otherFiles, links };
}

/** One entry that can't be deleted must not keep the others. @returns those that are left */
async function removeAll(path: string, maxRetries = 3): Promise<Uninstalled['undeleted']> {
  try {
    // At every level, Node retries with everything below it, so its usual 100 ms add up to many seconds.
    await rm(path, { recursive: true, force: true, maxRetries, retryDelay: 10 });
    return [];
  } catch (error) {
    // Not through a link: what it names isn't DocTray's.
    const isFolder = await lstat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    const names = isFolder ? await readdir(path).catch(() => []) : [];
    const left: Uninstalled['undeleted'] = [];
    // oxlint-disable-next-line no-await-in-loop
    for (const name of names) left.push(...(await removeAll(join(path, name), 0)));
    if (left.length > 0) return left;
    const isGone =
      isFolder &&
      (await rmdir(path).then(
        () => true,
        () => false,
      ));
    return isGone ? [] : [{ path, reason: diskRefusal(error) }];
  }
}

function isOurs(name: string): boolean {
  return (
    folderNames.includes(name) ||
    fileNames.some((own) => name === own || name.startsWith(`${own}.`) || name.startsWith(`${own}-`))
  );
}

/** What DocTray, its updater and the system write outside the data folder. Each may be missing. Absolute. */
export function outsidePaths(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, homeDir: string): string[] {
  const compiled = cacheFolderPath(env, platform);
  const caches = dirname(dirname(compiled));
  const paths = [compiled, join(caches, 'doctray-updater')];
  if (platform === 'linux') paths.unshift(autostartFile(env, homeDir));
  if (platform === 'darwin') {
    const library = (...path: string[]): string => join(homeDir, 'Library', ...path);
    paths.push(
      join(caches, appId),
      join(caches, `${appId}.ShipIt`),
      library('HTTPStorages', appId),
      library('Preferences', `${appId}.plist`),
      library('Saved Application State', `${appId}.savedState`),
    );
  }
  // An account without a home folder has none of them.
  return paths.filter((path) => isAbsolute(path));
}

/** Neither the data folder nor documents are in it, and it isn't in them. */
async function isSafeToRemove(path: string, dataDir: string, hosted: readonly string[]): Promise<boolean> {
  // Of a link, only the link is removed.
  const real = join(await realPathEvenIfMissing(dirname(path)), basename(path));
  const data = await realPathEvenIfMissing(dataDir);
  // As on Windows, where the cache is in the data folder.
  const isInData = isWithin(data, real) && !(dirname(real) === data && isOurs(basename(real)));
  if (isInData || isWithin(real, data)) return false;
  const folders = await Promise.all(hosted.map((folder) => realPathEvenIfMissing(folder)));
  return folders.every((folder) => !isWithin(folder, real) && !isWithin(real, folder));
}

/** As in electron-builder.yml. */
const appId = 'org.doctray.DocTray';

/** Start at login and links, as the app registers them. build/installer.nsh removes the same, if this command failed. */
const registryValues: readonly (readonly string[])[] = [
  [String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`, '/v', 'DocTray'],
  [String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`, '/v', 'DocTray'],
  [String.raw`HKCU\Software\Classes\doctray`],
];

async function removeOutside(
  terminal: Terminal,
  dataDir: string,
  hosted: readonly string[],
): Promise<Pick<Uninstalled, 'removed' | 'kept' | 'containers' | 'program'>> {
  const { env, platform } = terminal;
  const removed: string[] = [];
  const kept: string[] = [];
  const compiled = cacheFolderPath(env, platform);
  /* oxlint-disable no-await-in-loop */
  for (const path of outsidePaths(env, platform, homedir())) {
    if (!(await exists(path))) continue;
    if (await isSafeToRemove(path, dataDir, hosted)) {
      await rm(path, { recursive: true, force: true });
      removed.push(path);
      // DocTray's own folder, if nothing else is in it.
      if (path === compiled) await rmdir(dirname(path)).catch(() => undefined);
    } else kept.push(path);
  }
  /* oxlint-enable no-await-in-loop */
  if (platform === 'win32') {
    for (const value of registryValues) {
      // oxlint-disable-next-line no-await-in-loop
      const isRemoved = await runs('reg', 'delete', ...value, '/f');
      if (isRemoved) removed.push(value.filter((part) => part !== '/v').join('\\'));
    }
  }
  terminal.installed?.unregister();
  return {
    removed,
    kept,
    containers: await findContainers(terminal),
    program: await programRemoval(terminal, runs),
  };
}

/** Whether it exits with 0. */
export function runs(program: string, ...args: string[]): Promise<boolean> {
  // On Debian, `rpm` creates a database in the home folder.
  const env = { ...process.env, HOME: '/dev/null' };
  return promisify(execFile)(program, args, { timeout: 10_000, env }).then(
    () => true,
    () => false,
  );
}

async function findContainers({ env, platform }: Terminal): Promise<Uninstalled['containers']> {
  const { createEngines } = await import('../containers/engines.ts');
  const { serversOf } = await import('../containers/server-list.ts');
  const { products } = await import('../containers/products.ts');
  const { ready } = await createEngines({ env, platform, uid: process.getuid?.() }).findUsed();
  const found = await serversOf(ready);
  return found
    .filter(({ isOwn }) => isOwn)
    .map(({ engine, container, product }) => {
      const { volume } = products[product];
      const remove = `${engine} rm --force ${container}`;
      return {
        name: container,
        removeWith: volume === null ? remove : `${remove} && ${engine} volume rm ${volume.name}`,
      };
    });
}
