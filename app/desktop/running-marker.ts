// A file in the data folder while the app runs. If the app finds one when it starts, it ended without running any of its code before,
// such as by a crash of native code, and says so.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';

export interface RunningMarker {
  /** The app crashed. A power failure isn't a crash of the app. */
  wasFound: boolean;
  /** The app ends as it should. */
  remove(): void;
}

/** The clock may be set while the computer runs. */
const bootToleranceMs = 120_000;

/** Call it while holding the single-instance lock. A data folder that can't be written to has no marker. */
export function markRunning(
  dataDir: string,
  { bootedAtMs = Date.now() - uptime() * 1000, id = String(process.pid) } = {},
): RunningMarker {
  const path = join(dataDir, 'running');
  const own = `${id} ${Math.round(bootedAtMs)}\n`;
  const earlier = read(path);
  const earlierBootMs = Number(earlier?.split(' ')[1]);
  try {
    writeFileSync(path, own, { mode: 0o600 });
  } catch {
    // A start goes on without it.
  }
  return {
    wasFound: Math.abs(earlierBootMs - bootedAtMs) <= bootToleranceMs,
    remove() {
      // After an update, the new app may be running already.
      if (read(path) === own) rmSync(path, { force: true });
    },
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
