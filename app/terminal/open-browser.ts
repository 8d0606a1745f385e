// The default browser, asked to show a page. What may be missing is told: a machine without a display would start a browser
// in the terminal itself, or none.

import type { ChildProcess } from 'node:child_process';
import { hasDisplay } from './display.ts';
import type { Terminal } from './terminal.ts';

/** The program that finds the browser fails at once when it fails; one that goes on has found it. */
const failsWithinMs = 1500;

/** Undefined when it was asked; else what is missing, as a sentence. */
export async function openInBrowser(
  url: string,
  { env, platform }: Pick<Terminal, 'env' | 'platform'>,
): Promise<string | undefined> {
  if (!hasDisplay(env, platform)) return 'No display is available.';
  try {
    const { default: open } = await import('open');
    const launcher = await open(url);
    if (launcher.exitCode === null) await endOf(launcher);
    const { exitCode } = launcher;
    return exitCode === null || exitCode === 0 ? undefined : 'DocTray couldn’t open a browser.';
  } catch {
    return 'DocTray couldn’t open a browser.';
  }
}

/** Its end, or the end of the time for it. The timer holds this process, which the launcher does not. */
function endOf(launcher: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, failsWithinMs);
    launcher.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
