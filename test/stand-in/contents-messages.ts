// Messages of a page: those to ipcMain, permission requests, and the questions that it waits for (navigations, popups, synchronous
// messages). The page may lie in all of them, so the frame comes from Chromium, not from the message.

import type { WebContents, WebFrameMain } from 'electron';

import { createEvent } from './cancelable-event.ts';
import type { FrameState } from './frames.ts';
import type { Hub } from './hub.ts';
import type { IpcScope } from './ipc-main.ts';
import type { MainToPage, PageToMain } from './page/isolated-world.ts';
import { createCodec } from './page/structured-clone.ts';
import type { Page } from './page.ts';
import { decidePopup } from './popups.ts';
import type { OpenDetails } from './popups.ts';
import type { StandInSession } from './session.ts';
import { strict } from './strict.ts';
import type { StandInContents } from './web-contents.ts';

export interface ContentsMessages {
  receive(frame: WebFrameMain, state: FrameState, message: PageToMain): void;
  /** The answer to a question, or a promise of it. */
  answer(frame: FrameState | undefined, question: Record<string, unknown>): unknown;
  permission(name: string, details: object, frame: FrameState | undefined): Promise<boolean>;
}

export function createContentsMessages(deps: {
  hub: Hub;
  contents: StandInContents;
  page: () => Page;
  ipc: IpcScope;
  session: StandInSession;
  processId: number;
  onTitle: (title: string) => void;
  onPreloadError: (error: Error) => void;
}): ContentsMessages {
  const { hub, contents, page } = deps;
  const codec = createCodec();

  function messageEvent(frame: WebFrameMain, state: FrameState): Record<string, unknown> {
    return {
      type: 'frame',
      sender: contents,
      senderFrame: frame,
      processId: deps.processId,
      frameId: state.routingId,
      frameTreeNodeId: state.frameTreeNodeId,
      ports: [],
      reply: (channel: string, ...args: unknown[]) => page().sendEvent(state, channel, args),
      returnValue: undefined,
      preventDefault: () => undefined,
      defaultPrevented: false,
    };
  }

  function receive(frame: WebFrameMain, state: FrameState, message: PageToMain): void {
    if (contents.isDestroyed()) return;
    switch (message.type) {
      case 'preload-error': {
        deps.onPreloadError(Object.assign(new Error(message.message), { stack: message.stack }));
        return;
      }
      case 'title':
        deps.onTitle(message.title);
        return;
      case 'permission':
        void permission(message.name, message.details, state).then((isGranted) =>
          page().deliver(
            state,
            isGranted
              ? { type: 'reply', id: message.id, value: '' }
              : { type: 'failure', id: message.id, message: '' },
          ),
        );
        return;
      case 'send': {
        const event = strict(messageEvent(frame, state), 'IpcMainEvent');
        const args = codec.decode(message.args) as unknown[];
        contents.emit('ipc-message', event, message.channel, ...args);
        deps.ipc.deliver(event, message.channel, args);
        hub.ipcMain.deliver(event, message.channel, args);
        return;
      }
      case 'invoke':
      default:
        void invoke(frame, state, message);
    }
  }

  async function invoke(
    frame: WebFrameMain,
    state: FrameState,
    message: PageToMain & { type: 'invoke' },
  ): Promise<void> {
    const { id, channel } = message;
    const { isolatedContext } = state;
    // The next page in the frame counts its calls from the beginning, too.
    const reply = (given: MainToPage): void => {
      if (state.isolatedContext === isolatedContext) page().deliver(state, given);
    };
    const event = strict(messageEvent(frame, state), 'IpcMainInvokeEvent');
    const handler = deps.ipc.handler(channel) ?? hub.ipcMain.handler(channel);
    try {
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      const value = await handler(event, ...(codec.decode(message.args) as unknown[]));
      reply({ type: 'reply', id, value: codec.encode(value) });
    } catch (error) {
      process.stderr.write(
        `Error occurred in handler for '${channel}': ${String((error as Error).stack ?? error)}\n`,
      );
      reply({ type: 'failure', id, message: String(error) });
    }
  }

  function answer(frame: FrameState | undefined, question: Record<string, unknown>): unknown {
    const state = frame ?? page().frames.main()!;
    switch (question['kind']) {
      case 'will-navigate': {
        const url = question['url'] as string;
        const isMainFrame = question['isMainFrame'] === true;
        const target = isMainFrame ? page().frames.main()! : state;
        const details = {
          url,
          isMainFrame,
          isSameDocument: false,
          frame: page().frames.facade(target),
          initiator: page().frames.facade(state),
        };
        const first = createEvent(details);
        contents.emit('will-frame-navigate', first);
        if (first.defaultPrevented) return false;
        if (!isMainFrame) return true;
        const event = createEvent(details);
        contents.emit('will-navigate', event, url, false, true, deps.processId, target.routingId);
        return !event.defaultPrevented;
      }
      case 'window-open': {
        const details = question as unknown as OpenDetails;
        const decision = decidePopup(contents, details);
        if (decision.action === 'deny') return false;
        contents.inner.allowedOpens.push(details);
        contents.inner.decisions.push(decision);
        return true;
      }
      case 'send-sync': {
        const args = codec.decode(question['args'] as string) as unknown[];
        const { promise, resolve: done } = Promise.withResolvers<string>();
        const base = messageEvent(page().frames.facade(state), state);
        let value: unknown;
        Object.defineProperty(base, 'returnValue', {
          get: () => value,
          set: (given: unknown) => {
            value = given;
            done(codec.encode(given));
          },
        });
        const event = strict(base, 'IpcMainEvent');
        const channel = question['channel'] as string;
        contents.emit('ipc-message-sync', event, channel, ...args);
        deps.ipc.deliver(event, channel, args);
        hub.ipcMain.deliver(event, channel, args);
        return promise;
      }
      case 'path-for-file':
        return hub.filePaths.get(question['name'] as string) ?? '';
      default:
        return null;
    }
  }

  async function permission(name: string, details: object, frame: FrameState | undefined): Promise<boolean> {
    const { permissionCheck, permissionRequest } = deps.session;
    const state = frame ?? page().frames.main()!;
    const origin = state.origin;
    const about = {
      ...details,
      requestingUrl: state.url,
      isMainFrame: state.parentId === undefined,
      securityOrigin: origin,
    };
    const facade = contents as unknown as WebContents;
    if (permissionCheck && !permissionCheck(facade, name as never, origin, about)) return false;
    if (!permissionRequest) return true;
    return new Promise((done) => permissionRequest(facade, name as never, done, about));
  }

  return { receive, answer, permission };
}
