// What the app was started with, and what a second launch hands to the running app. Chromium's own switches may be anywhere
// among the arguments, so nothing here depends on their order.

import { existsSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { isCommandName } from '../terminal/command-prefix.ts';
import { UsageError } from '../terminal/exit-code.ts';
import type { ServeOptions } from '../terminal/serve-options.ts';
import { t } from '../contract/messages.ts';

export interface Launch {
  /** The same as for `serve`. */
  options: ServeOptions;
  /** Started at login: only the tray icon appears. */
  isHidden: boolean;
  /** Restarted after an error. */
  isAfterFailure: boolean;
  /** `doctray:` links and paths of documents, unchecked. */
  targets: string[];
  /** What relative paths are relative to. */
  cwd: string;
  /** Chromium's switches, and the system's. */
  switches: string[];
}

const afterFailure = '--after-failure';

const flags = {
  '--folder': 'folder',
  '--data': 'data',
  '--host': 'host',
  '--port': 'port',
  '--public-url': 'publicUrl',
  '--owner': 'owner',
} as const satisfies Record<string, keyof ServeOptions>;

/** Without the program, and in an unpackaged app without Electron's own part: `electron --inspect=0 . --data DIR`. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  const rest = argv.slice(1);
  if (isPackaged) return rest;
  const app = rest.findIndex((argument) => !argument.startsWith('-'));
  return app === -1 ? [] : rest.slice(app + 1);
}

/**
 * The arguments of a terminal command; undefined opens the window. Switches of Chromium may come first: where user namespaces are
 * blocked, an AppImage's AppRun starts the app with `--no-sandbox locks`. A mistyped command or option also goes to the terminal,
 * whose error suggests the right one.
 */
export function terminalArguments(
  args: readonly string[],
  isPath: (word: string) => boolean = existsSync,
): string[] | undefined {
  const mistyped = args.find(isMistyped);
  if (mistyped !== undefined) return ['start', mistyped];
  const start = args.findIndex((argument) => !argument.startsWith('-') || isOwn(argument));
  const rest = start === -1 ? [] : args.slice(start);
  const [first = ''] = rest.slice(commonOptionsLength(rest));
  const isWord = /^[a-z]+(?:-[a-z]+)*$/iu.test(first);
  // `start` opens the window.
  const isCommand = first !== 'start' && isWord && (isCommandName(first) || !isPath(first));
  return terminalOptions.includes(first) || isCommand ? rest : undefined;
}

/** Of the options that every command has, which may come before it: `--data DIR locks`. */
function commonOptionsLength(args: readonly string[]): number {
  let length = 0;
  for (;;) {
    const next = args[length] ?? '';
    if (next === '--json' || next.startsWith('--data=')) length += 1;
    else if (next === '--data') length += 2;
    else return length;
  }
}

/** Chromium has too many switches to list, but none is a single letter or one typo away from one of our options. */
function isMistyped(argument: string, index: number, args: readonly string[]): boolean {
  const last = args.indexOf('--');
  if ((last !== -1 && index > last) || isOwn(argument)) return false;
  const [name = ''] = argument.split('=');
  return (
    /^-[a-z]$/iu.test(name) ||
    (name.startsWith('--') && ownNames.some((own) => own.length > 4 && isNear(name, own)))
  );
}

/** One letter is missing, added or replaced, or two neighbors are swapped. */
function isNear(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  );
}

const terminalOptions = ['--help', '-h', '--version', '-V'];
const ownNames = [...terminalOptions, ...Object.keys(flags), '--json', '--hidden', afterFailure, '--'];

function isOwn(argument: string): boolean {
  const [name = ''] = argument.split('=');
  return ownNames.includes(name);
}

/** Unknown options are Chromium's or the system's. @throws UsageError */
export function readLaunch(args: readonly string[], cwd: string): Launch {
  const launch: Launch = {
    options: {},
    isHidden: false,
    isAfterFailure: false,
    targets: [],
    cwd,
    switches: [],
  };
  const rest = [...args];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [flag = '', ...parts] = argument.split('=');
    const name = Object.hasOwn(flags, flag) ? flags[flag as keyof typeof flags] : undefined;
    if (name !== undefined) {
      const value = parts.length > 0 ? parts.join('=') : rest.shift();
      if (value === undefined || value === '')
        throw new UsageError(t('desktop.option-needs-a-value', { option: flag }));
      launch.options[name] = value;
    } else if (argument === '--json') launch.options.json = true;
    else if (argument === '--hidden') launch.isHidden = true;
    else if (argument === afterFailure) launch.isAfterFailure = true;
    else if (argument === '--') {
      launch.targets.push(...rest);
      break;
    } else if (argument.startsWith('-')) launch.switches.push(argument);
    else if (argument !== '' && argument !== 'start') launch.targets.push(argument);
  }
  return launch;
}

/** Starts the app again after an error, with the same options but without the documents, which may have caused it. */
export function restartArguments({ options, switches }: Launch, isHidden: boolean): string[] {
  const given = Object.entries(flags).flatMap(([flag, name]) => {
    const value = options[name];
    return value === undefined ? [] : `${flag}=${value}`;
  });
  return [...switches, ...given, ...(isHidden ? ['--hidden'] : []), afterFailure];
}

/**
 * Path of the running AppImage, whose content is mounted elsewhere each time. Undefined if the variables are another AppImage's, from
 * whose terminal DocTray was started.
 */
export function appImageOf(env: NodeJS.ProcessEnv, execPath: string): string | undefined {
  const { APPIMAGE = '' } = env;
  return isAbsolute(APPIMAGE) && isStartedByAppRun(env, execPath) ? APPIMAGE : undefined;
}

/** Also from a folder that an AppImage was extracted to. Like any other folder, it isn't updated. */
export function isStartedByAppRun({ APPDIR = '' }: NodeJS.ProcessEnv, execPath: string): boolean {
  return isAbsolute(APPDIR) && execPath.startsWith(join(APPDIR, sep));
}

/** What a second launch asks of the running app. */
export type HandedOver = Pick<Launch, 'targets' | 'cwd' | 'isHidden'>;

/** Electron's data of a second launch. It comes from another process of this user, so only its shape is checked. */
export function handedOver(data: unknown): HandedOver {
  const { targets, cwd, isHidden } = (data ?? {}) as Record<string, unknown>;
  return {
    targets: Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : [],
    cwd: typeof cwd === 'string' ? cwd : '/',
    isHidden: isHidden === true,
  };
}
