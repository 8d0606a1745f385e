// The desktop around the window's commands, by Electron: dialogs, clipboard, file manager.

import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type {
  BaseWindow,
  OpenDialogOptions,
  OpenDialogReturnValue,
  SaveDialogOptions,
  SaveDialogReturnValue,
} from 'electron';
import { engineHelpUrls } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import { diskRefused } from '../files/disk-error.ts';
import type { Desktop } from '../commands/desktop.ts';
import type { Autostart } from './autostart.ts';
import type { Ask } from './desktop-ask.ts';

export type HelpPage = Parameters<Desktop['openHelp']>[0];

export interface ElectronDesktopDeps<Parent extends BaseWindow> {
  dialog: {
    showOpenDialog(parent: Parent, options: OpenDialogOptions): Promise<OpenDialogReturnValue>;
    showOpenDialog(options: OpenDialogOptions): Promise<OpenDialogReturnValue>;
    showSaveDialog(parent: Parent, options: SaveDialogOptions): Promise<SaveDialogReturnValue>;
    showSaveDialog(options: SaveDialogOptions): Promise<SaveDialogReturnValue>;
  };
  ask: Ask;
  clipboard: { writeText(text: string): void };
  shell: { showItemInFolder(path: string): void; openPath(path: string): Promise<string> };
  app: { getVersion(): string; getPath(name: 'documents' | 'downloads'): string };
  window(): Parent | undefined;
  /** Through the guard that lets only known addresses pass. */
  openExternal(url: string): Promise<void>;
  /** In a window of the app. */
  openWindow(url: string, title: string): Promise<void>;
  /** The setting. */
  openIn(): 'browser' | 'window';
  helpUrl(page: HelpPage): string;
  autostart: Pick<Autostart, 'isOn' | 'set'>;
  hasTray(): boolean;
  /** `Quitting.request`. */
  quit(): void;
  /** `process.versions`. */
  versions: Readonly<Record<string, string | undefined>>;
}

export function createElectronDesktop<Parent extends BaseWindow>(deps: ElectronDesktopDeps<Parent>): Desktop {
  const { dialog, shell, app, autostart, versions } = deps;

  /** A window that is not seen can have no dialog over it. */
  function parent(): Parent | undefined {
    const window = deps.window();
    return window?.isDestroyed() === false && window.isVisible() ? window : undefined;
  }

  return {
    appVersion: app.getVersion(),
    versions: {
      Electron: versions['electron'] ?? '',
      Chromium: versions['chrome'] ?? '',
      Node: versions['node'] ?? '',
    },
    async confirm({ message, detail, button }) {
      const buttons = [button, 'Cancel'];
      return (
        (await deps.ask({ type: 'question', message, detail, buttons, defaultId: 1, cancelId: 1 })) === 0
      );
    },
    async chooseFolder(startIn) {
      const options: OpenDialogOptions = {
        title: 'Choose the folder to serve',
        buttonLabel: 'Serve this folder',
        properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
        defaultPath: startIn ?? app.getPath('documents'),
      };
      const over = parent();
      const { canceled, filePaths } = await (over === undefined
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(over, options));
      return canceled ? undefined : filePaths[0];
    },
    async chooseSavePath(suggestedName, kind) {
      const name = basename(suggestedName.replaceAll(/[\p{Cc}<>:"|?*\\]/gu, '_'));
      const options: SaveDialogOptions = {
        defaultPath: join(app.getPath('downloads'), name === '' ? `doctray.${kind}` : name),
        filters: [{ name: kind === 'crt' ? 'Certificate' : kind.toUpperCase(), extensions: [kind] }],
        properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
      };
      const over = parent();
      const { canceled, filePath } = await (over === undefined
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(over, options));
      return canceled || filePath === '' ? undefined : filePath;
    },
    copyText: (text) => deps.clipboard.writeText(text),
    reveal: (absolute) => shell.showItemInFolder(absolute),
    async openFolder(absolute) {
      // Opening anything else than a folder could run it.
      const stats = await stat(absolute).catch((error: unknown) => {
        throw diskRefused(error);
      });
      if (!stats.isDirectory()) throw new AppError('disk-refused', { detail: 'This is not a folder.' });
      const refusal = await shell.openPath(absolute);
      if (refusal !== '')
        throw new AppError('disk-refused', { detail: 'No file manager opened the folder.' });
    },
    async openDocumentPage(url, title) {
      const place = deps.openIn();
      if (place === 'window') {
        await deps.openWindow(url, title);
        return place;
      }
      try {
        await deps.openExternal(url);
      } catch (error) {
        if (error instanceof AppError) throw error;
        // what the system says holds the address, and that holds a ticket
        throw new AppError('browser-refused');
      }
      return place;
    },
    openHelp: (page) => deps.openExternal(deps.helpUrl(page)),
    openEngineHelp: (page) => deps.openExternal(engineHelpUrls[page]),
    startsAtLogin: () => autostart.isOn(),
    setStartsAtLogin: (isOn) => autostart.set(isOn),
    hasTray: () => deps.hasTray(),
    quit: () => deps.quit(),
  };
}
