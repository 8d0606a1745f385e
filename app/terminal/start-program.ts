// Finds the Electron binary in its npm package, or downloads it with the package's own script, which verifies checksums. `npm ci`
// doesn't download it, so installing needs only the npm registry.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { t } from '../contract/messages.ts';

export interface ProgramPlace {
  /** The folder of the npm package. */
  packageFolder: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

export interface FoundProgram {
  /** The path of the binary, even if it isn't downloaded yet. */
  program: string;
  isThere: boolean;
  /** A short reason why it can't be downloaded; undefined if it exists or can be. */
  reason?: string;
}

export async function findElectron({ packageFolder, env, platform }: ProgramPlace): Promise<FoundProgram> {
  const name = programName(platform);
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  if (override !== '') {
    const program = join(override, name);
    if (existsSync(program)) return { program, isThere: true };
    return { program, isThere: false, reason: t('terminal.dist-path-without-electron') };
  }
  const program = join(packageFolder, 'dist', name);
  if (await isInstalled(packageFolder, program)) return { program, isThere: true };
  if (!existsSync(join(packageFolder, 'install.js')))
    return { program, isThere: false, reason: t('terminal.npm-package-not-installed') };
  if ((env['ELECTRON_SKIP_BINARY_DOWNLOAD'] ?? '') !== '')
    return { program, isThere: false, reason: t('terminal.download-is-skipped') };
  return { program, isThere: false };
}

/** Relative to `dist`, as in the package's script. */
function programName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join('Electron.app', 'Contents', 'MacOS', 'Electron');
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** The install script writes `path.txt` last, so it is missing after an interrupted download. */
async function isInstalled(packageFolder: string, program: string): Promise<boolean> {
  const read = (path: string): Promise<string> => readFile(join(packageFolder, path), 'utf8').catch(() => '');
  const [about, version, path] = await Promise.all(['package.json', 'dist/version', 'path.txt'].map(read));
  if (!about || !version || !path || !existsSync(program)) return false;
  return (JSON.parse(about) as { version: string }).version === version.trim().replace(/^v/, '');
}

/** @param stop ends the download @returns a short reason why it failed; undefined if Electron is there now */
export async function downloadElectron(
  { packageFolder, env, platform }: ProgramPlace,
  stop?: AbortSignal,
): Promise<string | undefined> {
  // The script downloads to this folder, so that leftovers can be removed.
  const scratch = await mkdtemp(join(tmpdir(), 'doctray-electron-'));
  try {
    await rm(join(packageFolder, 'path.txt'), { force: true });
    await promisify(execFile)(process.execPath, [join(packageFolder, 'install.js')], {
      cwd: packageFolder,
      env: { ...env, TMPDIR: scratch, TEMP: scratch, TMP: scratch, ELECTRON_GET_NO_PROGRESS: '1' },
      ...(stop !== undefined && { signal: stop }),
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    return reasonIn(error);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
  const isThere = await isInstalled(packageFolder, join(packageFolder, 'dist', programName(platform)));
  return isThere ? undefined : t('terminal.install-script-installed-nothing');
}

/** The sentence of the first error in what the script printed. */
function reasonIn(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string };
  const line = stderr.split('\n').find((text) => /error/i.test(text)) ?? '';
  const sentence = line.replace(/^.*?Error:\s*/, '').trim();
  return sentence === '' ? t('terminal.install-script-failed') : sentence.slice(0, 120);
}
