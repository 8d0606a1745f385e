// Owns the desktop app's host: starts it, keeps the reason if it couldn't start, and restarts it. Window and tray outlive the host
// they show.

import {
  keychainRetriesMs,
  laterKeychainRetriesMs,
  onLateKeychainAnswer,
} from '../secrets/keychain-secrets.ts';
import { t } from '../contract/messages.ts';
import { AppError, describeError, type ErrorCode } from '../contract/errors.ts';
import { createEvents, type HostEvent } from '../contract/events.ts';
import type { Host, HostOptions } from './running-host.ts';

export interface HostKeeper {
  readonly dataDir: string;
  /** Undefined while it starts, and if it couldn't. */
  host(): Host | undefined;
  /** Also true before the first start. */
  isStarting(): boolean;
  /** Why no host is running, or what its start is waiting for. */
  problem(): AppError | undefined;
  /** Never rejects: see `problem()`. */
  start(): Promise<void>;
  /** Resolves when the current start has finished or failed; immediately if none is running. Never rejects. */
  whenStarted(): Promise<void>;
  /** Starts it now if it waits for the keychain, which may have been unlocked. */
  retryKeychain(): void;
  /** Stops and starts the host; to only listen again, use `host().reopen()`. */
  restart(): Promise<void>;
  /** Running requests have `limitMs` to finish; a later call can shorten the wait. Cancels a restart. */
  stop(limitMs?: number): Promise<void>;
  /** Every event of the current host, and `host-changed` after each start and stop. */
  onEvent(listener: (event: HostEvent) => void): () => void;
}

/** The folder that is served if none was chosen. */
export interface DefaultFolderPlace {
  find(): Promise<{ path: string; exists: boolean }>;
  /** Creates it with samples if it isn't there. @returns its path @throws AppError */
  prepare(): Promise<string>;
}

/** Caused by another program or a network, so it may go away automatically. */
const passingProblems: readonly ErrorCode[] = ['port-taken', 'address-unavailable', 'data-folder-busy'];
const passingRetryMs = 30_000;

export function createHostKeeper(
  deps: Omit<HostOptions, 'emit' | 'isFolderOptional' | 'onKeychainWaiting'> & {
    startHost: (options: HostOptions) => Promise<Host>;
    onKeychainAnswer?: (listener: () => void) => void;
  },
): HostKeeper {
  const { startHost, onKeychainAnswer = onLateKeychainAnswer, ...options } = deps;
  const { dataDir, log } = options;
  const { emit, onAny: onEvent } = createEvents((error, { event }) => {
    log.error({ err: error, event }, 'A listener failed on an event.');
  });
  let host: Host | undefined;
  let problem: AppError | undefined;
  let isWaiting = false;
  let retries = 0;
  let retry: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;
  /** A background retry is running; the last problem stays visible. */
  let isQuiet = false;
  /** It was neither started nor stopped yet. */
  let isNew = true;
  /** The host is stopped for a restart. */
  let isWanted = true;

  const startOnce = async (): Promise<void> => {
    isNew = false;
    cancelRetry();
    const before = problem;
    if (!isQuiet) {
      problem = undefined;
      emit({ event: 'host-changed' });
    }
    try {
      host = await startHost({
        ...options,
        isFolderOptional: true,
        emit,
        onKeychainWaiting(isNow) {
          isWaiting = isNow;
          emit({ event: 'host-changed' });
        },
      });
      problem = undefined;
      retries = 0;
    } catch (error) {
      problem = describeError(error);
      // An unexpected error's details go to the log only.
      if (!isQuiet || problem.message !== before?.message) log.error({ err: error }, 'DocTray didn’t start.');
      if (problem.code === 'secret-store-unreachable') tryAgainLater();
      else if (passingProblems.includes(problem.code)) checkLater();
    }
    starting = undefined;
    isQuiet = false;
    emit({ event: 'host-changed' });
  };

  const tryAgainLater = (): void => {
    const pauseMs = keychainRetriesMs[retries] ?? laterKeychainRetriesMs;
    retries += 1;
    retry = setTimeout(() => void start(), pauseMs).unref();
  };

  const checkLater = (): void => {
    const timer = setTimeout(() => void check(), passingRetryMs).unref();
    retry = timer;
    const check = async (): Promise<void> => {
      const found = await findPortProblem(options);
      // It was started or stopped.
      if (retry !== timer) return;
      if (found !== undefined && found.message === problem?.message) {
        checkLater();
        return;
      }
      isQuiet = true;
      void start();
    };
  };

  const cancelRetry = (): void => {
    clearTimeout(retry);
    retry = undefined;
  };

  const retryKeychain = (): void => {
    if (retry !== undefined && problem?.code === 'secret-store-unreachable') void start();
  };
  onKeychainAnswer(retryKeychain);

  const start = (): Promise<void> => (host === undefined ? (starting ??= startOnce()) : Promise.resolve());

  const halt = async (limitMs?: number): Promise<void> => {
    isNew = false;
    cancelRetry();
    await starting;
    cancelRetry();
    const running = host;
    try {
      await running?.stop(limitMs === undefined ? undefined : { limitMs });
    } finally {
      if (host === running) host = undefined;
      emit({ event: 'host-changed' });
    }
  };

  return {
    dataDir,
    host: () => host,
    isStarting: () => isNew || (starting !== undefined && !isQuiet),
    problem: () => (isWaiting ? new AppError('keychain-waiting') : problem),
    start,
    whenStarted: () => starting ?? Promise.resolve(),
    retryKeychain,
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

/** What a start would fail with, but without the services: they would log again, and ask to unlock the keychain. */
async function findPortProblem({ dataDir, host, port }: HostOptions): Promise<AppError | undefined> {
  try {
    const [{ loadSettings }, { tryListening }] = await Promise.all([
      import('../settings/load-settings.ts'),
      import('../server/listener.ts'),
    ]);
    const settings = (await loadSettings({ dataDir })).current();
    const address = { host: host ?? settings.host, port: port ?? settings.port };
    await tryListening(address, host !== undefined);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

/** The running host. @throws AppError host-away, or why it couldn't start */
export function requireHost(keeper: Pick<HostKeeper, 'host' | 'problem' | 'isStarting'>): Host {
  const host = keeper.host();
  if (host !== undefined) return host;
  const problem = keeper.problem();
  if (problem !== undefined) throw problem;
  throw new AppError('host-away', {
    detail: () => t(keeper.isStarting() ? 'host.its-starting' : 'host.start-it-again'),
  });
}
