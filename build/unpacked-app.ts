// Where electron-builder puts the unpacked app on each system, and how `npm run pack` asks for it.

import { dirname, join } from 'node:path';

export interface UnpackedApp {
  /** What `--linux dir` and so on create. */
  folder: string;
  executable: string;
  /** Contains app.asar. */
  resources: string;
}

/** electron-builder's arguments for an unpacked app of this system and processor. @throws Error on other systems */
export function unpackedArguments(platform: NodeJS.Platform, arch: string): string[] {
  const flag = flags[platform];
  if (flag === undefined) throw new Error(`DocTray can’t be packed for ${platform}.`);
  // Changed fuses invalidate Electron's signature, and Apple silicon kills an app with an invalid one.
  const signing = platform === 'darwin' ? ['-c.mac.identity=-', '-c.mac.hardenedRuntime=false'] : [];
  return [flag, 'dir', `--${arch}`, '--publish', 'never', ...signing];
}

const flags: Partial<Record<NodeJS.Platform, string>> = {
  linux: '--linux',
  darwin: '--mac',
  win32: '--win',
};

/** @param output electron-builder's output folder */
export function unpackedApp(output: string, platform: NodeJS.Platform, arch: string): UnpackedApp {
  const suffix = arch === 'x64' ? '' : `-${arch}`;
  if (platform === 'darwin') {
    const folder = join(output, `mac${suffix}`, 'DocTray.app');
    return {
      folder,
      executable: join(folder, 'Contents', 'MacOS', 'DocTray'),
      resources: join(folder, 'Contents', 'Resources'),
    };
  }
  const isWindows = platform === 'win32';
  const folder = join(output, `${isWindows ? 'win' : 'linux'}${suffix}-unpacked`);
  const executable = join(folder, isWindows ? 'DocTray.exe' : 'doctray');
  return { folder, executable, resources: join(folder, 'resources') };
}

/** @returns the folder electron-builder copies Electron from */
export function electronFolder(program: string, platform: NodeJS.Platform): string {
  // Electron.app/Contents/MacOS/Electron
  return platform === 'darwin' ? join(dirname(program), '..', '..', '..') : dirname(program);
}
