// `Tray`: an icon that isn't drawn but keeps everything that was set. Rejects a missing or empty image, because the real tray would show
// nothing.

import { existsSync } from 'node:fs';

import type { Menu, NativeImage, Rectangle, Tray } from 'electron';

import { StrictEmitter } from '../strict.ts';

export interface TrayLooks {
  tray: Tray;
  image: string | undefined;
  toolTip: string;
  title: string;
  menu: Menu | null;
  isDestroyed: boolean;
}

export interface TrayModule {
  Tray: typeof Tray;
  /** All trays so far, oldest first. */
  trays(): TrayLooks[];
}

const events = ['click'];

export function createTrayModule(deps: {
  isReady: () => boolean;
  imageSource: (image: unknown) => string | undefined;
}): TrayModule {
  const all: TrayLooks[] = [];

  function check(image: NativeImage | string): void {
    const isThere = typeof image === 'string' ? existsSync(image) : !image.isEmpty();
    if (!isThere) throw new Error(`Failed to load image from path '${deps.imageSource(image) ?? ''}'`);
  }

  class StandInTray
    extends StrictEmitter
    implements
      Pick<
        Tray,
        | 'setImage'
        | 'setToolTip'
        | 'setTitle'
        | 'getTitle'
        | 'setContextMenu'
        | 'getBounds'
        | 'isDestroyed'
        | 'destroy'
        | 'focus'
      >
  {
    #looks: TrayLooks;

    constructor(image: NativeImage | string, guid?: string) {
      super('Tray', events);
      if (!deps.isReady()) throw new Error('Cannot create Tray before app is ready');
      if (guid !== undefined && !/^[0-9a-f-]{36}$/i.test(guid)) throw new Error('Invalid GUID format');
      check(image);
      this.#looks = {
        tray: this as unknown as Tray,
        image: deps.imageSource(image),
        toolTip: '',
        title: '',
        menu: null,
        isDestroyed: false,
      };
      all.push(this.#looks);
    }
    setImage(image: NativeImage | string): void {
      this.#alive();
      check(image);
      this.#looks.image = deps.imageSource(image);
    }
    setToolTip(text: string): void {
      this.#alive();
      this.#looks.toolTip = text;
    }
    setTitle(text: string): void {
      this.#alive();
      this.#looks.title = text;
    }
    getTitle(): string {
      return this.#looks.title;
    }
    setContextMenu(menu: Menu | null): void {
      this.#alive();
      this.#looks.menu = menu;
    }
    getBounds(): Rectangle {
      return { x: 1880, y: 0, width: 24, height: 24 };
    }
    isDestroyed(): boolean {
      return this.#looks.isDestroyed;
    }
    destroy(): void {
      this.#looks.isDestroyed = true;
    }
    focus(): void {}
    #alive(): void {
      if (this.#looks.isDestroyed) throw new TypeError('Tray is destroyed');
    }
  }
  return { Tray: StandInTray as unknown as typeof Tray, trays: () => all };
}
