// `globalThis.__standin` in the main process: what a test uses in place of the desktop. The app never uses it. Documented in README.md.

import type { Menu, WebContents, WebFrameMain } from 'electron';

import type { MenuModule } from './desktop/menu.ts';
import type { NotificationModule, ShownNotification } from './desktop/notification.ts';
import type { PowerModule } from './desktop/power.ts';
import type { TrayLooks, TrayModule } from './desktop/tray.ts';
import type { Deed, Hub } from './hub.ts';
import { createCodec } from './page/structured-clone.ts';
import type { StandInSession } from './session.ts';
import { strict } from './strict.ts';

export interface FakeMessage {
  /** The contents that the message claims to come from; the first window's by default. */
  contents?: WebContents;
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
  applicationMenu(): Menu | null;
  notifications: ShownNotification[];
  power: Pick<PowerModule, 'emit' | 'blockers'>;
  setPathForFile(name: string, path: string): void;
  askPermission(contents: WebContents, name: string, details?: object): Promise<boolean>;
  checkPermission(contents: WebContents | null, name: string, origin: string): boolean;
  /** Calls a handler as that frame would; rejects with the error that the page would see. */
  invokeFromFrame(message: FakeMessage): Promise<unknown>;
  chromiumPid: number;
}

export function createHooks(deps: {
  hub: Hub;
  trays: TrayModule;
  menus: MenuModule;
  notifications: NotificationModule;
  power: PowerModule;
  defaultSession: () => StandInSession;
}): StandInHooks {
  const { hub } = deps;
  const codec = createCodec();

  function innerOf(
    contents: WebContents | undefined,
  ): typeof hub.contents extends Set<infer Item> ? Item : never {
    const found = [...hub.contents].find(
      (item) => contents === undefined || (item as unknown as WebContents) === contents,
    );
    if (!found) throw new Error('no such webContents');
    return found;
  }

  function fakeEvent(
    message: FakeMessage,
    kind: string,
  ): { event: object; contents: ReturnType<typeof innerOf> } {
    const contents = innerOf(message.contents);
    const isMainFrame = message.isMainFrame ?? false;
    let origin = message.origin;
    if (origin === undefined) {
      const url = new URL(message.url);
      origin = url.origin === 'null' && url.host ? `${url.protocol}//${url.host}` : url.origin;
    }
    const main = contents.mainFrame;
    const frame = strict(
      {
        url: message.url,
        origin,
        name: '',
        parent: isMainFrame ? null : main,
        top: main,
        frames: [],
        processId: main.processId,
        routingId: 99_999,
        frameTreeNodeId: 99_999,
        detached: false,
        isDestroyed: () => false,
      },
      'WebFrameMain',
    ) as unknown as WebFrameMain;
    const event = strict(
      {
        type: 'frame',
        sender: contents,
        senderFrame: message.frame === null ? null : frame,
        processId: main.processId,
        frameId: 99_999,
        frameTreeNodeId: 99_999,
        ports: [],
        reply: () => undefined,
        returnValue: undefined,
        preventDefault: () => undefined,
        defaultPrevented: false,
      },
      kind,
    );
    return { event, contents };
  }

  const pass = (args: unknown[] | undefined): unknown[] =>
    codec.decode(codec.encode(args ?? [])) as unknown[];

  return {
    deeds: hub.deeds,
    trays: () => deps.trays.trays(),
    applicationMenu: () => deps.menus.Menu.getApplicationMenu(),
    notifications: deps.notifications.shown,
    power: deps.power,
    setPathForFile: (name, path) => void hub.filePaths.set(name, path),
    askPermission: (contents, name, details = {}) =>
      innerOf(contents).inner.answerPermission(name, details, undefined),
    checkPermission(contents, name, origin) {
      const handler = (contents ? innerOf(contents).inner.session : deps.defaultSession()).permissionCheck;
      return handler
        ? handler(contents, name as never, origin, { isMainFrame: true, requestingUrl: origin })
        : true;
    },
    async invokeFromFrame(message) {
      const { event } = fakeEvent(message, 'IpcMainInvokeEvent');
      const handler = hub.ipcMain.handler(message.channel);
      try {
        if (!handler) throw new Error(`No handler registered for '${message.channel}'`);
        return codec.decode(codec.encode(await handler(event, ...pass(message.args))));
      } catch (error) {
        throw new Error(`Error invoking remote method '${message.channel}': ${String(error)}`, {
          cause: error,
        });
      }
    },
    chromiumPid: 0,
  };
}
