// Stops a foreground host on a signal, when its standard output is closed, or on an uncaught error. The handlers are installed
// before the host starts, so that a signal during the start also stops it cleanly.

import type { Logger } from '../log/logger.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { exitNow } from './exit-now.ts';

export interface Ending {
  /** Resolves when the host has stopped. If it doesn't stop in time, its database is closed and the process exits. */
  of(host: { stop(): Promise<void>; closeDatabase(): void }): Promise<ExitCode>;
  /** Stops the host like a signal does. */
  request(): void;
  /** Stops listening. */
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
/** npm forwards a Ctrl+C that the terminal also sends to this process; both arrive within this time and count as one. */
const sameSignalMs = 300;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const orphanCheckMs = 1000;

export function createEnding({ stdout, log, isNpmScript, onSlowStop }: EndingDeps): Ending {
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  let askedAtMs: number | undefined;
  let running: { closeDatabase(): void } | undefined;
  let limit: NodeJS.Timeout | undefined;
  let slow: NodeJS.Timeout | undefined;

  /** Synchronous, so that no other code runs between closing the database and the exit. */
  const endByForce = (): void => {
    log.error({}, 'DocTray did not stop in time and is killed. No saved data is lost.');
    log.flush();
    try {
      running?.closeDatabase();
    } finally {
      exitNow(exitCode.failed);
    }
  };

  const onEnd = (): void => {
    askedAtMs ??= performance.now();
    limit ??= setTimeout(endByForce, stopLimitMs);
    if (onSlowStop !== undefined) slow ??= setTimeout(onSlowStop, slowStopMs);
    ask();
  };
  const onSignal = (): void => {
    const isAnother = askedAtMs !== undefined && performance.now() - askedAtMs > sameSignalMs;
    if (isAnother) exitNow(exitCode.interrupted);
    onEnd();
  };
  /** Replaces Node's own report, which prints the error unredacted. */
  const onFailure = (error: unknown): void => {
    log.error({ err: error }, 'DocTray failed and ends; nothing saved is lost');
    log.flush();
    exitNow(exitCode.failed);
  };

  for (const signal of signals) process.on(signal, onSignal);
  process.on('uncaughtException', onFailure).on('unhandledRejection', onFailure);
  stdout.on('error', onEnd);
  // npm runs scripts in a shell that a signal kills without being forwarded. The orphaned process then gets a new parent.
  const parent = process.ppid;
  const orphanWatch = setInterval(() => {
    if (isNpmScript && process.ppid !== parent) onEnd();
  }, orphanCheckMs).unref();

  return {
    async of(host) {
      running = host;
      await isAsked;
      try {
        await host.stop();
        return exitCode.done;
      } catch (error) {
        log.error({ err: error }, 'DocTray did not stop cleanly');
        return exitCode.failed;
      }
    },
    request: onEnd,
    release() {
      clearTimeout(limit);
      clearTimeout(slow);
      for (const signal of signals) process.off(signal, onSignal);
      process.off('uncaughtException', onFailure).off('unhandledRejection', onFailure);
      stdout.off('error', onEnd);
      clearInterval(orphanWatch);
    },
  };
}
