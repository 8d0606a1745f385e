// The path of the desktop entry that starts the app at login on Linux.

import { isAbsolute, join } from 'node:path';

/** @see https://specifications.freedesktop.org/autostart-spec/latest/ */
export function autostartFile({ XDG_CONFIG_HOME = '' }: NodeJS.ProcessEnv, homeDir: string): string {
  const configHome = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homeDir, '.config');
  return join(configHome, 'autostart', 'doctray.desktop');
}
