// Keeps the one host of the desktop app: starts it, remembers why it could not start, and starts it again. The window and the tray
// live longer than the host they show.

import { AppError, describeError } from '../contract/errors.ts';
import { createEvents, type HostEvent } from '../contract/events.ts';
import type { HostOptions, startHost } from './host.ts';
import type { Host } from './running-host.ts';

export interface HostKeeper {
  readonly dataDir: string;
  /** Undefined while it starts, and when it could not. */
  host(): Host | undefined;
  /** Also before the first start was asked for. */
  isStarting(): boolean;
  /** Why there is no host. */
  problem(): AppError | undefined;
  /** Never rejects: what went wrong is `problem()`. */
  start(): Promise<void>;
  /** Stops what runs and starts again; for the listener alone there is `host().reopen()`. */
  restart(): Promise<void>;
  /** Running requests get `limitMs` to end; a later call can shorten the wait. A restart under way starts nothing any more. */
  stop(limitMs?: number): Promise<void>;
  /** Every event of whichever host runs, and `host-changed` after each start and stop. */
  onEvent(listener: (event: HostEvent) => void): () => void;
}

/** The folder that is served if no other was chosen. */
export interface DefaultFolderPlace {
  find(): Promise<{ path: string; exists: boolean }>;
  /** Creates it with samples if it isn't there. @returns its path @throws AppError */
  prepare(): Promise<string>;
}

export function createHostKeeper(
  deps: Omit<HostOptions, 'emit' | 'isFolderOptional'> & { startHost?: typeof startHost },
): HostKeeper {
  const { startHost: given, ...options } = deps;
  const { dataDir, log } = options;
  const { emit: tell, onAny: onEvent } = createEvents((error, { event }) => {
    log.error({ err: error, event }, 'A listener failed on an event.');
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
      const startIt = given ?? (await import('./host.ts')).startHost;
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

/** The host that runs. @throws AppError host-away, or what kept it from starting */
export function requireHost(keeper: Pick<HostKeeper, 'host' | 'problem' | 'isStarting'>): Host {
  const host = keeper.host();
  if (host !== undefined) return host;
  const problem = keeper.problem();
  if (problem !== undefined) throw problem;
  throw new AppError('host-away', {
    detail: keeper.isStarting() ? 'It is starting; try again in a moment.' : 'Start it again.',
  });
}
