// The small modules of electron: clipboard, screen, safeStorage, globalShortcut, crashReporter, net, systemPreferences.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type {
  Clipboard,
  CrashReporter,
  Display,
  GlobalShortcut,
  Net,
  SafeStorage,
  Screen,
  SystemPreferences,
} from 'electron';

import type { StandInSession } from '../session.ts';
import { StrictEmitter, strict } from '../strict.ts';

export function createClipboard(): Clipboard {
  let text = '';
  const members = {
    readText: () => text,
    writeText: (value: string) => void (text = value),
    clear: () => void (text = ''),
    availableFormats: () => (text === '' ? [] : ['text/plain']),
  };
  return strict(members, 'clipboard') as unknown as Clipboard;
}

export interface ScreenModule {
  screen: Screen;
  setDisplays(areas: Electron.Rectangle[]): void;
}

export function createScreen(): ScreenModule {
  const display = (bounds: Electron.Rectangle, index: number): Display =>
    ({
      id: index + 1,
      label: `Display ${index + 1}`,
      bounds,
      workArea: { ...bounds },
      size: { width: bounds.width, height: bounds.height },
      workAreaSize: { width: bounds.width, height: bounds.height },
      scaleFactor: 1,
      rotation: 0,
      internal: index === 0,
      touchSupport: 'unknown',
      colorDepth: 24,
      displayFrequency: 60,
    }) as Display;
  let displays = [display({ x: 0, y: 0, width: 1920, height: 1080 }, 0)];

  const overlap = (a: Electron.Rectangle, b: Electron.Rectangle): number =>
    Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
    Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

  class StandInScreen
    extends StrictEmitter
    implements
      Pick<
        Screen,
        | 'getPrimaryDisplay'
        | 'getAllDisplays'
        | 'getDisplayMatching'
        | 'getDisplayNearestPoint'
        | 'getCursorScreenPoint'
      >
  {
    constructor() {
      super('screen', ['display-added', 'display-removed', 'display-metrics-changed']);
    }
    getPrimaryDisplay(): Display {
      return displays[0]!;
    }
    getAllDisplays(): Display[] {
      return [...displays];
    }
    getDisplayMatching(area: Electron.Rectangle): Display {
      return displays.toSorted((a, b) => overlap(b.bounds, area) - overlap(a.bounds, area))[0]!;
    }
    getDisplayNearestPoint({ x, y }: Electron.Point): Display {
      return this.getDisplayMatching({ x, y, width: 1, height: 1 });
    }
    getCursorScreenPoint(): Electron.Point {
      return { x: 0, y: 0 };
    }
  }
  const screen = new StandInScreen();
  return {
    screen: screen as unknown as Screen,
    setDisplays(areas) {
      const before = displays;
      displays = areas.map(display);
      for (const gone of before.slice(displays.length)) screen.emit('display-removed', {}, gone);
      for (const added of displays.slice(before.length)) screen.emit('display-added', {}, added);
    },
  };
}

/** Without a keyring of the desktop's own, as in a session without one. */
export function createSafeStorage(): SafeStorage {
  const members = {
    isEncryptionAvailable: () => false,
    getSelectedStorageBackend: () => 'basic_text' as const,
  } satisfies Pick<SafeStorage, 'isEncryptionAvailable' | 'getSelectedStorageBackend'>;
  return strict(members, 'safeStorage') as unknown as SafeStorage;
}

export interface ShortcutModule {
  globalShortcut: GlobalShortcut;
  press(accelerator: string): void;
}

export function createGlobalShortcut(): ShortcutModule {
  const registered = new Map<string, () => void>();
  const members = {
    register(accelerator: string, callback: () => void) {
      if (registered.has(accelerator)) return false;
      registered.set(accelerator, callback);
      return true;
    },
    isRegistered: (accelerator: string) => registered.has(accelerator),
    unregister: (accelerator: string) => void registered.delete(accelerator),
    unregisterAll: () => registered.clear(),
  } satisfies Pick<GlobalShortcut, 'register' | 'isRegistered' | 'unregister' | 'unregisterAll'>;
  return {
    globalShortcut: strict(members, 'globalShortcut') as unknown as GlobalShortcut,
    press(accelerator) {
      const callback = registered.get(accelerator);
      if (!callback) throw new Error(`no shortcut ${accelerator}`);
      callback();
    },
  };
}

export function createCrashReporter(): CrashReporter {
  const members = {
    start: () => undefined,
    getUploadToServer: () => false,
    setUploadToServer: () => undefined,
    getUploadedReports: () => [],
    getLastCrashReport: () => null,
  } satisfies Pick<
    CrashReporter,
    'start' | 'getUploadToServer' | 'setUploadToServer' | 'getUploadedReports' | 'getLastCrashReport'
  >;
  return strict(members, 'crashReporter') as unknown as CrashReporter;
}

const mediaTypes: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  txt: 'text/plain',
};

/** `net.fetch` reads file: addresses too, and asks the default session's protocol handlers. */
export function createNet(defaultSession: () => StandInSession): Net {
  const members = {
    async fetch(input: string | Request, init?: RequestInit & { bypassCustomProtocolHandlers?: boolean }) {
      const url = typeof input === 'string' ? input : input.url;
      if (url.startsWith('file:')) {
        const path = fileURLToPath(url);
        try {
          const type =
            mediaTypes[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
          return new Response(await readFile(path), { headers: { 'content-type': type } });
        } catch {
          throw new Error('net::ERR_FILE_NOT_FOUND');
        }
      }
      if (init?.bypassCustomProtocolHandlers) return fetch(input, init);
      return defaultSession().protocol.fetch(input, init);
    },
    isOnline: () => true,
    get online() {
      return true;
    },
  } satisfies Pick<Net, 'fetch' | 'isOnline' | 'online'>;
  return strict(members, 'net') as unknown as Net;
}

export function createSystemPreferences(): SystemPreferences {
  class StandInPreferences
    extends StrictEmitter
    implements Pick<SystemPreferences, 'getAnimationSettings' | 'getAccentColor'>
  {
    constructor() {
      super('systemPreferences', ['accent-color-changed', 'color-changed']);
    }
    getAnimationSettings(): Electron.AnimationSettings {
      return {
        shouldRenderRichAnimation: true,
        scrollAnimationsEnabledBySystem: true,
        prefersReducedMotion: false,
      };
    }
    getAccentColor(): string {
      return '3584e4ff';
    }
  }
  return new StandInPreferences() as unknown as SystemPreferences;
}
