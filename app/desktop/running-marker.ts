// A file that exists while the app runs. If the app finds one when it starts, its last run ended before it could run any code, such as in
// a crash of native code, and the app says so. A power failure or the end of the user's session isn't a crash.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { isAbsolute, join } from 'node:path';

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
