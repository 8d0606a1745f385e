// The stand-in's part in the preload's world: `require` of a sandboxed preload, ipcRenderer over a binding that only this world sees, and
// the preload's end of the context bridge. Runs in every frame as source text; the preload itself runs only in the main frame.

import type { BridgeEnd, BridgeMessage } from './bridge-end.ts';
import type { Codec } from './structured-clone.ts';

export interface PreloadConfig {
  secret: string;
  binding: string;
}

export type PageToMain =
  | { type: 'invoke'; id: number; channel: string; args: string }
  | { type: 'permission'; id: number; name: string }
  | { type: 'title'; title: string }
  | { type: 'preload-error'; text: string };

export type MainToPage =
  | { type: 'event'; channel: string; args: string }
  | { type: 'reply'; id: number; value: string }
  | { type: 'failure'; id: number; message: string }
  | { type: 'permission'; id: number; isGranted: boolean }
  | { type: 'visibility'; isHidden: boolean };

type Preload = (require: (name: string) => unknown, module: object, exports: object) => void;

/** What is in a page's world besides the DOM. */
interface PageWindow {
  navigation: {
    addEventListener(
      type: 'navigate',
      listener: (event: {
        destination: { url: string; sameDocument: boolean };
        cancelable: boolean;
        downloadRequest: string | null;
        preventDefault(): void;
      }) => void,
    ): void;
  };
  [name: string]: unknown;
}

export function runIsolatedWorld(
  config: PreloadConfig,
  createCodec: () => Codec,
  createBridgeEnd: (send: (message: BridgeMessage) => void) => BridgeEnd,
  preload: Preload | undefined,
): void {
  const own = globalThis as unknown as PageWindow;
  const codec = createCodec();
  const post = (message: PageToMain): void =>
    (own[config.binding] as (text: string) => void)(JSON.stringify(message));
  const toPage = (message: BridgeMessage): void =>
    void document.dispatchEvent(new CustomEvent(`${config.secret}:page`, { detail: message }));
  const bridge = createBridgeEnd(toPage);
  document.addEventListener(`${config.secret}:preload`, (event) =>
    bridge.receive((event as CustomEvent<BridgeMessage>).detail),
  );

  const ask = (question: object): unknown =>
    JSON.parse(window.prompt(`standin:${config.secret}:${JSON.stringify(question)}`) ?? 'null');

  // Only navigations by the page fire this event; true allows them.
  own.navigation.addEventListener('navigate', (event) => {
    const { destination, cancelable, downloadRequest } = event;
    if (destination.sameDocument || !cancelable || downloadRequest !== null) return;
    const isMainFrame = window === window.top;
    if (ask({ kind: 'will-navigate', url: destination.url, isMainFrame }) === false) event.preventDefault();
  });

  function strict<Target extends object>(owner: string, target: Target): Target {
    return new Proxy(target, {
      get(object, member, receiver): unknown {
        if (typeof member === 'symbol' || member in object || member === 'then' || member === 'toJSON')
          return Reflect.get(object, member, receiver);
        throw new Error(`stand-in has no ${owner}.${member}; write it in test/stand-in or do without`);
      },
    });
  }

  let lastId = 0;
  type Listener = (event: object, ...args: unknown[]) => void;
  const listeners = new Map<string, Listener[]>();
  const calls = new Map<
    number,
    { channel: string; resolve(value: unknown): void; reject(error: Error): void }
  >();
  const permissions = new Map<number, (isGranted: boolean) => void>();
  const ipcRenderer = strict('ipcRenderer', {
    on: (channel: string, listener: Listener) =>
      void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      lastId += 1;
      const id = lastId;
      const text = codec.encode(args);
      return new Promise((resolve, reject) => {
        calls.set(id, { channel, resolve, reject });
        post({ type: 'invoke', id, channel, args: text });
      });
    },
  });

  own['__standinDeliver'] = (text: string): void => {
    const message = JSON.parse(text) as MainToPage;
    if (message.type === 'event') {
      const args = codec.decode(message.args) as unknown[];
      const event = strict('IpcRendererEvent', { sender: ipcRenderer });
      for (const listener of listeners.get(message.channel) ?? []) listener(event, ...args);
    } else if (message.type === 'visibility') toPage(message);
    else if (message.type === 'permission') permissions.get(message.id)?.(message.isGranted);
    else {
      const call = calls.get(message.id);
      calls.delete(message.id);
      if (message.type === 'reply') call?.resolve(codec.decode(message.value));
      else call?.reject(new Error(`Error invoking remote method '${call.channel}': ${message.message}`));
    }
  };
  bridge.offer(1 /* askPermission */, (name: string) => {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      permissions.set(id, resolve);
      post({ type: 'permission', id, name });
    });
  });

  const electron = strict('electron (in a preload)', {
    ipcRenderer,
    contextBridge: strict('contextBridge', {
      exposeInMainWorld: (key: string, api: object) =>
        toPage({
          type: 'expose',
          key,
          members: Object.entries(api).map(([name, member]) => [name, bridge.encode(member)]),
        }),
    }),
    webUtils: strict('webUtils', {
      /** Playwright puts files into inputs by path, but the page's File hides the path, so only the file's name is known. */
      getPathForFile(file: File) {
        if (!(file instanceof File)) throw new TypeError('The argument is no File.');
        return (ask({ kind: 'path-for-file', name: file.name }) as string | null) ?? '';
      },
    }),
  });
  const require = (name: string): unknown => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };

  if (window !== window.top) return;
  // Electron gets the title from the browser; CDP reports it too late or not at all.
  let title = '';
  const tell = (): void => {
    if (document.title === title || document.title === '') return;
    title = document.title;
    post({ type: 'title', title });
  };
  document.addEventListener('DOMContentLoaded', () => {
    tell();
    new MutationObserver(tell).observe(document.head, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });

  const cjs = { exports: {} };
  try {
    preload?.(require, cjs, cjs.exports);
  } catch (error) {
    post({ type: 'preload-error', text: error instanceof Error ? (error.stack ?? '') : String(error) });
  }
}
