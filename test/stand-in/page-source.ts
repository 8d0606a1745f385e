// Assembles the sources that run in every page before its own scripts: one for the page's world, one for the preload's.

import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';

import { createBridgeEnd } from './page/bridge-end.ts';
import { runIsolatedWorld } from './page/isolated-world.ts';
import type { PreloadConfig } from './page/isolated-world.ts';
import { runMainWorld } from './page/main-world.ts';
import { createCodec } from './page/structured-clone.ts';

export const isolatedWorldName = 'Electron Isolated Context';

/** The arguments of the function that wraps a sandboxed preload. */
const preloadArguments = [
  'require',
  'module',
  'exports',
  'process',
  'global',
  'setImmediate',
  'clearImmediate',
];

export interface PageSources {
  mainWorld: string;
  isolatedWorld: string;
  /** A preload that can't be read or parsed. */
  preloadError: Error | undefined;
}

export function pageSources(options: {
  preload: string | undefined;
  config: Omit<PreloadConfig, 'hasPreload'>;
}): PageSources {
  let text = '';
  let preloadError: Error | undefined;
  if (options.preload !== undefined) {
    try {
      text = readFileSync(options.preload, 'utf8');
      compileFunction(text, preloadArguments, { filename: options.preload });
    } catch (error) {
      preloadError = error as Error;
      text = '';
    }
  }
  const config: PreloadConfig = {
    ...options.config,
    hasPreload: options.preload !== undefined && preloadError === undefined,
  };
  const preload = `function (${preloadArguments.join(', ')}) {\n${text}\n}`;
  return {
    mainWorld: `(${runMainWorld.toString()})(${JSON.stringify({ secret: config.secret })}, ${createBridgeEnd.toString()});`,
    isolatedWorld: `(${runIsolatedWorld.toString()})(${JSON.stringify(config)}, ${createCodec.toString()}, ${createBridgeEnd.toString()}, ${preload});`,
    preloadError,
  };
}
