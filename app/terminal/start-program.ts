// Electron's program: found where the npm package keeps it, else fetched by the package's own script, whose checksums
// decide what is taken. It is not part of `npm ci`, so that an installation needs the registry alone.

import { access, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './start-child.ts';

export interface ProgramDeps {
  /** The folder of the npm package. */
  packageFolder: string;
  nodePath: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Where progress is told. */
  stderr: NodeJS.WriteStream;
  limitMs?: number;
}

export type FoundProgram = { program: string } | { lack: string };

const usualLimitMs = 60_000;
const tellEverySeconds = 10;

/** `lack` is the reason in a few words. @throws BrokenOff */
export async function findElectron(deps: ProgramDeps): Promise<FoundProgram> {
  const { packageFolder, env } = deps;
  const name = programName(deps.platform);
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  if (override !== '') {
    const program = join(override, name);
    return (await exists(program)) ? { program } : { lack: 'ELECTRON_OVERRIDE_DIST_PATH does not hold it' };
  }
  const program = join(packageFolder, 'dist', name);
  if (await isInstalled(packageFolder, name)) return { program };
  if (!(await exists(join(packageFolder, 'install.js'))))
    return { lack: 'the package electron is not installed' };
  if ((env['ELECTRON_SKIP_BINARY_DOWNLOAD'] ?? '') !== '')
    return { lack: 'ELECTRON_SKIP_BINARY_DOWNLOAD is set' };
  const lack = await fetchProgram(deps);
  if (lack === undefined && (await isInstalled(packageFolder, name))) return { program };
  return { lack: lack ?? 'its own script left no program' };
}

/** Below `dist`, as the package's script has it. */
function programName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join('Electron.app', 'Contents', 'MacOS', 'Electron');
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** A fetch that was broken off has left no `path.txt`. */
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

/** @returns why it failed; what it left behind is removed */
async function fetchProgram(deps: ProgramDeps): Promise<string | undefined> {
  const { packageFolder, nodePath, env, stderr, limitMs = usualLimitMs } = deps;
  const limitSeconds = Math.round(limitMs / 1000);
  // What the script downloads goes through here, so that nothing is left and the bytes can be counted.
  const scratch = await mkdtemp(join(tmpdir(), 'doctray-electron-'));
  const cleanUp = (...paths: string[]): Promise<unknown> =>
    Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
  const remains = [join(packageFolder, 'dist'), join(packageFolder, 'path.txt')];
  let isThere = false;
  try {
    await cleanUp(...remains);
    stderr.write(`Fetching Electron's program, for at most ${limitSeconds} s.\n`);
    const end = await runChild({
      command: nodePath,
      args: [join(packageFolder, 'install.js')],
      cwd: packageFolder,
      env: { ...env, TMPDIR: scratch, TEMP: scratch, TMP: scratch, ELECTRON_GET_NO_PROGRESS: '1' },
      limitMs,
      onSecond: (seconds) => {
        if (stderr.isTTY || seconds % tellEverySeconds === 0) void tell(seconds);
      },
    });
    if (stderr.isTTY) stderr.write('\r\u001b[K');
    isThere = end.code === 0;
    if (end.isOutOfTime) return `it took longer than ${limitSeconds} s`;
    return isThere ? undefined : reasonIn(end.output);
  } finally {
    await cleanUp(scratch, ...(isThere ? [] : remains));
  }

  async function tell(seconds: number): Promise<void> {
    const text = `  ${seconds} s, ${Math.floor((await sizeOf(scratch)) / 1_000_000)} MB`;
    stderr.write(stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
  }
}

/** The sentence of the first error in what the script printed. */
function reasonIn(output: string): string {
  const line = output.split('\n').find((text) => /error/i.test(text)) ?? '';
  const sentence = line.replace(/^.*?Error:\s*/, '').trim();
  return sentence === '' ? 'its own script failed' : sentence.slice(0, 120);
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
