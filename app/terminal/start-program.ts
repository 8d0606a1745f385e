// Finds the Electron binary in its npm package, or downloads it with the package's own script, which verifies checksums. `npm ci`
// doesn't download it, so installing needs only the npm registry.

import { access, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { t } from '../contract/messages.ts';
import { Interrupted } from './exit-code.ts';
import { runChild } from './start-child.ts';

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
    if (await exists(program)) return { program, isThere: true };
    return { program, isThere: false, reason: t('terminal.dist-path-without-electron') };
  }
  const program = join(packageFolder, 'dist', name);
  if (await isInstalled(packageFolder, name)) return { program, isThere: true };
  if (!(await exists(join(packageFolder, 'install.js')))) {
    return { program, isThere: false, reason: t('terminal.npm-package-not-installed') };
  }
  if ((env['ELECTRON_SKIP_BINARY_DOWNLOAD'] ?? '') !== '') {
    return { program, isThere: false, reason: t('terminal.download-is-skipped') };
  }
  return { program, isThere: false };
}

/** Relative to `dist`, as in the package's script. */
function programName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join('Electron.app', 'Contents', 'MacOS', 'Electron');
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** The install script writes `path.txt` last, so it is missing after an interrupted download. */
async function isInstalled(packageFolder: string, name: string): Promise<boolean> {
  const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
  const [about, version, path] = await Promise.all([
    read(join(packageFolder, 'package.json')),
    read(join(packageFolder, 'dist', 'version')),
    read(join(packageFolder, 'path.txt')),
  ]);
  if (about === '' || path === '' || !(await exists(join(packageFolder, 'dist', name)))) return false;
  return (JSON.parse(about) as { version: string }).version === version.trim().replace(/^v/, '');
}

export interface DownloadDeps extends ProgramPlace {
  nodePath: string;
  /** Receives the progress: one updated line on a terminal, else a line every ten seconds. */
  stderr: NodeJS.WriteStream;
  /** Cancels the download. */
  stop: AbortSignal;
  /** Cancels the download if no data arrives for this long. */
  silenceLimitMs?: number;
}

const usualSilenceLimitMs = 60_000;
const reportEverySeconds = 10;

/** Removes the files of a failed download. @returns a short reason why it failed @throws Interrupted if it was canceled */
export async function downloadElectron(deps: DownloadDeps): Promise<string | undefined> {
  const { packageFolder, nodePath, env, platform, stderr, silenceLimitMs = usualSilenceLimitMs } = deps;
  // The script downloads to this folder, so that leftovers can be removed and the progress measured.
  const scratch = await mkdtemp(join(tmpdir(), 'doctray-electron-'));
  const cleanUp = (...paths: string[]): Promise<unknown> =>
    Promise.all(paths.map((path) => rm(path, { recursive: true, force: true, maxRetries: 3 })));
  const dist = join(packageFolder, 'dist');
  const remains = [dist, join(packageFolder, 'path.txt')];
  const silence = new AbortController();
  let bytes = 0;
  let lastByteAtMs = performance.now();
  let isThere = false;
  let isOver = false;

  const check = async (seconds: number): Promise<void> => {
    // Unpacking counts as progress, although no data arrives.
    const [arrived, unpacked] = await Promise.all([sizeOf(scratch), sizeOf(dist)]);
    if (arrived + unpacked !== bytes) lastByteAtMs = performance.now();
    bytes = arrived + unpacked;
    if (isOver) return;
    if (performance.now() - lastByteAtMs >= silenceLimitMs) silence.abort();
    const text = t('terminal.downloading-electron', { megabytes: Math.floor(arrived / 1_000_000) });
    if (stderr.isTTY) stderr.write(`\r\u001b[K${text}`);
    else if (seconds % reportEverySeconds === 0) stderr.write(`${text}\n`);
  };

  try {
    await cleanUp(...remains);
    const end = await runChild({
      command: nodePath,
      args: [join(packageFolder, 'install.js')],
      cwd: packageFolder,
      env: { ...env, TMPDIR: scratch, TEMP: scratch, TMP: scratch, ELECTRON_GET_NO_PROGRESS: '1' },
      stop: AbortSignal.any([deps.stop, silence.signal]),
      onSecond: (seconds) => void check(seconds),
    });
    if (deps.stop.aborted) throw new Interrupted();
    if (silence.signal.aborted)
      return t('terminal.nothing-arrived', { seconds: Math.round(silenceLimitMs / 1000) });
    if (end.code !== 0) return reasonIn(end.output);
    isThere = await isInstalled(packageFolder, programName(platform));
    return isThere ? undefined : t('terminal.install-script-installed-nothing');
  } finally {
    isOver = true;
    if (stderr.isTTY) stderr.write('\r\u001b[K');
    await cleanUp(scratch, ...(isThere ? [] : remains));
  }
}

/** The sentence of the first error in what the script printed. */
function reasonIn(output: string): string {
  const line = output.split('\n').find((text) => /error/i.test(text)) ?? '';
  const sentence = line.replace(/^.*?Error:\s*/, '').trim();
  return sentence === '' ? t('terminal.install-script-failed') : sentence.slice(0, 120);
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
