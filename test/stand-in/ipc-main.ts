// `ipcMain` and `webContents.ipc`: events, and at most one handler per channel.

import type { IpcMain } from 'electron';

import { StrictEmitter } from './strict.ts';

type Handler = (event: never, ...args: never[]) => unknown;

export interface IpcScope {
  facade: IpcMain;
  /** Emits to the listeners of a channel. */
  deliver(event: object, channel: string, args: unknown[]): void;
  /** Undefined when the channel has no handler here. */
  handler(channel: string): ((event: object, ...args: unknown[]) => unknown) | undefined;
}

/** The app chooses the channel names, so any event name is allowed. */
const anyEvent = new Proxy([] as string[], {
  get: (list, member, receiver): unknown =>
    member === 'includes' ? () => true : (Reflect.get(list, member, receiver) as unknown),
});

export function createIpcScope(owner: string): IpcScope {
  const handlers = new Map<string, (event: object, ...args: unknown[]) => unknown>();

  class StandInIpcMain extends StrictEmitter {
    constructor() {
      super(owner, anyEvent);
    }
    handle(channel: string, listener: Handler): void {
      if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
      if (typeof listener !== 'function')
        throw new TypeError(`Expected handler to be a function, but found type '${typeof listener}'`);
      handlers.set(channel, listener as (event: object, ...args: unknown[]) => unknown);
    }
    handleOnce(channel: string, listener: Handler): void {
      this.handle(channel, (event, ...args: unknown[]) => {
        handlers.delete(channel);
        return (listener as (event: object, ...args: unknown[]) => unknown)(event, ...args);
      });
    }
    removeHandler(channel: string): void {
      handlers.delete(channel);
    }
  }

  const facade = new StandInIpcMain();
  return {
    facade: facade satisfies Pick<IpcMain, 'handleOnce' | 'removeHandler'>,
    deliver: (event, channel, args) => void facade.emit(channel, event, ...args),
    handler: (channel) => handlers.get(channel),
  };
}
