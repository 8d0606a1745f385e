// What has to be settled before Electron is ready: the options, the data folder with Chromium's profile in it, the one
// running app, the app's scheme, the sandbox and the guards.

import { app, dialog, protocol } from 'electron';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { createLogger, type Logger } from '../log/logger.ts';
import { dataFolderOf, prepareDataFolder } from '../terminal/data-folder.ts';
import { checkOptions, type ChosenOptions } from '../terminal/serve-options.ts';
import { installGuards, type Guards } from './guards.ts';
import { readLaunch, type Launch } from './launch-arguments.ts';
import { openLogFile } from './log-file.ts';
import { registerAppScheme } from './protocol.ts';
import { claimSingleInstance, type HandedOver } from './single-instance.ts';
import { endStart, watchFailures } from './start-failure.ts';

export interface Prepared {
  launch: Launch;
  chosen: ChosenOptions;
  dataDir: string;
  log: Logger;
  guards: Guards;
  /** Who is told of a second launch; until then it waits. */
  onSecondLaunch(listener: (other: HandedOver) => void): void;
}

/** Undefined when this process is not to go on: it shows why, or another one was told. */
export async function prepareApp(args: readonly string[]): Promise<Prepared | undefined> {
  app.setName('DocTray');
  // Windows shows notifications under the name its installer gave this id, the appId of electron-builder.yml
  if (process.platform === 'win32') app.setAppUserModelId('org.doctray.DocTray');
  app.enableSandbox();
  registerAppScheme(protocol);
  try {
    return await prepare(readLaunch(args, process.cwd()));
  } catch (error) {
    endStart(error, { app, dialog, stderr: process.stderr });
    return undefined;
  }
}

async function prepare(launch: Launch): Promise<Prepared | undefined> {
  const { options, cwd } = launch;
  const { env, platform } = process;
  const chosen = checkOptions(options, cwd);
  const dataFolder = dataFolderOf({ data: options.data, env, platform, cwd });
  if (chosen.folder !== undefined) await assertDisjoint(chosen.folder, dataFolder);
  const dataDir = await prepareDataFolder(dataFolder);

  const profile = join(dataDir, 'window');
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath('userData', profile);
  const seconds = createMailbox<HandedOver>();
  if (!claimSingleInstance(app, launch, seconds.put)) {
    app.exit(0);
    return undefined;
  }
  const log = openLog(dataDir);
  watchFailures({ process, app, dialog, log });
  const guards = installGuards(app, {
    hasDevTools: !app.isPackaged,
    onRefused: (what) => log.warn({ what }, 'a page was refused something'),
  });
  return { launch, chosen, dataDir, log, guards, onSecondLaunch: seconds.open };
}

/** From the sources somebody looks at the terminal; the installed app has none. */
function openLog(dataDir: string): Logger {
  if (!app.isPackaged) {
    // `npm start` reads our standard error before it passes it on to its terminal.
    const pretty = process.stderr.isTTY || process.env['DOCTRAY_PRETTY_LOG'] === '1';
    return createLogger({ destination: 'stderr', pretty });
  }
  const file = openLogFile(join(dataDir, 'doctray.log'));
  const log = createLogger({ destination: file.stream, pretty: false });
  process.on('exit', file.flush);
  return { ...log, flush: file.flush };
}

function createMailbox<Letter>(): {
  put(letter: Letter): void;
  open(listener: (letter: Letter) => void): void;
} {
  const waiting: Letter[] = [];
  let deliver = (letter: Letter): void => void waiting.push(letter);
  return {
    put: (letter) => deliver(letter),
    open(listener) {
      deliver = listener;
      for (const letter of waiting.splice(0)) listener(letter);
    },
  };
}
