// What the host does without being asked: clearing up once after the start, then counts, lapses and sweeps from time to time.

import type { Services } from './compose-services.ts';

const flushEveryMs = 15_000;
const refreshEditorsEveryMs = 60_000;
/** Also the time until the first sweep: a clock that is wrong when the computer starts is corrected by then. */
const sweepEveryMs = 60 * 60 * 1000;
/** A lapse, a folder that is gone or back, is noticed this long after at the latest; between, each is judged when it is read. */
const lapseEveryMs = 60_000;
const lookEveryMs = 10_000;
/** After a kill, a clock that was set back by less than this is not noticed at the next start. */
const noteSeenEveryMs = 10 * 60_000;

export interface Chores {
  /** Looks at lapsed locks now. */
  noteLapses(): Promise<void>;
  stop(): Promise<void>;
}

export function startChores(services: Services, look: () => Promise<void>): Chores {
  const { log, sessions, folders, locks, abandonedLocks } = services;
  const timers: NodeJS.Timeout[] = [];
  const guarded = (what: string, work: () => void | Promise<void>) => async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, `${what} failed; it is tried again later.`);
    }
  };
  const noteLapses = guarded('Noting lapsed locks', async () => {
    await abandonedLocks.check();
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
  const first = guarded('Clearing up after the last run', services.recover)().then(noteLapses);
  every(
    flushEveryMs,
    guarded('Writing the sessions', () => sessions.flush()),
  );
  every(lapseEveryMs, noteLapses);
  every(noteSeenEveryMs, guarded('Noting the time', services.noteSeen));
  every(refreshEditorsEveryMs, services.editors.refreshDue);
  every(lookEveryMs, guarded('Looking at folder and listener', look));
  every(sweepEveryMs, guarded('Clearing away what is over', services.sweep));
  return {
    noteLapses,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([first, ...running]);
    },
  };
}
