// Builds the bundles in `out/` that are missing or older than their sources. The window waits for its bundle; the browser pages
// can be built while the host already serves.

import { execFile } from 'node:child_process';
import { access, constants, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify, stripVTControlCharacters } from 'node:util';
import Database from 'better-sqlite3';
import { errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { findProjectRoot, isFromSources } from '../project-root.ts';
import type { PageName, PagesBuild } from '../server/pages/built-pages.ts';

export interface BuildDeps {
  projectRoot: string;
  env: NodeJS.ProcessEnv;
}

interface Bundle {
  /** Sources are relative to the project root, results to `out/`. */
  sources: readonly string[];
  results: readonly string[];
  command: readonly [tool: string, ...args: string[]];
  /** A file in `out/` that exists from the beginning of a build until it succeeded. */
  unfinished: string;
}

const appConfig = 'build/electron.vite.config.ts';
const appBundle: Bundle = {
  sources: ['app', 'build', 'locales', 'package.json', 'package-lock.json'],
  results: ['main/main.js', 'preload/preload.cjs'],
  command: ['node_modules/electron-vite/bin/electron-vite.js', 'build', '--config', appConfig],
  unfinished: '.building',
};
const pagesConfig = 'build/pages.vite.config.ts';
const pageBundle = (page: PageName, others: string[]): Bundle => ({
  sources: [`renderer/${page}`, 'renderer/kit', 'app/contract', 'locales', pagesConfig, 'package-lock.json'],
  results: [`${page}.js`, `${page}.css`, ...others].map((name) => `${page}/${name}`),
  command: ['node_modules/vite/bin/vite.js', 'build', '--config', pagesConfig, '--mode', page],
  unfinished: `.building-${page}`,
});
const pageBundles: Readonly<Record<PageName, Bundle>> = {
  'host-page': pageBundle('host-page', ['page.js', 'icon.svg']),
  'text-editor': pageBundle('text-editor', ['page.js', 'preview.html', 'preview.js']),
  window: pageBundle('window', ['index.html']),
};

const lockPollMs = 300;

/** Builds the app and its pages. @returns why one of them couldn't be built */
export async function buildWhereNeeded(deps: BuildDeps): Promise<string | undefined> {
  const pages = Object.keys(pageBundles) as PageName[];
  const faults = await Promise.all([
    buildBundle(deps, appBundle),
    ...pages.map((page) => buildPage(page, deps)),
  ]);
  return faults.find((fault) => fault !== undefined);
}

/** The browser pages of a host in the terminal: in a source checkout, they are built when they are needed. */
export function pagesBuild(env: NodeJS.ProcessEnv): PagesBuild {
  const projectRoot = findProjectRoot();
  const folder = join(projectRoot, 'out');
  return isFromSources() ? { folder, build: (page) => buildPage(page, { projectRoot, env }) } : { folder };
}

/** Does nothing without sources, as in an installed app. @returns why it failed */
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

/** Runs one build at a time, also across processes. @returns why it couldn't be built */
async function buildBundle(deps: BuildDeps, bundle: Bundle): Promise<string | undefined> {
  const out = join(deps.projectRoot, 'out');
  const unfinished = join(out, bundle.unfinished);
  // Results may be new although the build that wrote them was killed before it had written the chunks that they load.
  const isComplete = async () =>
    (await timeOf(unfinished)) === undefined && (await isBuilt(deps.projectRoot, bundle));
  if (await isComplete()) return undefined;
  try {
    await mkdir(out, { recursive: true });
    // SQLite's error wouldn't say why.
    await access(out, constants.W_OK);
  } catch (error) {
    return t('terminal.out-isnt-writable', { folder: out, code: errorCode(error) });
  }
  const release = await lock(`${unfinished}.lock`);
  try {
    // Another process may have built it since the check above.
    if (await isComplete()) return undefined;
    await writeFile(unfinished, '');
    const fault = await build(deps, bundle);
    if (fault === undefined) await rm(unfinished);
    return fault;
  } finally {
    release();
  }
}

/** Waits for the lock, which the system releases if the process that has it is killed. @returns a function that releases it */
async function lock(path: string): Promise<() => void> {
  for (;;) {
    const db = new Database(path, { timeout: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
      return () => db.close();
    } catch (error) {
      db.close();
      if (!(error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY')) throw error;
    }
    await delay(lockPollMs);
  }
}

async function build({ projectRoot, env }: BuildDeps, { command }: Bundle): Promise<string | undefined> {
  const [tool, ...args] = command;
  try {
    await promisify(execFile)(process.execPath, [join(projectRoot, tool), ...args, '--logLevel', 'warn'], {
      cwd: projectRoot,
      env,
    });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return firstErrorIn(`${stderr}\n${stdout}`);
  }
}

/** Fits on one line. `npm run build` shows all. */
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
