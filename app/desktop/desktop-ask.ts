// One question by the system's own dialog: over the window where it is seen, by itself where it is not.

import type { BaseWindow, MessageBoxOptions, MessageBoxReturnValue } from 'electron';

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

/** @returns the index of the button; the one of `cancelId` when the signal took the question back */
export type Ask = (question: Question, signal?: AbortSignal) => Promise<number>;

export interface AskDeps<Parent extends BaseWindow> {
  dialog: {
    showMessageBox(parent: Parent, options: MessageBoxOptions): Promise<MessageBoxReturnValue>;
    showMessageBox(options: MessageBoxOptions): Promise<MessageBoxReturnValue>;
  };
  window(): Parent | undefined;
  platform: NodeJS.Platform;
}

export function createAsk<Parent extends BaseWindow>({ dialog, window, platform }: AskDeps<Parent>): Ask {
  return async (question, signal) => {
    const options: MessageBoxOptions = {
      ...question,
      title: 'DocTray',
      noLink: true,
      ...(signal !== undefined && { signal }),
    };
    const found = window();
    const parent = found?.isDestroyed() === false ? found : undefined;
    // On macOS a dialog without a window stands still what else the process does: running saves too.
    if (platform === 'darwin' && parent?.isVisible() === false) parent.show();
    const { response } = await (parent?.isVisible() === true
      ? dialog.showMessageBox(parent, options)
      : dialog.showMessageBox(options));
    return response;
  };
}
