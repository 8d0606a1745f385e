// `webContents`: Electron's API for a page. Answers its messages, asks the app's handlers about navigations, popups and permissions, and
// emits events. The page may lie in its messages, so their frame comes from Chromium.

import type { Session, WebContents, WebFrameMain, WebPreferences } from 'electron';

import type { FrameState } from './frames.ts';
import { hub, nextId } from './hub.ts';
import type { PageToMain } from './page/isolated-world.ts';
import { createCodec } from './page/structured-clone.ts';
import { createPage, type Page, type PageHost } from './page.ts';
import type { PostedForm } from './page-requests.ts';
import { sessionBehind, sessionOf, type StandInSession } from './session.ts';
import { StrictEmitter, checkOptions, createEvent, missing, strict, type Some } from './strict.ts';

const events =
  'destroyed did-fail-load did-finish-load did-navigate did-stop-loading page-title-updated render-process-gone unresponsive ' +
  'will-attach-webview will-frame-navigate will-navigate will-prevent-unload will-redirect';
const preferenceKeys =
  'allowRunningInsecureContent backgroundThrottling contextIsolation devTools disableDialogs experimentalFeatures navigateOnDragDrop ' +
  'nodeIntegration nodeIntegrationInSubFrames nodeIntegrationInWorker partition plugins preload safeDialogs sandbox session spellcheck ' +
  'webSecurity webviewTag';

/** Preferences whose unsafe value the stand-in doesn't support; an app that asks for it fails at once. */
const fixedPreferences: Partial<Record<keyof WebPreferences, boolean>> = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webviewTag: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
};

/** Of the window around the page. */
export interface ContentsOwner {
  onTitle(title: string): void;
  onFirstPaint(): void;
  onCloseVetoed(): void;
}

const codec = createCodec();

/** The headers and body of a form that a browser posts. */
function posted(options: Electron.LoadURLOptions): PostedForm | undefined {
  const { postData, extraHeaders = '' } = options;
  if (postData === undefined) return undefined;
  const headers = extraHeaders.split('\n').flatMap((line): [string, string][] => {
    const [name = '', value] = line.split(/:\s*/, 2);
    return value === undefined ? [] : [[name, value]];
  });
  const parts = postData.map((part) => {
    if (part.type !== 'rawData') throw missing(`postData of type ${part.type}`);
    return part.bytes;
  });
  return { headers, body: Buffer.concat(parts) };
}

export class StandInContents extends StrictEmitter implements Some<WebContents> {
  // Internal to the stand-in.
  readonly page: Page;
  readonly sessionState: StandInSession;
  #owner: ContentsOwner;
  #preferences: WebPreferences;
  #processId = nextId();
  #windowOpen: Parameters<WebContents['setWindowOpenHandler']>[0] | undefined;
  #isDestroyed = false;
  #isCrashed = false;
  #isMuted = false;
  #isVisible = true;
  #title = '';
  #loadedUrl = '';

  constructor(preferences: WebPreferences, owner: ContentsOwner, size: { width: number; height: number }) {
    super('webContents', events);
    checkOptions('webPreferences', preferences, preferenceKeys);
    for (const [key, value] of Object.entries(fixedPreferences)) {
      const given = preferences[key as keyof WebPreferences] ?? value;
      if (given !== value) throw missing(`webPreferences.${key}: ${JSON.stringify(given)}`);
    }
    const { session, partition = '', preload } = preferences;
    this.#owner = owner;
    this.#preferences = preferences;
    this.sessionState = session === undefined ? sessionOf(partition) : sessionBehind(session);
    const processId = this.#processId;
    this.page = createPage({
      session: this.sessionState,
      processId,
      size,
      preload,
      host: this.#createHost(),
    });
    hub.contents.add(this);
    // Electron emits web-contents-created before the window's constructor returns.
    hub.app.emit('web-contents-created', createEvent(), this);
    if (hub.theme !== 'system') this.applyTheme();
  }

  get session(): Session {
    return this.sessionState.facade;
  }
  get mainFrame(): WebFrameMain {
    return this.page.frames.main.facade;
  }

  loadURL(url: string, options: Electron.LoadURLOptions = {}): Promise<void> {
    checkOptions('webContents.loadURL', options, 'postData extraHeaders');
    this.#loadedUrl = url;
    return this.page.load(url, posted(options));
  }
  reload(): void {
    this.#isCrashed = false;
    this.#send('Page.reload');
  }
  getURL(): string {
    return this.page.frames.main.url || this.#loadedUrl;
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
    return this.page.isLoading();
  }
  send(channel: string, ...args: unknown[]): void {
    this.page.deliver(this.page.frames.main, { type: 'event', channel, args: codec.encode(args) });
  }
  async executeJavaScript(code: string): Promise<unknown> {
    await this.page.opened;
    if (this.page.isLoading()) await new Promise<void>((done) => this.once('did-stop-loading', () => done()));
    return this.page.execute(code);
  }
  forcefullyCrashRenderer(): void {
    this.#send('Page.crash');
  }
  setWindowOpenHandler(handler: Parameters<WebContents['setWindowOpenHandler']>[0]): void {
    this.#windowOpen = handler;
  }
  setAudioMuted(isMuted: boolean): void {
    this.#isMuted = isMuted;
  }
  isAudioMuted(): boolean {
    return this.#isMuted;
  }

  setSize(size: { width: number; height: number }): void {
    this.#send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });
  }
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#tellVisibility();
  }
  applyTheme(): void {
    const value = hub.theme === 'dark' ? 'dark' : 'light';
    this.#send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
  }
  gone(): void {
    this.#isDestroyed = true;
    hub.contents.delete(this);
    this.emit('destroyed');
  }
  #send(...command: Parameters<Page['send']>): void {
    void this.page.opened.then(() => this.page.send(...command)).catch(() => undefined);
  }
  #tellVisibility(): void {
    if (this.#preferences.backgroundThrottling !== false)
      this.page.deliver(this.page.frames.main, { type: 'visibility', isHidden: !this.#isVisible });
  }

  #createHost(): PageHost {
    const emitNavigation = (name: string, details: object): boolean => {
      const event = createEvent({ isSameDocument: false, ...details });
      this.emit(name, event);
      return !event.defaultPrevented;
    };
    return {
      onMessage: (frame, message) => this.#receive(frame, message),
      onQuestion: (frame, { kind, url, isMainFrame, name }) => {
        if (kind === 'path-for-file') return hub.filePaths.get(name as string) ?? '';
        if (kind === 'window-open') return this.#askAboutWindow(url as string);
        const details = { url, isMainFrame, initiator: frame.facade };
        if (!emitNavigation('will-frame-navigate', details)) return false;
        return isMainFrame !== true || emitNavigation('will-navigate', details);
      },
      mayRedirect: (url, frame) =>
        emitNavigation('will-redirect', { url, isMainFrame: frame.parentId === undefined }),
      onNavigated: (url, status) => {
        this.#isCrashed = false;
        this.emit('did-navigate', createEvent(), url, status, '');
        if (!this.#isVisible) this.#tellVisibility();
      },
      onStopLoading: () => void this.emit('did-stop-loading'),
      onFinishLoad: () => {
        this.emit('did-finish-load');
        this.#owner.onFirstPaint();
      },
      onFirstPaint: () => this.#owner.onFirstPaint(),
      onFailLoad: ({ errno, code, url }) =>
        void this.emit('did-fail-load', createEvent(), errno, code, url, true),
      onCrashed: () => {
        this.#isCrashed = true;
        this.emit('render-process-gone', createEvent(), { reason: 'crashed', exitCode: 5 });
      },
      onBeforeUnload: () => {
        const event = createEvent();
        this.emit('will-prevent-unload', event);
        if (!event.defaultPrevented) this.#owner.onCloseVetoed();
        return event.defaultPrevented;
      },
      onWindowOpen: (url) => this.#askAboutWindow(url),
    };
  }

  #askAboutWindow(url: string): void {
    const answer = this.#windowOpen?.({ url } as Electron.HandlerDetails);
    if (answer?.action !== 'deny') throw missing('windows that a page opens');
  }

  async #askPermission(name: string, frame: FrameState): Promise<boolean> {
    const { permissionCheck, permissionRequest } = this.sessionState;
    const about = { requestingUrl: frame.url, isMainFrame: frame.parentId === undefined };
    const facade = this as unknown as WebContents;
    const isAllowed = permissionCheck?.(facade, name as never, frame.origin, about) ?? true;
    if (!isAllowed || permissionRequest === null) return isAllowed;
    return new Promise((done) => permissionRequest(facade, name as never, done, about));
  }

  #receive(frame: FrameState, message: PageToMain): void {
    if (this.#isDestroyed) return;
    switch (message.type) {
      case 'preload-error':
        process.stderr.write(`Unable to run the preload script: ${message.text}\n`);
        return;
      case 'title': {
        this.#title = message.title;
        this.#owner.onTitle(message.title);
        return;
      }
      case 'permission':
        void this.#askPermission(message.name, frame).then((isGranted) =>
          this.page.deliver(frame, { type: 'permission', id: message.id, isGranted }),
        );
        return;
      case 'invoke':
      default:
        void this.#invoke(frame, message);
    }
  }

  async #invoke(
    frame: FrameState,
    { id, channel, args }: Extract<PageToMain, { type: 'invoke' }>,
  ): Promise<void> {
    const { isolatedContext } = frame;
    // The next page in the frame counts its calls from the beginning, too.
    const reply = (given: Parameters<Page['deliver']>[1]): void => {
      if (frame.isolatedContext === isolatedContext) this.page.deliver(frame, given);
    };
    try {
      const event = strict({ sender: this, senderFrame: frame.facade }, 'IpcMainInvokeEvent');
      const value = await hub.ipcMain.handler(channel)(event, ...(codec.decode(args) as unknown[]));
      reply({ type: 'reply', id, value: codec.encode(value) });
    } catch (error) {
      process.stderr.write(`Error occurred in handler for '${channel}': ${String(error)}\n`);
      reply({ type: 'failure', id, message: String(error) });
    }
  }
}
