// `app`: the life cycle from ready to quit, including all vetoes that Electron offers, and the paths of a Linux desktop.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { App, CommandLine } from 'electron';

import { hub } from './hub.ts';
import { createSingleInstance, type Launch } from './single-instance.ts';
import { StrictEmitter, createEvent, strict, type Some } from './strict.ts';
import { systemLocale } from './system-locale.ts';

const events =
  'activate before-quit open-file open-url quit ready second-instance session-created web-contents-created will-quit window-all-closed';

export interface Manifest {
  name?: string;
  productName?: string;
  version?: string;
}

export interface AppDeps {
  appPath: string;
  isPackaged: boolean;
  manifest: Manifest;
  /** Chromium's switches of the command line, without dashes. */
  switches: ReadonlySet<string>;
  /** Before the process exits. */
  onExit: () => void;
}

function standardPath(key: string, appName: string): string {
  const home = process.env['HOME'] ?? '';
  if (key === 'userData') return join(process.env['XDG_CONFIG_HOME'] || join(home, '.config'), appName);
  const folder = { documents: 'Documents', downloads: 'Downloads' }[key];
  if (folder === undefined) throw new Error(`Failed to get '${key}' path`);
  return join(home, folder);
}

export function createApp(deps: AppDeps) {
  const { manifest, switches } = deps;
  let isQuitting = false;
  let isExiting = false;
  const paths = new Map<string, string>();
  const ready = Promise.withResolvers<void>();

  function leave(code: number): void {
    // electron-updater installs in it.
    facade.emit('quit', createEvent(), code);
    instance.release();
    deps.onExit();
    process.exit(code);
  }

  /** Emits an event that a listener can prevent. */
  function isAllowed(name: string): boolean {
    const event = createEvent();
    facade.emit(name, event);
    return !event.defaultPrevented;
  }

  function finishQuit(): void {
    isQuitting = isAllowed('will-quit');
    if (isQuitting) leave(0);
  }

  class StandInAppFacade extends StrictEmitter implements Some<App> {
    readonly isPackaged = deps.isPackaged;
    readonly commandLine = strict(
      { hasSwitch: (key: string) => switches.has(key) },
      'app.commandLine',
    ) as unknown as CommandLine;
    name = manifest.productName ?? manifest.name ?? 'Electron';

    constructor() {
      super('app', events);
    }
    setName(text: string): void {
      this.name = text;
    }
    getVersion(): string {
      return manifest.version ?? '';
    }
    getAppPath(): string {
      return deps.appPath;
    }
    getLocale(): string {
      return systemLocale(process.env);
    }
    getPath(key: string): string {
      const path = paths.get(key) ?? standardPath(key, this.name);
      if (key === 'userData') mkdirSync(path, { recursive: true });
      return path;
    }
    setPath(key: string, path: string): void {
      paths.set(key, path);
    }
    whenReady(): Promise<void> {
      return ready.promise;
    }
    quit(): void {
      if (isQuitting || isExiting || !isAllowed('before-quit')) return;
      isQuitting = true;
      if (hub.windows.size === 0) finishQuit();
      else for (const window of hub.windows) window.close();
    }
    exit(code = 0): void {
      isExiting = true;
      for (const window of hub.windows) window.destroy();
      leave(code);
    }
    requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
      return instance.request({ argv: [...process.argv], workingDirectory: process.cwd(), additionalData });
    }
    releaseSingleInstanceLock(): void {
      instance.release();
    }
    enableSandbox(): void {}
  }

  const facade = new StandInAppFacade();
  const onSecond = ({ argv, workingDirectory, additionalData }: Launch): void => {
    // Electron emits second-instance only after ready
    const emit = () => facade.emit('second-instance', createEvent(), argv, workingDirectory, additionalData);
    void ready.promise.then(emit);
  };
  const instance = createSingleInstance({ userData: () => facade.getPath('userData'), onSecond });
  process.on('exit', () => instance.release());

  hub.onCloseVetoed = () => void (isQuitting = false);
  hub.onWindowClosed = () => {
    if (hub.windows.size > 0 || isExiting) return;
    if (isQuitting) finishQuit();
    else if (facade.listenerCount('window-all-closed') > 0) facade.emit('window-all-closed');
    else facade.quit();
  };
  return {
    facade: facade as unknown as App,
    becomeReady(): void {
      hub.isReady = true;
      ready.resolve();
      facade.emit('ready', createEvent(), {});
    },
  };
}
