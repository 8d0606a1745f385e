// Builds the bundles in `out/` that are missing or older than their sources. The window waits for its bundle; the browser pages
// can be built while the host already serves.

import { access, constants, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import Database from 'better-sqlite3';
import { errorCode } from '../contract/errors.ts';
import { inEnglish, t, type MessageKey } from '../contract/messages.ts';
import type { PageName } from '../server/pages/built-pages.ts';
import { runChild } from './start-child.ts';

export interface BuildDeps {
  projectRoot: string;
  nodePath: string;
  env: NodeJS.ProcessEnv;
  /** If undefined, nothing is printed, and the reason of a failure is the build tool's first error. */
  stderr?: NodeJS.WriteStream;
}

interface Bundle {
  building: MessageKey;
  /** Sources are relative to the project root, results to `out/`. */
  sources: readonly string[];
  results: readonly string[];
  command: readonly [tool: string, ...args: string[]];
  /** A file in `out/` that exists from the beginning of a build until it succeeded. */
  unfinished: string;
}

const appBundle: Bundle = {
  building: 'terminal.building-the-app',
  sources: ['app', 'build', 'locales', 'package.json', 'package-lock.json'],
  results: ['main/main.js', 'preload/preload.cjs'],
  command: [
    'node_modules/electron-vite/bin/electron-vite.js',
    'build',
    '--config',
    'build/electron.vite.config.ts',
  ],
  unfinished: '.building',
};
const pagesConfig = 'build/pages.vite.config.ts';
const pageBundle = (page: PageName, building: MessageKey, others: string[]): Bundle => ({
  building,
  sources: [`renderer/${page}`, 'renderer/kit', 'app/contract', 'locales', pagesConfig, 'package-lock.json'],
  results: [`${page}.js`, `${page}.css`, ...others].map((name) => `${page}/${name}`),
  command: ['node_modules/vite/bin/vite.js', 'build', '--config', pagesConfig, '--mode', page],
  unfinished: `.building-${page}`,
});
const pageBundles: Readonly<Record<PageName, Bundle>> = {
  'host-page': pageBundle('host-page', 'terminal.building-the-host-page', ['page.js', 'icon.svg']),
  'text-editor': pageBundle('text-editor', 'terminal.building-the-text-editor', [
    'page.js',
    'preview.html',
    'preview.js',
  ]),
  window: pageBundle('window', 'terminal.building-the-window', ['index.html']),
};

const limitMs = 180_000;
const lockPollMs = 300;

/**
 * Builds the window and the browser pages. If only the pages fail, the app opens without them.
 * @returns why the window couldn't be built @throws Interrupted
 */
export async function buildWhereNeeded(deps: BuildDeps): Promise<string | undefined> {
  const page = async (name: PageName, failed: MessageKey): Promise<void> => {
    const reason = await buildPage(name, deps);
    if (reason !== undefined) deps.stderr?.write(`${t(failed, { reason })}\n`);
  };
  const [appFault, windowFault] = await Promise.all([
    buildBundle(deps, appBundle),
    buildPage('window', deps),
    page('host-page', 'terminal.the-host-page-couldnt-be-built'),
    page('text-editor', 'terminal.the-text-editor-couldnt-be-built'),
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

/** Runs one build at a time, also across processes. @returns why it couldn't be built @throws Interrupted */
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
    return wordsFor(deps)('terminal.out-isnt-writable', { folder: out, code: errorCode(error) });
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
    // oxlint-disable-next-line no-await-in-loop
    await delay(lockPollMs);
  }
}

/** Without a terminal, the reason goes to the log, which is in English. */
function wordsFor({ stderr }: BuildDeps): typeof t {
  return stderr === undefined ? inEnglish.t : t;
}

async function build(deps: BuildDeps, { building, command }: Bundle): Promise<string | undefined> {
  const { projectRoot, nodePath, env, stderr } = deps;
  const [tool, ...args] = command;
  stderr?.write(`${t(building)}\n`);
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
  if (limit.aborted) return wordsFor(deps)('terminal.it-took-longer-than', { seconds: limitMs / 1000 });
  return stderr === undefined ? firstErrorIn(output) : t('terminal.see-above');
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
