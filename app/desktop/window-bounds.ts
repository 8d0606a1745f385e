// Where the window was and how large, kept in the data folder. The screen it was on may be gone by the next start, and then
// the window would open where nobody can reach it.

import type { Rectangle } from 'electron';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

export interface WindowPlace {
  bounds: Rectangle;
  isMaximized: boolean;
}

export const smallestSize = { width: 720, height: 480 };
export const usualSize = { width: 1120, height: 760 };
/** So much of the upper edge must be on a screen to be taken hold of. */
const grip = { width: 120, height: 40 };

const pixels = z.int().min(-100_000).max(100_000);
const placeSchema = z.object({
  bounds: z.object({ x: pixels, y: pixels, width: pixels.min(1), height: pixels.min(1) }),
  isMaximized: z.boolean(),
});

/** Undefined when nothing usable is there: it is only a convenience. */
export function readWindowPlace(file: string): WindowPlace | undefined {
  try {
    return placeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** At once, since it is also called while the app ends. @throws what the disk says */
export function writeWindowPlace(file: string, place: WindowPlace): void {
  const next = `${file}.new`;
  writeFileSync(next, JSON.stringify(place), { mode: 0o600 });
  renameSync(next, file);
}

/** The bounds where they can be reached, else only the size, else nothing. */
export function reachableBounds(
  place: WindowPlace | undefined,
  workAreas: readonly Rectangle[],
): Partial<Rectangle> {
  const largest = workAreas.reduce((best, area) => (area.width > best.width ? area : best), {
    width: 0,
    height: 0,
  });
  if (place === undefined || largest.width === 0) return usualSize;
  const width = Math.max(smallestSize.width, Math.min(place.bounds.width, largest.width));
  const height = Math.max(smallestSize.height, Math.min(place.bounds.height, largest.height));
  const { x, y } = place.bounds;
  const isReachable = workAreas.some(
    (area) =>
      y >= area.y &&
      y + grip.height <= area.y + area.height &&
      Math.min(x + width, area.x + area.width) - Math.max(x, area.x) >= grip.width,
  );
  return isReachable ? { x, y, width, height } : { width, height };
}
