// Draws every picture file of the app from the SVG sources in build/icons: `node build/icons.ts`. The results are committed,
// since electron-builder and the tray read them; a test draws them again and compares.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { icnsFile, icoFile, type SizedPng } from './icon-containers.ts';

const buildFolder = import.meta.dirname;

export const trayStates = ['serving', 'editing', 'attention', 'paused', 'error'] as const;

/** Below it the drawing made for the grid of 16 pixels is the clearer one. */
const smallestDetailed = 32;

const appSizes = [16, 24, 32, 48, 64, 128, 256, 512];

/**
 * Where a square of the drawing shows the tray's picture at a size of 16 points (Windows, macOS) and of 22 (Linux panels).
 * Electron picks the file by its `@…x` suffix.
 */
const pictures16 = { '': 16, '@1.25x': 20, '@1.5x': 24, '@2x': 32 };
const pictures22 = { '': 22, '@2x': 44 };
const templates16 = { '': 16, '@2x': 32 };

/** Apple's grid: the body fills 824 of 1024 pixels. Elsewhere it nearly fills the square. */
const macViewBox = '-5.28 -5.28 74.56 74.56';

/** Path below build/ → content of each generated file. */
export function drawIcons(): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const app = source('app.svg');
  const small = source('app-small.svg');
  const appAt = (size: number): SizedPng => ({
    size,
    png: draw(size < smallestDetailed ? small : app, size),
  });
  for (const size of appSizes) files.set(`icons/png/${size}x${size}.png`, appAt(size).png);
  files.set('icons/app.ico', icoFile([16, 20, 24, 32, 40, 48, 64, 256].map(appAt)));

  const macApp = app.replace('viewBox="0 0 64 64"', `viewBox="${macViewBox}"`);
  files.set(
    'icons/app.icns',
    icnsFile([16, 32, 64, 128, 256, 512, 1024].map((size) => ({ size, png: draw(macApp, size) }))),
  );

  for (const state of trayStates) {
    const coloured = source(`tray/${state}.svg`);
    // macOS paints what is opaque in a template picture in the colour of its menu bar
    const template = coloured.replaceAll(/fill="#[0-9a-f]{6}"/g, 'fill="#000000"');
    for (const [suffix, size] of Object.entries(pictures16))
      files.set(`tray/${state}${suffix}.png`, draw(coloured, size));
    for (const [suffix, size] of Object.entries(pictures22))
      files.set(`tray/${state}-22${suffix}.png`, draw(coloured, size));
    for (const [suffix, size] of Object.entries(templates16))
      files.set(`tray/${state}Template${suffix}.png`, draw(template, size));
  }
  return files;
}

function source(name: string): string {
  return readFileSync(join(buildFolder, 'icons', name), 'utf8');
}

function draw(svg: string, size: number): Uint8Array {
  const fonts = { loadSystemFonts: false };
  return new Resvg(svg, { fitTo: { mode: 'width', value: size }, font: fonts }).render().asPng();
}

if (import.meta.main) {
  for (const [path, content] of drawIcons()) {
    const file = join(buildFolder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
