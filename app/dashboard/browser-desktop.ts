// What a browser does for the window's commands. What needs a file manager, a tray or start at login isn't available there, and the
// page doesn't offer it.

import manifest from '../../package.json' with { type: 'json' };
import type { Desktop } from '../commands/desktop.ts';
import { folderFault } from '../commands/settings.ts';
import type { DashboardMessage } from '../contract/dashboard.ts';
import { engineHelpUrls } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import type { PageSide } from './connection.ts';

export interface BrowserDesktopDeps {
  send(message: DashboardMessage): void;
  ask: PageSide['ask'];
  dataDir: string;
  /** The same page of the host, at an address that the browser reaches. */
  reachable(url: string): string;
  /** Where this computer reaches the host. */
  hostUrl(): string;
  quit(): void;
}

export function createBrowserDesktop(deps: BrowserDesktopDeps): Desktop {
  const { send, ask } = deps;
  const show = (url: string): void => send({ type: 'show', url });
  const unavailable = (): never => {
    throw new AppError('not-in-browser');
  };

  return {
    isBrowser: true,
    appVersion: manifest.version,
    versions: { Node: process.versions.node },
    confirm: async (question) => (await ask({ kind: 'confirm', ...question })) !== undefined,
    chooseFolder: async (startIn) =>
      (await ask({ kind: 'folder', startIn }, (path) => folderFault(path, deps.dataDir)))?.path,
    async saveFile(name, _kind, text) {
      send({ type: 'save', name, text });
      return name;
    },
    // The page does the copying.
    copyText: unavailable,
    copySecret: unavailable,
    reveal: unavailable,
    openFolder: unavailable,
    async openDocumentPage(url) {
      show(deps.reachable(url));
      return 'browser';
    },
    openHelp: async (page) => show(deps.reachable(`${deps.hostUrl()}/help/${page}`)),
    openEngineHelp: async (page) => show(engineHelpUrls[page]),
    startsAtLogin: () => null,
    setStartsAtLogin: unavailable,
    hasTray: () => false,
    update: () => null,
    checkForUpdates: unavailable,
    restartToUpdate: unavailable,
    hasCrashed: () => false,
    dismissCrash: () => undefined,
    quit: deps.quit,
  };
}
