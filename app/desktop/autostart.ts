// Start at login: a login item on macOS and Windows, a desktop entry in the autostart folder on Linux. Whether it is on is read
// from the system each time, since users can change it there too.

import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { App, LoginItemSettings, LoginItemSettingsOptions } from 'electron';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { diskRefused } from '../files/disk-error.ts';
import { writePrivateFile } from '../secrets/private-file.ts';
import { autostartFile } from '../terminal/autostart-file.ts';
import { appImageOf } from './launch.ts';

export interface AutostartDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  app: Pick<App, 'isPackaged' | 'getAppPath' | 'setLoginItemSettings'> & {
    getLoginItemSettings(
      options?: LoginItemSettingsOptions,
    ): Pick<LoginItemSettings, 'openAtLogin' | 'executableWillLaunchAtLogin' | 'status'>;
  };
  execPath: string;
  homeDir: string;
  /** Arguments at login: `--hidden`, and `--data DIR` and `--disable-gpu` if they were given. */
  args: readonly string[];
}

export interface Autostart {
  /** Null where the system doesn't support it. */
  isOn(): boolean | null;
  /** @throws AppError disk-refused, login-item-refused, or not-found where the system doesn't support it */
  set(isOn: boolean): Promise<void>;
  /** Once after the start: makes the entry start this program, even if it was moved or replaced. Never rejects. */
  repair(): Promise<void>;
}

export function createAutostart(deps: AutostartDeps): Autostart {
  const { platform, env } = deps;
  // A Flatpak has its own config folder, which no desktop reads.
  const isFlatpak = (env['FLATPAK_ID'] ?? '') !== '';
  if (platform === 'linux' && !isFlatpak) return createEntry(deps);
  // When DocTray runs from its sources on macOS, the login item would be Electron itself.
  if (platform === 'win32' || (platform === 'darwin' && deps.app.isPackaged)) return createLoginItem(deps);
  const refusal = isFlatpak ? 'desktop.flatpak-cant-start-at-login' : 'desktop.cant-start-at-login';
  return {
    isOn: () => null,
    set: () => Promise.reject(new AppError('not-found', { detail: () => t(refusal) })),
    repair: () => Promise.resolve(),
  };
}

/** Program and arguments. */
function commandOf({ app, env, execPath, args }: AutostartDeps): [string, ...string[]] {
  if (!app.isPackaged) return [execPath, app.getAppPath(), ...args];
  return [appImageOf(env, execPath) ?? execPath, ...args];
}

function createEntry(deps: AutostartDeps): Autostart {
  const path = autostartFile(deps.env, deps.homeDir);
  const command = commandOf(deps);

  function read(): string {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  }

  async function set(isOn: boolean): Promise<void> {
    try {
      if (!isOn) return await rm(path, { force: true });
      await mkdir(dirname(path), { recursive: true });
      await writePrivateFile(path, autostartEntry(command));
    } catch (error) {
      throw diskRefused(error);
    }
  }

  return {
    isOn: () => isEntryOn(read()),
    set,
    async repair() {
      const found = read();
      // DocTray running from its sources doesn't touch the installed app's entry.
      const isOwn = found.includes(`\nExec=${execLine(command)}\n`);
      if (deps.app.isPackaged && isEntryOn(found) && !isOwn) await set(true).catch(() => undefined);
    },
  };
}

/** The user or the desktop's own settings may have switched it off. */
function isEntryOn(text: string): boolean {
  const [entry = ''] = text.split(/^\[(?!Desktop Entry\])/mu, 1);
  const isOff = /^(?:Hidden *= *true|X-GNOME-Autostart-enabled *= *false)\b/imu.test(entry);
  return /^Exec *= *\S/mu.test(entry) && !isOff;
}

function createLoginItem({ platform, app, execPath, args }: AutostartDeps): Autostart {
  const quoted = (app.isPackaged ? args : [app.getAppPath(), ...args]).map(windowsArgument);
  const which = platform === 'win32' ? { path: execPath, args: quoted } : {};
  return {
    isOn() {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(which);
      // Windows keeps an item that was disabled in the Task Manager.
      return openAtLogin && (platform !== 'win32' || executableWillLaunchAtLogin);
    },
    async set(isOn) {
      app.setLoginItemSettings({
        openAtLogin: isOn,
        ...which,
        ...(platform === 'win32' && { name: 'DocTray', enabled: isOn }),
      });
      // The user switched it off in macOS's own settings, which no app can undo.
      if (platform === 'darwin' && isOn && app.getLoginItemSettings().status === 'requires-approval') {
        throw new AppError('login-item-refused');
      }
    },
    // An installer keeps the program where it is.
    repair: () => Promise.resolve(),
  };
}

/** Quoted for CommandLineToArgvW. */
function windowsArgument(argument: string): string {
  if (/^[^\s"]+$/u.test(argument)) return argument;
  return `"${argument.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/\\+$/u, '$&$&')}"`;
}

/** A desktop entry, which every desktop that follows the specification reads. */
export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.1',
    'Name=DocTray',
    'Comment=Serves a folder on this computer to document editors',
    `TryExec=${desktopString(command[0] ?? '')}`,
    `Exec=${execLine(command)}`,
    'Icon=doctray',
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/**
 * The value of Exec has two layers of quoting: each argument by the specification's rule for Exec, where a percent sign is
 * doubled, and then the whole by its rule for strings, which readers undo first.
 * @see https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html
 */
export function execLine(command: readonly string[]): string {
  // GLib looks up the program's name with the percent signs still doubled. It finds `env`, and `env` gets the right name.
  const hasPercent = command[0]?.includes('%') === true;
  const quoted = (hasPercent ? ['env', ...command] : command).map((argument) => {
    const text = argument.replaceAll('%', '%%');
    return /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replaceAll(/["`$\\]/g, '\\$&')}"`;
  });
  return desktopString(quoted.join(' '));
}

/** A string value; readers undo these escapes first. */
function desktopString(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
}
