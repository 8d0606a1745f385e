// What happens when the window's process dies or hangs: it is loaded again at once, and when that did not help for a minute,
// the user is asked. The host goes on serving either way.

import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../log/logger.ts';

export interface RendererCrashDeps {
  clock: Clock;
  log: Logger;
  /** Loads the page in a new process. */
  reload(): void;
  /** By a dialog of the system, since the window cannot be drawn. */
  ask(): Promise<'reload' | 'quit'>;
  quit(): void;
}

export interface RendererCrash {
  /** `reason` is Chromium's word for it, such as `crashed` or `oom`. */
  onGone(reason: string): void;
}

const apartMs = 60_000;

export function createRendererCrash(deps: RendererCrashDeps): RendererCrash {
  const { clock, log } = deps;
  let reloadedAtMs = Number.NEGATIVE_INFINITY;
  let isAsking = false;

  const reload = (): void => {
    reloadedAtMs = clock();
    deps.reload();
  };
  async function ask(): Promise<void> {
    isAsking = true;
    try {
      if ((await deps.ask()) === 'reload') reload();
      else deps.quit();
    } finally {
      isAsking = false;
    }
  }
  return {
    onGone(reason) {
      log.error({ reason }, 'the window’s process is gone; the host goes on');
      if (isAsking) return;
      if (clock() - reloadedAtMs >= apartMs) return reload();
      ask().catch((error: unknown) => {
        log.error({ err: error }, 'the dialog about the window’s process could not be shown');
      });
    },
  };
}
