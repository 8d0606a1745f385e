// What the app was started with. Chromium's own switches stand among the arguments in any order, and a second launch hands
// its arguments to the first, so they are read here without Electron and without trust in their order.

import { commandNames } from '../terminal/command-prefix.ts';
import { UsageError } from '../terminal/exit-code.ts';
import type { ServeOptions } from '../terminal/serve-options.ts';

export interface Launch {
  /** As `serve` takes them. */
  options: ServeOptions;
  /** Started at login: only the tray. */
  isHidden: boolean;
  /** `doctray:` links and paths of documents, as they were given. */
  targets: string[];
  /** What relative paths start from. */
  cwd: string;
}

/** Words that make the app a terminal command instead of a window. `start` opens the window. */
export const terminalCommands: readonly string[] = commandNames.filter((name) => name !== 'start');

const flags = {
  '--folder': 'folder',
  '--data': 'data',
  '--host': 'host',
  '--port': 'port',
  '--public-url': 'publicUrl',
  '--owner': 'owner',
} as const satisfies Record<string, keyof ServeOptions>;

/** Without the program, and in an unpackaged app without what leads to the app: `electron --inspect=0 . --data DIR`. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  const rest = argv.slice(1);
  if (isPackaged) return rest;
  const app = rest.findIndex((argument) => !argument.startsWith('-'));
  return app === -1 ? [] : rest.slice(app + 1);
}

export function isForTerminal(args: readonly string[]): boolean {
  const [first = ''] = args;
  return ['--help', '-h', '--version', '-V'].includes(first) || terminalCommands.includes(first);
}

/** What it does not know is Chromium's, or the system's, and is passed over. @throws UsageError */
export function readLaunch(args: readonly string[], cwd: string): Launch {
  const launch: Launch = { options: {}, isHidden: false, targets: [], cwd };
  const rest = [...args];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [flag = '', ...parts] = argument.split('=');
    const name = Object.hasOwn(flags, flag) ? flags[flag as keyof typeof flags] : undefined;
    if (name !== undefined) {
      const value = parts.length > 0 ? parts.join('=') : rest.shift();
      if (value === undefined || value === '') throw new UsageError(`${flag} needs a value.`);
      launch.options[name] = value;
    } else if (argument === '--json') launch.options.json = true;
    else if (argument === '--hidden') launch.isHidden = true;
    else if (argument === '--') {
      launch.targets.push(...rest);
      break;
    } else if (!argument.startsWith('-') && argument !== '') launch.targets.push(argument);
  }
  return launch;
}
