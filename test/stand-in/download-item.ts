// A download in `will-download`: it has a name and can be stopped, but isn't followed to its end. Electron's save dialog is only recorded
// and treated as canceled.

import type { DownloadItem, SaveDialogOptions } from 'electron';

import { StrictEmitter } from './strict.ts';

type ItemSurface = Pick<
  DownloadItem,
  'getURL' | 'getFilename' | 'setSaveDialogOptions' | 'getSaveDialogOptions' | 'cancel'
>;

export function createDownloadItem(details: {
  url: string;
  fileName: string;
  onCancel: () => void;
}): DownloadItem {
  class StandInDownload extends StrictEmitter implements ItemSurface {
    #isCancelled = false;
    #dialog: SaveDialogOptions = {};
    constructor() {
      super('DownloadItem', ['updated', 'done']);
    }
    getURL(): string {
      return details.url;
    }
    getFilename(): string {
      return details.fileName;
    }
    setSaveDialogOptions(options: SaveDialogOptions): void {
      this.#dialog = options;
    }
    getSaveDialogOptions(): SaveDialogOptions {
      return this.#dialog;
    }
    cancel(): void {
      if (this.#isCancelled) return;
      this.#isCancelled = true;
      details.onCancel();
      this.emit('done', {}, 'cancelled');
    }
  }
  return new StandInDownload() as unknown as DownloadItem;
}
