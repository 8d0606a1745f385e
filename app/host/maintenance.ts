// What the host does without being asked: clears up once after the start, then writes counts, notices lapses and removes what has
// expired from time to time.

import { pruneOrphanedVersions } from '../files/orphaned-versions.ts';
import type { Services } from './services.ts';

const dayMs = 24 * 60 * 60 * 1000;
const flushEveryMs = 15_000;
const refreshEditorsEveryMs = 60_000;
/** Also the time until the first sweep: a clock that is wrong when the computer starts is corrected by then. */
const sweepEveryMs = 60 * 60 * 1000;
/** A lapsed lock, or a folder that is missing or back, is noticed after this long at the latest; in between, each call checks it. */
const lapseEveryMs = 60_000;
const checkEveryMs = 10_000;
/** After a kill, a clock that was set back by less than this is not noticed at the next start. */
const noteSeenEveryMs = 10 * 60_000;
/** A lapsed lock is kept this long, for the editor that comes back to it. */
const lapsedLockDays = 2;

export interface Maintenance {
  /** Notices lapsed locks now. */
  noteLapses(): Promise<void>;
  stop(): Promise<void>;
}

/** Clears away what a killed predecessor left. */
export async function recover({ folders }: Pick<Services, 'folders'>): Promise<void> {
  for (const hosted of folders.all()) await hosted.recover();
}

/** Removes what has expired: tokens, locks, recovered saves, versions, rows of documents that are gone; writes the sessions' counts. */
export async function sweep(services: Services): Promise<void> {
  const { clock, folders, recoveredSaves, versions, versionsTable, versionFiles, mutex, log, ending } =
    services;
  const { recoveredDays, versionDays } = services.settings.current();
  services.sessions.flush();
  services.apiTokens.sweep();
  services.accessTokens.sweep();
  services.pageSessions.sweep();
  services.locksTable.sweep(clock() - lapsedLockDays * dayMs);
  folders.sweep();
  await recoveredSaves.expire(recoveredDays * dayMs);
  await versions.prune();
  const orphans = {
    directory: services.versionsDirectory,
    table: versionsTable,
    versionFiles,
    mutex,
    clock,
    log,
  };
  await pruneOrphanedVersions(orphans, versionDays * dayMs, ending);
  for (const hosted of folders.all()) await hosted.purgeMissing(ending);
}

/** `check`: whether folder, certificate and listener are still what they should be. */
export function startMaintenance(services: Services, check: () => Promise<void>): Maintenance {
  const { log, sessions, folders, locks, closedPageLocks, time } = services;
  const timers: NodeJS.Timeout[] = [];
  const guarded = (what: string, work: () => void | Promise<void>) => async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, `${what} failed. It will be tried again.`);
    }
  };
  const noteLapses = guarded('Noting lapsed locks', async () => {
    await closedPageLocks.check();
    await locks.noteLapses(async (id) => (await folders.of(id)?.folder.find(id))?.row.version);
  });
  const running = new Set<Promise<void>>();
  const every = (ms: number, work: () => Promise<void>): void => {
    const timer = setInterval(() => {
      const run = work().finally(() => running.delete(run));
      running.add(run);
    }, ms);
    timer.unref();
    timers.push(timer);
  };
  const first = guarded('Clearing up after the last run', () => recover(services))().then(noteLapses);
  every(
    flushEveryMs,
    guarded('Writing the sessions', () => sessions.flush()),
  );
  every(lapseEveryMs, noteLapses);
  every(noteSeenEveryMs, guarded('Noting the time', time.noteSeen));
  every(refreshEditorsEveryMs, services.editors.refreshDue);
  every(checkEveryMs, guarded('Checking folder and listener', check));
  every(
    sweepEveryMs,
    guarded('Removing what has expired', () => sweep(services)),
  );
  return {
    noteLapses,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([first, ...running]);
    },
  };
}
