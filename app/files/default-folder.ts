// The folder that is served if the user hasn't chosen one: `DocTray` in the user's documents, created with samples on the first
// start. An existing folder of that name is used as it is.

import { mkdir, open, readFile, rmdir, stat, unlink } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { AppError, errorCode } from '../contract/errors.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import type { Sample } from '../templates/templates.ts';
import { assertDisjoint } from './disjoint-folders.ts';
import { diskRefusal } from './disk-error.ts';

export interface DefaultFolderDeps {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  homeDir: string;
  /** The data folder: the default folder may not contain it or be inside it. */
  dataDir: string;
  /** The user's Documents folder, if the system reports it. */
  documentsDir?: string;
}

const folderName = 'DocTray';

/**
 * Creates it with the samples if it doesn't exist. Never changes an existing folder.
 * @returns its absolute path @throws AppError default-folder-failed, folder-invalid
 */
export async function prepareDefaultFolder(deps: DefaultFolderDeps): Promise<string> {
  const folder = join(await parentFolder(deps), folderName);
  await assertDisjoint(folder, deps.dataDir);
  try {
    if (await createFolder(folder)) await writeSamples(folder);
    return folder;
  } catch (error) {
    throw error instanceof AppError ? error : failed(folder, reasonOf(error), error);
  }
}

/** Where `prepareDefaultFolder` creates it, without creating it. */
export async function findDefaultFolder(deps: DefaultFolderDeps): Promise<{ path: string; exists: boolean }> {
  const path = join(await parentFolder(deps), folderName);
  return { path, exists: await isFolder(path) };
}

/** The Documents folder; the home folder if there is none. */
async function parentFolder(deps: DefaultFolderDeps): Promise<string> {
  const { homeDir, platform } = deps;
  const isXdg = platform !== 'darwin' && platform !== 'win32';
  const documents = deps.documentsDir ?? (isXdg ? await xdgDocuments(deps) : undefined);
  for (const path of [documents, join(homeDir, 'Documents')]) {
    if (path !== undefined && (await isFolder(path))) return path;
  }
  return homeDir;
}

/** @see https://www.freedesktop.org/wiki/Software/xdg-user-dirs/ */
async function xdgDocuments({ env, homeDir }: DefaultFolderDeps): Promise<string | undefined> {
  const { XDG_DOCUMENTS_DIR = '', XDG_CONFIG_HOME = '' } = env;
  if (isAbsolute(XDG_DOCUMENTS_DIR)) return XDG_DOCUMENTS_DIR;
  const configDir = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homeDir, '.config');
  const text = await readFile(join(configDir, 'user-dirs.dirs'), 'utf8').catch(() => '');
  return documentsIn(text, homeDir);
}

/**
 * Parses `user-dirs.dirs`. Shells read it: the last line counts, values are quoted and absolute or begin with `$HOME/`. A folder
 * that is switched off is set to the home folder itself; then the default folder is in there.
 */
export function documentsIn(userDirs: string, homeDir: string): string | undefined {
  const lines = userDirs.matchAll(/^[ \t]*XDG_DOCUMENTS_DIR[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"/gm);
  const value = [...lines].at(-1)?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (value === undefined) return undefined;
  if (value === '$HOME' || value.startsWith('$HOME/')) return join(homeDir, value.slice('$HOME'.length));
  return isAbsolute(value) ? value : undefined;
}

/** @returns false if it exists @throws the system's error */
async function createFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    if (await isFolder(folder)) return false;
    throw failed(folder, t('host.a-file-has-this-name'), error);
  }
}

async function writeSamples(folder: string): Promise<void> {
  const created: string[] = [];
  try {
    for (const { name, bytes } of await localSamples()) {
      const file = await open(join(folder, name), 'wx');
      created.push(join(folder, name));
      await file.writeFile(bytes).finally(() => file.close());
    }
  } catch (error) {
    // The next start tries again. The folder stays if others have put something in it.
    await Promise.all(created.map((path) => unlink(path).catch(() => undefined)));
    await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

/** Imported only when needed: once in the life of a folder. */
async function localSamples(): Promise<Sample[]> {
  const [{ samples }, { localPaper }] = await Promise.all([
    import('../templates/templates.ts'),
    import('../templates/paper.ts'),
  ]);
  return samples(localPaper());
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

const reasons: Record<string, MessageKey> = {
  EACCES: 'host.permission-denied',
  EPERM: 'host.permission-denied',
  ENOENT: 'host.home-folder-missing',
  ENOTDIR: 'host.home-isnt-a-folder',
};

function reasonOf(error: unknown): string {
  const reason = reasons[errorCode(error)];
  return reason === undefined ? diskRefusal(error) : t(reason);
}

function failed(folder: string, why: string, cause: unknown): AppError {
  return new AppError('default-folder-failed', { cause, detail: `${folder}: ${why}` });
}
