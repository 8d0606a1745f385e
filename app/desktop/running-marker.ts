// A file that exists while the app runs. If the app finds one when it starts, it ended without running any of its code before, such as
// by a crash of native code, and says so. Neither a power failure nor the end of the user's session is a crash of the app.

import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { isAbsolute, join } from 'node:path';

export interface RunningMarker {
  /** The app crashed. */
  wasFound: boolean;
  /** The app ends as it should, or was asked to and may be killed before it has ended. */
  remove(): void;
}

/** The clock may be set while the computer runs. */
const bootToleranceMs = 120_000;

export interface MarkerPlace {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  bootedAtMs?: number;
  /** Of this run. */
  id?: string;
}

/** Call it while holding the single-instance lock. An app that can't write its marker has none. */
export function markRunning(dataDir: string, place: MarkerPlace): RunningMarker {
  const { bootedAtMs = Date.now() - uptime() * 1000, id = String(process.pid) } = place;
  const own = `${id} ${Math.round(bootedAtMs)}\n`;
  let earlier: string | undefined;
  let path: string | undefined;
  for (const one of markerPaths(dataDir, place)) {
    earlier = read(one);
    try {
      writeFileSync(one, own, { mode: 0o600 });
      path = one;
      break;
    } catch {
      // A start goes on without it.
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
 * The first one that can be written is used. On Linux, a display server that ends may take the app with it, and only the user's runtime
 * folder tells: the system removes it when the user has logged out. Of a Flatpak, only its own folder there outlives the app.
 */
function markerPaths(dataDir: string, { env, platform }: MarkerPlace): string[] {
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
