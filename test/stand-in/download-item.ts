// A download as `will-download` shows it: it can be named and stopped, not followed to its end.

import type { DownloadItem } from 'electron';

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
    cancel(): void {
      if (this.#isCancelled) return;
      this.#isCancelled = true;
      details.onCancel();
      this.emit('done', {}, 'cancelled');
    }
  }
  return new StandInDownload() as unknown as DownloadItem;
}
