// `globalThis.__standin` in the main process: what a test uses in place of the desktop. The app never uses it. Documented in README.md.

import type { WebContents } from 'electron';

import { notifications, power, type ShownNotification } from './desktop/small-modules.ts';
import { trays, type TrayLooks } from './desktop/tray.ts';
import { hub, type Deed } from './hub.ts';
import { strict } from './strict.ts';
import type { StandInContents } from './web-contents.ts';

export interface FakeMessage {
  /** What senderFrame shows. */
  url: string;
  /** Taken from `url` by default. */
  origin?: string;
  /** Null sets senderFrame to null, as for a frame that is gone. */
  frame?: null;
  isMainFrame?: boolean;
  channel: string;
  args?: unknown[];
}

export interface StandInHooks {
  deeds: Deed[];
  trays(): TrayLooks[];
  notifications: ShownNotification[];
  power: { emit(name: string): { isPrevented: boolean }; blockers(): { id: number }[] };
  setPathForFile(name: string, path: string): void;
  askPermission(contents: WebContents, name: string): Promise<boolean>;
  checkPermission(contents: WebContents, name: string, origin: string): boolean;
  /** Calls a handler as that frame of the first window would. */
  invokeFromFrame(message: FakeMessage): Promise<unknown>;
  chromiumPid: number;
}

export function createHooks(chromiumPid: number): StandInHooks {
  const inner = (contents: WebContents): StandInContents => contents as unknown as StandInContents;
  return {
    deeds: hub.deeds,
    trays: () => trays,
    notifications,
    power,
    setPathForFile: (name, path) => void hub.filePaths.set(name, path),
    askPermission: (contents, name) => inner(contents).askPermission(name, inner(contents).page.frames.main),
    checkPermission(contents, name, origin) {
      const { permissionCheck } = inner(contents).sessionState;
      const about = { isMainFrame: true, requestingUrl: origin };
      return permissionCheck?.(contents, name as never, origin, about) ?? true;
    },
    async invokeFromFrame({ url, origin, frame, isMainFrame = false, channel, args = [] }) {
      const [sender] = hub.contents;
      const main = sender!.mainFrame;
      const { protocol, host, origin: webOrigin } = new URL(url);
      const senderFrame = strict(
        {
          url,
          origin: origin ?? (webOrigin === 'null' && host !== '' ? `${protocol}//${host}` : webOrigin),
          parent: isMainFrame ? null : main,
          processId: main.processId,
          frameTreeNodeId: 99_999,
        },
        'WebFrameMain',
      );
      const event = { sender, senderFrame: frame === null ? null : senderFrame };
      return hub.ipcMain.handler(channel)(strict(event, 'IpcMainInvokeEvent'), ...args);
    },
    chromiumPid,
  };
}
