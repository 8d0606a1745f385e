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
  const bounds = { x: 0, y: 0, width: 1920, height: 1080 };
  const display = { id: 1, bounds, workArea: bounds, scaleFactor: 1 } as Display;

  class StandInScreen extends StrictEmitter implements Pick<Screen, 'getDisplayMatching'> {
    constructor() {
      super('screen', ['display-added', 'display-removed', 'display-metrics-changed']);
    }
    getDisplayMatching(): Display {
      return display;
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
