// The stand-in's command line: the app to run and Chromium's switches, as far as the fuses of its executable allow.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { Manifest } from './app.ts';

export interface CommandLineInput {
  exePath: string;
  /** The app's folder or archive. */
  appSource: string;
  isPackaged: boolean;
  resourcesPath: string;
  /** The arguments that the app gets in process.argv. */
  argv: string[];
  switches: ReadonlySet<string>;
  inspectPort: number | undefined;
  wantsDevtools: boolean;
}

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseNames = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'nodeCliInspect',
  'asarIntegrity',
  'onlyLoadAppFromAsar',
  'v8Snapshot',
  'fileProtocolExtraPrivileges',
  'wasmTrapHandlers',
] as const;

export type FuseName = (typeof fuseNames)[number];

/** Reads the executable's fuse wire; without one, Electron's defaults apply. */
export function readFuses(exePath: string): Map<FuseName, boolean> {
  const bytes = readFileSync(exePath);
  const at = bytes.indexOf(sentinel);
  const wire = at < 0 ? Buffer.from('101100011') : bytes.subarray(at + sentinel.length + 2);
  return new Map(fuseNames.map((name, index) => [name, wire[index] === 0x31]));
}

export function parseCommandLine(exePath: string, args: string[]): CommandLineInput {
  const resourcesPath = join(dirname(exePath), 'resources');
  const packed = [join(resourcesPath, 'app.asar'), join(resourcesPath, 'app')].find((path) =>
    existsSync(path),
  );
  const fuses = readFuses(exePath);

  const inspect = args.find((arg) => /^--inspect(?:-brk)?(?:=|$)/.test(arg));
  const mayInspect = fuses.get('nodeCliInspect') === true;
  const common = {
    exePath,
    switches: new Set(args.map((arg) => arg.replace(/^--|=.*$/gs, ''))),
    inspectPort:
      inspect === undefined || !mayInspect ? undefined : Number(inspect.split(/[=:]/).at(-1) || 9229),
    wantsDevtools: args.some((arg) => arg.startsWith('--remote-debugging-port')),
    resourcesPath,
  };

  if (packed !== undefined) {
    if (fuses.get('onlyLoadAppFromAsar') === true && !packed.endsWith('.asar')) {
      throw new Error('The fuse onlyLoadAppFromAsar is on and resources/app.asar is missing');
    }
    return { ...common, appSource: packed, isPackaged: true, argv: [exePath, ...args] };
  }
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  if (at < 0) throw new Error('usage: electron APP [arguments]');
  return {
    ...common,
    appSource: resolve(args[at]!),
    isPackaged: false,
    argv: [exePath, ...args.slice(at)],
  };
}

export interface AppToRun {
  appPath: string;
  mainPath: string;
  manifest: Manifest & { type?: string };
}

/** @param appPath the app's folder */
export function findApp(appPath: string): AppToRun {
  const path = join(appPath, 'package.json');
  if (!existsSync(path)) throw new Error(`Unable to find Electron app at ${appPath}`);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as AppToRun['manifest'] & { main?: string };
  return { appPath, mainPath: join(appPath, manifest.main ?? 'index.js'), manifest };
}
