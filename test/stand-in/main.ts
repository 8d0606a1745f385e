// The stand-in's entry: `electron APP [arguments]`. Starts Chromium, provides the `electron` module, runs the app's main file in this
// process, and prints for Playwright where both debuggers listen.

import { readFileSync } from 'node:fs';
import { open as openInspector } from 'node:inspector';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { createApp } from './app.ts';
import { openArchive } from './archive.ts';
import { createCdp } from './cdp.ts';
import { startChromium } from './chromium.ts';
import { findApp, parseCommandLine, readFuses } from './command-line.ts';
import { createNativeTheme } from './desktop/native-theme.ts';
import { openDevtoolsEndpoint } from './devtools-endpoint.ts';
import { createElectronModule, provideElectron } from './electron-module.ts';
import type { Hub } from './hub.ts';
import { createIpcScope } from './ipc-main.ts';
import { createSchemeAlias } from './scheme-alias.ts';
import { watchTargets } from './targets.ts';
import type { Targets } from './targets.ts';

// Node loads fetch on first use, which has failed when an inspector evaluated something at the same time.
await new Response('').text();

const standInHome = import.meta.dirname;

function electronVersion(): string {
  const text = readFileSync(join(standInHome, '../../node_modules/electron/package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Electron waits for a module's top-level await as long as the event loop has work and then becomes ready, so `await app.whenReady()` in
 * the entry works. The stand-in waits until the app waits for ready and no file is being read.
 */
async function untilIdle(isAwaited: () => boolean): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const isBusy = process
      .getActiveResourcesInfo()
      .some((name) => /^(FSReq|GetAddrInfo|WorkRequest)/.test(name));
    quiet = isAwaited() && !isBusy ? quiet + 1 : 0;
  }
}

async function start(): Promise<void> {
  const [, , exePath = '', ...args] = process.argv;
  const input = parseCommandLine(exePath, args);
  if (readFuses(exePath).get('nodeOptions') === false) delete process.env['NODE_OPTIONS'];
  if (input.inspectPort !== undefined) openInspector(input.inspectPort, '127.0.0.1', false);

  const chromium = startChromium({ env: process.env, extraFlags: [] });
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

  const cdp = createCdp({ input: chromium.input, output: chromium.output });
  const alias = createSchemeAlias();
  const theme = createNativeTheme(() => {
    for (const contents of hub.contents) contents.inner.applyTheme();
  });
  const secrets = new Set<string>();
  let targets: Targets | undefined;
  const hub: Hub = {
    cdp,
    alias,
    get targets() {
      if (!targets) throw new Error('Chromium is not there yet');
      return targets;
    },
    ipcMain: createIpcScope('ipcMain'),
    isReady: false,
    windows: new Set(),
    contents: new Set(),
    focused: undefined,
    deeds: [],
    privileges: new Map(),
    secrets,
    filePaths: new Map(),
    emitApp: (name, ...rest) => app.emit(name, ...rest),
    onWindowClosed: () => app.windowClosed(),
    onCloseVetoed: () => app.closeVetoed(),
    isQuitting: () => app.isQuitting(),
    isDark: () => theme.isDark(),
    themeOverride: () => theme.isChosen(),
  };
  const chromiumStarted = (async () => {
    const answer = await cdp.send('Browser.getVersion').catch(() => undefined);
    if (!answer) throw new Error(`Chromium did not start: ${chromium.errorText()}`);
    define('versions', Object.freeze({ ...process.versions, chrome: answer.product.replace(/^.*\//, '') }));
    targets = await watchTargets({
      cdp,
      onPopup: (target, sessionId) =>
        electron.takePopup(
          { targetId: target.openerId, url: alias.fromChromium(target.url) },
          { targetId: target.targetId, sessionId },
        ),
    });
    targets.onDestroyed((targetId) => {
      for (const window of hub.windows) {
        if (window.inner.contents.inner.page.targetId() === targetId) window.inner.pageGone();
      }
    });
    cdp.onClose(() => {
      process.stderr.write('stand-in: Chromium has ended\n');
      process.exit(70);
    });
  })();

  const app = createApp({
    hub,
    appPath,
    isPackaged: input.isPackaged,
    manifest,
    switches: input.switches,
    electronVersion: version,
    released: Promise.all([chromiumStarted, released.promise]).then(() => undefined),
    onExit: () => chromium.kill(),
  });
  process.on('exit', () => chromium.kill());
  // Electron installs its signal handlers with its main loop; one that the app sets later replaces them.
  void app.facade.whenReady().then(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (process.listenerCount(signal) === 1) app.facade.quit();
      });
  });

  const electron = createElectronModule({ hub, app, theme, appPath });
  electron.hooks.chromiumPid = chromium.pid;
  Object.defineProperty(globalThis, '__standin', { value: electron.hooks, configurable: true });
  provideElectron(electron.exports);

  const endpoint = chromiumStarted.then(async () => {
    if (!input.wantsDevtools) return;
    const { url } = await openDevtoolsEndpoint({
      cdp,
      alias,
      isOwnDialog: (params) =>
        params['type'] === 'beforeunload' ||
        [...secrets].some((secret) => String(params['message']).startsWith(`standin:${secret}:`)),
      mayShow: (target) => targets?.verdict(target),
      onCloseBrowser: () => app.facade.quit(),
    });
    process.stderr.write(`DevTools listening on ${url}\n`);
  });

  const isModule =
    mainPath.endsWith('.mjs') ||
    mainPath.endsWith('.ts') ||
    (manifest.type === 'module' && !mainPath.endsWith('.cjs'));
  if (isModule) {
    const loading = import(pathToFileURL(mainPath).href);
    await Promise.race([loading, untilIdle(() => app.isAwaited())]);
    loading.catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    });
  } else createRequire(import.meta.url)(mainPath);
  await endpoint;
  await app.becomeReady();
}

await start();
