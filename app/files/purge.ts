// Removes rows of missing documents that nothing refers to, a month after their files disappeared. Does nothing while the hosted
// folder is missing, and never touches it.

import type { Clock } from '../contract/clock.ts';
import type { FilesTable, UnreferencedRow } from '../store/files.ts';
import { createYieldTurn } from './event-loop.ts';
import type { Jail } from './jail.ts';

export interface PurgeDeps {
  jail: Pick<Jail, 'stat' | 'inFolder'>;
  tenantId: number;
  files: Pick<FilesTable, 'unreferenced' | 'setMissingSince' | 'removeUnreferenced'>;
  clock: Clock;
  transaction: <T>(work: () => T) => T;
  /** The id at which the first run begins: otherwise a host that never runs for long would always check the same rows. */
  startId: string;
}

/** One run checks the next 2,000 rows: all of 100,000 take two days of hourly runs. */
export type PurgeMissingFiles = (signal?: AbortSignal) => Promise<void>;

const rowsAtOnce = 2000;
const keptForMs = 30 * 24 * 60 * 60 * 1000;

export function createPurge(deps: PurgeDeps): PurgeMissingFiles {
  const { jail, files } = deps;
  let afterId = deps.startId;

  return async (signal) => {
    if (!(await isThere(jail))) return;
    const rows = files.unreferenced(deps.tenantId, afterId, rowsAtOnce);
    const yieldTurn = createYieldTurn(signal);
    const isPresent = new Map<UnreferencedRow, boolean>();
    for (const row of rows) {
      await yieldTurn();
      if (row.deletedAtMs !== null) continue;
      try {
        isPresent.set(row, (await jail.stat(row.path))?.stats.isFile() === true);
      } catch {
        // If it can't be read, it isn't known to be gone.
        isPresent.set(row, true);
      }
    }
    // A drive may have been unplugged in between.
    if (!(await isThere(jail))) return;
    const nowMs = deps.clock();
    deps.transaction(() => {
      for (const row of rows) {
        const { id, missingSinceMs } = row;
        const goneSinceMs = row.deletedAtMs ?? missingSinceMs;
        if (isPresent.get(row) === true) {
          if (missingSinceMs !== null) files.setMissingSince(id, { missingSinceMs: null });
        } else if (goneSinceMs === null || goneSinceMs > nowMs) {
          files.setMissingSince(id, { missingSinceMs: nowMs });
        } else if (nowMs - goneSinceMs >= keptForMs) files.removeUnreferenced(id);
      }
    });
    afterId = rows.length < rowsAtOnce ? '' : (rows.at(-1)?.id ?? '');
  };
}

/** An empty folder counts as missing: it may be the mount point of a drive that was unplugged when the host started. */
async function isThere(jail: Pick<Jail, 'inFolder'>): Promise<boolean> {
  try {
    return await jail.inFolder('', async (root) => {
      await using names = await root.openDir(1);
      return (await names.read()) !== null;
    });
  } catch {
    return false;
  }
}
