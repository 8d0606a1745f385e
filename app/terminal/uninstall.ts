// Removes what DocTray stores on a computer besides its program, and lists what stays. The hosted folder is never touched. In the data
// folder, only files with names that DocTray uses are deleted.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError, errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { diskRefusal } from '../files/disk-error.ts';
import { isWithin, realPathEvenIfMissing } from '../files/disjoint-folders.ts';
import { findProjectRoot, isFromSources } from '../project-root.ts';
import { readDataFolderRecord } from '../secrets/data-folder.ts';
import { openSecretStore } from '../secrets/secret-store.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { statements } from '../store/sql.ts';
import { autostartFile } from './autostart-file.ts';
import { cacheFolderPath } from './cache-folder.ts';
import { keychainNotice, type Terminal } from './terminal.ts';

export interface Uninstalled {
  /** `incomplete`: see `undeleted`. */
  dataFolder: { path: string; state: 'deleted' | 'incomplete' | 'kept' | 'missing' };
  undeleted: { path: string; reason: string }[];
  /** What isn't DocTray's in a deleted data folder. It stays, and so does the folder. */
  otherFiles: string[];
  /** DocTray's entries in the keychain. */
  secrets: 'none' | 'removed' | 'kept';
  /** Deleted with the data folder. */
  recoveredSaves: string[];
  /** Outside the data folder. */
  removed: string[];
  /** Caches with the data folder or a hosted folder in them. */
  keptCaches: string[];
  /** Document servers that DocTray started. They stay. */
  containers: { name: string; removeWith: string }[];
  /** The hosted folder, which stays. */
  folder: string | null;
  /** How to remove the program itself. */
  program: string;
}

export interface UninstallOptions {
  deleteData: boolean;
  deleteRecovered: boolean;
  /** The user named the data folder, which must exist then. */
  isChosen: boolean;
  /** Asks before anything is removed. @throws to cancel */
  confirm(question: string): Promise<void>;
}

/** @throws AppError uninstall-refused, data-folder-invalid, settings-invalid, database-newer, database-not-upgraded; what `confirm` throws */
export async function uninstall(
  dataFolder: string,
  { deleteData, deleteRecovered, isChosen, confirm }: UninstallOptions,
  terminal: Terminal,
): Promise<Uninstalled> {
  const path = await realPathEvenIfMissing(dataFolder);
  const isThere = existsSync(path);
  if (!isThere && isChosen) throw refused(t('terminal.there-is-no-data-folder-check', { path }));
  if (isThere && !existsSync(join(path, databaseName)))
    throw refused(t('terminal.isnt-a-data-folder-choose', { path }));
  // No host can start until it is closed.
  const store = isThere ? openIdleStore(path, terminal) : undefined;
  try {
    const hosted = store === undefined ? [] : await hostedFolders(path, store);
    const recoveredSaves = store === undefined || !deleteData ? [] : await listRecoveredSaves(path, store);
    if (recoveredSaves.length > 0 && !deleteRecovered)
      throw refused(
        t('terminal.recovered-saves-only-here', {
          count: recoveredSaves.length,
          paths: recoveredSaves.join(', '),
        }),
      );
    await confirm(
      deleteData
        ? t(
            recoveredSaves.length === 0
              ? 'terminal.permanently-delete'
              : 'terminal.permanently-delete-with-recovered',
            { dataDir: path },
          )
        : t('terminal.remove-what-is-outside', { dataDir: path }),
    );
    const secrets = isThere ? await keychainEntries(path, deleteData, terminal) : 'none';
    const about = {
      secrets,
      recoveredSaves,
      ...(await removeOutside(terminal, [path, ...hosted])),
      containers: await findContainers(terminal),
      folder: hosted[0] ?? null,
      program: programRemoval(terminal),
    };
    if (!isThere || !deleteData) {
      const state = isThere ? 'kept' : 'missing';
      return { ...about, dataFolder: { path, state }, undeleted: [], otherFiles: [] };
    }
    store?.close();
    const deleted = await deleteDataFolder(path);
    const state = deleted.undeleted.length === 0 ? 'deleted' : 'incomplete';
    return { ...about, ...deleted, dataFolder: { path, state } };
  } finally {
    if (store?.db.open === true) store.close();
  }
}

function refused(detail: string, cause?: unknown): AppError {
  return new AppError('uninstall-refused', { cause, detail });
}

/** @throws AppError uninstall-refused */
function openIdleStore(dataDir: string, { stderr }: Terminal): Store {
  try {
    const onNotice = (sentence: string): void => void stderr.write(`${sentence}\n`);
    return openStore({ dataDir, clock: () => Date.now(), onNotice });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'data-folder-busy') throw error;
    throw refused(t('terminal.quit-first-data-folder'), error);
  }
}

/** The one that is served, or was last, comes first. */
async function hostedFolders(dataDir: string, { db }: Store): Promise<string[]> {
  const { folder } = (await loadSettings({ dataDir })).current();
  const all = statements(db).values<[], string>('SELECT root FROM tenants ORDER BY id DESC')();
  return folder === null ? all : [folder, ...all];
}

/** Lists the files, so that one whose record was lost isn't missed. */
async function listRecoveredSaves(dataDir: string, { db }: Store): Promise<string[]> {
  const pathOf = statements(db).value<[id: string], string>('SELECT path FROM files WHERE id = ?');
  const names = await readdir(join(dataDir, 'rescued')).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names.map(
    (name) =>
      name
        .split('.')
        .map((id) => pathOf(id))
        .find(Boolean) ?? name,
  );
}

/** @throws AppError uninstall-refused if they can't be removed: without the data folder, nothing would know their names */
async function keychainEntries(
  dataDir: string,
  isRemoving: boolean,
  { stderr }: Terminal,
): Promise<Uninstalled['secrets']> {
  const record = await readDataFolderRecord(dataDir);
  if (record?.secretStore !== 'keychain' && record?.hasKeychainCopies !== true) return 'none';
  if (!isRemoving) return 'kept';
  try {
    const secrets = await openSecretStore({
      dataDir,
      warn: () => undefined,
      isAttended: stderr.isTTY,
      onKeychainWaiting: keychainNotice(stderr),
    });
    if (secrets.kind === 'keychain') await secrets.destroy();
    else if (!(await secrets.removeCopies())) throw new AppError('secret-store-unreachable');
    return 'removed';
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'secret-store-unreachable') throw error;
    throw refused(t('terminal.unlock-the-keychain', { dataDir }), error);
  }
}

const databaseName = 'doctray.db';
const recordName = 'data-folder.json';
const folderNames = ['versions', 'rescued', 'tls', 'window', 'compiled'];
/** Each may have others beside it, such as `doctray.db-wal` and `settings.json.1f2e.tmp`. */
const fileNames = [
  databaseName,
  recordName,
  'doctray.log',
  'settings.json',
  'secrets.json',
  'window.json',
  'editor-window.json',
  'control.sock',
  'control.path',
];

function isOurs(name: string): boolean {
  const isBeside = (own: string): boolean => name.startsWith(`${own}.`) || name.startsWith(`${own}-`);
  return folderNames.includes(name) || fileNames.some((own) => name === own || isBeside(own));
}

/**
 * The record first, because the keychain entries that it names were removed; the database last, and only without errors, so that the
 * deletion can be repeated.
 */
async function deleteDataFolder(dataDir: string): Promise<Pick<Uninstalled, 'undeleted' | 'otherFiles'>> {
  const undeleted: Uninstalled['undeleted'] = [];
  const names = await readdir(dataDir);
  const others = names.filter((name) => isOurs(name) && name !== recordName && name !== databaseName);
  for (const name of [recordName, ...others, databaseName]) {
    const path = join(dataDir, name);
    if (name === databaseName && undeleted.length > 0) break;
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
      undeleted.push({ path, reason: diskRefusal(error) });
    });
  }
  // It stays if it contains anything, or is a mount point.
  await rmdir(dataDir).catch(() => undefined);
  return { undeleted, otherFiles: names.filter((name) => !isOurs(name)) };
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

/** As in electron-builder.yml. */
const appId = 'org.doctray.DocTray';

/** Start at login and links, as the app registers them. build/installer.nsh removes the same, if this command failed. */
const registryValues: readonly (readonly string[])[] = [
  [String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`, '/v', 'DocTray'],
  [String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`, '/v', 'DocTray'],
  [String.raw`HKCU\Software\Classes\doctray`],
];

/** @param needed folders that stay, wherever they are */
async function removeOutside(
  { env, platform, installed }: Terminal,
  needed: readonly string[],
): Promise<Pick<Uninstalled, 'removed' | 'keptCaches'>> {
  const removed: string[] = [];
  const keptCaches: string[] = [];
  const compiled = cacheFolderPath(env, platform);
  const realNeeded = await Promise.all(needed.map(realPathEvenIfMissing));
  for (const path of outsidePaths(env, platform, homedir()).filter((one) => existsSync(one))) {
    const real = await realPathEvenIfMissing(path);
    if (realNeeded.some((one) => isWithin(real, one))) {
      keptCaches.push(path);
      continue;
    }
    await rm(path, { recursive: true, force: true });
    removed.push(path);
    // DocTray's own folder, if nothing else is in it.
    if (path === compiled) await rmdir(dirname(path)).catch(() => undefined);
  }
  for (const value of platform === 'win32' ? registryValues : []) {
    await promisify(execFile)('reg', ['delete', ...value, '/f']).then(
      () => removed.push(value.filter((part) => part !== '/v').join('\\')),
      () => undefined,
    );
  }
  installed?.unregister();
  return { removed, keptCaches };
}

/** How a user removes the program itself: with what installed it. */
export function programRemoval(
  { env, platform, installed }: Pick<Terminal, 'env' | 'platform' | 'installed'>,
  execPath = process.execPath,
): string {
  const { APPIMAGE = '', APPDIR = '', FLATPAK_ID = '' } = env;
  if (installed === undefined)
    return isFromSources()
      ? t('terminal.remove-the-folder', { folder: findProjectRoot() })
      : t('terminal.remove-with-command', { command: 'npm uninstall --global doctray' });
  if (platform === 'win32') return t('terminal.remove-on-windows');
  if (platform === 'darwin') return t('terminal.remove-on-macos');
  if (FLATPAK_ID !== '')
    return t('terminal.remove-with-command', { command: `flatpak uninstall ${FLATPAK_ID}` });
  // A program that was started inside another AppImage inherits its variables.
  if (APPIMAGE !== '' && APPDIR !== '' && isWithin(APPDIR, execPath))
    return t('terminal.remove-the-file', { file: APPIMAGE });
  return t('terminal.remove-the-package');
}

async function findContainers({ env, platform }: Terminal): Promise<Uninstalled['containers']> {
  const { findEngines } = await import('../containers/engines.ts');
  const { serversOf } = await import('../containers/server-list.ts');
  const { products } = await import('../containers/products.ts');
  const { ready } = await findEngines({ env, platform, uid: process.getuid?.() });
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
