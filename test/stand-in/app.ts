// `app`: the life cycle from ready to quit, including all vetoes that Electron offers, and what the system stores for an app: paths,
// login item, protocol client.

import type { App, CommandLine, Event, LoginItemSettings, Settings } from 'electron';

import { createEvent } from './cancelable-event.ts';
import type { Hub } from './hub.ts';
import { createPaths } from './paths.ts';
import { createSingleInstance } from './single-instance.ts';
import { systemLocale } from './system-locale.ts';
import { StrictEmitter, checkOptions, strict } from './strict.ts';

/** The part of Electron's `app` that the stand-in has. */
type AppSurface = Pick<
  App,
  | 'name'
  | 'isPackaged'
  | 'commandLine'
  | 'applicationMenu'
  | 'setName'
  | 'getVersion'
  | 'getAppPath'
  | 'getLocale'
  | 'getPath'
  | 'setPath'
  | 'whenReady'
  | 'isReady'
  | 'quit'
  | 'exit'
  | 'focus'
  | 'hide'
  | 'requestSingleInstanceLock'
  | 'releaseSingleInstanceLock'
  | 'setAsDefaultProtocolClient'
  | 'setLoginItemSettings'
  | 'getLoginItemSettings'
  | 'enableSandbox'
  | 'setAppUserModelId'
>;

const appEvents: readonly string[] = [
  'will-finish-launching',
  'ready',
  'window-all-closed',
  'before-quit',
  'will-quit',
  'quit',
  'open-file',
  'open-url',
  'activate',
  'second-instance',
  'browser-window-blur',
  'browser-window-focus',
  'browser-window-created',
  'web-contents-created',
  'render-process-gone',
  'certificate-error',
  'login',
  'session-created',
];

export interface Manifest {
  name?: string;
  productName?: string;
  version?: string;
}

export interface AppDeps {
  hub: Hub;
  appPath: string;
  isPackaged: boolean;
  manifest: Manifest;
  /** Chromium's switches of the command line, without dashes. */
  switches: Map<string, string>;
  electronVersion: string;
  /** Resolves when a driver lets the app continue; without a driver, at once. */
  released: Promise<void>;
  onExit: () => void;
}

export interface StandInApp {
  facade: App;
  becomeReady(): Promise<void>;
  /** Whether the app waits for ready. */
  isAwaited(): boolean;
  emit(name: string, ...args: unknown[]): void;
  windowClosed(): void;
  closeVetoed(): void;
  isQuitting(): boolean;
  loginItem(): Settings;
  protocolClients: Set<string>;
}

export function createApp(deps: AppDeps): StandInApp {
  const { hub, manifest } = deps;
  let name = manifest.productName ?? manifest.name ?? 'Electron';
  let isQuitting = false;
  let isExiting = false;
  let isAwaited = false;
  let loginItem: Settings = {};
  const protocolClients = new Set<string>();
  const { promise: whenReady, resolve: setReady } = Promise.withResolvers<void>();
  const switches = deps.switches;
  const paths = createPaths({
    appName: () => name,
    exePath: process.execPath,
    appPath: () => deps.appPath,
    userDataArgument: switches.get('user-data-dir'),
  });

  const commandLine = strict(
    { hasSwitch: (key: string) => switches.has(key.toLowerCase()) } satisfies Pick<CommandLine, 'hasSwitch'>,
    'app.commandLine',
  ) as unknown as CommandLine;

  function leave(code: number): void {
    facade.emit('quit', createEvent(), code);
    instance.release();
    deps.onExit();
    process.exit(code);
  }

  function finishQuit(): void {
    const event = createEvent();
    facade.emit('will-quit', event);
    if (event.defaultPrevented) {
      isQuitting = false;
      return;
    }
    leave(0);
  }

  function quit(): void {
    if (isQuitting || isExiting) return;
    const event = createEvent();
    facade.emit('before-quit', event);
    if (event.defaultPrevented) return;
    isQuitting = true;
    if (hub.windows.size === 0) finishQuit();
    else for (const window of hub.windows) window.close();
  }

  class StandInAppFacade extends StrictEmitter implements AppSurface {
    readonly isPackaged = deps.isPackaged;
    readonly commandLine = commandLine;
    applicationMenu: Electron.Menu | null = null;

    constructor() {
      super('app', appEvents);
    }
    get name(): string {
      return name;
    }
    set name(text: string) {
      name = text;
    }
    setName(text: string): void {
      name = text;
    }
    getVersion(): string {
      return manifest.version ?? deps.electronVersion;
    }
    getAppPath(): string {
      return deps.appPath;
    }
    getLocale(): string {
      return systemLocale(process.env);
    }
    getPath(key: Parameters<App['getPath']>[0]): string {
      return paths.get(key);
    }
    setPath(key: string, path: string): void {
      paths.set(key, path);
    }
    whenReady(): Promise<void> {
      isAwaited = true;
      return whenReady;
    }
    isReady(): boolean {
      return hub.isReady;
    }
    quit(): void {
      quit();
    }
    exit(code = 0): void {
      isExiting = true;
      for (const window of hub.windows) window.destroy();
      leave(code);
    }
    focus(): void {
      [...hub.windows][0]?.focus();
    }
    hide(): void {
      for (const window of hub.windows) window.hide();
    }
    requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
      return instance.request({
        argv: [...process.argv],
        workingDirectory: process.cwd(),
        additionalData,
      });
    }
    releaseSingleInstanceLock(): void {
      instance.release();
    }
    setAsDefaultProtocolClient(scheme: string, path?: string, args?: string[]): boolean {
      protocolClients.add(scheme);
      hub.deeds.push({ kind: 'default-protocol-client', scheme, path, args });
      return true;
    }
    setLoginItemSettings(settings: Settings): void {
      checkOptions('app.setLoginItemSettings', settings, [
        'openAtLogin',
        'path',
        'args',
        'enabled',
        'name',
        'type',
        'serviceName',
      ]);
      loginItem = { ...settings };
      hub.deeds.push({ kind: 'login-item', settings });
    }
    getLoginItemSettings(): LoginItemSettings {
      return {
        openAtLogin: loginItem.openAtLogin === true,
        wasOpenedAtLogin: false,
        status: loginItem.openAtLogin === true ? 'enabled' : 'not-registered',
        executableWillLaunchAtLogin: loginItem.openAtLogin === true,
        launchItems: [],
      };
    }
    enableSandbox(): void {
      if (hub.isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
    }
    setAppUserModelId(): void {}
  }

  const facade = new StandInAppFacade();
  const instance = createSingleInstance({
    userData: () => paths.get('userData'),
    // Electron emits second-instance only after ready
    onSecond: (launch) =>
      void whenReady.then(() =>
        facade.emit(
          'second-instance',
          createEvent(),
          launch.argv,
          launch.workingDirectory,
          launch.additionalData,
        ),
      ),
  });
  process.on('exit', () => instance.release());

  return {
    facade: facade as unknown as App,
    emit: (event, ...args) => void facade.emit(event, ...args),
    async becomeReady() {
      await deps.released;
      facade.emit('will-finish-launching');
      hub.isReady = true;
      const launchInfo: Partial<Event> = {};
      setReady();
      facade.emit('ready', createEvent(launchInfo), {});
    },
    windowClosed() {
      if (hub.windows.size > 0 || isExiting) return;
      if (isQuitting) finishQuit();
      else if (facade.listenerCount('window-all-closed') > 0) facade.emit('window-all-closed');
      else quit();
    },
    isAwaited: () => isAwaited || facade.listenerCount('ready') > 0,
    closeVetoed() {
      isQuitting = false;
    },
    isQuitting: () => isQuitting,
    loginItem: () => loginItem,
    protocolClients,
  };
}
