// The desktop app put together: which part tells which. Parts that come later are reached by functions, since most of them
// know each other; none is called before all of them are there.

import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  screen,
  session,
  shell,
  Tray,
  type Session,
} from 'electron';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import { findDefaultFolder, prepareDefaultFolder, type DefaultFolderDeps } from '../files/default-folder.ts';
import { openWindowChannels } from '../ipc/window-channels.ts';
import { createEventLines } from '../terminal/event-lines.ts';
import { createHostKeeper } from '../window/host-keeper.ts';
import type { HostKeeper } from '../window/kept-host.ts';
import { createWindowHost } from '../window/window-host.ts';
import { listAppFiles } from './app-files.ts';
import { openAppSession } from './app-session.ts';
import { createAutostart, startsHidden } from './autostart.ts';
import type { Prepared } from './before-ready.ts';
import { createAsk } from './desktop-ask.ts';
import { createElectronDesktop } from './desktop.ts';
import { createEditorPages } from './editor-pages.ts';
import { createOpenExternal } from './external-pages.ts';
import { editorUrls, hostPageUrls } from './host-places.ts';
import { createLinks, registerLinks } from './links.ts';
import { applicationMenu } from './menu.ts';
import { createNotifier } from './notify.ts';
import { appPaths } from './paths.ts';
import { createPower } from './power.ts';
import type { ShowPage } from './probe-window.ts';
import { createQuitting, quitTitle } from './quitting.ts';
import { createTrayActions } from './tray-actions.ts';
import { createTraySupport } from './tray-support.ts';
import { createTray } from './tray.ts';
import { createAppWindow } from './window.ts';

export interface DesktopApp {
  /** Once Electron is ready. */
  start(): void;
}

/** Before `ready`, so that nothing the system tells the app early is missed. `mainFolder` is where the bundled entry lies. */
export async function createDesktopApp(prepared: Prepared, mainFolder: string): Promise<DesktopApp> {
  const { launch, dataDir, log } = prepared;
  const { platform, env, execPath } = process;
  const paths = appPaths(mainFolder);
  const appFiles = await listAppFiles(paths.rendererFolder);
  let appSession: Session | undefined;
  const clock = (): number => Date.now();
  const hasDevTools = !app.isPackaged;
  const icon = platform === 'linux' ? paths.icon : undefined;

  const keeper = createKeeper(prepared, clock, {
    showPage: (page, signal) => editorPages.showProbe(page, signal),
  });
  const pageUrls = (): string[] => hostPageUrls(keeper.host());
  const connectedUrls = (): string[] => editorUrls(keeper.host());
  const openExternal = createOpenExternal({
    open: (url) => shell.openExternal(url),
    ownUrls: () => [...pageUrls(), ...connectedUrls()],
  });
  const ask = createAsk<BrowserWindow>({ dialog, window: () => appWindow.browserWindow(), platform });
  const tell = ({ message }: AppError): void => {
    const question = { type: 'warning', message, buttons: ['OK'], defaultId: 0, cancelId: 0 } as const;
    ask({ ...question, buttons: ['OK'] }).catch((error: unknown) => log.warn({ err: error }, message));
  };

  const quitting = createQuitting({
    app,
    ask,
    state: () => windowHost.state(),
    host: () => keeper.host(),
    stopHost: (limitMs) => keeper.stop(limitMs),
    hasTray: () => tray.isThere(),
    onProgress: () => refresh(),
    log,
  });
  const tray = createTray({
    electron: { Tray, Menu, nativeImage },
    platform,
    imageFolder: paths.trayFolder,
    support: createTraySupport({ platform, env }),
    state: () => windowHost.state(),
    finishing: () => quitting.progress(),
    clock,
    act: (action) => act(action),
    log,
    onTrayChange: () => refresh(),
  });
  const autostart = createAutostart({
    platform,
    env,
    app,
    execPath,
    homeDir: homedir(),
    args: ['--hidden', ...(launch.options.data === undefined ? [] : [`--data=${dataDir}`])],
  });
  const desktop = createElectronDesktop<BrowserWindow>({
    ask,
    dialog,
    clipboard,
    shell,
    app,
    window: () => appWindow.browserWindow(),
    openExternal,
    openWindow: (url, title) => editorPages.windows.open(url, title),
    openIn: () => windowHost.state().settings.openIn,
    helpUrl(page) {
      const host = keeper.host();
      if (host === undefined) throw new AppError('host-away');
      return `${host.baseUrl}/help/${page}`;
    },
    autostart,
    hasTray: () => tray.isThere(),
    quit: quitting.request,
    versions: process.versions,
  });
  const windowHost = createWindowHost({
    keeper,
    desktop,
    log,
    clock,
    defaultFolder: {
      find: () => findDefaultFolder(defaultFolderPlace(dataDir)),
      prepare: () => prepareDefaultFolder(defaultFolderPlace(dataDir)),
    },
  });
  const { run, navigate } = windowHost;

  const appWindow = createAppWindow({
    BrowserWindow,
    nativeTheme,
    screen,
    session: () =>
      (appSession ??= openAppSession({
        fromPartition: (name) => session.fromPartition(name),
        files: appFiles,
      })),
    preload: paths.preload,
    icon,
    placeFile: join(dataDir, 'window.json'),
    hasDevTools,
    ask,
    onClosing: quitting.windowClosing,
    quit: quitting.request,
    onMade: (window) => power.watchWindow(window),
    onPageGone: () => channels.onPageGone(),
    clock,
    log,
  });
  const showWindow = appWindow.show;
  const editorPages = createEditorPages({
    electron: { BrowserWindow, nativeTheme, screen, session, dialog, app },
    guards: prepared.guards,
    platform,
    icon,
    placeFile: join(dataDir, 'editor-window.json'),
    hasDevTools,
    isEnding: quitting.isQuitting,
    pageUrls,
    editorUrls: connectedUrls,
    openExternal,
    clock,
    log,
  });
  const channels = openWindowChannels({ ipcMain, windowHost, contents: appWindow.contents, log });
  const act = createTrayActions({
    run,
    navigate,
    showWindow,
    quit: quitting.request,
    state: windowHost.state,
    tell,
    log,
  });
  const links = createLinks({ state: windowHost.state, run, navigate, showWindow, ask, tell, log });
  const notifier = createNotifier({
    Notification,
    state: windowHost.state,
    platform,
    clock,
    isSeen: () => appWindow.browserWindow()?.isFocused() === true,
    open(to) {
      showWindow();
      navigate(to);
    },
    log,
  });
  const power = createPower({
    powerMonitor,
    powerSaveBlocker,
    state: windowHost.state,
    noteWake: async () => keeper.host()?.noteWake(),
    runningSaves: () => keeper.host()?.runningSaves() ?? 0,
    endForShutdown: () => quitting.end('shutdown'),
    log,
  });

  /** What hangs on the state; each part is cheap when nothing that it shows has changed. */
  function refresh(): void {
    tray.refresh();
    power.refresh();
    notifier.refresh();
    appWindow.setAppearance(windowHost.state().settings.appearance);
    appWindow.setTitle(quitTitle('DocTray', quitting.progress()));
  }

  keeper.onEvent((event) => {
    if (event.event !== 'database-rebuilt') return;
    const question = { type: 'warning', message: event.sentence, defaultId: 0, cancelId: 0 } as const;
    ask({ ...question, buttons: ['OK'] }).catch((error: unknown) => log.warn({ err: error }, event.sentence));
  });
  quitting.attach();
  links.attach(app);
  links.launched(launch);
  prepared.onSecondLaunch((other) => {
    if (!other.isHidden) links.launched(other);
  });
  app.on('activate', showWindow);
  // without a listener Electron quits here
  app.on('window-all-closed', () => undefined);
  app.on('will-quit', () => {
    for (const part of [channels, windowHost, notifier, power, tray]) part.close();
    log.flush();
  });

  function start(): void {
    quitting.attachSignals(process);
    prepared.guards.guardSession(session.defaultSession);
    const staysHidden = startsHidden({ platform, isHidden: launch.isHidden, app });
    const menu = applicationMenu({
      platform,
      isDevelopment: hasDevTools,
      showWindow,
      navigate,
      closeWindow: () => void (editorPages.windows.closeFocused() || appWindow.close()),
      quit: quitting.request,
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
    registerLinks({ platform, execPath, app });
    windowHost.onPush('state-changed', refresh);
    power.start();
    if (!staysHidden || links.hasRequests()) showWindow();
    // Windows tells the end of the session only to a window
    else if (platform === 'win32') appWindow.prepare();
    links.start();
    void tray.start().then(refresh);
    void autostart.repair();
    // Everything else shows how it goes.
    void keeper.start();
  }
  return { start };
}

/** What was given on the command line goes before the settings; the password is not for programs started from here. */
function createKeeper(
  { launch, chosen, dataDir, log }: Prepared,
  clock: Clock,
  ofApp: { showPage: ShowPage },
): HostKeeper {
  const { owner, json } = launch.options;
  const { DOCTRAY_OWNER_PASSWORD: ownerPassword = '' } = process.env;
  delete process.env['DOCTRAY_OWNER_PASSWORD'];
  const keeper = createHostKeeper({
    dataDir,
    log,
    defaultFolder: () => prepareDefaultFolder(defaultFolderPlace(dataDir)),
    clock,
    ...ofApp,
    ...chosen,
    ...(owner !== undefined && { ownerLogin: owner }),
    ...(ownerPassword !== '' && { ownerPassword }),
  });
  if (json === true) printEvents(keeper);
  return keeper;
}

function defaultFolderPlace(dataDir: string): DefaultFolderDeps {
  const { env, platform } = process;
  // Windows keeps Documents in OneDrive, or wherever the user moved it. Linux has it in a file of its own.
  const documents = platform === 'win32' ? { documentsDir: app.getPath('documents') } : {};
  return { env, platform, homeDir: homedir(), dataDir, ...documents };
}

function printEvents(keeper: HostKeeper): void {
  // a reader that is gone costs its lines, not the app
  process.stdout.on('error', () => undefined);
  const lines = createEventLines(process.stdout);
  keeper.onEvent((event) => {
    lines.write(event);
    if (event.event === 'listening' || event.event === 'stopped') lines.flush();
  });
}
