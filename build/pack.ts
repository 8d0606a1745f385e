// Packs the app for this computer and system, offline, and checks the result: `npm run pack`. Electron is the stand-in of test/stand-in, or,
// with ELECTRON=real, the binary of the package electron.
//
//   --output DIR   where the unpacked app goes (dist/packages)
//   --built DIR    existing bundles (otherwise built into a temporary folder)

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { productionPackages } from './licenses.ts';
import { checkFuses, checkPackage, largestParts, type Finding } from './pack-checks.ts';
import { smokeTest } from './pack-smoke.ts';
import { electronFolder, unpackedApp, unpackedArguments, type UnpackedApp } from './unpacked-app.ts';
import type { RealElectron } from '../test/real-electron.ts';

const projectRoot = join(import.meta.dirname, '..');
const isReal = process.env['ELECTRON'] === 'real';

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Its output is shown only when it fails. */
async function run(script: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((done, failed) => {
    child.on('error', failed);
    child.on('close', done);
  });
  if (code !== 0) throw new Error(`${basename(script)} exited with ${code}\n${output}`);
}

function tool(path: string): string {
  return join(projectRoot, 'node_modules', path);
}

/**
 * A project folder of the packing's own, so that it neither needs nor disturbs out/: other runs may be using it. The packages
 * are copied, since npm, which electron-builder asks for the list of them, takes what lies behind a link for another project's.
 */
async function stage(folder: string, built: string | undefined): Promise<void> {
  const needed = ['package.json', 'package-lock.json', 'electron-builder.yml', 'LICENSE', 'docs/help'];
  // so that a pattern that sweeps in the whole project is seen
  const decoys = ['app', 'docs/architecture.md', 'renderer', 'test/pack', 'README.md', 'tsconfig.json'];
  for (const name of [...needed, ...decoys])
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  symlinkSync(join(projectRoot, 'build'), join(folder, 'build'), 'junction');
  for (const path of productionPackages())
    cpSync(join(projectRoot, path), join(folder, path), { recursive: true, filter: isOfPackage });
  const out = join(folder, 'out');
  if (built === undefined) {
    const args = [
      'build',
      '--config',
      'build/electron.vite.config.ts',
      '--outDir',
      out,
      '--logLevel',
      'warn',
    ];
    await run(tool('electron-vite/bin/electron-vite.js'), args, projectRoot);
    for (const page of ['window', 'host-page', 'text-editor']) {
      const pageArgs = [
        'build',
        '--config',
        'build/pages.vite.config.ts',
        '--mode',
        page,
        '--logLevel',
        'warn',
      ];
      await run(tool('vite/bin/vite.js'), [...pageArgs, '--outDir', join(out, page)], projectRoot);
    }
  } else cpSync(resolve(built), out, { recursive: true });
  await run(join(projectRoot, 'build', 'licenses.ts'), ['--output', out], projectRoot);
}

/** Without the packages inside it, and without what only a compiler would read. */
function isOfPackage(path: string): boolean {
  return basename(path) !== 'node_modules' && !path.endsWith(join('better-sqlite3', 'deps'));
}

/** Real Electron, with a display for the smoke test; undefined for the stand-in. @throws Error if it isn't available */
async function realElectron(): Promise<RealElectron | undefined> {
  if (!isReal) return undefined;
  const { prepareElectron } = await import('../test/real-electron.ts');
  const electron = await prepareElectron();
  if ('lack' in electron) throw new Error(electron.lack);
  Object.assign(process.env, electron.env);
  return electron;
}

/** @returns the folder electron-builder copies Electron from */
async function electronDist(scratch: string, electron: RealElectron | undefined): Promise<string> {
  if (electron !== undefined) return electronFolder(electron.program, process.platform);
  if (process.platform !== 'linux')
    throw new Error('The stand-in for Electron runs only on Linux. Set ELECTRON=real.');
  const folder = join(scratch, 'electron');
  const { makeElectronDist } = await import('../test/stand-in/make-dist.ts');
  await makeElectronDist(folder);
  return folder;
}

async function pack(project: string, dist: string, output: string): Promise<UnpackedApp> {
  const args = unpackedArguments(process.platform, process.arch);
  const { version } = JSON.parse(readFileSync(tool('electron/package.json'), 'utf8')) as { version: string };
  args.push(`-c.electronVersion=${version}`, `-c.electronDist=${dist}`, `-c.directories.output=${output}`);
  await run(tool('electron-builder/cli.js'), args, project);
  const app = unpackedApp(output, process.platform, process.arch);
  if (!existsSync(app.executable)) throw new Error(`There is no ${app.executable}.`);
  // electron-builder removes it only from what it downloaded itself. On macOS, its removal would break the signature.
  if (process.platform !== 'darwin') rmSync(join(app.resources, 'default_app.asar'), { force: true });
  return app;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { output: { type: 'string' }, built: { type: 'string' } } });
  const electron = await realElectron();
  const output = resolve(values.output ?? join(projectRoot, 'dist', 'packages'));
  const scratch = mkdtempSync(join(tmpdir(), 'doctray-'));
  const startedAtMs = Date.now();
  const step = (text: string) => {
    say(`${((Date.now() - startedAtMs) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  };
  try {
    const project = mkdtempSync(join(scratch, 'project-'));
    step('building');
    await stage(project, values.built);
    step(`packing with ${isReal ? 'Electron' : 'the stand-in for Electron'}`);
    const app = await pack(project, await electronDist(scratch, electron), output);

    step('checking');
    const findings: Finding[] = [
      ...(await checkFuses(app.executable)),
      ...(await checkPackage(app.resources, { platform: process.platform, arch: process.arch })),
    ];
    step('starting it');
    findings.push(...(await smokeTest(app, scratch)));
    step('done');

    for (const { what, problem } of findings)
      say(problem === undefined ? `✔ ${what}` : `✖ ${what}: ${problem}`);
    say(`\n${app.folder}`);
    for (const { path, bytes } of largestParts(app.folder, app.resources))
      say(`${(bytes / 1024 / 1024).toFixed(2).padStart(9)} MiB  ${path}`);
    const failed = findings.filter(({ problem }) => problem !== undefined).length;
    say(`\n${findings.length - failed} checks passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    electron?.stop();
    await remove(scratch);
  }
}

/** The app's last helper process may still write into the folder while it is removed. */
async function remove(folder: string): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    await delay(200);
    if (!existsSync(folder)) return;
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
