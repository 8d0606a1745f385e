// Keeps the one host of the desktop app: starts it, says why it could not be started, and starts it again when that was
// mended. The window and the tray live longer than the host they show.

import type { HostOptions, startHost } from '../host/host.ts';
import type { Host } from '../host/running-host.ts';
import { describeError, type AppError } from '../contract/errors.ts';
import { createEvents } from '../contract/events.ts';
import type { HostKeeper } from './kept-host.ts';

export function createHostKeeper(
  deps: Omit<HostOptions, 'emit' | 'isFolderOptional'> & { startHost?: typeof startHost },
): HostKeeper {
  const { startHost: given, ...options } = deps;
  const { dataDir, log } = options;
  const { emit: tell, onAny: onEvent } = createEvents((error, { event }) => {
    log.error({ err: error, event }, 'The window could not take in what happened.');
  });
  let host: Host | undefined;
  let problem: AppError | undefined;
  let starting: Promise<void> | undefined;
  /** Neither was it started yet, nor stopped before that. */
  let isNew = true;
  /** Whoever stopped the host last wants it to be started again. */
  let isWanted = true;

  const startOnce = async (): Promise<void> => {
    isNew = false;
    problem = undefined;
    tell({ event: 'host-changed' });
    try {
      // Loaded after the window has begun to draw, not before.
      const startIt = given ?? (await import('../host/host.ts')).startHost;
      host = await startIt({ ...options, isFolderOptional: true, emit: tell });
    } catch (error) {
      problem = describeError(error);
      // a surprise is told in a sentence without its details; those are for the log
      log.error({ err: error }, 'DocTray did not start.');
    }
    starting = undefined;
    tell({ event: 'host-changed' });
  };

  const start = (): Promise<void> => (host === undefined ? (starting ??= startOnce()) : Promise.resolve());

  const halt = async (limitMs?: number): Promise<void> => {
    isNew = false;
    await starting;
    const running = host;
    try {
      await running?.stop(limitMs === undefined ? undefined : { limitMs });
    } finally {
      if (host === running) host = undefined;
      tell({ event: 'host-changed' });
    }
  };

  return {
    dataDir,
    host: () => host,
    isStarting: () => isNew || starting !== undefined,
    problem: () => problem,
    start,
    async restart() {
      isWanted = true;
      await halt();
      if (isWanted) await start();
    },
    stop(limitMs) {
      isWanted = false;
      return halt(limitMs);
    },
    onEvent,
  };
}
