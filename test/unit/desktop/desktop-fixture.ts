// A window state for the tray and the system modules, and small fakes of Electron’s objects.

import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions } from 'electron';
import type {
  ConflictItem,
  HostState,
  LockItem,
  RecoveredItem,
  WindowState,
} from '../../../app/contract/state.ts';
import type { SettingsState } from '../../../app/contract/settings.ts';
import type { EditorItem } from '../../../app/contract/editors.ts';
import type { Question } from '../../../app/desktop/desktop.ts';
import { makeCollabora } from '../../window/harness/editors.ts';
import { makeLock, makeQuietState } from '../../window/harness/rows.ts';

export const noonMs = new Date(2026, 2, 4, 12, 0, 0).getTime();

export interface StateChoice {
  host?: Partial<HostState>;
  settings?: Partial<SettingsState>;
  locks?: LockItem[];
  recovered?: RecoveredItem[];
  conflicts?: ConflictItem[];
  recent?: string[];
  editors?: EditorItem[];
}

export function stateOf({ recent = [], host, settings, ...rows }: StateChoice = {}): WindowState {
  const state = makeQuietState(noonMs);
  return {
    ...state,
    ...rows,
    host: { ...state.host, startedAtMs: noonMs - 60_000, ...host },
    settings: { ...state.settings, ...settings },
    recent: recent.map((path) => ({ path, openedAtMs: noonMs })),
  };
}

export function lock(path: string, change: Partial<LockItem> = {}): LockItem {
  return makeLock(0, noonMs, { id: `id-${path}`, path, ...change });
}

export function staleLock(path: string, change: Partial<LockItem> = {}): LockItem {
  const stale = { kind: 'silent' as const, quietSinceMs: noonMs - 20 * 60_000 };
  return lock(path, { state: 'stale', stale, ...change });
}

export function recovered(path: string, change: Partial<RecoveredItem> = {}): RecoveredItem {
  return {
    id: `recovered-${path}`,
    path,
    size: 7,
    reason: 'The disk was full.',
    receivedAtMs: noonMs,
    isUnreadable: false,
    ...change,
  };
}

export function editor(name: string, change: Partial<EditorItem> = {}): EditorItem {
  return makeCollabora(noonMs, { id: `id-${name}`, name, ...change });
}

export function conflict(path: string): ConflictItem {
  return { id: `${path} copy`, path, copy: `${path} copy`, madeAtMs: noonMs };
}

/** A `BrowserWindow` that notes what was done to it. */
export class FakeWindow extends EventEmitter {
  static created: FakeWindow[] = [];
  static fromWebContents = (contents: unknown): FakeWindow | undefined =>
    FakeWindow.created.find(({ webContents }) => webContents === contents);
  options: BrowserWindowConstructorOptions;
  calls: string[] = [];
  isFocusedNow = true;
  isMinimizedNow = false;
  wasDestroyed = false;
  loading = Promise.withResolvers<void>();
  webContents = Object.assign(new EventEmitter(), {
    url: '',
    getURL: () => this.webContents.url,
    reload: () => this.calls.push('reload'),
    setAudioMuted: () => undefined,
    forcefullyCrashRenderer: () => this.calls.push('crash'),
  });
  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    FakeWindow.created.push(this);
  }
  loadURL(url: string): Promise<void> {
    this.calls.push(`load ${url}`);
    return this.loading.promise;
  }
  show = () => this.calls.push('show');
  hide = () => this.calls.push('hide');
  focus = () => this.calls.push('focus');
  restore = () => this.calls.push('restore');
  setMenuBarVisibility = (isVisible: boolean) => this.calls.push(`menu bar ${isVisible}`);
  setBackgroundColor = (color: string) => this.calls.push(`background ${color}`);
  isMinimized = () => this.isMinimizedNow;
  isMaximized = () => true;
  getNormalBounds = () => ({ x: 1, y: 2, width: 800, height: 600 });
  isFocused = () => this.isFocusedNow;
  isDestroyed = () => this.wasDestroyed;
  close = () => this.destroy();
  destroy(): void {
    if (this.wasDestroyed) return;
    this.wasDestroyed = true;
    this.fail('ERR_FAILED');
    this.emit('closed');
  }
  navigated(url: string, status = 200): void {
    this.webContents.url = url;
    this.webContents.emit('did-navigate', {}, url, status, '');
  }
  fail(code: string): void {
    this.loading.promise.catch(() => undefined);
    this.loading.reject(Object.assign(new Error(`${code} (-1) loading '${this.calls[0]}'`), { code }));
  }
}

/** Collects the text of warnings and errors. */
export function quietLog() {
  const lines: string[] = [];
  const add = (_fields: object, text: string): void => void lines.push(text);
  return { info: () => undefined, warn: add, error: add, lines };
}

/** Collects questions. Each stays open until the test answers it. */
export function questions() {
  const open: Question[] = [];
  const answers: ((index: number) => void)[] = [];
  return {
    open,
    ask(question: Question): Promise<number> {
      open.push(question);
      return new Promise((resolve) => void answers.push(resolve));
    },
    async answer(index: number) {
      open.shift();
      answers.shift()?.(index);
      await settled();
    },
  };
}

/** Waits until pending promises and callbacks have run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}
