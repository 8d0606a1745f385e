// Tries what `npm run installers` created on this system, as a user would: `npm run installers:try`. Changes this computer: on Linux it
// installs and removes the deb (with sudo), on Windows it runs the installer and the uninstaller. Meant for a workflow.

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ownVersion } from './release-files.ts';
import { unpackedApp } from './unpacked-app.ts';

export interface TryDeps {
  platform: NodeJS.Platform;
  arch: string;
  packages: string;
  version: string;
  /** An empty folder. */
  scratch: string;
  hasDisplay: boolean;
  /** Runs it to its end. @returns what it printed @throws Error if it fails */
  run(program: string, args: string[]): string;
  exists(path: string): boolean;
  /** Files of the folder `packages`. */
  find(pattern: string): string[];
}

/** The uninstaller of NSIS continues in a copy of itself. */
const uninstallLimitMs = 120_000;

/** @throws Error if a package doesn't do what it should */
export async function tryInstallers(deps: TryDeps): Promise<void> {
  if (deps.platform === 'linux') tryDeb(deps);
  else if (deps.platform === 'win32') await trySetup(deps);
  else if (deps.platform === 'darwin') tryApp(deps);
  else throw new Error(`There are no installers for ${deps.platform}.`);
}

function tryDeb(deps: TryDeps): void {
  const deb = only(deps, '*.deb');
  deps.run('sudo', ['apt-get', 'install', '-y', '-qq', deb]);
  const program = '/opt/DocTray/doctray';
  // Electron needs a display before it runs any of the app's code.
  if (deps.hasDisplay) checkVersion(deps, 'doctray', []);
  else checkVersion(deps, 'xvfb-run', ['--auto-servernum', 'doctray']);
  deps.run('sudo', ['apt-get', 'remove', '-y', '-qq', 'doctray']);
  for (const path of [program, '/usr/bin/doctray', '/usr/share/applications/doctray.desktop'])
    if (deps.exists(path)) throw new Error(`${path} is still there after the package was removed.`);
}

async function trySetup(deps: TryDeps): Promise<void> {
  const folder = join(deps.scratch, 'DocTray');
  // The folder must be the last argument.
  deps.run(only(deps, 'DocTray-Setup-*.exe'), ['/S', `/D=${folder}`]);
  checkVersion(deps, join(folder, 'DocTray.exe'), []);
  deps.run(join(folder, 'Uninstall DocTray.exe'), ['/S']);
  const endsAtMs = Date.now() + uninstallLimitMs;
  while (deps.exists(join(folder, 'DocTray.exe')) && Date.now() < endsAtMs) await pause(500);
  if (deps.exists(join(folder, 'DocTray.exe')))
    throw new Error(`${folder} is still there after uninstalling.`);
}

function tryApp(deps: TryDeps): void {
  for (const arch of ['x64', 'arm64']) {
    const app = unpackedApp(deps.packages, 'darwin', arch);
    deps.run('codesign', ['--verify', '--deep', '--strict', app.folder]);
    if (arch === deps.arch) checkVersion(deps, app.executable, []);
  }
  for (const image of deps.find('*.dmg')) deps.run('hdiutil', ['verify', join(deps.packages, image)]);
}

function checkVersion({ run, version }: TryDeps, program: string, args: string[]): void {
  const printed = run(program, [...args, '--version']);
  if (!printed.split(/\r?\n/).includes(version))
    throw new Error(`${program} --version printed ${JSON.stringify(printed)} instead of ${version}.`);
}

function only({ find, packages }: TryDeps, pattern: string): string {
  const found = find(pattern);
  const [name = ''] = found;
  if (found.length !== 1)
    throw new Error(`There are ${found.length} files ${pattern} in ${packages} instead of 1.`);
  return join(packages, name);
}

if (import.meta.main) {
  const packages = join(import.meta.dirname, '..', 'dist', 'packages');
  const scratch = mkdtempSync(join(tmpdir(), 'doctray-try-'));
  const log = (text: string): void => {
    process.stdout.write(text);
    appendFileSync(join(packages, 'installers-try.log'), text);
  };
  try {
    await tryInstallers({
      platform: process.platform,
      arch: process.arch,
      packages,
      version: ownVersion(),
      scratch,
      hasDisplay: (process.env['DISPLAY'] ?? '') !== '',
      run(program, args) {
        log(`$ ${[program, ...args].join(' ')}\n`);
        const { status, stdout, stderr, error } = spawnSync(program, args, {
          encoding: 'utf8',
          timeout: 300_000,
        });
        log(`${stdout ?? ''}${stderr ?? ''}`);
        if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `exit code ${status}`}`);
        return stdout;
      },
      exists: existsSync,
      find: (pattern) => globSync(pattern, { cwd: packages }),
    });
    log('The installers work.\n');
  } catch (error) {
    log(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
