// Stops a foreground host on a signal, when its standard output is closed, or on an uncaught error. The handlers are installed
// before the host starts, so that a signal during the start also stops it cleanly.

import type { Logger } from '../log/logger.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { exitNow } from './exit-now.ts';
import { isReaderGone } from './terminal.ts';
import { onOrphaned, onStopSignal } from './stop-signals.ts';

export interface Ending {
  /**
   * Waits for a signal or `request`, then stops the host. If the host doesn't stop in time, its database is closed and the process
   * exits.
   */
  stopWhenRequested(host: { stop(): Promise<void>; closeDatabase(): void }): Promise<ExitCode>;
  /** Stops the host like a signal does. */
  request(): void;
  /** Removes the signal handlers. */
  release(): void;
}

export interface EndingDeps {
  /** True if `npm start` or `npm run serve` started this process. */
  isNpmScript: boolean;
  stdout: NodeJS.EventEmitter;
  log: Logger;
  /** Called when stopping takes noticeably long. */
  onSlowStop?: () => void;
}

/** Longer than the host's own limit for running requests: a stop that exceeds it has hung. */
const stopLimitMs = 4500;
const slowStopMs = 1000;

export function createEnding({ stdout, log, isNpmScript, onSlowStop }: EndingDeps): Ending {
  const { promise: stopRequested, resolve: resolveStopRequested } = Promise.withResolvers<void>();
  let running: { closeDatabase(): void } | undefined;
  let limit: NodeJS.Timeout | undefined;

  /** Synchronous, so that no other code runs between closing the database and the exit. */
  const forceExit = (): void => {
    log.error({}, 'DocTray didn’t stop in time, so it exits now. Everything that was saved is safe.');
    log.flush();
    try {
      running?.closeDatabase();
    } finally {
      exitNow(exitCode.failed);
    }
  };

  const requestStop = (): void => {
    limit ??= setTimeout(forceExit, stopLimitMs);
    resolveStopRequested();
  };
  /** Replaces Node's own report, which prints the error unredacted. */
  const onFailure = (error: unknown): void => {
    log.error({ err: error }, 'DocTray is closing because of an error. Everything that was saved is safe.');
    log.flush();
    exitNow(exitCode.failed);
  };

  const interrupt = (): never => exitNow(exitCode.interrupted);
  const removeHandlers = onStopSignal(() => (limit === undefined ? requestStop() : interrupt()), interrupt);
  process.on('uncaughtException', onFailure).on('unhandledRejection', onFailure);
  const onOutputError = (error: unknown): void => {
    if (isReaderGone(error)) requestStop();
  };
  stdout.on('error', onOutputError);
  const stopOrphanWatch = isNpmScript ? onOrphaned(requestStop) : undefined;

  return {
    async stopWhenRequested(host) {
      running = host;
      await stopRequested;
      const slow = onSlowStop && setTimeout(onSlowStop, slowStopMs);
      try {
        await host.stop();
        return exitCode.done;
      } catch (error) {
        log.error({ err: error }, 'DocTray didn’t stop cleanly.');
        return exitCode.failed;
      } finally {
        clearTimeout(slow);
      }
    },
    request: requestStop,
    release() {
      clearTimeout(limit);
      removeHandlers();
      process.off('uncaughtException', onFailure).off('unhandledRejection', onFailure);
      stdout.off('error', onOutputError);
      stopOrphanWatch?.();
    },
  };
}
