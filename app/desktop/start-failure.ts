// A start that goes no further, and a failure that nothing caught: one sentence on standard error, for who started the app
// there, and in a dialog for everybody else.

import type { App, Dialog } from 'electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError } from '../contract/errors.ts';
import type { Logger } from '../log/logger.ts';
import { exitCode, exitCodeOf, UsageError } from '../terminal/exit-code.ts';

export interface FailureDeps {
  app: Pick<App, 'setPath' | 'whenReady' | 'exit'>;
  dialog: Pick<Dialog, 'showErrorBox'>;
  stderr: Pick<NodeJS.WritableStream, 'write'>;
}

/** Before `ready`: the app starts only as far as it takes to show the sentence. */
export function endStart(failure: unknown, { app, dialog, stderr }: FailureDeps): void {
  const isUsage = failure instanceof UsageError;
  const told = isUsage ? failure.message : describeError(failure).message;
  const code = isUsage ? exitCode.wrongUse : exitCodeOf(describeError(failure));
  stderr.write(`${told}\n`);
  // Chromium's profile is not to be made in a data folder that was refused.
  const profile = mkdtempSync(join(tmpdir(), 'doctray-start-'));
  app.setPath('userData', profile);
  void app.whenReady().then(() => {
    dialog.showErrorBox('DocTray could not start', told);
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    app.exit(code);
  });
}

/** Node would print the error as it is, with whatever it quotes; Electron would show it so. */
export function watchFailures(deps: {
  process: Pick<NodeJS.Process, 'on'>;
  app: Pick<App, 'exit'>;
  dialog: Pick<Dialog, 'showErrorBox'>;
  log: Pick<Logger, 'error' | 'flush'>;
}): void {
  const { process, app, dialog, log } = deps;
  let isEnding = false;
  const onFailure = (error: unknown): void => {
    log.error({ err: error }, 'DocTray failed and ends; nothing saved is lost');
    log.flush();
    if (isEnding) return;
    isEnding = true;
    dialog.showErrorBox('DocTray has to end', 'Something went wrong. Nothing saved is lost; start it again.');
    app.exit(exitCode.failed);
  };
  process.on('uncaughtException', onFailure).on('unhandledRejection', onFailure);
}
