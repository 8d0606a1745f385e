#!/usr/bin/env node
// The terminal's entry: `serve`, and the commands that call a running host. This file makes a start fast, with
// Node's compile cache in a private folder, and then loads everything else.

// better-sqlite3 needs version 10 of Node's interface for native modules, and crashes with an older one.
if (Number(process.versions['napi']) < 10) {
  process.stderr.write(`DocTray needs Node 22.14 or later; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
// An empty HOME would put the data folder into the current folder.
if (process.env['HOME'] === '') delete process.env['HOME'];

// The first import of node:http reads all its exports, and these three would load Node's fetch: 45 ms of every start.
const { createRequire, enableCompileCache, getCompileCacheDir } = await import('node:module');
const http = createRequire(import.meta.url)('node:http') as object;
for (const unused of ['WebSocket', 'CloseEvent', 'MessageEvent']) Reflect.deleteProperty(http, unused);

const { cacheFolder } = await import('./terminal/cache-folder.ts');

// `uninstall` would create the folder only to remove it.
const command = process.argv.find(
  (argument, index, all) => index > 1 && !argument.startsWith('-') && all[index - 1] !== '--data',
);
const isCached = getCompileCacheDir() === undefined && command !== 'uninstall';
const cache = isCached ? cacheFolder(process.env, process.platform) : undefined;
if (cache !== undefined) enableCompileCache(cache);

const { runTerminal } = await import('./terminal/program.ts');
const { ownTerminal } = await import('./terminal/terminal.ts');
const { exitSoon } = await import('./terminal/exit-now.ts');
const { isFromSources } = await import('./project-root.ts');
await exitSoon(
  await runTerminal(process.argv.slice(2), ownTerminal(isFromSources() ? undefined : 'doctray')),
);
