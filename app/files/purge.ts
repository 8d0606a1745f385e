// Removes rows of documents that are gone and that nothing refers to, a month after their files went. Nothing is judged while
// the hosted folder is missing, and nothing in it is touched.

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
  /** Where in the order of ids the first run begins: a host that never runs for long must not always judge the same ones. */
  startId: string;
}

/** One run judges the next 2,000 rows: the whole of 100,000 takes two days of hourly runs. */
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
        // What can't be read isn't known to be gone.
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

/** An empty folder counts as missing: it may be the mount point of a drive that was out when the host started. */
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
