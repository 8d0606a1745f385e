import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Resvg } from '@resvg/resvg-js';
import { icnsFile } from '../../build/icon-containers.ts';
import { drawIcons, trayStates } from '../../build/icons.ts';

const build = join(import.meta.dirname, '..', '..', 'build');
const drawn = drawIcons();
const isPng = (bytes: Uint8Array) => Buffer.from(bytes).subarray(1, 4).toString() === 'PNG';
const widthOf = (png: Uint8Array) => Buffer.from(png).readUInt32BE(16);
const source = (state: string) => readFileSync(join(build, 'icons', 'tray', `${state}.svg`), 'utf8');

test('the committed icons are exactly those that build/icons.ts draws', () => {
  const committed = globSync(['icons/png/*', 'icons/app.ic*', 'tray/*'], { cwd: build });
  assert.deepEqual(
    committed.map((path) => path.replaceAll('\\', '/')).toSorted((a, b) => (a < b ? -1 : 1)),
    [...drawn.keys()].toSorted((a, b) => (a < b ? -1 : 1)),
  );
  for (const [path, content] of drawn)
    assert.ok(readFileSync(join(build, path)).equals(content), `${path}: run node build/icons.ts`);
});

test('the ICO and ICNS files have a PNG for each size', () => {
  const ico = Buffer.from(drawn.get('icons/app.ico')!);
  assert.deepEqual([ico.readUInt16LE(0), ico.readUInt16LE(2)], [0, 1]);
  for (let index = 0; index < ico.readUInt16LE(4); index += 1) {
    const entry = 6 + 16 * index;
    const offset = ico.readUInt32LE(entry + 12);
    const png = ico.subarray(offset, offset + ico.readUInt32LE(entry + 8));
    assert.ok(isPng(png));
    assert.equal(widthOf(png), ico[entry] === 0 ? 256 : ico[entry]);
  }
  const icns = Buffer.from(drawn.get('icons/app.icns')!);
  assert.equal(icns.subarray(0, 4).toString(), 'icns');
  assert.equal(icns.readUInt32BE(4), icns.length);
  const widths: number[] = [];
  for (let offset = 8; offset < icns.length; offset += icns.readUInt32BE(offset + 4)) {
    const png = icns.subarray(offset + 8, offset + icns.readUInt32BE(offset + 4));
    assert.ok(isPng(png));
    widths.push(widthOf(png));
  }
  assert.deepEqual(widths, [16, 32, 32, 64, 128, 256, 256, 512, 512, 1024]);
  assert.throws(() => icnsFile([{ size: 100, png: new Uint8Array() }]), RangeError);
});

test('the tray states can be distinguished by shape, even at 16 pixels', () => {
  const shapes = trayStates.map((state) => {
    const { pixels } = new Resvg(source(state), { fitTo: { mode: 'width', value: 16 } }).render();
    return Array.from({ length: 256 }, (_, index) => pixels[index * 4 + 3]! > 127);
  });
  for (const [index, shape] of shapes.entries()) {
    for (const [otherIndex, other] of shapes.entries()) {
      const differing = shape.filter((isSet, at) => isSet !== other[at]).length;
      if (index !== otherIndex)
        assert.ok(differing >= 12, `${trayStates[index]} and ${trayStates[otherIndex]}: ${differing} pixels`);
    }
  }
});

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [light, dark] = [one, other]
    .map((colour) => {
      const [red, green, blue] = [1, 3, 5].map((at) => {
        const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05;
    })
    .toSorted((a, b) => b - a);
  return light! / dark!;
}

test('the tray’s mark is constant, and its badge has enough contrast on light and dark panels', () => {
  const [served = ''] = coloursOf('serving');
  for (const state of trayStates) {
    const colours = coloursOf(state);
    for (const colour of colours) {
      for (const panel of ['#ffffff', '#f3f3f3', '#2b2b2b', '#202124', '#000000'])
        assert.ok(contrast(colour, panel) >= 3, `${state} on ${panel}: ${contrast(colour, panel)}`);
    }
    const isServed = state === 'serving' || state === 'editing' || state === 'attention';
    assert.equal(colours[0] === served, isServed, state);
  }
  assert.notEqual(coloursOf('attention').at(-1), served);
});

/** In the order they are drawn: the mark's first, the badge's last. */
function coloursOf(state: string): string[] {
  return [...source(state).matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, colour]) => colour!);
}

test('the template images for the macOS menu bar are black and transparent', () => {
  for (const state of trayStates) {
    const black = source(state).replaceAll(/fill="#[0-9a-f]{6}"/g, 'fill="#000000"');
    const image = new Resvg(black, { fitTo: { mode: 'width', value: 16 }, font: { loadSystemFonts: false } });
    assert.ok(
      image
        .render()
        .asPng()
        .equals(drawn.get(`tray/${state}Template.png`)!),
      state,
    );
  }
});
