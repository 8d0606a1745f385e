// Assembles the `electron` module and provides it to `import` and `require` in the app.

import { registerHooks } from 'node:module';

import type * as Electron from 'electron';
import type { BrowserWindowConstructorOptions, Session, WebContents, WebPreferences } from 'electron';

import type { StandInApp } from './app.ts';
import { createWindowClass } from './browser-window.ts';
import type { StandInWindow } from './browser-window.ts';
import { createDialog } from './desktop/dialog.ts';
import { createMenuModule } from './desktop/menu.ts';
import { createNativeImageModule } from './desktop/native-image.ts';
import type { ThemeModule } from './desktop/native-theme.ts';
import { createAutoUpdater, createNet } from './desktop/net.ts';
import { createNotificationModule } from './desktop/notification.ts';
import { createPower } from './desktop/power.ts';
import { createClipboard, createScreen, createShell } from './desktop/small-modules.ts';
import { createTrayModule } from './desktop/tray.ts';
import { createHooks } from './hooks.ts';
import type { StandInHooks } from './hooks.ts';
import type { Hub } from './hub.ts';
import { decidePopup } from './popups.ts';
import { createSession } from './session.ts';
import type { StandInSession } from './session.ts';
import { strict } from './strict.ts';
import { createContentsClass } from './web-contents.ts';
import type { StandInContents } from './web-contents.ts';

export interface ElectronModule {
  exports: Record<string, unknown>;
  hooks: StandInHooks;
  /** Takes over a popup that Chromium opened; false closes it. */
  takePopup(
    opener: { targetId: string | undefined; url: string },
    popup: { targetId: string; sessionId: string },
  ): Promise<boolean>;
}

export function createElectronModule(deps: {
  hub: Hub;
  app: StandInApp;
  theme: ThemeModule;
  appPath: string;
}): ElectronModule {
  const { hub, app } = deps;
  let lastId = 0;
  const nextId = (): number => ++lastId;

  const sessions = new Map<string, StandInSession>();
  const partition = (name: string): StandInSession => {
    let found = sessions.get(name);
    if (!found) {
      found = createSession(hub, name);
      sessions.set(name, found);
      app.emit('session-created', found.facade);
    }
    return found;
  };
  const defaultSession = (): StandInSession => {
    if (!hub.isReady) throw new Error('Session can only be received when app is ready');
    return partition('');
  };
  const sessionOf = (facade: Session): StandInSession => {
    const found = [...sessions.values()].find((session) => session.facade === facade);
    if (!found) throw new Error('this session is none of the stand-in');
    return found;
  };

  const Contents = createContentsClass({
    hub,
    sessionOf,
    defaultSession,
    partition,
    nextId,
  });
  const BrowserWindow = createWindowClass({
    hub,
    nextId,
    appName: () => app.facade.name,
    createContents: (preferences: WebPreferences, owner: StandInWindow, options) =>
      new Contents(preferences, owner, options),
  });
  const facadeOf = (contents: StandInContents | undefined): WebContents | undefined =>
    contents as unknown as WebContents | undefined;
  const webContents = strict(
    {
      fromId: (id: number) => facadeOf([...hub.contents].find((contents) => contents.id === id)),
      fromFrame: (frame: Electron.WebFrameMain) =>
        facadeOf([...hub.contents].find((contents) => contents.mainFrame === frame.top)),
      fromDevToolsTargetId: (targetId: string) =>
        facadeOf([...hub.contents].find((contents) => contents.inner.page.targetId() === targetId)),
      getAllWebContents: () => [...hub.contents] as unknown as WebContents[],
      getFocusedWebContents: () => facadeOf(hub.focused?.inner.contents) ?? null,
    } satisfies Pick<
      typeof Electron.webContents,
      'fromId' | 'fromFrame' | 'fromDevToolsTargetId' | 'getAllWebContents' | 'getFocusedWebContents'
    >,
    'webContents',
  );
  const session = strict(
    {
      get defaultSession() {
        return defaultSession().facade;
      },
      fromPartition: (name: string) => (name === '' ? defaultSession() : partition(name)).facade,
    },
    'session',
  );
  const protocol = new Proxy(
    {},
    { get: (_target, member): unknown => Reflect.get(partition('').protocol.facade, member) as unknown },
  );

  const images = createNativeImageModule();
  const trays = createTrayModule({
    isReady: () => hub.isReady,
    imageSource: (image) => images.sourceOf(image),
  });
  const menus = createMenuModule({ hub, quit: () => app.facade.quit(), nextId });
  const notifications = createNotificationModule();
  const power = createPower();

  const modules = {
    app: app.facade,
    autoUpdater: createAutoUpdater(),
    BrowserWindow: strict(BrowserWindow, 'BrowserWindow'),
    clipboard: createClipboard(),
    dialog: createDialog(),
    ipcMain: hub.ipcMain.facade,
    Menu: menus.Menu,
    MenuItem: menus.MenuItem,
    nativeImage: images.nativeImage,
    nativeTheme: deps.theme.nativeTheme,
    net: createNet(),
    Notification: notifications.Notification,
    powerMonitor: power.powerMonitor,
    powerSaveBlocker: power.powerSaveBlocker,
    protocol,
    screen: createScreen(),
    session,
    shell: createShell(hub),
    Tray: trays.Tray,
    webContents,
  } satisfies Partial<Record<keyof typeof Electron, unknown>>;

  const hooks = createHooks({
    hub,
    trays,
    menus,
    notifications,
    power,
    defaultSession,
  });

  return {
    exports: strict<Record<string, unknown>>(modules, 'electron'),
    hooks,
    async takePopup(origin, popup) {
      const opener = [...hub.contents].find((contents) => contents.inner.page.targetId() === origin.targetId);
      if (!opener) return false;
      const allowed = opener.inner.allowedOpens.shift();
      // a link with a target hasn't asked the handler yet; Chromium reports its URL separately from the target
      if (!allowed && opener.inner.seenOpens.length === 0)
        await new Promise((resolve) => setTimeout(resolve, 30));
      const seen = opener.inner.seenOpens.shift();
      const details = allowed ?? seen ?? { url: origin.url, frameName: '', features: '' };
      const decision = allowed ? decideAgain(opener) : decidePopup(opener, details);
      if (decision.action === 'deny') return false;
      const options: BrowserWindowConstructorOptions = {
        ...decision.options,
        webPreferences: { ...opener.inner.preferences, ...decision.options.webPreferences },
      };
      const window = new BrowserWindow(options, { popup, opener });
      opener.emit('did-create-window', window, {
        ...details,
        options,
        referrer: { url: '', policy: '' },
        disposition: 'new-window',
      });
      await window.inner.contents.inner.page.opened;
      return true;
    },
  };

  /** window.open has already asked the handler, so this returns the recorded decision with its options. */
  function decideAgain(opener: StandInContents): ReturnType<typeof decidePopup> {
    return opener.inner.decisions.shift() ?? { action: 'allow', options: {} };
  }
}

/** Makes `import 'electron'`, `require('electron')` and their variants resolve to the given module. */
export function provideElectron(exports: Record<string, unknown>): void {
  const key = 'stand-in electron';
  Object.defineProperty(globalThis, Symbol.for(key), { value: exports, configurable: true });
  const get = `globalThis[Symbol.for(${JSON.stringify(key)})]`;
  const sources: Record<string, { format: 'module' | 'commonjs'; source: string }> = {
    'standin:electron/module': {
      format: 'module',
      source: `const electron = ${get};\nexport default electron;\n${Object.keys(exports)
        .map((name) => `export const ${name} = electron.${name};`)
        .join('\n')}\n`,
    },
    'standin:electron/commonjs': { format: 'commonjs', source: `module.exports = ${get};\n` },
  };
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'electron' || specifier === 'electron/main' || specifier === 'electron/common') {
        const isImport = context.conditions.includes('import');
        return { url: `standin:electron/${isImport ? 'module' : 'commonjs'}`, shortCircuit: true };
      }
      if (specifier === 'original-fs' || specifier === 'node:original-fs') return next('node:fs', context);
      return next(specifier, context);
    },
    load(url, context, next) {
      const own = sources[url];
      return own ? { ...own, shortCircuit: true } : next(url, context);
    },
  });
}
