// Launches an app for a test, on the stand-in or with ELECTRON=real on the installed Electron, with Playwright's `_electron.launch`.

import { createRequire } from 'node:module';
import { join } from 'node:path';

import { _electron } from 'playwright';
import type { ElectronApplication } from 'playwright';
import { findCommand } from '../system-needs.ts';

export const isRealElectron = process.env['ELECTRON'] === 'real';
export const standInPath = join(import.meta.dirname, 'electron');

export interface LaunchOptions {
  /** The app's folder or main file. */
  appDir: string;
  args?: string[];
  env?: Record<string, string>;
  /** Another executable, such as a packed app; `appDir` is then ignored. */
  executablePath?: string;
}

/** Chromium refuses its sandbox to root, and the stand-in has none. */
export const isSandboxless = !isRealElectron || process.getuid?.() === 0;
/** Arguments for a test that starts the executable directly. */
export const sandboxArguments = isRealElectron && isSandboxless ? ['--no-sandbox'] : [];

/** The executable, for a test that starts it directly. */
export function electronPath(): string {
  return isRealElectron ? (createRequire(import.meta.url)('electron') as string) : standInPath;
}

/** The test's environment, without what would make the app part of it: its output would be in the report. */
export function ownEnvironment(): Record<string, string> {
  const {
    NODE_TEST_CONTEXT: _context,
    NODE_OPTIONS: _options,
    ELECTRON_RUN_AS_NODE: _asNode,
    ...env
  } = process.env;
  return env as Record<string, string>;
}

export function launchElectron(options: LaunchOptions): Promise<ElectronApplication> {
  const env = { ...ownEnvironment(), ...options.env };
  // It starts in half the time, but can't download.
  const headlessShell = findCommand('chromium-headless-shell');
  if (headlessShell !== undefined) env['STANDIN_CHROMIUM'] ??= headlessShell;
  const executablePath = options.executablePath ?? (isRealElectron ? undefined : standInPath);
  // Electron's default app, which a packed app doesn't have, loads what `-r` names.
  const hooks = executablePath === undefined ? ['-r', join(import.meta.dirname, 'real-hooks.cjs')] : [];
  const appDir = options.executablePath === undefined ? [options.appDir] : [];
  return _electron.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...hooks, ...appDir, ...(options.args ?? [])],
    chromiumSandbox: !isSandboxless,
    env,
  });
}
