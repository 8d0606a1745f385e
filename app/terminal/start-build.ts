// The built app in `out/`: made when it is missing or older than what it is made of.

import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runChild } from './start-child.ts';

export interface BuildDeps {
  projectRoot: string;
  nodePath: string;
  env: NodeJS.ProcessEnv;
  stderr: NodeJS.WriteStream;
}

const sources = ['app', 'renderer', 'build', 'package.json', 'package-lock.json'];
const results = ['main/main.js', 'preload/preload.cjs', 'renderer/index.html'];
const limitMs = 180_000;
const lookAgainMs = 300;

/** One at a time, however many ask for it. @returns why it could not be built @throws BrokenOff */
export async function buildWhereNeeded(deps: BuildDeps): Promise<string | undefined> {
  const out = join(deps.projectRoot, 'out');
  const lock = join(out, '.building');
  while (!(await isBuilt(deps.projectRoot))) {
    await mkdir(out, { recursive: true });
    if (await take(lock)) {
      try {
        return await build(deps);
      } finally {
        await rm(lock, { recursive: true, force: true });
      }
    }
    await delay(lookAgainMs);
  }
  return undefined;
}

/** Whoever was killed while it built has left its lock behind. */
async function take(lock: string): Promise<boolean> {
  const takenAtMs = await timeOf(lock);
  if (takenAtMs !== undefined && Date.now() - takenAtMs > limitMs)
    await rm(lock, { recursive: true, force: true });
  return mkdir(lock).then(
    () => true,
    () => false,
  );
}

async function build({ projectRoot, nodePath, env, stderr }: BuildDeps): Promise<string | undefined> {
  stderr.write('Building the window.\n');
  const limit = AbortSignal.timeout(limitMs);
  const end = await runChild({
    command: nodePath,
    args: [
      join(projectRoot, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
      'build',
      '--config',
      join(projectRoot, 'build', 'electron.vite.config.ts'),
      '--logLevel',
      'warn',
    ],
    cwd: projectRoot,
    env,
    stop: limit,
  });
  if (end.code === 0) return undefined;
  stderr.write(`${end.output.trimEnd()}\n`);
  return limit.aborted ? `it took longer than ${limitMs / 1000} s` : 'see above';
}

/** True when every result is newer than every source. */
export async function isBuilt(projectRoot: string): Promise<boolean> {
  const made = await Promise.all(results.map((name) => timeOf(join(projectRoot, 'out', name))));
  const oldest = Math.min(...made.map((atMs) => atMs ?? Number.NEGATIVE_INFINITY));
  if (oldest === Number.NEGATIVE_INFINITY) return false;
  const changed = await Promise.all(sources.map((name) => newestIn(join(projectRoot, name))));
  return oldest > Math.max(...changed);
}

async function newestIn(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true }).catch(() => []);
  const times = await Promise.all(['', ...names].map((name) => timeOf(join(path, name))));
  return Math.max(...times.map((atMs) => atMs ?? 0));
}

function timeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}
