// What happens when the app crashes. An error that nothing caught ends it, because its state is unknown: the host stops first, an installed
// app restarts once, and the restarted app says so. After a crash that no code could handle, the marker of a running app is still there, and
// the next start reports the crash.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { App, Dialog } from 'electron';
import type { Logger } from '../log/logger.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { t } from '../contract/messages.ts';

export interface FailuresDeps {
  process: Pick<NodeJS.Process, 'on'>;
  app: Pick<App, 'exit' | 'relaunch' | 'isPackaged'>;
  dialog: Pick<Dialog, 'showErrorBox'>;
  /** How to start this app again. @param isHidden without its window */
  restart: (isHidden: boolean) => { execPath?: string; args: string[] };
  /** It was restarted after an error; another one doesn't restart it again. */
  isRestarted: boolean;
  log: Pick<Logger, 'error' | 'flush'>;
  stopMs?: number;
}

export interface Failures {
  /** What an error does from now on. `stop` ends the host: running saves are finished. */
  endWith(ending: { stop: () => Promise<void>; isWindowVisible: () => boolean }): void;
}

/** Long enough for a save; a stop that hangs loses nothing that was reported as saved. */
const defaultStopMs = 10_000;

export function watchFailures(deps: FailuresDeps): Failures {
  const { process, app, dialog, log, stopMs = defaultStopMs } = deps;
  let ending: Parameters<Failures['endWith']>[0] = {
    stop: () => Promise.resolve(),
    isWindowVisible: () => true,
  };
  let isEnding = false;

  const end = async (): Promise<void> => {
    try {
      // Before the window closes.
      const isHidden = !ending.isWindowVisible();
      await Promise.race([ending.stop(), new Promise((resolve) => void setTimeout(resolve, stopMs).unref())]);
      if (app.isPackaged && !deps.isRestarted) app.relaunch(deps.restart(isHidden));
      else {
        dialog.showErrorBox(
          t('desktop.doctray-closed-because-of-an'),
          t('desktop.everything-that-was-saved-is-safe-start'),
        );
      }
    } catch (failure) {
      log.error({ err: failure }, 'The host couldn’t be stopped.');
    } finally {
      log.flush();
      app.exit(exitCode.failed);
    }
  };

  const onFailure = (error: unknown): void => {
    // Without a listener, Node would print the error with whatever it quotes, and Electron would show it in a dialog.
    log.error({ err: error }, 'DocTray is closing because of an error. Everything that was saved is safe.');
    log.flush();
    if (isEnding) return;
    isEnding = true;
    void end();
  };
  process.on('uncaughtException', onFailure).on('unhandledRejection', onFailure);
  return { endWith: (chosen) => void (ending = chosen) };
}

/**
 * A file that exists while the app runs. If the app finds one when it starts, its last run ended before it could run any code, such as in
 * a crash of native code. A power failure or the end of the user's session isn't a crash.
 */
export interface RunningMarker {
  /** The app crashed. */
  wasFound: boolean;
  /** Call it when the app quits, or must quit and may be killed before it has. */
  remove(): void;
}

/** The clock may be set while the computer runs. */
const bootToleranceMs = 120_000;

export interface MarkerOptions {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  bootedAtMs?: number;
  /** Identifies this run. */
  id?: string;
}

/** Call it while holding the single-instance lock. If no marker can be written, the app runs without one. */
export function markRunning(dataDir: string, options: MarkerOptions): RunningMarker {
  const { bootedAtMs = Date.now() - uptime() * 1000, id = String(process.pid) } = options;
  const own = `${id} ${Math.round(bootedAtMs)}\n`;
  let earlier: string | undefined;
  let path: string | undefined;
  for (const candidate of markerPaths(dataDir, options)) {
    earlier = read(candidate);
    try {
      writeFileSync(candidate, own, { mode: 0o600 });
      path = candidate;
      break;
    } catch {
      // The app also starts without a marker.
    }
  }
  const earlierBootMs = Number(earlier?.split(' ')[1]);
  return {
    wasFound: Math.abs(earlierBootMs - bootedAtMs) <= bootToleranceMs,
    remove() {
      // After an update, the new app may be running already.
      if (path !== undefined && read(path) === own) rmSync(path, { force: true });
    },
  };
}

/**
 * In order of preference. On Linux, the end of the user's session can kill the app. The marker is then gone with the user's runtime folder,
 * which the system removes at logout. In a Flatpak, only the app's own folder in there outlives the app.
 */
function markerPaths(dataDir: string, { env, platform }: MarkerOptions): string[] {
  const { XDG_RUNTIME_DIR: runtime = '', FLATPAK_ID: flatpak = '' } = env;
  const inData = join(dataDir, 'running');
  if (platform !== 'linux' || !isAbsolute(runtime)) return [inData];
  const name = `doctray-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.running`;
  return [join(runtime, ...(flatpak === '' ? [] : ['app', flatpak]), name), inData];
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
