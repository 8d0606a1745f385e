// Electron's binary: found where the npm package keeps it, or downloaded by the package's own script, whose checksums decide
// what is accepted. It isn't part of `npm ci`, so an installation needs the registry alone.

import { access, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Interrupted } from './exit-code.ts';
import { runChild } from './start-child.ts';

export interface ProgramPlace {
  /** The folder of the npm package. */
  packageFolder: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

export interface FoundProgram {
  /** Where the binary is, or will be. */
  program: string;
  isThere: boolean;
  /** Why it can't be downloaded, in a few words; undefined when it is there or can be. */
  lack?: string;
}

export async function findElectron({ packageFolder, env, platform }: ProgramPlace): Promise<FoundProgram> {
  const name = programName(platform);
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  if (override !== '') {
    const program = join(override, name);
    if (await exists(program)) return { program, isThere: true };
    return { program, isThere: false, lack: 'ELECTRON_OVERRIDE_DIST_PATH doesn’t contain it' };
  }
  const program = join(packageFolder, 'dist', name);
  if (await isInstalled(packageFolder, name)) return { program, isThere: true };
  if (!(await exists(join(packageFolder, 'install.js')))) {
    return { program, isThere: false, lack: 'the npm package electron isn’t installed' };
  }
  if ((env['ELECTRON_SKIP_BINARY_DOWNLOAD'] ?? '') !== '') {
    return { program, isThere: false, lack: 'ELECTRON_SKIP_BINARY_DOWNLOAD is set' };
  }
  return { program, isThere: false };
}

/** Below `dist`, as the package's script has it. */
function programName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join('Electron.app', 'Contents', 'MacOS', 'Electron');
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** A download that was interrupted has left no `path.txt`. */
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
  /** Where progress is shown: one line that changes on a terminal, else a line every ten seconds. */
  stderr: NodeJS.WriteStream;
  /** Ends the download. */
  stop: AbortSignal;
  /** Ends it when no byte arrives for so long. */
  silenceLimitMs?: number;
}

const usualSilenceLimitMs = 60_000;
const reportEverySeconds = 10;

/** What a download that fails has left is removed. @returns why it failed, in a few words @throws Interrupted when it was stopped */
export async function downloadElectron(deps: DownloadDeps): Promise<string | undefined> {
  const { packageFolder, nodePath, env, platform, stderr, silenceLimitMs = usualSilenceLimitMs } = deps;
  // What the script downloads goes through here, so that nothing is left and the bytes can be counted.
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
    // What has arrived is unpacked in the end: that is no silence.
    const [arrived, unpacked] = await Promise.all([sizeOf(scratch), sizeOf(dist)]);
    if (arrived + unpacked !== bytes) lastByteAtMs = performance.now();
    bytes = arrived + unpacked;
    if (isOver) return;
    if (performance.now() - lastByteAtMs >= silenceLimitMs) silence.abort();
    const text = `Downloading Electron: ${Math.floor(arrived / 1_000_000)} MB`;
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
    if (silence.signal.aborted) return `nothing arrived for ${Math.round(silenceLimitMs / 1000)} s`;
    if (end.code !== 0) return reasonIn(end.output);
    isThere = await isInstalled(packageFolder, programName(platform));
    return isThere ? undefined : 'its install script left no binary';
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
  return sentence === '' ? 'its install script failed' : sentence.slice(0, 120);
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
