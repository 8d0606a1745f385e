// Assembles the sources that run in every page before its own scripts: one for the page's world, one for the preload's.

import { readFileSync } from 'node:fs';

import { createBridgeEnd } from './page/bridge-end.ts';
import { runIsolatedWorld, type PreloadConfig } from './page/isolated-world.ts';
import { runMainWorld } from './page/main-world.ts';
import { createCodec } from './page/structured-clone.ts';

export const isolatedWorldName = 'Electron Isolated Context';

/** @param preload the path of the preload script */
export function pageSources(
  preload: string | undefined,
  config: PreloadConfig,
): { mainWorld: string; isolatedWorld: string } {
  const call = (run: { toString(): string }, ...args: { toString(): string }[]): string =>
    `(${run.toString()})(${args.map((arg) => arg.toString()).join(', ')});`;
  const wrapped =
    preload === undefined
      ? 'undefined'
      : `function (require, module, exports) {\n${readFileSync(preload, 'utf8')}\n}`;
  const text = JSON.stringify(config);
  return {
    mainWorld: call(runMainWorld, JSON.stringify({ secret: config.secret }), createBridgeEnd),
    isolatedWorld: call(runIsolatedWorld, text, createCodec, createBridgeEnd, wrapped),
  };
}
