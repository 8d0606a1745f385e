// `app.getPath` as on Linux: the XDG folders, unless setPath overrides them.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

export interface Paths {
  get(name: string): string;
  set(name: string, path: string): void;
}

const userDirs: Record<string, [key: string, fallback: string]> = {
  desktop: ['XDG_DESKTOP_DIR', 'Desktop'],
  documents: ['XDG_DOCUMENTS_DIR', 'Documents'],
  downloads: ['XDG_DOWNLOAD_DIR', 'Downloads'],
  music: ['XDG_MUSIC_DIR', 'Music'],
  pictures: ['XDG_PICTURES_DIR', 'Pictures'],
  videos: ['XDG_VIDEOS_DIR', 'Videos'],
};

export function createPaths(deps: {
  appName: () => string;
  exePath: string;
  appPath: () => string;
  userDataArgument: string | undefined;
}): Paths {
  const set = new Map<string, string>();
  if (deps.userDataArgument !== undefined) set.set('userData', deps.userDataArgument);
  const home = (): string => process.env['HOME'] ?? homedir();
  const config = (): string => process.env['XDG_CONFIG_HOME'] || join(home(), '.config');

  function userDir([key, fallback]: [string, string]): string {
    const file = join(config(), 'user-dirs.dirs');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const line = new RegExp(`^${key}="(.*)"$`, 'm').exec(text)?.[1];
    return line === undefined ? join(home(), fallback) : line.replace('$HOME', home());
  }

  function get(name: string): string {
    const own = set.get(name);
    if (own !== undefined) return own;
    const dir = userDirs[name];
    if (dir) return userDir(dir);
    switch (name) {
      case 'home':
        return home();
      case 'appData':
        return config();
      case 'userData':
        return join(get('appData'), deps.appName());
      case 'sessionData':
        return get('userData');
      case 'logs':
        return join(get('userData'), 'logs');
      case 'crashDumps':
        return join(get('userData'), 'Crashpad');
      case 'temp':
        return tmpdir();
      case 'exe':
      case 'module':
        return deps.exePath;
      case 'assets':
        return dirname(deps.exePath);
      default:
        throw new Error(`Failed to get '${name}' path`);
    }
  }

  return {
    get(name) {
      const path = get(name);
      if (name === 'userData' || name === 'logs') mkdirSync(path, { recursive: true });
      return path;
    },
    set(name, path) {
      if (!isAbsolute(path)) throw new Error(`Path must be absolute`);
      get(name);
      set.set(name, path);
    },
  };
}
