// The host's background work: cleans up once after the start, then periodically writes counts, detects lapsed locks and removes
// what has expired.

import { pruneOrphanedVersions } from '../files/orphaned-versions.ts';
import type { Services } from './services.ts';

const dayMs = 24 * 60 * 60 * 1000;
const flushEveryMs = 15_000;
const refreshEditorsEveryMs = 60_000;
/** Also the time until the first sweep: a clock that is wrong at boot is corrected by then. */
const sweepEveryMs = 60 * 60 * 1000;
/**
 * A lapsed lock, or a folder that disappeared or returned, is detected after this time at the latest; in between, each call
 * checks it.
 */
const lapseEveryMs = 60_000;
const checkEveryMs = 10_000;
/** After a kill, a clock that was set back by less than this isn't detected at the next start. */
const noteSeenEveryMs = 10 * 60_000;
/** A lapsed lock is kept this long, so that its editor can resume it. */
const lapsedLockDays = 2;

export interface Maintenance {
  /** Records newly lapsed locks. */
  noteLapses(): Promise<void>;
  stop(): Promise<void>;
}

/** Cleans up after a killed process. */
export async function recover({ folders }: Pick<Services, 'folders'>): Promise<void> {
  for (const hosted of folders.all()) await hosted.recover();
}

/** Removes what has expired: tokens, locks, recovered saves, versions, rows of missing documents; writes the sessions' counts. */
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

/** `check`: checks folder, certificate and listener. */
export function startMaintenance(services: Services, check: () => Promise<void>): Maintenance {
  const { log, sessions, folders, locks, closedPages, time } = services;
  const timers: NodeJS.Timeout[] = [];
  const guarded = (what: string, work: () => void | Promise<void>) => async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, `${what} failed. DocTray will retry.`);
    }
  };
  const noteLapses = guarded('Recording expired locks', async () => {
    await closedPages.lapseLocks();
    await locks.noteLapses(async (id) => (await folders.forFile(id)?.folder.find(id))?.row.version);
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
  const first = guarded('Cleaning up after the last run', () => recover(services))().then(noteLapses);
  every(
    flushEveryMs,
    guarded('Writing session counts', () => sessions.flush()),
  );
  every(lapseEveryMs, noteLapses);
  every(checkEveryMs, guarded('Revoking the tokens of closed pages', closedPages.revokeTokens));
  every(noteSeenEveryMs, guarded('Recording the time', time.noteSeen));
  every(refreshEditorsEveryMs, services.editors.refreshDue);
  every(checkEveryMs, guarded('Checking folder and listener', check));
  every(
    sweepEveryMs,
    guarded('Removing expired data', () => sweep(services)),
  );
  return {
    noteLapses,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([first, ...running]);
    },
  };
}
