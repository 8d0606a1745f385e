// The small modules of electron: clipboard, screen, and a shell that records and launches nothing.

import { existsSync } from 'node:fs';

import type { Clipboard, Display, Screen, Shell } from 'electron';

import type { Hub } from '../hub.ts';
import { StrictEmitter, checkOptions, strict } from '../strict.ts';

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

export function createScreen(): Screen {
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
  const displays = [display({ x: 0, y: 0, width: 1920, height: 1080 }, 0)];

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
  return new StandInScreen() as unknown as Screen;
}

export function createShell(hub: Hub): Shell {
  const members = {
    async openExternal(url: string, options?: Electron.OpenExternalOptions) {
      checkOptions('shell.openExternal', options, ['activate', 'workingDirectory', 'logUsage']);
      hub.deeds.push({ kind: 'open-external', url: new URL(url).href });
    },
    async openPath(path: string) {
      hub.deeds.push({ kind: 'open-path', path });
      return existsSync(path) ? '' : 'No such file or directory';
    },
    showItemInFolder: (path: string) => void hub.deeds.push({ kind: 'show-item-in-folder', path }),
  } satisfies Pick<Shell, 'openExternal' | 'openPath' | 'showItemInFolder'>;
  return strict(members, 'shell') as unknown as Shell;
}
