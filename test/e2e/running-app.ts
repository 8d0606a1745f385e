// The app as a process: starts it, waits for its exit, and quits it even with open documents.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ElectronApplication, Page } from 'playwright';
import { projectRoot } from '../cli/built-program.ts';
import { launchElectron } from '../stand-in/launch.ts';
import { stopAsking, watchDialogs, type Dialogs } from './desk-dialogs.ts';
import { patienceMs } from './window-of.ts';

const longestOutput = 64_000;

export interface RunningApp {
  app: ElectronApplication;
  child: ChildProcess;
  /** Undefined after a hidden start. */
  page: Page | undefined;
  dialogs: Dialogs;
}

/** What the app wrote to standard error, over all its starts. */
export interface Output {
  text: string;
}

export async function launchApp(
  { args, env, isHidden }: { args: string[]; env: Record<string, string>; isHidden: boolean },
  output: Output,
): Promise<RunningApp> {
  const app = await launchElectron({ appDir: projectRoot, args, env });
  const child = app.process();
  child.stderr?.on('data', (chunk: Buffer) => {
    output.text = (output.text + chunk.toString()).slice(-longestOutput);
  });
  try {
    app.context().setDefaultTimeout(patienceMs);
    const dialogs = await watchDialogs(app);
    return { app, child, page: isHidden ? undefined : await pageOf(app), dialogs };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`The app did not start.\n${output.text}`, { cause: error });
  }
}

/** The page of the app's window, once it shows the host's state. */
export async function pageOf(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow({ timeout: patienceMs });
  await page.waitForSelector('#root > :not([aria-busy="true"])');
  return page;
}

/** Resolves to the exit code. Kills the process and fails if it doesn't exit. */
export async function endOf({ child }: RunningApp, output: Output): Promise<number | null> {
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  clearTimeout(timer);
  assert.notEqual(child.signalCode, 'SIGKILL', `The app did not exit.\n${output.text}`);
  return child.exitCode;
}

export async function quitApp(running: RunningApp, output: Output): Promise<void> {
  const { app, child } = running;
  if (child.exitCode !== null || child.signalCode !== null) return;
  await stopAsking(app).catch(() => undefined);
  await Promise.all([endOf(running, output), app.close()]);
}
