// A download as `will-download` shows it: it can be named and stopped, not followed to its end. Where Electron would ask for a
// place, the question is remembered and taken for cancelled.

import type { DownloadItem, SaveDialogOptions } from 'electron';

import { StrictEmitter } from './strict.ts';

type ItemSurface = Pick<
  DownloadItem,
  | 'getURL'
  | 'getFilename'
  | 'getMimeType'
  | 'getTotalBytes'
  | 'getReceivedBytes'
  | 'hasUserGesture'
  | 'getState'
  | 'setSavePath'
  | 'getSavePath'
  | 'setSaveDialogOptions'
  | 'getSaveDialogOptions'
  | 'cancel'
>;

export function createDownloadItem(details: {
  url: string;
  fileName: string;
  onCancel: () => void;
}): DownloadItem {
  class StandInDownload extends StrictEmitter implements ItemSurface {
    #isCancelled = false;
    #savePath = '';
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
    getMimeType(): string {
      return '';
    }
    getTotalBytes(): number {
      return 0;
    }
    getReceivedBytes(): number {
      return 0;
    }
    hasUserGesture(): boolean {
      return false;
    }
    getState(): 'progressing' | 'cancelled' {
      return this.#isCancelled ? 'cancelled' : 'progressing';
    }
    setSavePath(path: string): void {
      this.#savePath = path;
    }
    getSavePath(): string {
      return this.#savePath;
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
