// Builds the bundles in `out/` that are missing or older than their sources. The window waits for its bundle; the browser pages
// can be built while the host already serves.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { errorCode } from '../contract/errors.ts';
import { pageTitles, type PageName } from '../server/pages/built-pages.ts';
import { runChild } from './start-child.ts';

export interface BuildDeps {
  projectRoot: string;
  nodePath: string;
  env: NodeJS.ProcessEnv;
  /** If undefined, nothing is printed, and the reason of a failure is the build tool's first error. */
  stderr?: NodeJS.WriteStream;
}

interface Bundle {
  title: string;
  /** Sources are relative to the project root, results to `out/`. */
  sources: readonly string[];
  results: readonly string[];
  command: readonly [tool: string, ...args: string[]];
  /** A file in `out/` that exists during the build, with the id of the process that runs it. */
  lock: string;
}

const appBundle: Bundle = {
  title: 'app',
  sources: ['app', 'build', 'package.json', 'package-lock.json'],
  results: ['main/main.js', 'preload/preload.cjs'],
  command: [
    'node_modules/electron-vite/bin/electron-vite.js',
    'build',
    '--config',
    'build/electron.vite.config.ts',
  ],
  lock: '.building',
};
const pagesConfig = 'build/pages.vite.config.ts';
const pageBundle = (page: PageName, others: string[]): Bundle => ({
  title: pageTitles[page],
  sources: [`renderer/${page}`, 'renderer/pages', 'app/contract', pagesConfig, 'package-lock.json'],
  results: [`${page}.js`, `${page}.css`, ...others].map((name) => `${page}/${name}`),
  command: ['node_modules/vite/bin/vite.js', 'build', '--config', pagesConfig, '--mode', page],
  lock: `.building-${page}`,
});
const pageBundles: Readonly<Record<PageName, Bundle>> = {
  'host-page': pageBundle('host-page', ['icon.svg']),
  'text-editor': pageBundle('text-editor', ['preview.html', 'preview.js']),
  window: pageBundle('window', ['index.html']),
};

const limitMs = 180_000;
const lockPollMs = 300;

/**
 * Builds the window and the browser pages. If only the pages fail, the app opens without them.
 * @returns why the window couldn't be built @throws Interrupted
 */
export async function buildWhereNeeded(deps: BuildDeps): Promise<string | undefined> {
  const page = async (name: PageName): Promise<void> => {
    const fault = await buildPage(name, deps);
    if (fault !== undefined) deps.stderr?.write(`The ${pageTitles[name]} couldn’t be built (${fault}).\n`);
  };
  const [appFault, windowFault] = await Promise.all([
    buildBundle(deps, appBundle),
    buildPage('window', deps),
    page('host-page'),
    page('text-editor'),
  ]);
  return appFault ?? windowFault;
}

/** Does nothing without sources, as in an installed app. @returns why it failed @throws Interrupted */
export async function buildPage(page: PageName, deps: BuildDeps): Promise<string | undefined> {
  const hasSources = (await timeOf(join(deps.projectRoot, 'renderer', page))) !== undefined;
  return hasSources ? buildBundle(deps, pageBundles[page]) : undefined;
}

/** True if every result of the bundle is newer than every source. */
export async function isBuilt(projectRoot: string, bundle: Bundle = appBundle): Promise<boolean> {
  const { results, sources } = bundle;
  const builtAtMs = await Promise.all(results.map((name) => timeOf(join(projectRoot, 'out', name))));
  const oldest = Math.min(...builtAtMs.map((atMs) => atMs ?? Number.NEGATIVE_INFINITY));
  if (oldest === Number.NEGATIVE_INFINITY) return false;
  const changed = await Promise.all(sources.map((name) => newestIn(join(projectRoot, name))));
  return oldest > Math.max(...changed);
}

/**
 * Runs one build at a time, also across processes. While the lock exists, the bundle isn't complete even if its results are new: they are
 * written before the chunks that they load. @returns why it couldn't be built @throws Interrupted
 */
async function buildBundle(deps: BuildDeps, bundle: Bundle): Promise<string | undefined> {
  const out = join(deps.projectRoot, 'out');
  const lock = join(out, bundle.lock);
  while ((await timeOf(lock)) !== undefined || !(await isBuilt(deps.projectRoot, bundle))) {
    await mkdir(out, { recursive: true });
    const acquired = await acquireLock(lock);
    if (acquired !== undefined) {
      try {
        // Another process may have built it since it was looked at.
        if (acquired === 'free' && (await isBuilt(deps.projectRoot, bundle))) return undefined;
        return await build(deps, bundle);
      } finally {
        await rm(lock, { recursive: true, force: true });
      }
    }
    await delay(lockPollMs);
  }
  return undefined;
}

/** @returns `left` if it was left from a build that was killed; undefined if another process has it */
async function acquireLock(lock: string): Promise<'free' | 'left' | undefined> {
  const takenAtMs = await timeOf(lock);
  const wasLeft = takenAtMs !== undefined && (await isLeft(lock, takenAtMs));
  if (wasLeft) await removeLeft(lock, takenAtMs);
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return wasLeft ? 'left' : 'free';
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** True if its process has ended, or if it is older than a build may take: another process may have the id by now. */
async function isLeft(lock: string, takenAtMs: number): Promise<boolean> {
  if (Date.now() - takenAtMs > limitMs) return true;
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''));
  // It is written a moment after the file is created.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

/** Moves it away first: if another process has replaced it in the meantime, that one gets its lock back. */
async function removeLeft(lock: string, takenAtMs: number): Promise<void> {
  const moved = `${lock}-${randomUUID()}`;
  try {
    await rename(lock, moved);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if ((await timeOf(moved)) === takenAtMs) await rm(moved, { recursive: true, force: true });
  else await rename(moved, lock);
}

async function build(deps: BuildDeps, { title, command }: Bundle): Promise<string | undefined> {
  const { projectRoot, nodePath, env, stderr } = deps;
  const [tool, ...args] = command;
  stderr?.write(`Building the ${title}.\n`);
  const limit = AbortSignal.timeout(limitMs);
  const end = await runChild({
    command: nodePath,
    args: [join(projectRoot, tool), ...args, '--logLevel', 'warn'],
    cwd: projectRoot,
    env,
    stop: limit,
  });
  if (end.code === 0) return undefined;
  const output = end.output.trimEnd();
  stderr?.write(`${output}\n`);
  if (limit.aborted) return `it took longer than ${limitMs / 1000} s`;
  return stderr === undefined ? firstErrorIn(output) : 'see above';
}

/** Fits on one line of the log. */
function firstErrorIn(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line = lines.find((one) => /error/iu.test(one)) ?? lines[0];
  return line?.slice(0, 300) ?? 'the build tool reported nothing';
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
