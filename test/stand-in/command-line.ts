// The stand-in's command line: the app to run and Chromium's switches.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { Manifest } from './app.ts';

export function parseCommandLine(exePath: string, args: string[]) {
  const resourcesPath = join(dirname(exePath), 'resources');
  const packed = [join(resourcesPath, 'app.asar'), join(resourcesPath, 'app')].find((path) =>
    existsSync(path),
  );
  const inspect = args.find((arg) => /^--inspect(?:-brk)?(?:=|$)/.test(arg));
  const common = {
    exePath,
    /** Chromium's switches. */
    switches: new Set(args.map((arg) => arg.replace(/^--|=.*$/gs, ''))),
    inspectPort: inspect === undefined ? undefined : Number(inspect.split(/[=:]/).at(-1) || 9229),
    wantsDevtools: args.some((arg) => arg.startsWith('--remote-debugging-port')),
    resourcesPath,
  };

  /** `appSource`: the app's folder or archive; `argv`: what the app gets in process.argv. */
  if (packed !== undefined)
    return { ...common, appSource: packed, isPackaged: true, argv: [exePath, ...args] };
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  if (at < 0) throw new Error('usage: electron APP [arguments]');
  return {
    ...common,
    appSource: resolve(args[at]!),
    isPackaged: false,
    argv: [exePath, ...args.slice(at)],
  };
}

/** @param appPath the app's folder */
export function findApp(appPath: string) {
  const path = join(appPath, 'package.json');
  if (!existsSync(path)) throw new Error(`Unable to find Electron app at ${appPath}`);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest & { type?: string; main?: string };
  return { appPath, mainPath: join(appPath, manifest.main ?? 'index.js'), manifest };
}
