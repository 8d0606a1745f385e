// `nativeImage`: PNG images, just enough to show that an icon exists.

import { readFileSync } from 'node:fs';

import type { NativeImage } from 'electron';

import { strict } from '../strict.ts';

type ImageSurface = Pick<NativeImage, 'isEmpty' | 'setTemplateImage'>;

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
}

export interface NativeImageModule {
  nativeImage: typeof Electron.nativeImage;
  /** The path or kind of an image, for a test that checks which icon is shown. */
  sourceOf(image: unknown): string | undefined;
}

export function createNativeImageModule(): NativeImageModule {
  const sources = new WeakMap<object, string>();

  function make(bytes: Buffer, source: string): NativeImage {
    const members: ImageSurface = {
      isEmpty: () => !isPng(bytes),
      setTemplateImage: () => undefined,
    };
    const image = strict(members, 'NativeImage') as unknown as NativeImage;
    sources.set(image, source);
    return image;
  }

  const module = {
    createEmpty: () => make(Buffer.alloc(0), 'empty'),
    createFromPath(path: string) {
      try {
        return make(readFileSync(path), path);
      } catch {
        return make(Buffer.alloc(0), path);
      }
    },
  } satisfies Pick<typeof Electron.nativeImage, 'createEmpty' | 'createFromPath'>;

  return {
    nativeImage: strict(module, 'nativeImage') as unknown as typeof Electron.nativeImage,
    sourceOf: (image) => (typeof image === 'string' ? image : sources.get(image as object)),
  };
}
