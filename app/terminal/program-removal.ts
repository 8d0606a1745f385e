// How a user removes the program itself: with what installed it.

import { dirname } from 'node:path';
import { isWithin } from '../files/disjoint-folders.ts';
import { findProjectRoot } from '../project-root.ts';
import type { Terminal } from './terminal.ts';

/** @param runs whether a program exits with 0 */
export async function programRemoval(
  { env, platform, installed }: Pick<Terminal, 'env' | 'platform' | 'installed'>,
  runs: (program: string, ...args: string[]) => Promise<boolean>,
  execPath = process.execPath,
): Promise<string> {
  const { APPIMAGE = '', APPDIR = '', FLATPAK_ID = '' } = env;
  if (installed === undefined) return `To remove the program, delete the folder ${findProjectRoot()}.`;
  if (platform === 'win32') return 'To remove the program, go to Settings → Apps → Installed apps.';
  if (platform === 'darwin') return 'To remove the program, move DocTray to the Trash.';
  if (FLATPAK_ID !== '') return `To remove the program, run: flatpak uninstall ${FLATPAK_ID}`;
  if (await runs('dpkg-query', '--search', execPath))
    return 'To remove the program, run: sudo apt remove doctray';
  if (await runs('rpm', '--query', '--file', execPath))
    return `To remove the program, run: sudo ${(await runs('dnf', '--version')) ? 'dnf' : 'zypper'} remove doctray`;
  // A program that was started inside another AppImage inherits its variables.
  if (APPIMAGE !== '' && APPDIR !== '' && isWithin(APPDIR, execPath))
    return `To remove the program, delete the file ${APPIMAGE}.`;
  return `To remove the program, delete the folder ${dirname(execPath)}.`;
}
