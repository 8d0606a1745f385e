// The folder of compiled code. What lies in it is run, so it is never the shared temporary folder, where another user of
// the machine could have laid something first.

import { mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Made where it is missing; undefined when there is no place that is this user's alone. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  try {
    // An account without a home folder has no such place.
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

/** Without creating it. */
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
