// How a user removes the program itself: with what installed it.

import { dirname } from 'node:path';
import { t } from '../contract/messages.ts';
import { isWithin } from '../files/disjoint-folders.ts';
import { findProjectRoot, isFromSources } from '../project-root.ts';
import type { Terminal } from './terminal.ts';

/** @param runs whether a program exits with 0 */
export async function programRemoval(
  { env, platform, installed }: Pick<Terminal, 'env' | 'platform' | 'installed'>,
  runs: (program: string, ...args: string[]) => Promise<boolean>,
  execPath = process.execPath,
): Promise<string> {
  const { APPIMAGE = '', APPDIR = '', FLATPAK_ID = '' } = env;
  const withCommand = (command: string): string => t('terminal.remove-with-command', { command });
  if (installed === undefined && !isFromSources()) return withCommand('npm uninstall --global doctray');
  if (installed === undefined) return t('terminal.remove-the-folder', { folder: findProjectRoot() });
  if (platform === 'win32') return t('terminal.remove-on-windows');
  if (platform === 'darwin') return t('terminal.remove-on-macos');
  if (FLATPAK_ID !== '') return withCommand(`flatpak uninstall ${FLATPAK_ID}`);
  if (await runs('dpkg-query', '--search', execPath)) return withCommand('sudo apt remove doctray');
  if (await runs('rpm', '--query', '--file', execPath))
    return withCommand(`sudo ${(await runs('dnf', '--version')) ? 'dnf' : 'zypper'} remove doctray`);
  // A program that was started inside another AppImage inherits its variables.
  if (APPIMAGE !== '' && APPDIR !== '' && isWithin(APPDIR, execPath))
    return t('terminal.remove-the-file', { file: APPIMAGE });
  return t('terminal.remove-the-folder', { folder: dirname(execPath) });
}
