// `nativeImage`: PNG, JPEG and SVG-free images by their bytes; enough to show that an icon exists and how large it is.

import { readFileSync } from 'node:fs';

import type { NativeImage, Size } from 'electron';

import { strict } from '../strict.ts';

type ImageSurface = Pick<
  NativeImage,
  | 'isEmpty'
  | 'getSize'
  | 'getAspectRatio'
  | 'toPNG'
  | 'toDataURL'
  | 'setTemplateImage'
  | 'isTemplateImage'
  | 'isMacTemplateImage'
  | 'resize'
  | 'addRepresentation'
  | 'getScaleFactors'
>;

/** Width and height of a PNG; undefined when the bytes are none. */
function pngSize(bytes: Buffer): Size | undefined {
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined;
}

export interface NativeImageModule {
  nativeImage: typeof Electron.nativeImage;
  /** The path or kind an image was made from, for a test that asks which icon is shown. */
  sourceOf(image: unknown): string | undefined;
}

export function createNativeImageModule(): NativeImageModule {
  const sources = new WeakMap<object, string>();

  function make(bytes: Buffer, source: string): NativeImage {
    const size = pngSize(bytes);
    let isTemplate = false;
    const members: ImageSurface = {
      isEmpty: () => size === undefined,
      getSize: () => size ?? { width: 0, height: 0 },
      getAspectRatio: () => (size ? size.width / size.height : 1),
      toPNG: () => (size ? Buffer.from(bytes) : Buffer.alloc(0)),
      toDataURL: () => `data:image/png;base64,${size ? bytes.toString('base64') : ''}`,
      setTemplateImage: (value) => void (isTemplate = value),
      isTemplateImage: () => isTemplate,
      get isMacTemplateImage() {
        return isTemplate;
      },
      set isMacTemplateImage(value) {
        isTemplate = value;
      },
      resize: () => image,
      addRepresentation: () => undefined,
      getScaleFactors: () => [1],
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
    createFromBuffer: (bytes: Buffer) => make(bytes, 'buffer'),
    createFromDataURL: (url: string) => make(Buffer.from(url.split(',')[1] ?? '', 'base64'), 'data-url'),
  } satisfies Pick<
    typeof Electron.nativeImage,
    'createEmpty' | 'createFromPath' | 'createFromBuffer' | 'createFromDataURL'
  >;

  return {
    nativeImage: strict(module, 'nativeImage') as unknown as typeof Electron.nativeImage,
    sourceOf: (image) => (typeof image === 'string' ? image : sources.get(image as object)),
  };
}
