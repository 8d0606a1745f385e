// Finds the computer's Chromium and runs it without a display, over a pipe, with a temporary profile. A watcher process holds the read
// end of a pipe: when the stand-in exits for any reason, it ends Chromium's process group and removes the profile.

import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import { systemLocale } from './system-locale.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Where macOS and Windows have it, which don't put it on the PATH. */
function usualPlaces(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'darwin')
    return ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  if (process.platform !== 'win32') return [];
  return ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA']
    .map((name) => env[name])
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'));
}

/** The path of a Chromium: STANDIN_CHROMIUM, else the first of the usual names on PATH, else where the system has it. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env['STANDIN_CHROMIUM']) return env['STANDIN_CHROMIUM'];
  const folders = (env['PATH'] ?? '').split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...usualPlaces(env)].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Pages of tests live too short for V8's optimizing compilers, which take a tenth of the processor time. A heap that starts large saves
 * most of the garbage collections, and one thread their coordination: another twentieth.
 */
export const quickScripts =
  '--js-flags=--no-maglev --no-turbofan --single-threaded --min-semi-space-size=32 --initial-old-space-size=256';

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-sync',
  '--disable-search-engine-choice-screen',
  '--disable-client-side-phishing-detection',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  // Electron opens the popups that its handlers allow, even without a user gesture.
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  // One process per window, so that all its frames use one session.
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,site-per-process,OptimizationHints,MediaRouter,Translate,LocalNetworkAccessChecks,SuppressDifferentOriginSubframeJSDialogs,AutoDeElevate,RenderDocument,HttpsUpgrades,PaintHolding,AcceptCHFrame,DestroyProfileOnBrowserClose,DialMediaRouteProvider,GlobalMediaControls,ThirdPartyStoragePartitioning',
  '--password-store=basic',
  '--use-mock-keychain',
  quickScripts,
  '--mute-audio',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--enable-unsafe-swiftshader',
  '--remote-debugging-pipe',
];

/** @throws if Chromium is missing, with a message that says what to install. */
export function startChromium(env: NodeJS.ProcessEnv) {
  const path = findChromium(env);
  if (!path) {
    throw new Error(
      'The stand-in needs Chromium on PATH or in STANDIN_CHROMIUM: apt-get install -y chromium',
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  const profile = join(folder, 'profile');
  const temp = join(folder, 'tmp');
  mkdirSync(profile);
  mkdirSync(temp);

  const child = spawn(path, [...flags, `--accept-lang=${systemLocale(env)}`, `--user-data-dir=${profile}`], {
    detached: true,
    env: {
      ...env,
      TMPDIR: temp,
      HOME: folder,
      XDG_CONFIG_HOME: profile,
      XDG_CACHE_HOME: profile,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`The stand-in cannot start ${path}`);
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => (text = (text + chunk.toString('utf8')).slice(-4000)));
  child.on('error', () => undefined);

  const watcher = spawn(
    '/bin/sh',
    [
      '-c',
      `trap '' HUP INT TERM; read -r line; kill -9 -${pid} 2>/dev/null; i=0; while [ $i -lt 100 ]; do rm -rf "$1" 2>/dev/null && exit 0; sleep 0.1; i=$((i+1)); done`,
      'stand-in-watcher',
      folder,
    ],
    { detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  // its pipe closes when this process exits; neither the watcher nor Chromium keeps this process running
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  child.unref();
  (watcher.stdin as unknown as { unref?: () => void }).unref?.();
  (child.stderr as unknown as { unref?: () => void }).unref?.();

  return {
    pid,
    /** Removed when the stand-in ends. */
    folder,
    input: child.stdio[3] as Writable,
    output: child.stdio[4] as Readable,
    /** Its standard error, for the message when it doesn't start. */
    errorText: () => text,
    kill(): void {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        return;
      }
    },
  };
}
