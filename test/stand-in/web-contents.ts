// `webContents`: Electron's API for a page. Dispatches messages, asks the app's handlers about navigations, popups and permissions, and
// emits events.

import type { Session, WebContents, WebFrameMain, WebPreferences } from 'electron';

import type { StandInWindow } from './browser-window.ts';
import { createEvent } from './cancelable-event.ts';
import type { FrameState } from './frames.ts';
import type { Hub, PopupTarget } from './hub.ts';
import { createIpcScope } from './ipc-main.ts';
import { createCodec } from './page/structured-clone.ts';
import { createPage } from './page.ts';
import type { Page } from './page.ts';
import type { PostedForm } from './page-requests.ts';
import type { OpenDetails, PopupDecision } from './popups.ts';
import type { StandInSession } from './session.ts';
import { StrictEmitter, checkOptions, missing } from './strict.ts';
import { contentsEvents, fixedPreferences, preferenceKeys } from './web-contents-surface.ts';
import type { ContentsSurface } from './web-contents-surface.ts';
import { createContentsEvents } from './contents-events.ts';
import { createContentsMessages } from './contents-messages.ts';

type WindowOpenHandler = Parameters<WebContents['setWindowOpenHandler']>[0];

export interface StandInContents extends ContentsSurface {
  emit(name: string, ...args: unknown[]): boolean;
  on(name: string, listener: (...args: never[]) => void): this;
  once(name: string, listener: (...args: never[]) => void): this;
  /** Internal to the stand-in. */
  readonly inner: ContentsInner;
}

export interface ContentsInner {
  page: Page;
  preferences: WebPreferences;
  session: StandInSession;
  openerOf: StandInContents | undefined;
  handler(): WindowOpenHandler | undefined;
  /** Allowed popups that Chromium hasn't opened yet. */
  allowedOpens: OpenDetails[];
  /** The handler's decision on each of them. */
  decisions: PopupDecision[];
  seenOpens: OpenDetails[];
  setVisible(isVisible: boolean): void;
  setSize(size: { width: number; height: number }): void;
  applyTheme(): void;
  gone(): void;
  answerPermission(name: string, details: object, frame: FrameState | undefined): Promise<boolean>;
}

export interface ContentsDeps {
  hub: Hub;
  sessionOf: (facade: Session) => StandInSession;
  defaultSession: () => StandInSession;
  partition: (name: string) => StandInSession;
  nextId: () => number;
}

/** The headers of a form that a browser posts. */
function posted(options: Electron.LoadURLOptions | undefined): PostedForm | undefined {
  const { postData, extraHeaders = '' } = options ?? {};
  if (postData === undefined && extraHeaders === '') return undefined;
  const headers = extraHeaders.split('\n').flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon < 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]];
  });
  const parts = (postData ?? []).map((part) => {
    if (part.type !== 'rawData') throw missing('webContents.loadURL', `postData of type ${part.type}`);
    return part.bytes;
  });
  return { headers, ...(postData !== undefined && { body: Buffer.concat(parts) }) };
}

export function createContentsClass(deps: ContentsDeps): new (
  preferences: WebPreferences,
  owner: StandInWindow | undefined,
  options: {
    size: { width: number; height: number };
    popup: PopupTarget | undefined;
    opener: StandInContents | undefined;
  },
) => StandInContents {
  const { hub } = deps;
  const codec = createCodec();

  class StandInWebContents extends StrictEmitter implements ContentsSurface {
    readonly id = deps.nextId();
    readonly inner: ContentsInner;
    backgroundThrottling: boolean;
    #ipc = createIpcScope('webContents.ipc');
    #owner: StandInWindow | undefined;
    #page: Page;
    #session: StandInSession;
    #handler: WindowOpenHandler | undefined;
    #isDestroyed = false;
    #isCrashed = false;
    #isMuted = false;
    #hasDevTools = false;
    #title = '';
    #zoom: number;
    #size: { width: number; height: number };
    #isVisible = true;
    #pendingUrl: string | undefined;
    #processId: number;

    constructor(
      preferences: WebPreferences,
      owner: StandInWindow | undefined,
      options: {
        size: { width: number; height: number };
        popup: PopupTarget | undefined;
        opener: StandInContents | undefined;
      },
    ) {
      super('webContents', contentsEvents);
      checkOptions('webPreferences', preferences, preferenceKeys);
      for (const [key, value] of Object.entries(fixedPreferences)) {
        const given = preferences[key as keyof WebPreferences];
        if (given !== undefined && given !== value)
          throw missing('webPreferences', `${key}: ${JSON.stringify(given)}`);
      }
      this.#owner = owner;
      this.#size = options.size;
      this.#zoom = preferences.zoomFactor ?? 1;
      this.backgroundThrottling = preferences.backgroundThrottling ?? true;
      this.#processId = deps.nextId();
      this.#session = preferences.session
        ? deps.sessionOf(preferences.session)
        : preferences.partition
          ? deps.partition(preferences.partition)
          : deps.defaultSession();
      const contents = this as unknown as StandInContents;
      const events = createContentsEvents({
        hub,
        contents,
        page: () => this.#page,
        messages: () => messages,
        session: this.#session,
        processId: this.#processId,
        onFirstPaint: () => owner?.inner.firstPaint(),
        onCloseVetoed: () => owner?.inner.closeVetoed(),
        setCrashed: (isCrashed) => void (this.#isCrashed = isCrashed),
        isHidden: () => !this.#isVisible && this.backgroundThrottling,
      });
      const messages = createContentsMessages({
        hub,
        contents,
        page: () => this.#page,
        ipc: this.#ipc,
        session: this.#session,
        processId: this.#processId,
        onTitle: (title) => this.#titleChanged(title),
        onPreloadError: (error) => events.preloadFailed(error),
      });
      this.#page = createPage({
        cdp: hub.cdp,
        alias: hub.alias,
        targets: hub.targets,
        secrets: hub.secrets,
        session: this.#session,
        webContentsId: this.id,
        processId: this.#processId,
        nextId: deps.nextId,
        isDestroyed: () => this.#isDestroyed,
        size: options.size,
        preload: preferences.preload,
        runsInSubFrames: preferences.nodeIntegrationInSubFrames === true,
        preloadProcess: {
          platform: process.platform,
          arch: process.arch,
          type: 'renderer',
          sandboxed: true,
          contextIsolated: true,
          isMainFrame: true,
          pid: process.pid,
          argv: [process.execPath, ...(preferences.additionalArguments ?? [])],
          execPath: process.execPath,
          env: {},
          version: process.version,
          versions: { ...process.versions },
          resourcesPath: process.resourcesPath,
        },
        popup: options.popup,
        host: events.host,
      });
      const page = this.#page;
      this.inner = {
        page,
        preferences,
        session: this.#session,
        openerOf: options.opener,
        handler: () => this.#handler,
        allowedOpens: [],
        decisions: [],
        seenOpens: [],
        setVisible: (isVisible) => this.#setVisible(isVisible),
        setSize: (size) => this.#setSize(size),
        applyTheme: () => this.#applyTheme(),
        gone: () => this.#gone(),
        answerPermission: (name, details, frame) => messages.permission(name, details, frame),
      };
      if (this.#zoom !== 1)
        void page.opened.then(
          () => this.#applySize(),
          () => undefined,
        );
      hub.contents.add(contents);
      // Electron emits web-contents-created before the window's constructor returns
      hub.emitApp('web-contents-created', createEvent(), this);
      if (hub.themeOverride()) this.#applyTheme();
    }

    get ipc(): Electron.IpcMain {
      return this.#ipc.facade;
    }
    get session(): Session {
      return this.#session.facade;
    }
    get mainFrame(): WebFrameMain {
      const main = this.#page.frames.main() ?? this.#page.frames.attach('initial', undefined);
      return this.#page.frames.facade(main);
    }
    get opener(): WebFrameMain | null {
      return this.inner.openerOf?.mainFrame ?? null;
    }

    loadURL(url: string, options?: Electron.LoadURLOptions): Promise<void> {
      checkOptions('webContents.loadURL', options, ['postData', 'extraHeaders']);
      this.#pendingUrl = url;
      return this.#page.load(url, posted(options));
    }
    reload(): void {
      this.#isCrashed = false;
      void this.#page.reload();
    }
    stop(): void {
      void this.#page.send('Page.stopLoading').catch(() => undefined);
    }
    getURL(): string {
      const url = this.#page.frames.main()?.url ?? '';
      return url === '' ? (this.#pendingUrl ?? '') : url;
    }
    getTitle(): string {
      return this.#title;
    }
    isDestroyed(): boolean {
      return this.#isDestroyed;
    }
    isCrashed(): boolean {
      return this.#isCrashed;
    }
    isLoading(): boolean {
      return this.#page.isLoading();
    }
    isFocused(): boolean {
      return hub.focused !== undefined && hub.focused === this.#owner;
    }
    focus(): void {
      this.#owner?.focus();
    }
    send(channel: string, ...args: unknown[]): void {
      const main = this.#page.frames.main();
      if (main) this.#page.sendEvent(main, channel, args);
      else codec.encode(args);
    }
    async executeJavaScript(code: string): Promise<never> {
      await this.#page.opened;
      if (this.#page.isLoading()) {
        await new Promise<void>((done) => this.once('did-stop-loading', () => done()));
      }
      return (await this.#page.execute(this.#page.frames.main()!, code)) as never;
    }
    forcefullyCrashRenderer(): void {
      void this.#page.opened.then(() => this.#page.send('Page.crash')).catch(() => undefined);
    }
    close(options?: Electron.CloseOpts): void {
      checkOptions('webContents.close', options, ['waitForBeforeUnload']);
      if (options?.waitForBeforeUnload) this.#owner?.inner.closePage(true);
      else this.#owner?.inner.closePage(false);
    }
    setWindowOpenHandler(handler: WindowOpenHandler): void {
      this.#handler = handler;
    }
    setZoomFactor(factor: number): void {
      if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0");
      this.#zoom = factor;
      this.#applySize();
    }
    getZoomFactor(): number {
      return this.#zoom;
    }
    setZoomLevel(level: number): void {
      this.setZoomFactor(1.2 ** level);
    }
    getZoomLevel(): number {
      return Math.log(this.#zoom) / Math.log(1.2);
    }
    toggleDevTools(): void {
      if (this.inner.preferences.devTools === false) return;
      this.#hasDevTools = !this.#hasDevTools;
      this.emit(this.#hasDevTools ? 'devtools-opened' : 'devtools-closed');
    }
    setAudioMuted(isMuted: boolean): void {
      this.#isMuted = isMuted;
    }
    isAudioMuted(): boolean {
      return this.#isMuted;
    }
    copy(): void {
      this.#edit('copy');
    }
    cut(): void {
      this.#edit('cut');
    }
    paste(): void {
      this.#edit('paste');
    }
    selectAll(): void {
      this.#edit('selectAll');
    }
    undo(): void {
      this.#edit('undo');
    }
    redo(): void {
      this.#edit('redo');
    }

    #edit(command: string): void {
      void this.#page
        .execute(this.#page.frames.main()!, `document.execCommand(${JSON.stringify(command)})`)
        .catch(() => undefined);
    }

    #setSize(size: { width: number; height: number }): void {
      this.#size = size;
      this.#applySize();
    }
    #applySize(): void {
      const { width, height } = this.#size;
      void this.#page.opened
        .then(() =>
          this.#page.send('Emulation.setDeviceMetricsOverride', {
            width: Math.max(1, Math.round(width / this.#zoom)),
            height: Math.max(1, Math.round(height / this.#zoom)),
            deviceScaleFactor: this.#zoom,
            mobile: false,
          }),
        )
        .catch(() => undefined);
    }

    #setVisible(isVisible: boolean): void {
      if (this.#isVisible === isVisible) return;
      this.#isVisible = isVisible;
      const main = this.#page.frames.main();
      if (main && this.backgroundThrottling)
        this.#page.deliver(main, { type: 'visibility', isHidden: !isVisible });
    }

    #applyTheme(): void {
      const features = [{ name: 'prefers-color-scheme', value: hub.isDark() ? 'dark' : 'light' }];
      void this.#page.opened
        .then(() => this.#page.send('Emulation.setEmulatedMedia', { features }))
        .catch(() => undefined);
    }

    #titleChanged(title: string): void {
      if (title === this.#title || this.#isDestroyed) return;
      this.#title = title;
      const event = createEvent();
      this.emit('page-title-updated', event, title, true);
      this.#owner?.inner.titleChanged(title, event.defaultPrevented);
    }

    #gone(): void {
      if (this.#isDestroyed) return;
      this.#isDestroyed = true;
      hub.contents.delete(this as unknown as StandInContents);
      this.emit('destroyed');
    }
  }
  return StandInWebContents as unknown as ReturnType<typeof createContentsClass>;
}
