// The terminal's entry: the host without a window, and the commands that speak to it. Code compiled before is taken from a
// private cache, so everything else is loaded after this file has switched it on.

import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { cacheFolder } from './terminal/cache-folder.ts';

const cache = getCompileCacheDir() === undefined ? cacheFolder(process.env, process.platform) : undefined;
if (cache !== undefined) enableCompileCache(cache);

const { runTerminal } = await import('./terminal/program.ts');
const { exitSoon } = await import('./terminal/exit-now.ts');
await exitSoon(await runTerminal(process.argv.slice(2)));
