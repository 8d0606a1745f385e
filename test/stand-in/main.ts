// The stand-in's entry: `electron APP [arguments]`. Starts Chromium, provides the `electron` module, runs the app's main file in this
// process, and prints for Playwright where both debuggers listen.

import { readFileSync } from 'node:fs';
import { open as openInspector } from 'node:inspector';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { createApp } from './app.ts';
import { createCdp } from './cdp.ts';
import { startChromium } from './chromium.ts';
import { findApp, parseCommandLine } from './command-line.ts';
import { openDevtoolsEndpoint } from './devtools-endpoint.ts';
import { createElectronModule, provideElectron } from './electron-module.ts';
import { createHooks } from './hooks.ts';
import { hub } from './hub.ts';
import { watchTargets } from './targets.ts';

// Node loads fetch on first use, which has failed when an inspector evaluated something at the same time.
await new Response('').text();

const standInHome = import.meta.dirname;

function electronVersion(): string {
  const text = readFileSync(join(standInHome, '../../node_modules/electron/package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Electron waits for a module's top-level await as long as the event loop has work and then becomes ready, so `await app.whenReady()` in
 * the entry works. The stand-in waits until no file is being read.
 */
async function untilIdle(): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const active = process.getActiveResourcesInfo();
    quiet = active.some((name) => /^(FSReq|GetAddrInfo|WorkRequest)/.test(name)) ? 0 : quiet + 1;
  }
}

async function start(): Promise<void> {
  const [, , exePath = '', ...args] = process.argv;
  const input = parseCommandLine(exePath, args);
  if (input.inspectPort !== undefined) openInspector(input.inspectPort, '127.0.0.1', false);

  const chromium = startChromium(process.env);
  // must happen before this process looks like Electron to the asar package
  const source = input.appSource.endsWith('.asar')
    ? await openArchive(input.appSource, chromium.folder)
    : input.appSource;
  const version = electronVersion();
  const define = (name: string, value: unknown): void => {
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true });
  };
  process.argv = input.argv;
  process.execArgv = [];
  define('execPath', exePath);
  define('resourcesPath', input.resourcesPath);
  define('type', 'browser');
  define('defaultApp', input.isPackaged ? undefined : true);
  define('versions', Object.freeze({ ...process.versions, electron: version, chrome: '0.0.0.0' }));

  const { appPath, mainPath, manifest } = findApp(source);

  const underPlaywright = input.inspectPort === 0 && input.wantsDevtools;
  const released = Promise.withResolvers<void>();
  if (!underPlaywright) released.resolve();
  Object.defineProperty(globalThis, '__playwright_run', {
    value: async () => released.resolve(),
    configurable: true,
  });

  hub.cdp = createCdp({
    input: chromium.input,
    output: chromium.output,
    onClose() {
      process.stderr.write(`stand-in: Chromium has ended: ${chromium.errorText()}\n`);
      process.exit(70);
    },
  });
  const app = createApp({
    appPath,
    isPackaged: input.isPackaged,
    manifest,
    switches: input.switches,
    onExit: () => chromium.kill(),
  });
  hub.app = app.facade;
  process.on('exit', () => chromium.kill());
  // Electron installs its signal handlers with its main loop; one that the app sets later replaces them.
  void hub.app.whenReady().then(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (process.listenerCount(signal) === 1) hub.app.quit();
      });
  });
  Object.defineProperty(globalThis, '__standin', { value: createHooks(chromium.pid), configurable: true });
  provideElectron(createElectronModule());

  const chromiumStarted = (async () => {
    const { product } = await hub.cdp.send('Browser.getVersion');
    define('versions', Object.freeze({ ...process.versions, chrome: product.replace(/^.*\//, '') }));
    hub.targets = await watchTargets({
      cdp: hub.cdp,
      onDestroyed(targetId) {
        for (const window of hub.windows) if (window.contents.page.targetId() === targetId) window.gone();
      },
    });
    if (input.wantsDevtools) process.stderr.write(`DevTools listening on ${await openDevtoolsEndpoint()}\n`);
  })();

  const isModule =
    /\.m?ts$|\.mjs$/.test(mainPath) || (manifest.type === 'module' && !mainPath.endsWith('.cjs'));
  if (isModule) {
    const loading = import(pathToFileURL(mainPath).href);
    await Promise.race([loading, untilIdle()]);
    loading.catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    });
  } else createRequire(import.meta.url)(mainPath);
  await Promise.all([chromiumStarted, released.promise]);
  app.becomeReady();
}

/** Node can't read asar files, so the archive is unpacked beside Chromium's profile, and removed with it. */
async function openArchive(archive: string, folder: string): Promise<string> {
  // In Electron, the asar package uses original-fs to bypass Electron's asar support, which Node doesn't have.
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'original-fs' ? 'node:fs' : specifier, context),
  });
  const { extractAll } = await import('@electron/asar');
  const target = join(folder, 'app.asar');
  extractAll(archive, target);
  return target;
}

await start();
