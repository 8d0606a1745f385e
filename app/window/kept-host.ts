// The host as the window and the tray know it: they live longer than the host they show.

import { AppError } from '../contract/errors.ts';
import type { HostEvent } from '../contract/events.ts';
import type { Host } from '../host/running-host.ts';

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
