// The terminal's entry: `serve`, and the commands that call a running host. This file first turns on Node's compile cache, in a
// private folder, and then loads everything else.

import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { cacheFolder } from './terminal/cache-folder.ts';

// `uninstall` would create the folder only to remove it.
const command = process.argv.find(
  (argument, index, all) => index > 1 && !argument.startsWith('-') && all[index - 1] !== '--data',
);
const isCached = getCompileCacheDir() === undefined && command !== 'uninstall';
const cache = isCached ? cacheFolder(process.env, process.platform) : undefined;
if (cache !== undefined) enableCompileCache(cache);

const { runTerminal } = await import('./terminal/program.ts');
const { exitSoon } = await import('./terminal/exit-now.ts');
await exitSoon(await runTerminal(process.argv.slice(2)));
