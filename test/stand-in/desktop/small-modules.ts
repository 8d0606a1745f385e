// The small modules of electron: notifications and what the app asks the desktop to do are only recorded, for the test, which clicks and
// closes by emitting events.

import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';

import type {
  Clipboard,
  Display,
  NativeTheme,
  Notification,
  NotificationConstructorOptions,
  PowerMonitor,
  PowerSaveBlocker,
  Screen,
  Shell,
} from 'electron';

import { hub } from '../hub.ts';
import { StrictEmitter, checkOptions, createEvent, strict, type Some } from '../strict.ts';

export interface ShownNotification {
  notification: Notification;
  title: string;
  body: string;
  isClosed: boolean;
}

export const notifications: ShownNotification[] = [];

export class StandInNotification extends StrictEmitter implements Some<Notification> {
  title: string;
  body: string;
  actions: Electron.NotificationAction[];
  #entry: ShownNotification | undefined;

  constructor({ title = '', body = '', actions = [], ...others }: NotificationConstructorOptions) {
    super('Notification', 'action click close failed');
    checkOptions('Notification', others, '');
    this.title = title;
    this.body = body;
    this.actions = actions;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    const notification = this as unknown as Notification;
    this.#entry = { notification, title: this.title, body: this.body, isClosed: false };
    notifications.push(this.#entry);
  }
  close(): void {
    if (this.#entry === undefined || this.#entry.isClosed) return;
    this.#entry.isClosed = true;
    setImmediate(() => this.emit('close', createEvent()));
  }
}

const powerEvents = 'on-ac on-battery resume shutdown suspend unlock-screen';
const blockers = new Set<number>();
let lastBlocker = 0;
let isOnBattery = false;

export const powerMonitor = Object.assign(new StrictEmitter('powerMonitor', powerEvents), {
  isOnBatteryPower: () => isOnBattery,
}) as unknown as PowerMonitor;

export const powerSaveBlocker = strict(
  {
    start() {
      lastBlocker += 1;
      blockers.add(lastBlocker);
      return lastBlocker;
    },
    stop: (id: number) => blockers.delete(id),
  },
  'powerSaveBlocker',
) as unknown as PowerSaveBlocker;

export const power = {
  /** Emits the event and says whether a listener prevented it. */
  emit(name: string): { isPrevented: boolean } {
    if (!powerEvents.split(' ').includes(name)) throw new Error(`powerMonitor has no event '${name}'`);
    if (name.startsWith('on-')) isOnBattery = name === 'on-battery';
    const event = createEvent();
    powerMonitor.emit(name, event);
    return { isPrevented: event.defaultPrevented };
  },
  blockers: (): { id: number }[] => [...blockers].map((id) => ({ id })),
};

let copied = '';

export const clipboard = strict(
  { readText: () => copied, writeText: (value: string) => void (copied = value) },
  'clipboard',
) as unknown as Clipboard;

const workArea = { x: 0, y: 0, width: 1920, height: 1080 };

export const screen = strict(
  { getDisplayMatching: () => ({ workArea }) as Display },
  'screen',
) as unknown as Screen;

const shellMembers: Some<Shell> = {
  async openExternal(url) {
    hub.deeds.push({ kind: 'open-external', url: new URL(url).href });
  },
  async openPath(path) {
    hub.deeds.push({ kind: 'open-path', path });
    return existsSync(path) ? '' : 'No such file or directory';
  },
  showItemInFolder: (path) => void hub.deeds.push({ kind: 'show-item-in-folder', path }),
};
export const shell = strict(shellMembers, 'shell') as unknown as Shell;

/** The system's theme is light; pages see the app's choice in media features. */
class StandInTheme extends StrictEmitter implements Some<NativeTheme> {
  constructor() {
    super('nativeTheme', 'updated');
  }
  get themeSource(): NativeTheme['themeSource'] {
    return hub.theme;
  }
  set themeSource(value: NativeTheme['themeSource']) {
    if (value === hub.theme) return;
    hub.theme = value;
    for (const contents of hub.contents) contents.applyTheme();
    this.emit('updated');
  }
  get shouldUseDarkColors(): boolean {
    return hub.theme === 'dark';
  }
}
export const nativeTheme = new StandInTheme() as unknown as NativeTheme;

/** electron-updater's; it does nothing on Linux. */
export const autoUpdater = strict(new EventEmitter(), 'autoUpdater');
