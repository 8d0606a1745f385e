// `BrowserWindow`: a page with the state that a window manager would keep. No window is drawn, but every page renders, shown or not, so
// that a test can always inspect it.

import type {
  BrowserWindow,
  BrowserWindowConstructorOptions,
  LoadURLOptions,
  Rectangle,
  WebContents,
} from 'electron';

import { hub } from './hub.ts';
import { StrictEmitter, checkOptions, createEvent, type Some } from './strict.ts';
import { StandInContents } from './web-contents.ts';

const events =
  'close closed hide page-title-updated query-session-end ready-to-show session-end show unresponsive';
const optionKeys =
  'backgroundColor focusable height icon minHeight minWidth show skipTaskbar title webPreferences width x y';

export class StandInWindow extends StrictEmitter implements Some<BrowserWindow> {
  static getAllWindows(): BrowserWindow[] {
    return [...hub.windows] as unknown as BrowserWindow[];
  }
  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return StandInWindow.getAllWindows().find(({ webContents }) => webContents === contents) ?? null;
  }

  readonly contents: StandInContents;
  #bounds: Rectangle;
  #title: string;
  #isVisible: boolean;
  #isDestroyed = false;
  #isReadyToShow = false;
  #isClosing = false;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super('BrowserWindow', events);
    if (!hub.isReady) throw new Error('Cannot create BrowserWindow before app is ready');
    checkOptions('BrowserWindow', options, optionKeys);
    const { width = 800, height = 600, x = 0, y = 0, title = hub.app.name, show = true } = options;
    this.#bounds = { x, y, width, height };
    this.#title = title;
    this.#isVisible = show;
    const owner = {
      onTitle: (name: string) => this.#pageTitle(name),
      onFirstPaint: () => this.#painted(),
      onCloseVetoed: () => this.#vetoed(),
    };
    this.contents = new StandInContents(options.webPreferences ?? {}, owner, { width, height });
    hub.windows.add(this);
    if (show) setImmediate(() => this.focus());
  }

  get webContents(): WebContents {
    return this.contents as unknown as WebContents;
  }

  loadURL(url: string, options?: LoadURLOptions): Promise<void> {
    return this.contents.loadURL(url, options);
  }
  show(): void {
    this.#check();
    if (!this.#isVisible) {
      this.#isVisible = true;
      this.contents.setVisible(true);
      this.emit('show');
    }
    this.focus();
  }
  hide(): void {
    this.#check();
    if (!this.#isVisible) return;
    this.#isVisible = false;
    if (hub.focused === this) hub.focused = undefined;
    this.contents.setVisible(false);
    this.emit('hide');
  }
  focus(): void {
    if (this.#isVisible && !this.#isDestroyed) hub.focused = this;
  }
  isVisible(): boolean {
    this.#check();
    return this.#isVisible;
  }
  isFocused(): boolean {
    return hub.focused === this;
  }
  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
  isMinimized(): boolean {
    return false;
  }
  isMaximized(): boolean {
    return false;
  }
  getNormalBounds(): Rectangle {
    return { ...this.#bounds };
  }
  setContentSize(width: number, height: number): void {
    this.#bounds = { ...this.#bounds, width, height };
    this.contents.setSize({ width, height });
  }
  getTitle(): string {
    this.#check();
    return this.#title;
  }
  setTitle(title: string): void {
    this.#title = title;
  }
  setMenuBarVisibility(): void {}
  setBackgroundColor(): void {}

  close(): void {
    if (this.#isDestroyed || this.#isClosing) return;
    const event = createEvent();
    this.emit('close', event);
    if (event.defaultPrevented) this.#vetoed();
    else this.#closePage(true);
  }
  destroy(): void {
    if (this.#isDestroyed) return;
    this.gone();
    this.#closePage(false);
  }
  /** The page is gone, and the window with it. */
  gone(): void {
    if (this.#isDestroyed) return;
    if (hub.focused === this) hub.focused = undefined;
    this.#isDestroyed = true;
    hub.windows.delete(this);
    this.contents.gone();
    this.emit('closed');
    hub.onWindowClosed();
  }

  #check(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
  }
  #vetoed(): void {
    this.#isClosing = false;
    hub.onCloseVetoed();
  }
  /** @param asksPage its beforeunload may prevent it */
  #closePage(asksPage: boolean): void {
    this.#isClosing = true;
    const { page } = this.contents;
    void page.opened
      .then(() =>
        asksPage && !this.contents.isCrashed()
          ? page.send('Page.close')
          : hub.cdp.send('Target.closeTarget', { targetId: page.targetId()! }),
      )
      .catch(() => this.gone());
  }
  #painted(): void {
    if (this.#isReadyToShow || this.#isDestroyed) return;
    this.#isReadyToShow = true;
    this.emit('ready-to-show');
  }
  #pageTitle(title: string): void {
    const event = createEvent();
    this.emit('page-title-updated', event, title, true);
    if (!event.defaultPrevented) this.#title = title;
  }
}
