// `Notification`: only recorded for the test, which can click or close it, or press a button, by emitting its events.

import type { Notification, NotificationAction, NotificationConstructorOptions } from 'electron';

import { createEvent } from '../cancelable-event.ts';
import { StrictEmitter, checkOptions } from '../strict.ts';

const keys: readonly (keyof NotificationConstructorOptions)[] = [
  'title',
  'body',
  'icon',
  'silent',
  'urgency',
  'timeoutType',
  'actions',
];

export interface ShownNotification {
  notification: Notification;
  title: string;
  body: string;
  isClosed: boolean;
}

export interface NotificationModule {
  Notification: typeof Notification;
  shown: ShownNotification[];
}

export function createNotificationModule(): NotificationModule {
  const shown: ShownNotification[] = [];

  class StandInNotification
    extends StrictEmitter
    implements Pick<Notification, 'show' | 'close' | 'title' | 'body' | 'actions'>
  {
    title: string;
    body: string;
    actions: NotificationAction[];
    #entry: ShownNotification | undefined;

    constructor(options: NotificationConstructorOptions = {}) {
      super('Notification', ['show', 'click', 'close', 'failed', 'action']);
      checkOptions('Notification', options, keys);
      this.title = options.title ?? '';
      this.body = options.body ?? '';
      this.actions = options.actions ?? [];
    }
    static isSupported(): boolean {
      return true;
    }
    show(): void {
      this.#entry = {
        notification: this as unknown as Notification,
        title: this.title,
        body: this.body,
        isClosed: false,
      };
      shown.push(this.#entry);
      setImmediate(() => this.emit('show', createEvent()));
    }
    close(): void {
      if (!this.#entry || this.#entry.isClosed) return;
      this.#entry.isClosed = true;
      setImmediate(() => this.emit('close', createEvent()));
    }
  }
  return {
    Notification: StandInNotification as unknown as typeof Notification,
    shown,
  };
}
