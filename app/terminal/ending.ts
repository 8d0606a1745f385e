// How a host in the foreground ends: by a signal, when nobody reads its standard output any more, or by a failure that
// nothing caught. It listens from before the start on, so that a signal in between ends the host as cleanly.

import type { Logger } from '../log/logger.ts';
import { exitCode, type ExitCode } from './exit-code.ts';
import { exitNow } from './exit-now.ts';

export interface Ending {
  /** Resolves when the host has stopped. Where it does not stop in time its database is closed and the process ends. */
  of(host: { stop(): Promise<void>; closeDatabase(): void }): Promise<ExitCode>;
  /** As a signal does. */
  request(): void;
  /** Stops listening. */
  release(): void;
}

export interface EndingDeps {
  /** Started by `npm start` or `npm run serve`. */
  isNpmScript: boolean;
  stdout: NodeJS.EventEmitter;
  log: Logger;
  /** Called when stopping takes long enough for a person to wonder. */
  onSlowStop?: () => void;
}

/** A stop that takes longer has hung: the host itself gives requests less. */
const stopLimitMs = 4500;
const slowStopMs = 1000;
/** npm passes on a Ctrl+C that the terminal has sent to the process as well: not a second one. */
const sameSignalMs = 300;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const orphanCheckMs = 1000;

export function createEnding({ stdout, log, isNpmScript, onSlowStop }: EndingDeps): Ending {
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
  let askedAtMs: number | undefined;
  let running: { closeDatabase(): void } | undefined;
  let limit: NodeJS.Timeout | undefined;
  let slow: NodeJS.Timeout | undefined;

  /** Nothing runs between the closing and the end, so nothing finds its database closed. */
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
  /** Node would print the error as it is, with whatever it quotes. */
  const onFailure = (error: unknown): void => {
    log.error({ err: error }, 'DocTray failed and ends; nothing saved is lost');
    log.flush();
    exitNow(exitCode.failed);
  };

  for (const signal of signals) process.on(signal, onSignal);
  process.on('uncaughtException', onFailure).on('unhandledRejection', onFailure);
  stdout.on('error', onEnd);
  // npm runs its scripts in a shell that dies of a signal without passing it on; what is left then has another parent.
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
