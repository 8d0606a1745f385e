// The folder of Node's compile cache. Code from it is executed, so it is never in the shared temporary folder, where another
// user could have created it first.

import { mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Creates the folder if needed. Undefined if no folder exists that only this user can write to. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  try {
    // The path is relative for an account without a home folder.
    const folder = cacheFolderPath(env, platform);
    if (!isAbsolute(folder)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (platform === 'win32') return folder;
    const { uid, mode } = statSync(folder);
    return uid === process.getuid?.() && (mode & 0o022) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Doesn't create the folder. */
export function cacheFolderPath(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  return join(cacheRoot(env, platform), platform === 'linux' ? 'doctray' : 'DocTray', 'compiled');
}

function cacheRoot(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = env;
  if (platform === 'win32') return LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)
    ? XDG_CACHE_HOME
    : join(homedir(), '.cache');
}
