// `Tray` and `nativeImage`: an icon that isn't drawn but keeps everything that was set. Rejects a missing image, because the real tray
// would show nothing.

import { existsSync } from 'node:fs';

import type { Menu, NativeImage, Tray } from 'electron';

import { StrictEmitter, strict, type Some } from '../strict.ts';

export interface TrayLooks {
  tray: Tray;
  /** The path of the image. */
  image: string | undefined;
  toolTip: string;
  menu: Menu | null;
  isDestroyed: boolean;
}

/** All trays so far, oldest first. */
export const trays: TrayLooks[] = [];

/** The paths of images. */
const paths = new WeakMap<NativeImage, string>();

export const nativeImage = strict(
  {
    createFromPath(path: string): NativeImage {
      const image = strict({}, 'NativeImage') as NativeImage;
      paths.set(image, path);
      return image;
    },
  },
  'nativeImage',
);

function pathOf(image: NativeImage): string {
  const path = paths.get(image) ?? '';
  if (!existsSync(path)) throw new Error(`Failed to load image from path '${path}'`);
  return path;
}

export class StandInTray extends StrictEmitter implements Some<Tray> {
  #looks: TrayLooks;

  constructor(image: NativeImage) {
    super('Tray', 'click');
    const tray = this as unknown as Tray;
    this.#looks = { tray, image: pathOf(image), toolTip: '', menu: null, isDestroyed: false };
    trays.push(this.#looks);
  }
  setImage(image: NativeImage): void {
    this.#looks.image = pathOf(image);
  }
  setToolTip(text: string): void {
    this.#looks.toolTip = text;
  }
  setContextMenu(menu: Menu | null): void {
    this.#looks.menu = menu;
  }
  destroy(): void {
    this.#looks.isDestroyed = true;
  }
}
