// The folder that holds the database, the settings and the document versions. It may hold secrets, so only this user can
// access it. A folder with other files in it isn't used: restricting its permissions could break other programs.

import { chmod, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { AppError, errorCode } from '../contract/errors.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import { createFolders } from '../files/create-folders.ts';
import { diskRefusal } from '../files/disk-error.ts';

export interface DataFolderChoice {
  /** The value of --data. */
  data: string | undefined;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  cwd: string;
}

/**
 * --data, DOCTRAY_DATA, or the operating system's folder for application data, in this order. Absolute.
 * @throws AppError data-folder-invalid
 */
export function dataFolderOf({ data, env, platform, cwd }: DataFolderChoice): string {
  const { DOCTRAY_DATA, XDG_DATA_HOME, LOCALAPPDATA } = env;
  const chosen = data ?? DOCTRAY_DATA;
  if (chosen !== undefined && chosen !== '') return resolve(cwd, chosen);
  // Local, not roaming, app data: versions can take up gigabytes.
  if (platform === 'win32') return join(LOCALAPPDATA ?? join(homeFolder(), 'AppData', 'Local'), 'DocTray');
  if (platform === 'darwin') return join(homeFolder(), 'Library', 'Application Support', 'DocTray');
  const hasHome = XDG_DATA_HOME !== undefined && isAbsolute(XDG_DATA_HOME);
  return join(hasHome ? XDG_DATA_HOME : join(homeFolder(), '.local', 'share'), 'doctray');
}

/** What chose the data folder; undefined for the standard one. */
export function dataFolderOption({
  data,
  env,
}: Pick<DataFolderChoice, 'data' | 'env'>): '--data' | 'DOCTRAY_DATA' | undefined {
  if (data !== undefined) return '--data';
  return env['DOCTRAY_DATA'] ? 'DOCTRAY_DATA' : undefined;
}

/** Throws in a container that runs under a user id without an account. */
function homeFolder(): string {
  try {
    return homedir();
  } catch (error) {
    throw new AppError('data-folder-invalid', {
      cause: error,
      detail: () => t('terminal.this-account-has-no-home-folder'),
    });
  }
}

/** Creates the folder with access for this user only. @returns its real path @throws AppError data-folder-invalid */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  try {
    await createFolders(dataDir, 0o700);
    const path = await realpath(dataDir);
    if (process.platform === 'win32') return path;
    const { mode, uid } = await stat(path);
    const user = process.getuid?.();
    if (uid !== user && user !== 0) throw unusable(dataDir, t('terminal.it-belongs-to-another-user'));
    if ((mode & 0o077) === 0) return path;
    const names = await readdir(path);
    if (names.length > 0 && !names.some((name) => ownNames.includes(name))) {
      throw unusable(dataDir, t('terminal.other-users-can-open-it'));
    }
    await chmod(path, 0o700);
    return path;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const target = errorCode(error) === 'EEXIST' ? await readlink(dataDir).catch(() => undefined) : undefined;
    const why = target === undefined ? reasonOf(error) : t('terminal.its-a-link-to-nowhere', { target });
    throw unusable(dataDir, `${why} ${t('terminal.choose-another-data-folder')}`, error);
  }
}

const ownNames = ['doctray.db', 'data-folder.json', 'settings.json'];

/** True if a host has used the folder before. Keeps commands from creating a data folder for a mistyped --data. */
export async function isDataFolder(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => []);
  return names.some((name) => ownNames.includes(name));
}

const reasons: Record<string, MessageKey> = {
  EEXIST: 'terminal.it-isnt-a-folder',
  ENOTDIR: 'terminal.it-isnt-a-folder',
  EACCES: 'host.permission-denied',
  EPERM: 'host.permission-denied',
};

function reasonOf(error: unknown): string {
  const reason = reasons[errorCode(error)];
  return reason === undefined ? diskRefusal(error) : t(reason);
}

function unusable(dataDir: string, why: string, cause?: unknown): AppError {
  return new AppError('data-folder-invalid', { cause, detail: `${dataDir}: ${why}` });
}
