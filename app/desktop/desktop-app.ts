// Constructs the desktop app and connects its parts. Most parts use each other, so later ones are reached through functions; none
// is called before all of them exist.

import {
  app,
  autoUpdater,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  screen,
  session,
  shell,
  Tray,
  type Session,
  type WebContents,
} from 'electron';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import { chooseLanguage, t } from '../contract/messages.ts';
import { languageFor } from '../languages.ts';
import { findDefaultFolder, prepareDefaultFolder, type DefaultFolderDeps } from '../files/default-folder.ts';
import { writeEvent } from '../terminal/event-lines.ts';
import { createHostKeeper, type HostKeeper } from '../host/host-keeper.ts';
import type { Pushes } from '../contract/pushes.ts';
import { createWindowHost } from '../live-state/window-host.ts';
import { createAutostart } from './autostart.ts';
import type { Prepared } from './before-ready.ts';
import { createAsk, createElectronDesktop, notice } from './desktop.ts';
import { createEditorPages, type EditorPages } from './editor-window.ts';
import { createOpenExternal, editorUrls, hostPageUrls } from './guards.ts';
import { openWindowChannels } from './ipc.ts';
import { createLinks, registerLinks } from './links.ts';
import { applicationMenu } from './menu.ts';
import { createNotifier } from './notifications.ts';
import { createPower } from './power.ts';
import { listAppFiles, openAppSession } from './protocol.ts';
import { createQuitting, quitTitle } from './quitting.ts';
import { createTray, createTrayActions, isTraySupported } from './tray.ts';
import { createUpdates, findUpdateFeed } from './updates.ts';
import { createAppWindow, hideDockIconWithoutWindows } from './window.ts';

/** For running saves when the app closes because of an error. */
const savesLimitMs = 8000;

/**
 * Before `ready`, so that no early event is missed.
 * @param mainFolder holds the bundled entry, `out/main/main.js`
 * @returns what to call once Electron is ready
 */
export async function createDesktopApp(prepared: Prepared, mainFolder: string): Promise<() => void> {
  const { launch, dataDir, log } = prepared;
  const { platform, env, execPath } = process;
  const built = (...path: string[]): string => join(mainFolder, '..', ...path);
  const appFiles = await listAppFiles(built('window'));
  let appSession: Session | undefined;
  const clock = (): number => Date.now();
  const hasDevTools = !app.isPackaged;
  const icon = platform === 'linux' ? built('icon.png') : undefined;

  const keeper = createKeeper(prepared, clock, {
    showPage: (form, signal) => editorPages.showProbe(form, signal),
    onQuit() {
      // Windows' installer and uninstaller quit the app with `quit`. Its own update must not be installed while they work.
      if (platform === 'win32') updates.cancelInstallOnQuit();
      quitting.end('command');
    },
  });
  const pageUrls = (): string[] => hostPageUrls(keeper.host());
  const connectedUrls = (): string[] => editorUrls(keeper.host());
  const openExternal = createOpenExternal(
    (url) => shell.openExternal(url),
    () => [...pageUrls(), ...connectedUrls()],
  );
  const ask = createAsk({ dialog, window: () => appWindow.browserWindow(), platform, log });
  const showError = ({ message }: Pick<AppError, 'message'>): void => void ask(notice('warning', message));
  const fromPartition = (partition: string): Session => session.fromPartition(partition);
  const common = { platform, clock, log, showError };
  const forWindows = { ...common, BrowserWindow, nativeTheme, screen, icon, hasDevTools };

  const quitting = createQuitting({
    app,
    ask,
    state: () => windowHost.state(),
    host: () => keeper.host(),
    stopHost: (limitMs) => keeper.stop(limitMs),
    hasTray: () => tray.isVisible(),
    onForcedEnd: () => updates.cancelInstallOnQuit(),
    onProgress: () => refresh(),
    log,
  });
  const tray = createTray({
    ...common,
    electron: { Tray, Menu, nativeImage },
    imageFolder: built('tray'),
    isSupported: () => isTraySupported(platform, env),
    state: () => windowHost.state(),
    quitProgress: () => quitting.progress(),
    act: (action) => act(action),
    onVisible: () => refresh(),
  });
  const autostart = createAutostart({
    platform,
    env,
    app,
    execPath,
    homeDir: homedir(),
    args: [
      ...launch.switches.filter((one) => one === '--disable-gpu'),
      '--hidden',
      ...(launch.options.data === undefined ? [] : [`--data=${dataDir}`]),
    ],
  });
  const updates = createUpdates({
    ...common,
    feed: findUpdateFeed({ app, platform, env, execPath }),
    async loadUpdater() {
      const { default: module } = await import('electron-updater');
      const { parseUpdateInfo } = await import('electron-updater/out/providers/Provider.js');
      return {
        autoUpdater: module.autoUpdater,
        parse: (metadata) => parseUpdateInfo(metadata, '', new URL('file:')),
      };
    },
    native: autoUpdater,
    canRestart: Object.keys(launch.options).length === 0 && !launch.switches.includes('--disable-gpu'),
    releaseInstanceLock: () => app.releaseSingleInstanceLock(),
    fetchText: fetchMetadata,
    arch: process.arch,
    isAutomatic: () => windowHost.state().settings.checkForUpdates,
    onChange: () => windowHost.desktopChanged(),
  });
  const desktop = createElectronDesktop({
    ask,
    dialog,
    clipboard,
    shell,
    app,
    window: () => appWindow.browserWindow(),
    openExternal,
    openWindow: (url, title) => editorPages.open(url, title),
    openIn: () => windowHost.state().settings.openIn,
    helpUrl(page) {
      const host = keeper.host();
      if (host === undefined) throw new AppError('host-away');
      return `${host.baseUrl}/help/${page}`;
    },
    autostart,
    hasTray: () => tray.isVisible(),
    quit: quitting.request,
    quitAndThen: quitting.requestAndThen,
    updates,
    isAfterFailure: launch.isAfterFailure,
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
  const { run, state } = windowHost;

  const appWindow = createAppWindow({
    ...forWindows,
    session: () => (appSession ??= openAppSession(fromPartition, appFiles)),
    preload: built('preload', 'preload.cjs'),
    boundsFile: join(dataDir, 'window.json'),
    onClosing: quitting.windowClosing,
    onCreated: (window) => power.watchWindow(window),
    onPageGone: () => channels.onPageGone(),
  });
  const show = (to?: Pushes['navigate']): void => {
    appWindow.show();
    if (to !== undefined) windowHost.navigate(to);
  };
  const editorPages = createEditorPages({
    ...forWindows,
    dialog,
    fromPartition,
    downloadsFolder: () => app.getPath('downloads'),
    guards: prepared.guards,
    boundsFile: join(dataDir, 'editor-window.json'),
    isQuitting: quitting.isQuitting,
    pageUrls,
    editorUrls: connectedUrls,
    hostCertificate: () => keeper.host()?.tls.context()?.cert,
    openExternal,
  });
  const contents = (): WebContents | undefined => appWindow.browserWindow()?.webContents;
  const channels = openWindowChannels({ ipcMain, windowHost, contents, log });
  const act = createTrayActions({
    ...common,
    run,
    show,
    openDocument: (path) => links.openDocument(path),
    quit: quitting.request,
    onCleared: (lock, undoUntilMs) => notifier.cleared(lock, undoUntilMs),
  });
  const links = createLinks({ ...common, state, run, show, ask });
  const notifier = createNotifier({
    ...common,
    Notification,
    state,
    isWindowFocused: () => appWindow.browserWindow()?.isFocused() === true,
    show,
    act,
  });
  const power = createPower({
    powerMonitor,
    powerSaveBlocker,
    state,
    noteWake: async () => keeper.host()?.noteWake(),
    runningSaves: () => keeper.host()?.runningSaves() ?? 0,
    screenUnlocked: keeper.retryKeychain,
    quitForShutdown: () => quitting.end('shutdown'),
    log,
  });

  /** Everything that follows the state; each part is cheap when nothing it shows has changed. */
  function refresh(): void {
    tray.refresh();
    power.refresh();
    notifier.refresh();
    appWindow.setAppearance(state().settings.appearance);
    appWindow.setTitle(quitTitle(quitting.progress()));
  }

  prepared.failures.endWith({
    stop: () => keeper.stop(savesLimitMs),
    isWindowVisible: () => appWindow.browserWindow()?.isVisible() === true,
  });
  keeper.onEvent((event) => {
    if (event.event !== 'database-rebuilt') return;
    const { renamedTo: name } = event;
    showError({
      message: name === null ? t('host.database-was-missing') : t('host.database-was-damaged', { name }),
    });
  });
  if (platform === 'darwin')
    hideDockIconWithoutWindows({ app, windows: () => BrowserWindow.getAllWindows() });
  quitting.attach();
  links.attach(app);
  links.launched(launch);
  app.on('activate', appWindow.show);
  // Without a listener, Electron would quit.
  app.on('window-all-closed', () => undefined);
  app.on('will-quit', () => {
    for (const part of [channels, windowHost, notifier, power, updates, tray]) part.close();
    log.flush();
  });

  return () => {
    chooseLanguage(languageFor([app.getLocale()]));
    quitting.attachSignals(process);
    prepared.guards.guardSession(session.defaultSession);
    // A login item on macOS has no arguments.
    const isAtLogin = platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
    const staysHidden = launch.isHidden || isAtLogin;
    const menu = applicationMenu({
      platform,
      isDevelopment: hasDevTools,
      show,
      closeWindow: () => void (editorPages.closeFocused() || appWindow.close()),
      quit: quitting.request,
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
    registerLinks({ platform, execPath, app });
    windowHost.onPush((...[name]) => void (name === 'state-changed' && refresh()));
    power.start();
    if (!staysHidden || links.hasRequests()) appWindow.show();
    // Windows reports the end of the session only to a window.
    else if (platform === 'win32') appWindow.prepare();
    links.start();
    void tray.start().then(refresh);
    void autostart.repair();
    updates.start();
    // The state shows how it goes.
    void keeper.start();
    if (launch.isAfterFailure) notifier.restarted();
  };
}

/** Options of the command line override the settings. The password is removed from the environment that child processes get. */
function createKeeper(
  { launch, chosen, dataDir, log, invocation }: Prepared,
  clock: Clock,
  ofApp: { showPage: EditorPages['showProbe']; onQuit: () => void },
): HostKeeper {
  const { owner, json } = launch.options;
  const { DOCTRAY_OWNER_PASSWORD: ownerPassword = '' } = process.env;
  delete process.env['DOCTRAY_OWNER_PASSWORD'];
  const keeper = createHostKeeper({
    // Loaded after the window has started to draw.
    startHost: async (options) => (await import('../terminal/start-host.ts')).startHost(options),
    dataDir,
    log,
    defaultFolder: () => prepareDefaultFolder(defaultFolderPlace(dataDir)),
    clock,
    isAttended: true,
    ...invocation,
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
  // On Windows, Documents may be in OneDrive or wherever the user moved it. Linux has a file for that.
  const documents = platform === 'win32' ? { documentsDir: app.getPath('documents') } : {};
  return { env, platform, homeDir: homedir(), dataDir, ...documents };
}

function printEvents(keeper: HostKeeper): void {
  // If the reader is gone, its lines are lost, but the app continues.
  process.stdout.on('error', () => undefined);
  keeper.onEvent((event) => writeEvent(process.stdout, event));
}

/** Small texts of the update feed. @throws Error when it answers with an error, too slowly or with too much */
async function fetchMetadata(url: string): Promise<string> {
  const signal = AbortSignal.timeout(30_000);
  const answer = await net.fetch(url, { cache: 'no-store', credentials: 'omit', signal });
  const text = answer.ok ? await answer.text() : '';
  if (!answer.ok || text.length > 1_000_000)
    throw new Error(`The update feed answered ${answer.status} with ${text.length} characters.`);
  return text;
}
