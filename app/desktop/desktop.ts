// What Electron does for the window's commands: dialogs, clipboard, file manager.

import { stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type {
  App,
  BaseWindow,
  Dialog,
  MessageBoxOptions,
  OpenDialogOptions,
  SaveDialogOptions,
  Shell,
} from 'electron';
import { engineHelpUrls } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import { forbiddenCharacters } from '../contract/names.ts';
import { diskRefused } from '../files/disk-error.ts';
import type { Desktop } from '../commands/desktop.ts';
import type { Logger } from '../log/logger.ts';
import type { Autostart } from './autostart.ts';
import type { Updates } from './updates.ts';
import { t } from '../contract/messages.ts';

export interface Question {
  message: string;
  detail?: string;
  buttons: string[];
  /** What Enter answers. */
  defaultId: number;
  /** What Escape answers, and closing the dialog. */
  cancelId: number;
  type: 'question' | 'warning' | 'error' | 'info';
}

/** @returns the index of the button; `cancelId` if the dialog couldn't be shown */
export type Ask = (question: Question) => Promise<number>;

/** Asks with the system's dialog: over the window if it is visible, otherwise without one. */
export function createAsk(deps: {
  dialog: Pick<Dialog, 'showMessageBox'>;
  window(): BaseWindow | undefined;
  platform: NodeJS.Platform;
  log: Pick<Logger, 'error'>;
}): Ask {
  const { dialog, platform, log } = deps;
  return async (question) => {
    const options: MessageBoxOptions = { ...question, title: 'DocTray', noLink: true };
    const window = deps.window();
    // On macOS a dialog without a window blocks the whole process, running saves included.
    if (platform === 'darwin' && window?.isDestroyed() === false && !window.isVisible()) window.show();
    const over = visible(window);
    try {
      const { response } = await (over === undefined
        ? dialog.showMessageBox(options)
        : dialog.showMessageBox(over, options));
      return response;
    } catch (error) {
      log.error({ err: error }, 'A dialog couldn’t be shown.');
      return question.cancelId;
    }
  };
}

/** A message with one button. */
export function notice(type: 'info' | 'warning', message: string, detail?: string): Question {
  const buttons = [t('common.ok')];
  return { type, message, ...(detail !== undefined && { detail }), buttons, defaultId: 0, cancelId: 0 };
}

export interface ElectronDesktopDeps {
  dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>;
  ask: Ask;
  clipboard: { writeText(text: string): void };
  shell: Pick<Shell, 'showItemInFolder' | 'openPath'>;
  app: Pick<App, 'getVersion' | 'getPath'>;
  window(): BaseWindow | undefined;
  /** `createOpenExternal`: only addresses that may go to the browser. */
  openExternal(url: string): Promise<void>;
  /** In a window of the app. */
  openWindow(url: string, title: string): Promise<void>;
  /** The setting. */
  openIn(): 'browser' | 'window';
  helpUrl(page: Parameters<Desktop['openHelp']>[0]): string;
  autostart: Pick<Autostart, 'isOn' | 'set'>;
  hasTray(): boolean;
  /** `Quitting.request`. */
  quit(): void;
  /** `Quitting.requestAndThen`. */
  quitAndThen(exitApp: () => void): void;
  updates: Pick<Updates, 'state' | 'check' | 'installAndRestart'>;
  /** The app was started again after an error. */
  isAfterFailure: boolean;
  /** `process.versions`. */
  versions: Readonly<Record<string, string | undefined>>;
}

export function createElectronDesktop(deps: ElectronDesktopDeps): Desktop {
  const { dialog, shell, app, autostart, updates, versions } = deps;
  let hasCrashed = deps.isAfterFailure;

  return {
    isBrowser: false,
    appVersion: app.getVersion(),
    versions: {
      Electron: versions['electron'] ?? '',
      Chromium: versions['chrome'] ?? '',
      Node: versions['node'] ?? '',
    },
    async confirm({ message, detail, button }) {
      const buttons = [button, t('common.cancel')];
      return (
        (await deps.ask({ type: 'question', message, detail, buttons, defaultId: 1, cancelId: 1 })) === 0
      );
    },
    async chooseFolder(startIn) {
      const options: OpenDialogOptions = {
        title: t('common.choose-the-folder-to-serve'),
        buttonLabel: t('common.serve-this-folder'),
        properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
        defaultPath: startIn ?? app.getPath('documents'),
      };
      const over = visible(deps.window());
      const { canceled, filePaths } = await (over === undefined
        ? dialog.showOpenDialog(options)
        : dialog.showOpenDialog(over, options));
      return canceled ? undefined : filePaths[0];
    },
    async saveFile(suggestedName, kind, text) {
      const name = basename(suggestedName).replaceAll(forbiddenCharacters, '_');
      const options: SaveDialogOptions = {
        defaultPath: join(app.getPath('downloads'), name === '' ? `doctray.${kind}` : name),
        filters: [
          { name: kind === 'crt' ? t('desktop.certificate') : kind.toUpperCase(), extensions: [kind] },
        ],
        properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
      };
      const over = visible(deps.window());
      const { canceled, filePath } = await (over === undefined
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(over, options));
      if (canceled || filePath === '') return undefined;
      try {
        await writeFile(filePath, text);
      } catch (cause) {
        throw new AppError('disk-refused', { cause, detail: () => t('desktop.save-it-in-another-folder') });
      }
      return filePath;
    },
    copyText: (text) => deps.clipboard.writeText(text),
    copySecret: (text) => deps.clipboard.writeText(text),
    reveal: (absolute) => shell.showItemInFolder(absolute),
    async openFolder(absolute) {
      // Opening anything but a folder could run it.
      const stats = await stat(absolute).catch((error: unknown) => {
        throw diskRefused(error);
      });
      if (!stats.isDirectory())
        throw new AppError('disk-refused', { detail: () => t('desktop.this-isnt-a-folder') });
      const refusal = await shell.openPath(absolute);
      if (refusal !== '')
        throw new AppError('disk-refused', { detail: () => t('desktop.folder-not-opened-in-file-manager') });
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
        // The system's message holds the address, and the address holds a ticket.
        throw new AppError('browser-refused');
      }
      return place;
    },
    openHelp: (page) => deps.openExternal(deps.helpUrl(page)),
    openEngineHelp: (page) => deps.openExternal(engineHelpUrls[page]),
    startsAtLogin: () => autostart.isOn(),
    setStartsAtLogin: (isOn) => autostart.set(isOn),
    hasTray: () => deps.hasTray(),
    update: updates.state,
    checkForUpdates: () => void updates.check(),
    restartToUpdate() {
      const update = updates.state();
      if (update?.status === 'ready' && update.canRestart) deps.quitAndThen(updates.installAndRestart);
    },
    hasCrashed: () => hasCrashed,
    dismissCrash: () => void (hasCrashed = false),
    quit: () => deps.quit(),
  };
}

/** A window that isn't visible can't have a dialog over it. */
function visible(window: BaseWindow | undefined): BaseWindow | undefined {
  return window?.isDestroyed() === false && window.isVisible() ? window : undefined;
}
