// What happens before Electron is ready: options, the data folder with Chromium's profile in it, the single-instance lock, the
// app's scheme, the sandbox and the guards. If the app can't start, one sentence goes to standard error and to a dialog.

import type { App, Dialog, Protocol } from 'electron';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, describeError, inWindowWords } from '../contract/errors.ts';
import { shellQuoted } from '../contract/format.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { createLogger, readable, toFile, toStream, type Logger } from '../log/logger.ts';
import { withCommandPrefix, type Invocation } from '../terminal/command-prefix.ts';
import { sourceCommand } from '../terminal/terminal.ts';
import { dataFolderOf, prepareDataFolder } from '../terminal/data-folder.ts';
import { findSandboxProblem } from '../terminal/electron-sandbox.ts';
import { exitCode, exitCodeOf, UsageError } from '../terminal/exit-code.ts';
import { checkOptions, type ChosenOptions } from '../terminal/serve-options.ts';
import { watchFailures, type Failures } from './crashes.ts';
import { installGuards, type Guards } from './guards.ts';
import {
  appImageOf,
  isStartedByAppRun,
  readLaunch,
  restartArguments,
  type HandedOver,
  type Launch,
} from './launch.ts';
import { registerAppScheme } from './protocol.ts';
import { chooseLanguage, t } from '../contract/messages.ts';
import { languageFor } from '../languages.ts';

export interface Prepared {
  launch: Launch;
  chosen: ChosenOptions;
  dataDir: string;
  /** How users invoke DocTray in a terminal. */
  invocation: Invocation;
  log: Logger;
  guards: Guards;
  failures: Failures;
}

interface Electron {
  app: App;
  dialog: Dialog;
  protocol: Protocol;
}

/** Undefined when this process must not go on: it shows why, or another one took over the launch. */
export async function prepareApp(args: readonly string[], electron: Electron): Promise<Prepared | undefined> {
  const { app, protocol } = electron;
  app.setName('DocTray');
  // Windows shows notifications under the name its installer gave this id, the appId of electron-builder.yml
  if (process.platform === 'win32') app.setAppUserModelId('org.doctray.DocTray');
  app.enableSandbox();
  registerAppScheme(protocol);
  try {
    return await prepare(readLaunch(args, process.cwd()), electron);
  } catch (error) {
    failStart(error, electron);
    return undefined;
  }
}

async function prepare(launch: Launch, { app, dialog }: Electron): Promise<Prepared | undefined> {
  const { options, cwd } = launch;
  const { env, platform } = process;
  if (platform === 'linux')
    await assertSandboxed(launch, { env, execPath: process.execPath, userId: process.getuid?.() });
  const chosen = checkOptions(options, cwd);
  const dataFolder = dataFolderOf({ data: options.data, env, platform, cwd });
  if (chosen.folder !== undefined) await assertDisjoint(chosen.folder, dataFolder);
  const dataDir = await prepareDataFolder(dataFolder);

  const profile = join(dataDir, 'window');
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath('userData', profile);
  // One running app per data folder: the lock is in Chromium's profile. Another app has received the data by now.
  const { targets, isHidden } = launch;
  if (!app.requestSingleInstanceLock({ targets, cwd, isHidden } satisfies HandedOver)) {
    app.exit(0);
    return undefined;
  }
  const invocation = {
    command: app.isPackaged ? 'doctray' : sourceCommand,
    ...(options.data !== undefined && { dataOption: `--data ${shellQuoted(options.data)}` }),
  };
  const log = openLog(dataDir, { isPackaged: app.isPackaged, invocation });
  const failures = watchFailures({
    process,
    app,
    dialog,
    restart(isHidden) {
      const execPath = appImageOf(env, process.execPath);
      return { ...(execPath !== undefined && { execPath }), args: restartArguments(launch, isHidden) };
    },
    isRestarted: launch.isAfterFailure,
    log,
  });
  const guards = installGuards(app, {
    hasDevTools: !app.isPackaged,
    onRefused: (what) => log.warn({ what }, 'A page’s request was blocked.'),
  });
  return { launch, chosen, dataDir, invocation, log, guards, failures };
}

/**
 * An AppImage's AppRun adds `--no-sandbox` where user namespaces are blocked, as on Ubuntu 24.04. The main process then runs, but pages
 * would run without a sandbox. Only root, for whom Chromium has none, may choose that.
 * @throws AppError sandbox-missing
 */
export async function assertSandboxed(
  { switches }: Pick<Launch, 'switches'>,
  place: { env: NodeJS.ProcessEnv; execPath: string; userId: number | undefined; systemRoot?: string },
): Promise<void> {
  const { env, execPath, userId, systemRoot = '/' } = place;
  if (!isStartedByAppRun(env, execPath) || userId === 0 || !switches.includes('--no-sandbox')) return;
  const program = appImageOf(env, execPath) ?? execPath;
  const detail = (await findSandboxProblem({ program, systemRoot })) ?? t('desktop.started-without-sandbox');
  throw new AppError('sandbox-missing', { detail });
}

function openLog(
  dataDir: string,
  { isPackaged, invocation }: { isPackaged: boolean; invocation: Invocation },
): Logger {
  const complete = (text: string): string => withCommandPrefix(text, invocation);
  if (isPackaged) return createLogger([toFile(dataDir)], complete);
  // `npm start` reads our standard error and passes it on to its terminal.
  const isRead = process.stderr.isTTY || process.env['DOCTRAY_PRETTY_LOG'] === '1';
  return createLogger(
    [toStream(process.stderr, isRead ? (line) => readable(line, true) : undefined)],
    complete,
  );
}

/** Before `ready`: Electron starts only far enough to show the dialog. */
function failStart(failure: unknown, { app, dialog }: Electron): void {
  const isUsage = failure instanceof UsageError;
  const sentence = isUsage ? failure.message : describeError(failure).message;
  const code = isUsage ? exitCode.wrongUse : exitCodeOf(describeError(failure));
  process.stderr.write(`${sentence}\n`);
  // Chromium must not create its profile in a data folder that was refused.
  const profile = mkdtempSync(join(tmpdir(), 'doctray-start-'));
  app.setPath('userData', profile);
  void app.whenReady().then(() => {
    chooseLanguage(languageFor([app.getLocale()]));
    const shown = isUsage ? sentence : inWindowWords(describeError(failure)).message;
    dialog.showErrorBox(t('desktop.doctray-couldnt-start'), shown);
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    app.exit(code);
  });
}
