// `ipcMain`: at most one handler per channel. The app's page sends with `invoke` only.

import type { IpcMain } from 'electron';
import { StrictEmitter } from './strict.ts';

type Handler = (event: object, ...args: unknown[]) => unknown;

export function createIpcMain() {
  const handlers = new Map<string, Handler>();
  const members = {
    handle(channel: string, listener: Handler): void {
      if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
      handlers.set(channel, listener);
    },
    removeHandler: (channel: string) => void handlers.delete(channel),
  };
  return {
    facade: Object.assign(new StrictEmitter('ipcMain', ''), members) as unknown as IpcMain,
    /** @throws Error like Electron's if the channel has no handler */
    handler(channel: string): Handler {
      const found = handlers.get(channel);
      if (found === undefined) throw new Error(`No handler registered for '${channel}'`);
      return found;
    },
  };
}
