// Start at login: login items on macOS and Windows, an entry in the autostart folder of the desktop on Linux. Whether it is on is
// read from the system each time, since a person can change it there too.

import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { LoginItemSettings, LoginItemSettingsOptions, Settings } from 'electron';
import { AppError } from '../contract/errors.ts';
import { diskRefused } from '../files/disk-error.ts';
import { writePrivateFile } from '../secrets/private-file.ts';
import { autostartEntry, execLine, readAutostartEntry } from './autostart-entry.ts';

export interface AutostartDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  app: {
    readonly isPackaged: boolean;
    getAppPath(): string;
    getLoginItemSettings(
      options?: LoginItemSettingsOptions,
    ): Pick<LoginItemSettings, 'openAtLogin' | 'executableWillLaunchAtLogin'>;
    setLoginItemSettings(settings: Settings): void;
  };
  execPath: string;
  homeDir: string;
  /** What the app is started with at login: `--hidden`, and `--data DIR` where that was given. */
  args: readonly string[];
}

export interface Autostart {
  /** Null where the system offers no such thing. */
  isOn(): boolean | null;
  /** @throws AppError disk-refused, not-found where the system offers no such thing */
  set(isOn: boolean): Promise<void>;
  /** Once after the start: an entry that is on leads to this program, also after it was moved or replaced. Never rejects. */
  repair(): Promise<void>;
}

export function createAutostart(deps: AutostartDeps): Autostart {
  const { platform } = deps;
  if (platform === 'linux') return createEntry(deps);
  // Started from its sources on macOS, the login item would be Electron itself.
  if (platform === 'win32' || (platform === 'darwin' && deps.app.isPackaged)) return createLoginItem(deps);
  return {
    isOn: () => null,
    set: () =>
      Promise.reject(new AppError('not-found', { detail: 'This system cannot start DocTray at login.' })),
    repair: () => Promise.resolve(),
  };
}

/** `--hidden`; on macOS a login item has no arguments, but Electron knows that it was one. */
export function startsHidden(deps: {
  platform: NodeJS.Platform;
  /** Given as an option. */
  isHidden: boolean;
  app: { getLoginItemSettings(): Pick<LoginItemSettings, 'wasOpenedAtLogin'> };
}): boolean {
  return deps.isHidden || (deps.platform === 'darwin' && deps.app.getLoginItemSettings().wasOpenedAtLogin);
}

/** The program and what it is started with. An AppImage is started by its own path: what runs is mounted elsewhere each time. */
function commandOf({ app, env, execPath, args }: AutostartDeps): [string, ...string[]] {
  if (!app.isPackaged) return [execPath, app.getAppPath(), ...args];
  const { APPIMAGE } = env;
  return [APPIMAGE !== undefined && isAbsolute(APPIMAGE) ? APPIMAGE : execPath, ...args];
}

function createEntry(deps: AutostartDeps): Autostart {
  const { env, homeDir, app } = deps;
  const { XDG_CONFIG_HOME: configHome } = env;
  const hasConfigHome = configHome !== undefined && isAbsolute(configHome);
  const folder = join(hasConfigHome ? configHome : join(homeDir, '.config'), 'autostart');
  const path = join(folder, 'doctray.desktop');

  function read(): { isOn: boolean; exec: string | undefined } {
    try {
      return readAutostartEntry(readFileSync(path, 'utf8'));
    } catch {
      return { isOn: false, exec: undefined };
    }
  }

  async function write(): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writePrivateFile(path, autostartEntry(commandOf(deps)));
  }

  return {
    isOn: () => read().isOn,
    async set(isOn) {
      try {
        await (isOn ? write() : rm(path, { force: true }));
      } catch (error) {
        throw diskRefused(error);
      }
    },
    async repair() {
      const { isOn, exec } = read();
      // What is started from its sources leaves the entry of the installed app alone.
      if (!app.isPackaged || !isOn || exec === execLine(commandOf(deps))) return;
      await write().catch(() => undefined);
    },
  };
}

function createLoginItem({ platform, app, execPath, args }: AutostartDeps): Autostart {
  const quoted = (app.isPackaged ? args : [app.getAppPath(), ...args]).map(windowsArgument);
  const which = platform === 'win32' ? { path: execPath, args: quoted } : {};
  return {
    isOn() {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(which);
      // Windows keeps an item that was switched off in its task manager.
      return openAtLogin && (platform !== 'win32' || executableWillLaunchAtLogin);
    },
    set: async (isOn) =>
      app.setLoginItemSettings({
        openAtLogin: isOn,
        ...which,
        ...(platform === 'win32' && { name: 'DocTray', enabled: isOn }),
      }),
    // An installer keeps the program where it is.
    repair: () => Promise.resolve(),
  };
}

/** As CommandLineToArgvW takes it apart. */
function windowsArgument(argument: string): string {
  if (/^[^\s"]+$/u.test(argument)) return argument;
  return `"${argument.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/\\+$/u, '$&$&')}"`;
}
