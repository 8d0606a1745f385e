// `BrowserWindow`: a page with the state that a window manager would keep. No window is drawn, but every page renders, shown or not, so
// that a test can always inspect it.

import type {
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Rectangle,
  WebContents,
  WebPreferences,
} from 'electron';

import { createEvent } from './cancelable-event.ts';
import type { Hub, PopupTarget } from './hub.ts';
import { StrictEmitter, checkOptions } from './strict.ts';
import type { StandInContents } from './web-contents.ts';

type WindowSurface = Pick<
  BrowserWindow,
  | 'id'
  | 'webContents'
  | 'title'
  | 'autoHideMenuBar'
  | 'loadURL'
  | 'reload'
  | 'show'
  | 'showInactive'
  | 'hide'
  | 'focus'
  | 'blur'
  | 'close'
  | 'destroy'
  | 'isVisible'
  | 'isFocused'
  | 'isDestroyed'
  | 'minimize'
  | 'restore'
  | 'isMinimized'
  | 'maximize'
  | 'isMaximized'
  | 'setFullScreen'
  | 'isFullScreen'
  | 'getBounds'
  | 'setBounds'
  | 'getNormalBounds'
  | 'setContentSize'
  | 'getTitle'
  | 'setTitle'
  | 'setMenuBarVisibility'
  | 'setBackgroundColor'
>;

const windowEvents: readonly string[] = [
  'page-title-updated',
  'close',
  'closed',
  'query-session-end',
  'session-end',
  'unresponsive',
  'responsive',
  'blur',
  'focus',
  'show',
  'hide',
  'ready-to-show',
  'maximize',
  'minimize',
  'restore',
  'resize',
  'resized',
  'move',
  'moved',
  'enter-full-screen',
  'leave-full-screen',
];

const windowOptionKeys: readonly (keyof BrowserWindowConstructorOptions)[] = [
  'autoHideMenuBar',
  'backgroundColor',
  'focusable',
  'frame',
  'fullscreen',
  'height',
  'icon',
  'minHeight',
  'minWidth',
  'parent',
  'show',
  'skipTaskbar',
  'title',
  'type',
  'webPreferences',
  'width',
  'x',
  'y',
];

export interface StandInWindow extends WindowSurface {
  emit(name: string, ...args: unknown[]): boolean;
  readonly inner: WindowInner;
}

export interface WindowInner {
  contents: StandInContents;
  options: BrowserWindowConstructorOptions;
  titleChanged(title: string, isPrevented: boolean): void;
  firstPaint(): void;
  closeVetoed(): void;
  closePage(asksPage: boolean): void;
  pageGone(): void;
  /** What the app set that isn't visible here: progress, icon, flashing. */
  looks: Record<string, unknown>;
}

export interface WindowClassDeps {
  hub: Hub;
  nextId: () => number;
  createContents: (
    preferences: WebPreferences,
    owner: StandInWindow,
    options: {
      size: { width: number; height: number };
      popup: PopupTarget | undefined;
      opener: StandInContents | undefined;
    },
  ) => StandInContents;
  appName: () => string;
}

export interface PopupOrigin {
  popup: PopupTarget;
  opener: StandInContents;
}

export function createWindowClass(
  deps: WindowClassDeps,
): new (options?: BrowserWindowConstructorOptions, origin?: PopupOrigin) => StandInWindow {
  const { hub } = deps;

  class StandInBrowserWindow extends StrictEmitter implements WindowSurface {
    static getAllWindows(): BrowserWindow[] {
      return [...hub.windows] as unknown as BrowserWindow[];
    }
    static getFocusedWindow(): BrowserWindow | null {
      return (hub.focused ?? null) as unknown as BrowserWindow | null;
    }
    static fromId(id: number): BrowserWindow | null {
      return ([...hub.windows].find((window) => window.id === id) ?? null) as unknown as BrowserWindow | null;
    }
    static fromWebContents(contents: WebContents): BrowserWindow | null {
      const found = [...hub.windows].find((window) => window.webContents === contents);
      return (found ?? null) as unknown as BrowserWindow | null;
    }

    readonly id = deps.nextId();
    readonly inner: WindowInner;
    autoHideMenuBar: boolean;
    #bounds: Rectangle;
    #normal: Rectangle;
    #title: string;
    #isVisible: boolean;
    #isDestroyed = false;
    #state: 'normal' | 'minimized' | 'maximized' | 'fullscreen' = 'normal';
    #isReadyToShow = false;
    #isClosing = false;

    constructor(options: BrowserWindowConstructorOptions = {}, origin?: PopupOrigin) {
      super('BrowserWindow', windowEvents);
      if (!hub.isReady) throw new Error('Cannot create BrowserWindow before app is ready');
      checkOptions('BrowserWindow', options, windowOptionKeys);
      const { width = 800, height = 600, x = 0, y = 0 } = options;
      this.#bounds = { x, y, width, height };
      this.#normal = { ...this.#bounds };
      this.#title = options.title ?? deps.appName();
      this.#isVisible = options.show !== false;
      this.autoHideMenuBar = options.autoHideMenuBar ?? false;
      hub.windows.add(this);
      const looks: Record<string, unknown> = { backgroundColor: options.backgroundColor, icon: options.icon };
      this.inner = {
        contents: undefined as unknown as StandInContents,
        options,
        looks,
        titleChanged: (title, isPrevented) => this.#pageTitle(title, isPrevented),
        firstPaint: () => this.#painted(),
        closeVetoed: () => this.#vetoed(),
        closePage: (asksPage) => this.#closePage(asksPage),
        pageGone: () => this.#gone(),
      };
      try {
        this.inner.contents = deps.createContents(options.webPreferences ?? {}, this, {
          size: { width, height },
          popup: origin?.popup,
          opener: origin?.opener,
        });
      } catch (error) {
        hub.windows.delete(this);
        throw error;
      }
      if (this.#isVisible) setImmediate(() => this.#gainFocus());
      if (options.fullscreen) this.setFullScreen(true);
      hub.emitApp('browser-window-created', createEvent(), this);
    }

    get webContents(): WebContents {
      return this.inner.contents as unknown as WebContents;
    }
    get title(): string {
      return this.#title;
    }
    set title(text: string) {
      this.setTitle(text);
    }

    loadURL(url: string, options?: Electron.LoadURLOptions): Promise<void> {
      return this.inner.contents.loadURL(url, options);
    }
    reload(): void {
      this.inner.contents.reload();
    }

    show(): void {
      this.#check();
      this.showInactive();
      this.#gainFocus();
    }
    showInactive(): void {
      this.#check();
      if (this.#state === 'minimized') this.restore();
      if (this.#isVisible) return;
      this.#isVisible = true;
      this.inner.contents.inner.setVisible(true);
      this.emit('show');
    }
    hide(): void {
      this.#check();
      if (!this.#isVisible) return;
      this.#isVisible = false;
      this.#loseFocus();
      this.inner.contents.inner.setVisible(false);
      this.emit('hide');
    }
    focus(): void {
      this.#check();
      if (this.#isVisible && this.#state !== 'minimized') this.#gainFocus();
    }
    blur(): void {
      this.#loseFocus();
    }
    isVisible(): boolean {
      this.#check();
      return this.#isVisible && this.#state !== 'minimized';
    }
    isFocused(): boolean {
      this.#check();
      return hub.focused === (this as StandInWindow);
    }
    isDestroyed(): boolean {
      return this.#isDestroyed;
    }
    minimize(): void {
      this.#check();
      if (this.#state === 'minimized') return;
      this.#state = 'minimized';
      this.#loseFocus();
      this.inner.contents.inner.setVisible(false);
      this.emit('minimize');
    }
    restore(): void {
      this.#check();
      if (this.#state !== 'minimized') return;
      this.#state = 'normal';
      this.inner.contents.inner.setVisible(this.#isVisible);
      this.emit('restore');
    }
    isMinimized(): boolean {
      this.#check();
      return this.#state === 'minimized';
    }
    maximize(): void {
      this.#check();
      if (this.#state === 'maximized') return;
      this.#state = 'maximized';
      this.#setArea({ x: 0, y: 0, width: 1920, height: 1080 });
      if (!this.#isVisible) this.show();
      this.emit('maximize');
    }
    isMaximized(): boolean {
      this.#check();
      return this.#state === 'maximized';
    }
    setFullScreen(isFull: boolean): void {
      this.#check();
      if (isFull === (this.#state === 'fullscreen')) return;
      this.#state = isFull ? 'fullscreen' : 'normal';
      this.#setArea(isFull ? { x: 0, y: 0, width: 1920, height: 1080 } : this.#normal);
      this.emit(isFull ? 'enter-full-screen' : 'leave-full-screen');
    }
    isFullScreen(): boolean {
      return this.#state === 'fullscreen';
    }

    getBounds(): Rectangle {
      this.#check();
      return { ...this.#bounds };
    }
    setBounds(bounds: Partial<Rectangle>): void {
      this.#check();
      this.#normal = { ...this.#bounds, ...bounds };
      this.#setArea(this.#normal);
    }
    getNormalBounds(): Rectangle {
      return { ...this.#normal };
    }
    setContentSize(width: number, height: number): void {
      this.setBounds({ width, height });
    }

    getTitle(): string {
      this.#check();
      return this.#title;
    }
    setTitle(title: string): void {
      this.#check();
      this.#title = title;
    }
    setMenuBarVisibility(): void {}
    setBackgroundColor(color: string): void {
      this.inner.looks['backgroundColor'] = color;
    }

    close(): void {
      if (this.#isDestroyed || this.#isClosing) return;
      const event = createEvent();
      this.emit('close', event);
      if (event.defaultPrevented) this.#vetoed();
      else this.#closePage(true);
    }
    destroy(): void {
      if (this.#isDestroyed) return;
      this.#gone();
      this.#closePage(false);
    }

    #check(): void {
      if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
    }
    #vetoed(): void {
      this.#isClosing = false;
      hub.onCloseVetoed();
    }
    #closePage(asksPage: boolean): void {
      if (this.#isClosing && asksPage) return;
      this.#isClosing = true;
      const { page } = this.inner.contents.inner;
      void (async () => {
        try {
          await page.opened;
          if (asksPage && !this.inner.contents.isCrashed()) await page.send('Page.close');
          else await hub.cdp.send('Target.closeTarget', { targetId: page.targetId()! });
        } catch {
          this.#gone();
        }
      })();
    }
    #gone(): void {
      if (this.#isDestroyed) return;
      this.#loseFocus();
      this.#isDestroyed = true;
      hub.windows.delete(this);
      this.inner.contents.inner.gone();
      this.emit('closed');
      hub.onWindowClosed();
    }
    #painted(): void {
      if (this.#isReadyToShow || this.#isDestroyed) return;
      this.#isReadyToShow = true;
      this.emit('ready-to-show');
    }
    #pageTitle(title: string, isPrevented: boolean): void {
      if (this.#isDestroyed) return;
      const event = createEvent();
      if (isPrevented) event.preventDefault();
      this.emit('page-title-updated', event, title, true);
      if (!event.defaultPrevented) this.#title = title;
    }
    #setArea(area: Rectangle): void {
      const before = this.#bounds;
      this.#bounds = { ...area };
      if (before.width !== area.width || before.height !== area.height) {
        this.inner.contents.inner.setSize({ width: area.width, height: area.height });
        this.emit('resize');
        this.emit('resized');
      }
      if (before.x !== area.x || before.y !== area.y) {
        this.emit('move');
        this.emit('moved');
      }
    }
    #gainFocus(): void {
      if (this.#isDestroyed || hub.focused === (this as StandInWindow)) return;
      hub.focused?.blur();
      hub.focused = this;
      this.emit('focus');
      this.inner.contents.emit('focus');
      hub.emitApp('browser-window-focus', createEvent(), this);
    }
    #loseFocus(): void {
      if (hub.focused !== (this as StandInWindow)) return;
      hub.focused = undefined;
      this.emit('blur');
      this.inner.contents.emit('blur');
      hub.emitApp('browser-window-blur', createEvent(), this);
    }
  }
  return StandInBrowserWindow;
}
