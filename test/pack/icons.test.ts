import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Resvg } from '@resvg/resvg-js';
import { drawIcons, trayStates } from '../../build/icons.ts';

const build = join(import.meta.dirname, '..', '..', 'build');
const drawn = drawIcons();
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
