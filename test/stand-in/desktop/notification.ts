// `Notification`: shown to nobody, kept for the test, which may click or close it by emitting its events.

import type { Notification, NotificationConstructorOptions } from 'electron';

import { createEvent } from '../cancelable-event.ts';
import { StrictEmitter, checkOptions } from '../strict.ts';

const keys: readonly (keyof NotificationConstructorOptions)[] = [
  'title',
  'subtitle',
  'body',
  'silent',
  'icon',
  'hasReply',
  'timeoutType',
  'replyPlaceholder',
  'sound',
  'urgency',
  'actions',
  'closeButtonText',
  'toastXml',
  'id',
  'groupId',
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
  setSupported(isSupported: boolean): void;
}

export function createNotificationModule(): NotificationModule {
  const shown: ShownNotification[] = [];
  let isSupported = true;

  class StandInNotification
    extends StrictEmitter
    implements
      Pick<
        Notification,
        | 'show'
        | 'close'
        | 'title'
        | 'subtitle'
        | 'body'
        | 'silent'
        | 'urgency'
        | 'timeoutType'
        | 'hasReply'
        | 'replyPlaceholder'
        | 'sound'
        | 'closeButtonText'
        | 'toastXml'
        | 'actions'
      >
  {
    title: string;
    subtitle: string;
    body: string;
    silent: boolean;
    urgency: 'normal' | 'critical' | 'low';
    timeoutType: 'default' | 'never';
    hasReply: boolean;
    replyPlaceholder: string;
    sound: string;
    closeButtonText: string;
    toastXml: string;
    actions: Electron.NotificationAction[];
    #entry: ShownNotification | undefined;

    constructor(options: NotificationConstructorOptions = {}) {
      super('Notification', ['show', 'click', 'close', 'reply', 'action', 'failed']);
      checkOptions('Notification', options, keys);
      this.title = options.title ?? '';
      this.subtitle = options.subtitle ?? '';
      this.body = options.body ?? '';
      this.silent = options.silent ?? false;
      this.urgency = options.urgency ?? 'normal';
      this.timeoutType = options.timeoutType ?? 'default';
      this.hasReply = options.hasReply ?? false;
      this.replyPlaceholder = options.replyPlaceholder ?? '';
      this.sound = options.sound ?? '';
      this.closeButtonText = options.closeButtonText ?? '';
      this.toastXml = options.toastXml ?? '';
      this.actions = options.actions ?? [];
    }
    static isSupported(): boolean {
      return isSupported;
    }
    show(): void {
      if (!isSupported) return;
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
    setSupported: (value) => (isSupported = value),
  };
}
