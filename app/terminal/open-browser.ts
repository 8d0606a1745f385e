// Opens a page in the default browser. Reports a missing display: without one, the system would start a text browser in the
// terminal, or none.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '../contract/messages.ts';
import { hasDisplay } from './display.ts';
import type { Terminal } from './terminal.ts';

/** The launcher exits early if it finds no browser. One that runs for longer has found one. */
const failsWithinMs = 1500;

/** @returns a sentence that says what is missing; undefined if a browser was launched */
export async function openInBrowser(
  url: string,
  { env, platform }: Pick<Terminal, 'env' | 'platform'>,
): Promise<string | undefined> {
  if (!hasDisplay(env, platform)) return t('terminal.no-display-is-available');
  try {
    const { default: open } = await import('open');
    const launcher = await open(url);
    if (launcher.exitCode === null) {
      // The timer keeps this process running; the launcher doesn't.
      const limit = new AbortController();
      await Promise.race([once(launcher, 'exit'), sleep(failsWithinMs, undefined, limit)]);
      limit.abort();
    }
    const { exitCode } = launcher;
    return exitCode === null || exitCode === 0 ? undefined : t('terminal.doctray-couldnt-open-a-browser');
  } catch {
    return t('terminal.doctray-couldnt-open-a-browser');
  }
}
